// How the bound of `lastbit loss` is derived: the rounding errors of the noisy sum, the thresholds
// in u that follow, and the bound case by case.
#pragma once

#include <string>

#include "cli/commands/loss/loss_study.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

// derivation_as_text: these three, for the parameters of the study; the last only if the theorem
// covers them. If u is not a float with all bits and exponents, the text says why there are none.
std::string derivation_as_text(const LossStudy& study, const report::Paint& paint);
// derivation_as_latex: the rounding errors as inference figures, as a complete document.
// Fails     such a u is a kNotSupported Error.
std::string derivation_as_latex(const LossStudy& study);

}  // namespace lastbit::cli
