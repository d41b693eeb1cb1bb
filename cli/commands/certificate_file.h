// Certificates that the tool reads from files.
#pragma once

#include <string>

#include "lastbit/verify/certificate/certificate.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/report/theorem.h"

namespace lastbit::cli {

struct CheckedCertificate {
  verify::Certificate certificate;
  verify::Theorem theorem;
  verify::PrintedProgram program;
  double seconds = 0;  // spent on reading and checking
};

// check_certificate_file: reads the file and has the kernel check it.
// Fails     any problem is a kBadInput Error whose place begins with the file's name.
CheckedCertificate check_certificate_file(const std::string& path);

}  // namespace lastbit::cli
