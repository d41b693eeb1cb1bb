#include "cli/commands/certificate_file.h"

#include <chrono>
#include <utility>

#include "cli/terminal/text_file.h"
#include "lastbit/base/error.h"

namespace lastbit::cli {

CheckedCertificate check_certificate_file(const std::string& path) {
  const std::string text = read_text_file(path, verify::Certificate::kMaxBytes);
  const auto start = std::chrono::steady_clock::now();
  try {
    CheckedCertificate checked;
    checked.certificate = verify::read_certificate(text);
    checked.theorem = verify::check(checked.certificate);
    checked.program = verify::printed(checked.certificate.program);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    checked.seconds = elapsed.count();
    return checked;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    throw Error(ErrorCode::kBadInput, path + ": " + error.place(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit::cli
