// lastbit check: is a certificate a proof, and of what? The kernel answers; nothing is searched.
#include <fmt/core.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands/certificate_file.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/text_file.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/document.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/table.h"
#include "lastbit/verify/floats/loss_certificate.h"
#include "lastbit/verify/lang/parser.h"

namespace lastbit::cli {

using report::binary_text;
using report::Colour;
using report::dumped;
using report::duration;
using report::exact_text;
using report::grouped;
using report::indented;
using report::json_of;
using report::Paint;

namespace {

std::string as_text(const CheckedCertificate& checked, const std::string& program_file) {
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  std::string text = fmt::format("{} {} steps, {} side conditions, checked in {}\n",
                                 paint(Colour::kGreen, "accepted:"), grouped(checked.theorem.steps),
                                 grouped(checked.theorem.obligations), duration(checked.seconds));
  text += fmt::format("theorem:  {}\n", verify::theorem_text(checked.program.program));
  if (!program_file.empty()) {
    return text + fmt::format("program:  that of {}\n", program_file);
  }
  return text + "program:\n" + indented(checked.program.text, 2);
}

nlohmann::ordered_json as_json(const CheckedCertificate& checked) {
  return {{"accepted", true},
          {"theorem", verify::theorem_text(checked.program.program)},
          {"mechanism", checked.program.program.name},
          {"program", checked.program.text},
          {"steps", checked.theorem.steps},
          {"obligations", checked.theorem.obligations},
          {"seconds", checked.seconds}};
}

std::string as_text(const verify::LossCertificate& certificate) {
  const Paint paint = Paint::for_terminal(STDOUT_FILENO);
  const verify::LossWitness& witness = certificate.witness;
  const auto shown = [&](const Rational& value) {
    return exact_text(value + certificate.midpoint);
  };
  std::string text = fmt::format(
      "{} the mechanism was run on both sides of the thresholds, at most {} times\n"
      "exact loss of one output in floats of {} bits (u: {}, rounding: {})\n"
      "  x  = {}\n  x' = {}\n  output {}\n  P[output | x ] = {}\n  P[output | x'] = {}\n",
      paint(Colour::kGreen, "accepted:"), verify::kWitnessRuns, witness.model.precision,
      verify::name_of(witness.model.uniform), verify::name_of(witness.model.rounding),
      shown(witness.x1), shown(witness.x2), shown(witness.output), binary_text(certificate.first),
      binary_text(certificate.second));
  constexpr int kDigits = 24;
  if (!certificate.loss) {
    text += "  loss infinite\n";
  } else {
    text += fmt::format("  loss {}, real noise {}\n",
                        decimal_text(certificate.loss->first, kDigits, Rounding::kDown),
                        decimal_text(certificate.ideal, kDigits, Rounding::kDown));
  }
  if (!certificate.bound) return text;
  return text + fmt::format("  within the proved bound {} for inputs this far apart\n",
                            decimal_text(*certificate.bound, kDigits, Rounding::kUp));
}

nlohmann::ordered_json as_json(const verify::LossCertificate& certificate) {
  nlohmann::ordered_json json = {
      {"accepted", true},
      {"kind", "loss"},
      {"output", (certificate.witness.output + certificate.midpoint).to_string()},
      {"loss", "infinity"},
      {"bound", json_of(certificate.bound)}};
  if (certificate.loss) {
    json["loss"] = {certificate.loss->first.to_string(), certificate.loss->second.to_string()};
  }
  return json;
}

// checked_loss: the certificate of a file whose text says that it is about an exact loss.
verify::LossCertificate checked_loss(const std::string& path, const std::string& text) {
  try {
    return verify::check_loss_certificate(text);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw Error(ErrorCode::kBadInput, path + ": " + error.place(), error.problem(), error.remedy());
  }
}

}  // namespace

int run_check(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "check",
      "Check a certificate with the kernel alone: no search, no solver, exact "
      "arithmetic. Says which theorem it proves. A certificate that proves nothing ends "
      "with exit code 65, the step and the reason. A certificate of lastbit loss is checked by "
      "running the mechanism at the thresholds that it names.",
      "  lastbit check svt.cert\n"
      "  lastbit check svt.cert --program svt.dp\n"
      "  lastbit check loss.json\n");
  std::string path;
  std::string program_file;
  parser.add_argument("CERTIFICATE", path, "The certificate file");
  parser.add_option("--program", program_file,
                    "Require that it is about exactly the program in this file", "FILE");
  if (!parser.parse(arguments, out)) return kExitOk;

  if (const std::string text = read_text_file(path, verify::Certificate::kMaxBytes);
      verify::is_loss_certificate(text)) {
    if (!program_file.empty()) {
      throw parser.wrong("--program is about proofs, and this is a certificate of an exact loss",
                         "leave --program out");
    }
    const verify::LossCertificate checked = checked_loss(path, text);
    out.write(parser.json() ? dumped(as_json(checked)) : as_text(checked));
    return kExitOk;
  }
  const CheckedCertificate checked = check_certificate_file(path);
  if (!program_file.empty()) {
    const std::string text = read_text_file(program_file, verify::kMaxSourceBytes);
    if (verify::parse_program(text, program_file) != checked.certificate.program) {
      throw Error(ErrorCode::kBadInput, path,
                  fmt::format("the certificate is not about the program in {}", program_file),
                  "lastbit check without --program shows which");
    }
  }
  out.write(parser.json() ? dumped(as_json(checked)) : as_text(checked, program_file));
  return kExitOk;
}

}  // namespace lastbit::cli
