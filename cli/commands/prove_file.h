// What `lastbit prove` says of one file.
#pragma once

#include <optional>
#include <string>

#include "lastbit/verify/decide.h"
#include "lastbit/verify/lang/expectation.h"

namespace lastbit::cli {

struct ProofOutcome {
  std::string file;
  verify::Decision decision;
  std::optional<verify::Expectation> expected;
  std::string problem;  // of a file that cannot be read; then there is nothing else

  // as_expected: the verdict is that of the EXPECT line, or a proof where there is none.
  bool as_expected() const;
};

// decide_file: reads the mechanism's file and has it decided, for at most `seconds` seconds or a
// little more.
// Fails     a file that cannot be read or parsed is a kBadInput or kBadText Error.
ProofOutcome decide_file(const std::string& file, double seconds);
// decide_file_or_say_why: the same, but what is wrong with the file is the outcome's `problem`.
ProofOutcome decide_file_or_say_why(const std::string& file, double seconds);

}  // namespace lastbit::cli
