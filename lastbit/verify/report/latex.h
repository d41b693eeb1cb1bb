// A derivation as a LaTeX document.
#pragma once

#include <string>

#include "lastbit/verify/report/derivation.h"

namespace lastbit::verify {

// as_latex: a document of its own that needs amsmath, amssymb and geometry only: the theorem, the
// program, the rules that are used as inference figures, and the derivation, indented by cases.
std::string as_latex(const Derived& derived);

}  // namespace lastbit::verify
