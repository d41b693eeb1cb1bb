#include "lastbit/verify/semantics/evaluate.h"

#include <algorithm>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::verify {
namespace {

using Result = std::optional<LogNumber>;
using Operands = std::vector<LogNumber>;

// Only hostile programs have deeper expressions, which would fill the stack.
constexpr int kMaxDepth = 500;

Error senseless(const Expression& at, std::string_view problem) {
  return Error(ErrorCode::kMismatch,
               "line " + std::to_string(at.at.line) + ", column " + std::to_string(at.at.column),
               std::string(problem), "execute programs that the parser accepts");
}

LogNumber truth(bool value) { return Rational(value ? 1 : 0); }

LogNumber smaller(const LogNumber& a, const LogNumber& b) { return compare(b, a) < 0 ? b : a; }
LogNumber larger(const LogNumber& a, const LogNumber& b) { return compare(a, b) < 0 ? b : a; }

Integer nearest(const Rational& x) { return (x + Rational(1, 2)).floor(); }

// Half-way between two whole numbers the even one; elsewhere as nearest().
Integer nearest_even(const Rational& x) {
  const Integer up = nearest(x);
  const bool tie = Rational(up) - x == Rational(1, 2);
  return tie && floor_mod(up, 2).sign() != 0 ? up - Integer(1) : up;
}

Integer toward_zero(const Rational& x) { return x.sign() < 0 ? x.ceil() : x.floor(); }

template <class Whole>
Result on_grid(const Operands& operands, const Whole& whole) {
  const LogNumber& grid = operands[1];
  if (grid.factor.sign() <= 0) return std::nullopt;
  const LogNumber cells = multiply(operands[0], inverse(grid));
  return multiply(Rational(whole(rational_part(cells, "a number of grid cells"))), grid);
}

Result modulo(const LogNumber& a, const LogNumber& b) {
  const Rational& dividend = rational_part(a, "the argument of %");
  const Rational& divisor = rational_part(b, "the argument of %");
  if (!dividend.is_integer() || !divisor.is_integer() || divisor.sign() <= 0) return std::nullopt;
  return Rational(floor_mod(dividend.numerator(), divisor.numerator()));
}

Result pow2ceil(const LogNumber& a) {
  const Rational& x = rational_part(a, "the argument of pow2ceil");
  if (x.sign() <= 0) return std::nullopt;
  // 2^(bits(n) − bits(d) − 1) < n/d < 2^(bits(n) − bits(d) + 1).
  const auto guess = static_cast<std::int64_t>(x.numerator().bit_length()) -
                     static_cast<std::int64_t>(x.denominator().bit_length());
  const Rational power = Rational::two_to(guess);
  return power >= x ? Rational(power) : power + power;
}

Result function_value(const Operands& operands, const Expression& expression,
                      const Rational& base) {
  const LogNumber& a = operands[0];
  switch (expression.op) {
    case Operator::kAbs:
      return a.factor.sign() < 0 ? negated(a) : a;
    case Operator::kMin:
      return smaller(a, operands[1]);
    case Operator::kMax:
      return larger(a, operands[1]);
    case Operator::kClamp:
      return smaller(larger(a, operands[1]), operands[2]);
    case Operator::kRound:
      return on_grid(operands, nearest);
    case Operator::kRoundHalfEven:
      return on_grid(operands, nearest_even);
    case Operator::kRoundTowardZero:
      return on_grid(operands, toward_zero);
    case Operator::kFloor:
      return LogNumber(rational_part(a, "the argument of floor").floor());
    case Operator::kCeil:
      return LogNumber(rational_part(a, "the argument of ceil").ceil());
    case Operator::kLn:
      return ln_of(a, base);
    case Operator::kExp:
      return LogNumber(exp_of(a, base));
    case Operator::kPow2Ceil:
      return pow2ceil(a);
    case Operator::kLogistic: {
      const Rational power = exp_of(a, base);
      return LogNumber(power / (Rational(1) + power));
    }
    default:
      throw senseless(expression, "an operator is unknown");
  }
}

Result arithmetic(const Operands& operands, const Expression& expression, const Rational& base) {
  const LogNumber& a = operands[0];
  switch (expression.op) {
    case Operator::kAdd:
      return add(a, operands[1]);
    case Operator::kSubtract:
      return add(a, negated(operands[1]));
    case Operator::kMultiply:
      return multiply(a, operands[1]);
    case Operator::kDivide:
      return divide(a, operands[1]);
    case Operator::kNegate:
      return negated(a);
    case Operator::kModulo:
      return modulo(a, operands[1]);
    case Operator::kLess:
      return truth(compare(a, operands[1]) < 0);
    case Operator::kLessEqual:
      return truth(compare(a, operands[1]) <= 0);
    case Operator::kGreater:
      return truth(compare(a, operands[1]) > 0);
    case Operator::kGreaterEqual:
      return truth(compare(a, operands[1]) >= 0);
    case Operator::kEqual:
      return truth(compare(a, operands[1]) == 0);
    case Operator::kNotEqual:
      return truth(compare(a, operands[1]) != 0);
    case Operator::kNot:
      return truth(a.factor.sign() == 0);
    default:
      return function_value(operands, expression, base);
  }
}

class Evaluator {
 public:
  Evaluator(const ExecutionNames& names, const std::vector<LogNumber>& values)
      : names_(names), values_(values) {}

  Result value(const Expression& expression, int depth) const {
    if (static_cast<int>(expression.operands.size()) != argument_count(expression.op)) {
      throw senseless(expression, "an operator has the wrong number of operands");
    }
    if (depth > kMaxDepth) throw senseless(expression, "an expression is nested too deeply");
    switch (expression.op) {
      case Operator::kNumber:
        return expression.number;
      case Operator::kBoolean:
        return truth(expression.number.sign() != 0);
      case Operator::kVariable:
        return variable(expression);
      case Operator::kEntry:
        return entry(expression, depth);
      case Operator::kAnd:
      case Operator::kOr: {
        const Result first = value(expression.operands[0], depth + 1);
        if (!first) return std::nullopt;
        const bool decided = (first->factor.sign() != 0) == (expression.op == Operator::kOr);
        return decided ? first : value(expression.operands[1], depth + 1);
      }
      default:
        break;
    }
    Operands operands;
    for (const Expression& operand : expression.operands) {
      const Result part = value(operand, depth + 1);
      if (!part) return std::nullopt;
      operands.push_back(*part);
    }
    return arithmetic(operands, expression, names_.base);
  }

 private:
  Result variable(const Expression& expression) const {
    const auto slot = names_.slots.find(expression.name);
    if (slot == names_.slots.end() || expression.side != 0) {
      throw senseless(expression, "there is no variable " + quote(expression.name));
    }
    return values_[slot->second];
  }

  // An entry outside the list is 0.
  Result entry(const Expression& expression, int depth) const {
    const auto list = names_.lists.find(expression.name);
    if (list == names_.lists.end()) {
      throw senseless(expression, "there is no list " + quote(expression.name));
    }
    const Result index = value(expression.operands[0], depth + 1);
    if (!index) return std::nullopt;
    const Rational& at = rational_part(*index, "an index");
    if (!at.is_integer() || at.sign() < 0 || at >= Rational(Integer(list->second.size()))) {
      return LogNumber();
    }
    return list->second[static_cast<std::size_t>(at.numerator().to_int64())];
  }

  const ExecutionNames& names_;
  const std::vector<LogNumber>& values_;
};

}  // namespace

std::optional<LogNumber> evaluate(const ExecutionNames& names, const std::vector<LogNumber>& values,
                                  const Expression& expression) {
  return Evaluator(names, values).value(expression, 0);
}

}  // namespace lastbit::verify
