// A derivation as a LaTeX document.
#pragma once

#include <string>

#include "lastbit/verify/report/derivation.h"

namespace lastbit::verify {

// as_latex: a complete document that needs only amsmath, amssymb and geometry: the theorem, the
// program, the rules used, as inference figures, and the derivation, indented by cases.
std::string as_latex(const Derived& derived);

}  // namespace lastbit::verify
