// The verdict that a file of the corpus expects, in one line of its comments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lastbit::verify {

struct Expectation {
  std::string verdict;  // proved, refuted, unknown or not refuted
  std::string epsilon;  // the loss that is proved, as the line writes it; empty otherwise
  friend bool operator==(const Expectation&, const Expectation&) = default;
};

// read_expectation: the first line `# EXPECT: proved LOSS`, `# EXPECT: refuted`, `# EXPECT:
// unknown` or `# EXPECT: not refuted`, if there is one. A malformed one is a kBadText Error: a test
// that expects nothing would never fail.
std::optional<Expectation> read_expectation(std::string_view text);

}  // namespace lastbit::verify
