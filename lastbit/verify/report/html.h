// A derivation as one self-contained HTML page: no scripts, no fonts, no network.
#pragma once

#include <string>

#include "lastbit/verify/report/derivation.h"

namespace lastbit::verify {

// as_html: the theorem, the program with the rules that apply to each line, the derivation as a
// foldable tree, and the rules that it uses, premises over conclusion. All text is escaped.
std::string as_html(const Derived& derived);

}  // namespace lastbit::verify
