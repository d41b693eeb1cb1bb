#include "cli/commands/certificate_file.h"

#include <utility>

#include "cli/terminal/text_file.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"

namespace lastbit::cli {

CheckedCertificate check_certificate_file(const std::string& path) {
  const std::string text = read_text_file(path, verify::Certificate::kMaxBytes);
  const Stopwatch watch;
  try {
    CheckedCertificate checked;
    checked.certificate = verify::read_certificate(text);
    checked.theorem = verify::check(checked.certificate);
    checked.program = verify::printed(checked.certificate.program);
    checked.seconds = watch.seconds();
    return checked;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw Error(ErrorCode::kBadInput, path + ": " + error.place(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit::cli
