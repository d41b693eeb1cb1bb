// A derivation as indented text for a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "lastbit/verify/report/derivation.h"

namespace lastbit::verify {

// as_text: the theorem, the program with numbered lines, and the derivation from its first step on.
// Consecutive steps are printed below each other; cases are drawn as a tree. Lines are at most
// `width` characters long where words allow it.
std::string as_text(const Derived& derived, std::size_t width = 100);

}  // namespace lastbit::verify
