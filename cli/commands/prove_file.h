// What `lastbit prove` says about one file.
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
  std::string problem;  // why the file cannot be read; then nothing else is set

  // as_expected: the verdict is that of the EXPECT line, or a proof if there is no such line.
  bool as_expected() const;
};

// decide_file: reads the file of a mechanism and decides it, within `seconds` seconds or a little
// more.
// Fails     a file that cannot be read or parsed is a kBadInput or kBadText Error.
ProofOutcome decide_file(const std::string& file, double seconds);
// decide_file_or_say_why: the same, but a problem with the file becomes the outcome's `problem`.
ProofOutcome decide_file_or_say_why(const std::string& file, double seconds);

}  // namespace lastbit::cli
