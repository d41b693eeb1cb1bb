// The forms in which prove and explain write a proof to files.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal/arguments.h"
#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::cli {

struct ProofFiles {
  std::string latex;
  std::string html;
  std::string smtlib;

  // add_options: --latex, --html and --smtlib, which set the names above.
  void add_options(Arguments& parser);
  bool empty() const { return latex.empty() && html.empty() && smtlib.empty(); }
  // write: the requested files, each whole or not at all. Returns a line for each that says what it
  // is.
  std::vector<std::string> write(const verify::Certificate& certificate) const;
};

}  // namespace lastbit::cli
