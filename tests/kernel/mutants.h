// Mutants: certificates with one small change each, in the proof or in the program.
#pragma once

#include <cstddef>
#include <string>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify::testing {

struct Mutant {
  Certificate certificate;
  std::string change;  // for people
};

// count_mutants: how many changes there are. make_mutant: the certificate with one of them.
std::size_t count_mutants(const Certificate& original);
Mutant make_mutant(const Certificate& original, std::size_t index);

}  // namespace lastbit::verify::testing
