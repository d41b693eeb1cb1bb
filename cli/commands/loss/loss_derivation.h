// How the bound of `lastbit loss` comes about: the rounding errors of the noisy sum, the thresholds in
// u that follow, and the bound case by case.
#pragma once

#include <string>

#include "cli/commands/loss/loss_study.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

// derivation_as_text: the three, for the parameters of the study; the last only where the theorem
// speaks about them. Where u is no float of all bits and exponents, the text says why there are none.
std::string derivation_as_text(const LossStudy& study, const report::Paint& paint);
// derivation_as_latex: the rounding errors as inference figures, a document of its own.
// Fails     a u as above is a kNotSupported Error.
std::string derivation_as_latex(const LossStudy& study);

}  // namespace lastbit::cli
