#include "lastbit/verify/floats/rounding/formula.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::verify {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

Formula variable(const std::string& name, bool is_exact) {
  const bool is_identifier =
      !name.empty() && is_letter(name[0]) &&
      std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (!is_identifier || name == "U" || name == "u" || name == "eta") {
    throw Error::bad_parameter(
        "formula", "name", fmt::format("is {}, which is not a name for a variable", quote(name)),
        "use letters, digits and _, and neither U, u nor eta");
  }
  return Formula::of({.kind = FormulaKind::kVariable, .name = name, .is_exact = is_exact});
}

Formula unary(FormulaKind kind, const Formula& a) {
  return Formula::of({.kind = kind, .operands = {a}});
}

Formula binary(FormulaKind kind, const Formula& a, const Formula& b) {
  return Formula::of({.kind = kind, .operands = {a, b}});
}

bool is_scaled(const Formula& a) { return a.kind() == FormulaKind::kScaled; }
const Formula& unscaled(const Formula& a) { return is_scaled(a) ? a.operand() : a; }
// The powers that a factor brings along; those inside a min or max stay there.
int outer_error(const Formula& a) { return is_scaled(a) ? a.error_power() : 0; }
int outer_grain(const Formula& a) { return is_scaled(a) ? a.grain_power() : 0; }

}  // namespace

Formula Formula::of(Node node) {
  int depth = 0;
  std::size_t size = 1;
  for (const Formula& operand : node.operands) {
    depth = std::max(depth, operand.depth());
    size = std::min(size + operand.size(), kMaxSize);
  }
  node.depth = depth + 1;
  node.size = size;
  if (node.depth > kMaxDepth) {
    throw Error(ErrorCode::kNotSupported, "formula",
                fmt::format("it is nested deeper than {}", kMaxDepth), "split it into parts");
  }
  return Formula(std::make_shared<const Node>(std::move(node)));
}

Formula Formula::number(const Rational& value) {
  return of({.kind = FormulaKind::kNumber, .number = value});
}

Formula Formula::exact(const std::string& name) { return variable(name, true); }
Formula Formula::real(const std::string& name) { return variable(name, false); }
Formula Formula::uniform() { return of({.kind = FormulaKind::kUniform}); }

bool operator==(const Formula& a, const Formula& b) {
  if (a.identity() == b.identity()) return true;
  return a.kind() == b.kind() && a.size() == b.size() && a.number() == b.number() &&
         a.name() == b.name() && a.is_exact() == b.is_exact() &&
         a.error_power() == b.error_power() && a.grain_power() == b.grain_power() &&
         a.operands() == b.operands();
}

Formula operator+(const Formula& a, const Formula& b) { return binary(FormulaKind::kAdd, a, b); }
Formula operator-(const Formula& a, const Formula& b) {
  return binary(FormulaKind::kSubtract, a, b);
}

Formula operator*(const Formula& a, const Formula& b) {
  if (!is_scaled(a) && !is_scaled(b)) return binary(FormulaKind::kMultiply, a, b);
  return scaled(unscaled(a) * unscaled(b), outer_error(a) + outer_error(b),
                outer_grain(a) + outer_grain(b));
}

Formula operator/(const Formula& a, const Formula& b) {
  if (!is_scaled(a) && !is_scaled(b)) return binary(FormulaKind::kDivide, a, b);
  return scaled(unscaled(a) / unscaled(b), outer_error(a) - outer_error(b),
                outer_grain(a) - outer_grain(b));
}

Formula operator-(const Formula& a) {
  if (is_scaled(a)) return scaled(-a.operand(), a.error_power(), a.grain_power());
  if (a.kind() == FormulaKind::kNegate) return a.operand();
  if (a.kind() == FormulaKind::kLower) return upper(-a.operand(), a.error_power());
  if (a.kind() == FormulaKind::kUpper) return lower(-a.operand(), a.error_power());
  return unary(FormulaKind::kNegate, a);
}

Formula ln(const Formula& a) { return unary(FormulaKind::kLn, a); }
Formula exp(const Formula& a) { return unary(FormulaKind::kExp, a); }

Formula round_to(const Formula& a, const Rational& spacing) {
  // Grid::at_least refuses spacings that are not positive or too extreme.
  if (Grid::at_least(spacing).spacing() != spacing) {
    throw Error::bad_parameter("round_to", "spacing", "is not a power of two",
                               "give a power of two, such as 1/8 or 4");
  }
  return Formula::of({.kind = FormulaKind::kRound, .number = spacing, .operands = {a}});
}

Formula clamp_to(const Formula& a, const Rational& bound) {
  if (bound.sign() <= 0) {
    throw Error::bad_parameter("clamp_to", "bound", "is not positive", "give a bound above 0");
  }
  return Formula::of({.kind = FormulaKind::kClamp, .number = bound, .operands = {a}});
}

Formula min(const Formula& a, const Formula& b) {
  return a == b ? a : binary(FormulaKind::kMin, a, b);
}

Formula max(const Formula& a, const Formula& b) {
  return a == b ? a : binary(FormulaKind::kMax, a, b);
}

Formula scaled(const Formula& a, int error_power, int grain_power) {
  if (is_scaled(a)) {
    return scaled(a.operand(), a.error_power() + error_power, a.grain_power() + grain_power);
  }
  if (error_power == 0 && grain_power == 0) return a;
  return Formula::of({.kind = FormulaKind::kScaled,
                      .error_power = error_power,
                      .grain_power = grain_power,
                      .operands = {a}});
}

Formula lower(const Formula& a, int error_power) {
  if (error_power == 0) return a;
  const int inner = a.kind() == FormulaKind::kLower ? a.error_power() : 0;
  return Formula::of({.kind = FormulaKind::kLower,
                      .error_power = inner + error_power,
                      .operands = {inner == 0 ? a : a.operand()}});
}

Formula upper(const Formula& a, int error_power) {
  if (error_power == 0) return a;
  const int inner = a.kind() == FormulaKind::kUpper ? a.error_power() : 0;
  return Formula::of({.kind = FormulaKind::kUpper,
                      .error_power = inner + error_power,
                      .operands = {inner == 0 ? a : a.operand()}});
}

int count_uniform(const Formula& formula) {
  if (formula.kind() == FormulaKind::kUniform) return 1;
  int count = 0;
  for (const Formula& operand : formula.operands()) {
    count += count_uniform(operand);
    if (count >= 2) return 2;
  }
  return count;
}

Formula snapping_formula(int sign) {
  if (sign != 1 && sign != -1) {
    throw Error::bad_parameter("snapping_formula", "sign", "is neither 1 nor -1",
                               "give one of the two");
  }
  return Formula::exact("f") +
         Formula::number(sign) * (Formula::exact("lambda") * ln(Formula::uniform()));
}

}  // namespace lastbit::verify
