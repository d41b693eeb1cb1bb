// lastbit check: is a certificate a proof, and of what? The kernel answers; nothing is searched.
#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "cli/arguments.h"
#include "cli/certificate_file.h"
#include "cli/command.h"
#include "cli/document.h"
#include "cli/table.h"
#include "cli/text_file.h"
#include "lastbit/verify/lang/parser.h"

namespace lastbit::cli {
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

}  // namespace

int run_check(CommandArguments arguments, Sink& out) {
  Arguments parser(
      "check",
      "Check a certificate with the kernel alone: no search, no solver, exact "
      "arithmetic. Says which theorem it proves. A certificate that proves nothing ends "
      "with exit code 65, the step and the reason.",
      "  lastbit check svt.cert\n"
      "  lastbit check svt.cert --program svt.dp\n");
  std::string path;
  std::string program_file;
  parser.app().add_option("CERTIFICATE", path, "The certificate's file")->required()->type_name("");
  parser.app()
      .add_option("--program", program_file, "It must be about exactly the program of this file")
      ->type_name("FILE");
  if (!parser.parse(arguments, out)) return kExitOk;

  const CheckedCertificate checked = check_certificate_file(path);
  if (!program_file.empty()) {
    const std::string text = read_text_file(program_file, verify::kMaxSourceBytes);
    if (verify::parse_program(text, program_file) != checked.certificate.program) {
      throw Error(ErrorCode::kBadInput, path,
                  fmt::format("the certificate is about another program than {}", program_file),
                  "lastbit check without --program shows which");
    }
  }
  out.write(parser.json() ? dumped(as_json(checked)) : as_text(checked, program_file));
  return kExitOk;
}

}  // namespace lastbit::cli
