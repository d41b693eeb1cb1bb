// The files that `lastbit loss` writes beside its answer.
#pragma once

#include <string>
#include <vector>

#include "cli/commands/loss/loss_study.h"
#include "cli/terminal/arguments.h"

namespace lastbit::cli {

struct LossFiles {
  std::string plot;
  std::string certificate;
  std::string coq;
  std::string gappa;
  std::string latex;

  // add_options: --plot, --certificate, --coq, --gappa and --latex, which set the names above.
  void add_options(Arguments& parser);
  // require_different: two files with the same name are a usage Failure.
  void require_different(const Arguments& parser) const;
  // write: the requested files, each whole or not at all. Returns a line for each that says what it
  // is.
  std::vector<std::string> write(const LossStudy& study) const;
};

}  // namespace lastbit::cli
