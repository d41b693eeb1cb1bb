// Which programs of the mechanism language are the snapping mechanism, so that what is proved about
// its floats can be added to what couplings prove about its real numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

// Product: a number times powers of expressions that are not themselves products.
struct Product {
  Rational coefficient = 1;
  std::vector<std::pair<Expression, int>> factors;  // each once, exponents not 0
};
Product product_of(const Expression& expression);
Product inverse(const Product& a);
Product operator*(const Product& a, const Product& b);
// ratio: a/b if that is a number, otherwise nothing.
std::optional<Rational> ratio(const Product& a, const Product& b);

// SnappingProgram: clamp(round(clamp(input, −B, B) + s·λ·ln(u), pow2ceil(λ)), −B, B) for a fair sign
// s, a uniform u, and inputs at most `distance` apart. All three are public.
struct SnappingProgram {
  std::string input;
  Product half_width;  // B
  Product scale;       // λ
  Product distance;    // Δ
};

struct SnappingMatch {
  std::optional<SnappingProgram> program;
  std::string why_not;  // what differs, if there is no program
};

// match_snapping: whether the program is the snapping mechanism, however its steps are written and
// named.
// Requires  caller: the program passed the type checks of verify/lang.
// Ensures   a match claims Δ/λ or more and δ = 0; its straight-line body returns the expression
//           above. In p-bit floats with λ rounded up, the loss then is at most the claim plus the
//           excess of proofs/snapping.md#loss. Proof: proofs/loss.md#programs
SnappingMatch match_snapping(const Program& program);

}  // namespace lastbit::verify
