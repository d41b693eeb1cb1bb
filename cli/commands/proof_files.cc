#include "cli/commands/proof_files.h"

#include <fmt/core.h>

#include "cli/terminal/output.h"
#include "lastbit/verify/report/derivation.h"
#include "lastbit/verify/report/html.h"
#include "lastbit/verify/report/latex.h"
#include "lastbit/verify/report/smtlib.h"

namespace lastbit::cli {

void ProofFiles::add_options(Arguments& parser) {
  parser.add_option("--latex", latex, "Write the proof as a LaTeX document", "OUT");
  parser.add_option("--html", html, "Write the proof as a web page", "OUT");
  parser.add_option("--smtlib", smtlib, "Write the side conditions for SMT solvers", "OUT");
}

std::vector<std::string> ProofFiles::write(const verify::Certificate& certificate) const {
  std::vector<std::string> lines;
  if (!latex.empty() || !html.empty()) {
    const verify::Derived derived = verify::derive(certificate);
    if (!latex.empty()) {
      write_file(latex, verify::as_latex(derived));
      lines.push_back(fmt::format("LaTeX:       {}", latex));
    }
    if (!html.empty()) {
      write_file(html, verify::as_html(derived));
      lines.push_back(fmt::format("web page:    {}", html));
    }
  }
  if (!smtlib.empty()) {
    const verify::SmtScript script = verify::as_smtlib(certificate);
    write_file(smtlib, script.text);
    lines.push_back(
        fmt::format("SMT-LIB:     {} ({} problems, each unsat)", smtlib, script.problems));
  }
  return lines;
}

}  // namespace lastbit::cli
