#include "lastbit/verify/floats/rounding/evaluate.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/verify/floats/rounding/extent.h"

namespace lastbit::verify {
namespace {

const Rational& value_of(const std::string& name, const FormulaValues& values) {
  const auto value = values.find(name);
  if (value != values.end()) return value->second;
  throw Error::bad_parameter("formula", "values", fmt::format("has no number for {}", quote(name)),
                             "give every variable a value");
}

Ball unknown(int precision) { return Ball(1, precision) / Ball(0, precision); }

Ball smaller(const Ball& a, const Ball& b) {
  if (certainly_less_or_equal(a, b)) return a;
  if (certainly_less_or_equal(b, a)) return b;
  if (!a.is_finite() || !b.is_finite()) return unknown(a.precision());
  return Ball::between(std::min(a.lower_rational(), b.lower_rational()),
                       std::min(a.upper_rational(), b.upper_rational()), a.precision());
}

Ball larger(const Ball& a, const Ball& b) { return -smaller(-a, -b); }

Ball rounded(const Ball& a, const Grid& grid) {
  if (!a.is_finite()) return a;
  return Ball::between(grid.point(grid.nearest_index(a.lower_rational())),
                       grid.point(grid.nearest_index(a.upper_rational())), a.precision());
}

// Evaluates each node once, however often it is shared.
class RealEvaluator {
 public:
  RealEvaluator(const FormulaValues& values, const FloatFormat& format, int precision)
      : values_(values),
        error_factor_(Rational(1) + Rational::two_to(-format.precision()), precision),
        grain_factor_(Rational(1) + Rational::two_to(1 - format.precision()), precision),
        precision_(precision) {}

  const Ball& of(const Formula& formula) {
    const auto known = known_.find(formula.identity());
    if (known != known_.end()) return known->second;
    Ball value = found(formula);
    return known_.try_emplace(formula.identity(), std::move(value)).first->second;
  }

 private:
  Ball constant(const Rational& value) const { return Ball(value, precision_); }

  Ball found(const Formula& formula) {
    const auto a = [&]() -> const Ball& { return of(formula.operand(0)); };
    const auto b = [&]() -> const Ball& { return of(formula.operand(1)); };
    switch (formula.kind()) {
      case FormulaKind::kNumber:
        return constant(formula.number());
      case FormulaKind::kVariable:
        return constant(value_of(formula.name(), values_));
      case FormulaKind::kUniform:
        return constant(value_of("U", values_));
      case FormulaKind::kAdd:
        return a() + b();
      case FormulaKind::kSubtract:
        return a() - b();
      case FormulaKind::kMultiply:
        return a() * b();
      case FormulaKind::kDivide:
        return a() / b();
      case FormulaKind::kNegate:
        return -a();
      case FormulaKind::kLn:
        return ln(a());
      case FormulaKind::kExp:
        return exp(a());
      case FormulaKind::kRound:
        return rounded(a(), Grid::at_least(formula.number()));
      case FormulaKind::kClamp:
        return larger(smaller(a(), constant(formula.number())), constant(-formula.number()));
      case FormulaKind::kMin:
        return smaller(a(), b());
      case FormulaKind::kMax:
        return larger(a(), b());
      case FormulaKind::kScaled:
        return a() * pow(error_factor_, formula.error_power()) *
               pow(grain_factor_, formula.grain_power());
      case FormulaKind::kLower:
        return smaller(a() * pow(error_factor_, formula.error_power()),
                       a() * pow(error_factor_, -formula.error_power()));
      case FormulaKind::kUpper:
        return larger(a() * pow(error_factor_, formula.error_power()),
                      a() * pow(error_factor_, -formula.error_power()));
    }
    broken_invariant("every kind of formula has a value", std::source_location::current());
  }

  const FormulaValues& values_;
  Ball error_factor_;
  Ball grain_factor_;
  int precision_;
  std::unordered_map<const Formula::Node*, Ball> known_;
};

Error impossible(std::string_view what, const Formula& formula) {
  return Error(ErrorCode::kNotSupported, "float_value",
               fmt::format("{} in {}", what, float_text(formula)),
               "give values for which the expression is defined");
}

class FloatEvaluator {
 public:
  FloatEvaluator(const FormulaValues& values, const FloatFormat& format)
      : values_(values), format_(format) {}

  const Float& of(const Formula& formula) {
    const auto known = known_.find(formula.identity());
    if (known != known_.end()) return known->second;
    Float value = found(formula);
    return known_.try_emplace(formula.identity(), std::move(value)).first->second;
  }

 private:
  Float found(const Formula& formula) {
    const auto a = [&]() -> const Float& { return of(formula.operand(0)); };
    const auto b = [&]() -> const Float& { return of(formula.operand(1)); };
    switch (formula.kind()) {
      case FormulaKind::kNumber:
        return Float::from(formula.number(), format_);
      case FormulaKind::kVariable:
        return variable(formula);
      case FormulaKind::kUniform:
        return uniform();
      case FormulaKind::kAdd:
        return add(a(), b(), format_);
      case FormulaKind::kSubtract:
        return subtract(a(), b(), format_);
      case FormulaKind::kMultiply:
        return multiply(a(), b(), format_);
      case FormulaKind::kDivide:
        if (b().is_zero()) throw impossible("a division by 0", formula);
        return divide(a(), b(), format_);
      case FormulaKind::kNegate:
        return -a();
      case FormulaKind::kLn:
        if (a().is_zero() || a().is_negative()) {
          throw impossible("a logarithm of a number that is not positive", formula);
        }
        return lastbit::ln(a(), format_);
      case FormulaKind::kRound: {
        const Grid grid = Grid::at_least(formula.number());
        return exactly(grid.point(grid.nearest_index(a().to_rational())));
      }
      case FormulaKind::kClamp:
        return exactly(std::clamp(a().to_rational(), -formula.number(), formula.number()));
      default:
        throw impossible("something that only bounds have", formula);
    }
  }

  Float variable(const Formula& formula) const {
    const Rational& value = value_of(formula.name(), values_);
    return formula.is_exact() ? exactly(value) : Float::from(value, format_);
  }

  Float uniform() const {
    const Rational& value = value_of("U", values_);
    if (value.sign() <= 0 || value >= Rational(1)) {
      throw Error::bad_parameter("float_value", "values", "puts U outside (0, 1)",
                                 "give a number above 0 and below 1");
    }
    return Float::from(value, format_, Rounding::kDown);
  }

  Float exactly(const Rational& value) const {
    if (is_float(value, format_)) return Float::from(value, format_);
    throw Error::bad_parameter(
        "float_value", "values",
        fmt::format("gives an exact variable, or a clamp, a number that {} bits cannot hold",
                    format_.precision()),
        "give a float, or declare the variable as real");
  }

  const FormulaValues& values_;
  FloatFormat format_;
  std::unordered_map<const Formula::Node*, Float> known_;
};

}  // namespace

Ball real_value(const Formula& formula, const FormulaValues& values, const FloatFormat& format,
                int precision) {
  return RealEvaluator(values, format, precision).of(formula);
}

Float float_value(const Formula& formula, const FormulaValues& values, const FloatFormat& format) {
  if (format.is_bounded()) {
    throw Error::bad_parameter("float_value", "format", "has limited exponents",
                               "give FloatFormat::unbounded(precision)");
  }
  return FloatEvaluator(values, format).of(formula);
}

bool is_float(const Rational& number, const FloatFormat& format) {
  return Float::from(number, format).to_rational() == number;
}

}  // namespace lastbit::verify
