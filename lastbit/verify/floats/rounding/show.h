// Derivations of rounding errors for people: text for a terminal, LaTeX for paper.
#pragma once

#include <string>

#include "lastbit/verify/floats/rounding/inversion.h"
#include "lastbit/verify/floats/rounding/semantics.h"

namespace lastbit::verify {

// as_text: the steps of the derivation, premises before conclusions, numbered; each with its rule
// and the steps it follows from. UTF-8, at most 100 columns wide unless a single word is longer.
std::string as_text(const RoundingDerivation& derivation);
// as_text: U ≥ T or U < T, and the formulas around T.
std::string as_text(const UniformThreshold& threshold);

// as_latex: a complete document that needs only amsmath, amssymb and geometry: the ranges, and the
// steps as inference figures.
std::string as_latex(const RoundingDerivation& derivation);
// latex_threshold: the same as as_text of a threshold, as displayed math.
std::string latex_threshold(const UniformThreshold& threshold);

}  // namespace lastbit::verify
