// lastbit explain: the proof in a certificate, for people and for other tools.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/certificate_file.h"
#include "cli/commands/proof_files.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "lastbit/report/document.h"
#include "lastbit/report/table.h"
#include "lastbit/verify/report/text.h"

namespace lastbit::cli {

using report::dumped;
using report::kNoLimit;
using report::terminal_width;

namespace {

constexpr std::size_t kPlainWidth = 100;  // of text that goes to a file or a pipe

using verify::ShownObligation;
using verify::ShownStep;

nlohmann::ordered_json as_json(const std::vector<ShownObligation>& obligations) {
  auto all = nlohmann::ordered_json::array();
  for (const ShownObligation& one : obligations) {
    all.push_back({{"goal", one.goal}, {"why", one.why}, {"because", one.parts}});
  }
  return all;
}

nlohmann::ordered_json as_json(const ShownStep& step) {
  nlohmann::ordered_json json = {{"step", step.place},
                                 {"rule", std::string(verify::statement_of(step.rule).name)},
                                 {"line", step.line},
                                 {"statement", step.statement},
                                 {"action", step.action},
                                 {"notes", step.notes},
                                 {"spent", step.spent},
                                 {"spent_delta", step.spent_delta},
                                 {"arrival", step.arrival},
                                 {"assigned", step.assignments},
                                 {"known", step.facts},
                                 {"where", step.definitions},
                                 {"obligations", as_json(step.obligations)}};
  auto then = nlohmann::ordered_json::array();
  for (const ShownStep& next : step.then) then.push_back(as_json(next));
  json["then"] = std::move(then);
  return json;
}

nlohmann::ordered_json as_json(const verify::Derived& derived) {
  auto proofs = nlohmann::ordered_json::array();
  for (const verify::ShownProof& proof : derived.proofs) {
    proofs.push_back({{"swapped", proof.swapped},
                      {"obligations", as_json(proof.obligations)},
                      {"derivation", as_json(proof.first)}});
  }
  return {{"theorem", verify::theorem_text(derived.program.program)},
          {"program", derived.program.text},
          {"steps", derived.steps},
          {"obligations", derived.obligations},
          {"proofs", std::move(proofs)}};
}

}  // namespace

int run_explain(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "explain",
      "Show the proof that a certificate holds: every step with its rule, what it "
      "couples, what it costs, and why its side conditions hold. The kernel checks the "
      "certificate first.",
      "  lastbit explain svt.cert\n"
      "  lastbit explain svt.cert --html svt.html --latex svt.tex\n"
      "  lastbit explain svt.cert --smtlib svt.smt2\n");
  std::string path;
  ProofFiles files;
  parser.add_argument("CERTIFICATE", path, "The certificate file");
  files.add_options(parser);
  if (!parser.parse(arguments, out)) return kExitOk;

  const CheckedCertificate checked = check_certificate_file(path);
  const auto written = files.write(checked.certificate);
  if (parser.json()) {
    out.write(dumped(as_json(verify::derive(checked.certificate))));
  } else if (!written.empty()) {
    for (const std::string& line : written) out.write(line + "\n");
  } else {
    const std::size_t width = terminal_width(STDOUT_FILENO);
    out.write(verify::as_text(verify::derive(checked.certificate),
                              width == kNoLimit ? kPlainWidth : width));
  }
  return kExitOk;
}

}  // namespace lastbit::cli
