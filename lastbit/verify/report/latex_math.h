// Code of derivations as LaTeX mathematics. Used by latex.cc only.
#pragma once

#include <string>
#include <string_view>

namespace lastbit::verify {

// latex_text: plain text, with the characters that are special in LaTeX escaped.
std::string latex_text(std::string_view text);
// latex_math: an expression or a comparison, for use between dollar signs: eps/(4*N) becomes
// \varepsilon/(4\cdot N) and q[i].1 becomes \mathit{q}[i]_{1}.
std::string latex_math(std::string_view code);
// latex_judgement: a statement of rule_table, a mix of words and symbols.
std::string latex_judgement(std::string_view text);

}  // namespace lastbit::verify
