// What a program claims, in a sentence, and the text to which line numbers refer.
#pragma once

#include <string>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

// privacy_text: "eps-DP", "(2 * eps)-DP" or "(eps, delta)-DP".
std::string privacy_text(const Program& program);
// condition_text: "all eps > 0, B > 0 and inputs with |f.1 - f.2| <= 1".
std::string condition_text(const Program& program);
// theorem_text: "snapping is eps-DP for all …", without a full stop.
std::string theorem_text(const Program& program);

// scaled_claim_text: `factor` times the claimed epsilon, simplified: "eps" for 1, "eps/2" for 1/2.
// Requires  caller: the calculus accepts the program, as it does one that was proved.
std::string scaled_claim_text(const Program& program, const Rational& factor);

// PrintedProgram: a program's canonical text, and the program with the positions in that text.
struct PrintedProgram {
  std::string text;
  Program program;
};
// printed: a program from a certificate as text. If the text were not read as the same program, it
// could claim something other than it seems to: that is a kBadInput Error.
PrintedProgram printed(const Program& program);

}  // namespace lastbit::verify
