#include "lastbit/verify/refute/evaluate.h"

#include <algorithm>

#include "lastbit/numerics/grid.h"

namespace lastbit::verify::refutation {
namespace {

constexpr int kMaxDepth = 400;

class Depth {
 public:
  explicit Depth(int& depth) : depth_(depth) {
    if (depth_ >= kMaxDepth) throw not_supported("an expression is nested too deeply");
    ++depth_;
  }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { --depth_; }

 private:
  int& depth_;
};

Value negated(const Value& a) {
  if (a.irrational) return Value::of(Real(Rational(0)) - *a.irrational);
  return Value::of(Rational(-1) * a.form);
}

Value sum(const Value& a, const Value& b) {
  if (a.irrational || b.irrational) return Value::of(a.real() + b.real());
  return Value::of(a.form + b.form);
}

Value difference(const Value& a, const Value& b) {
  if (a.irrational || b.irrational) return Value::of(a.real() - b.real());
  return Value::of(a.form - b.form);
}

Value product(const Value& a, const Value& b) {
  if (a.irrational || b.irrational) return Value::of(a.real() * b.real());
  if (a.form.is_constant()) return Value::of(a.form.constant * b.form);
  if (b.form.is_constant()) return Value::of(b.form.constant * a.form);
  throw not_supported("the program multiplies noise by noise");
}

Value quotient(const Value& a, const Value& b) {
  if (a.irrational || b.irrational) return Value::of(a.real() / b.real());
  if (!b.form.is_constant()) throw not_supported("the program divides by noise");
  if (b.form.constant.sign() == 0) throw ImpossibleOperation("the program divides by 0");
  return Value::of((Rational(1) / b.form.constant) * a.form);
}

Value remainder(const Value& a, const Value& b) {
  const Rational& dividend = a.rational();
  const Rational& divisor = b.rational();
  if (!dividend.is_integer() || !divisor.is_integer() || divisor.sign() <= 0) {
    throw ImpossibleOperation("a remainder needs whole numbers and a positive divisor");
  }
  return Value::of(Rational(floor_mod(dividend.numerator(), divisor.numerator())));
}

Rational power_of_two_above(const Rational& x) {
  if (x.sign() <= 0) throw ImpossibleOperation("pow2ceil of a number that is not positive");
  return Grid::at_least(x).spacing();
}

}  // namespace

Value Value::of(const Real& real) {
  if (real.is_rational()) return of(real.rational());
  return {{}, real};
}

Real Value::real() const {
  if (irrational) return *irrational;
  if (!form.is_constant()) throw not_supported("noise meets a number that is not a fraction");
  return Real(form.constant);
}

const Rational& Value::rational() const {
  if (irrational || !form.is_constant()) {
    throw not_supported("noise or an irrational number stands where a fraction is needed");
  }
  return form.constant;
}

Decisions& Evaluator::decisions() {
  if (decisions_ == nullptr) throw not_supported("noise stands where none is possible");
  return *decisions_;
}

Value Evaluator::value(const Expression& expression) {
  const Depth guard(depth_);
  return value_of(expression);
}

bool Evaluator::truth(const Expression& expression) {
  const Depth guard(depth_);
  return truth_of(expression);
}

Value Evaluator::value_of(const Expression& expression) {
  if (static_cast<int>(expression.operands.size()) != argument_count(expression.op)) {
    throw not_supported("an operator has the wrong number of operands");
  }
  switch (expression.op) {
    case Operator::kNumber:
    case Operator::kBoolean:
    case Operator::kVariable:
    case Operator::kEntry:
      return leaf(expression);
    case Operator::kAdd:
    case Operator::kSubtract:
    case Operator::kMultiply:
    case Operator::kDivide:
    case Operator::kNegate:
    case Operator::kModulo:
      return arithmetic(expression);
    case Operator::kAbs:
    case Operator::kMin:
    case Operator::kMax:
    case Operator::kClamp:
      return selection(expression);
    case Operator::kRound:
    case Operator::kRoundHalfEven:
    case Operator::kRoundTowardZero:
    case Operator::kFloor:
    case Operator::kCeil:
      return rounded(expression);
    case Operator::kLn:
    case Operator::kExp:
    case Operator::kPow2Ceil:
    case Operator::kLogistic:
      return transcendental(expression);
    default:
      return Value::of(Rational(truth(expression) ? 1 : 0));
  }
}

Value Evaluator::leaf(const Expression& expression) {
  switch (expression.op) {
    case Operator::kVariable:
      return lookup_(expression, std::nullopt);
    case Operator::kEntry:
      return lookup_(expression, value(expression.operands[0]).rational());
    default:
      return Value::of(expression.number);
  }
}

Value Evaluator::arithmetic(const Expression& expression) {
  const Value a = value(expression.operands[0]);
  if (expression.op == Operator::kNegate) return negated(a);
  const Value b = value(expression.operands[1]);
  switch (expression.op) {
    case Operator::kAdd:
      return sum(a, b);
    case Operator::kSubtract:
      return difference(a, b);
    case Operator::kMultiply:
      return product(a, b);
    case Operator::kDivide:
      return quotient(a, b);
    default:
      return remainder(a, b);
  }
}

Value Evaluator::selection(const Expression& expression) {
  const Value a = value(expression.operands[0]);
  if (expression.op == Operator::kAbs) return less(a, Value(), true) ? negated(a) : a;
  const Value b = value(expression.operands[1]);
  if (expression.op == Operator::kMin) return less(b, a, true) ? b : a;
  if (expression.op == Operator::kMax) return less(a, b, true) ? b : a;
  const Value high = value(expression.operands[2]);
  // clamp(x, low, high) is min(max(x, low), high), whichever of the bounds is larger.
  const Value raised = less(a, b, true) ? b : a;
  return less(high, raised, true) ? high : raised;
}

Value Evaluator::floor_of(const Value& a) {
  if (a.irrational) throw not_supported("the program rounds a number that is not a fraction");
  if (a.form.is_constant()) return Value::of(Rational(a.form.constant.floor()));
  return Value::of(decisions().step(a.form));
}

Value Evaluator::rounded(const Expression& expression) {
  const Value a = value(expression.operands[0]);
  if (expression.op == Operator::kFloor) return floor_of(a);
  if (expression.op == Operator::kCeil) return negated(floor_of(negated(a)));
  const Value grid = value(expression.operands[1]);
  if (grid.rational().sign() <= 0) throw ImpossibleOperation("the program rounds to no grid");
  const Value scaled = quotient(a, grid);
  if (expression.op == Operator::kRoundTowardZero) {
    const bool negative = less(scaled, Value(), true);
    return product(grid, negative ? negated(floor_of(negated(scaled))) : floor_of(scaled));
  }
  const Value half = Value::of(Rational(1, 2));
  const Value nearest = floor_of(sum(scaled, half));
  if (expression.op == Operator::kRound) return product(grid, nearest);
  // With a density, ties have probability 0, so all rules for them agree.
  if (scaled.form.is_constant()) {
    const Rational up = nearest.form.constant;
    const bool tie = up - scaled.form.constant == half.form.constant;
    const bool odd = floor_mod(up.numerator(), 2) != 0;
    return product(grid, Value::of(tie && odd ? up - 1 : up));
  }
  if (!decisions().has_density(scaled.form)) {
    throw not_supported("whole noise is rounded with ties to even");
  }
  return product(grid, nearest);
}

Value Evaluator::transcendental(const Expression& expression) {
  const Value a = value(expression.operands[0]);
  switch (expression.op) {
    case Operator::kLn:
      if (!a.irrational && !a.form.is_constant()) {
        return Value::of(Rational(-1) * decisions().minus_logarithm(a.form));
      }
      return Value::of(ln(a.real()));
    case Operator::kExp:
      return Value::of(exp(a.real()));
    case Operator::kLogistic:
      return Value::of(logistic(a.real()));
    default:
      return Value::of(power_of_two_above(a.rational()));
  }
}

bool Evaluator::less(const Value& a, const Value& b, bool strict) {
  if (a.irrational || b.irrational) {
    const int sign = (a.real() - b.real()).sign();
    return sign < 0 || (sign == 0 && !strict);
  }
  const HalfSpace condition{a.form - b.form, strict};
  if (condition.form.is_constant()) {
    const int sign = condition.form.constant.sign();
    return sign < 0 || (sign == 0 && !strict);
  }
  return decisions().holds(condition);
}

bool Evaluator::equal(const Value& a, const Value& b) {
  if (a.irrational || b.irrational) return (a.real() - b.real()).sign() == 0;
  const LinearForm distance = a.form - b.form;
  if (!distance.is_constant() && decisions().has_density(distance)) return false;
  return !less(a, b, true) && !less(b, a, true);
}

bool Evaluator::truth_of(const Expression& expression) {
  const auto operand = [&](std::size_t i) { return value(expression.operands.at(i)); };
  if (static_cast<int>(expression.operands.size()) != argument_count(expression.op)) {
    throw not_supported("an operator has the wrong number of operands");
  }
  switch (expression.op) {
    case Operator::kLess:
      return less(operand(0), operand(1), true);
    case Operator::kLessEqual:
      return less(operand(0), operand(1), false);
    case Operator::kGreater:
      return less(operand(1), operand(0), true);
    case Operator::kGreaterEqual:
      return less(operand(1), operand(0), false);
    case Operator::kEqual:
      return equal(operand(0), operand(1));
    case Operator::kNotEqual:
      return !equal(operand(0), operand(1));
    case Operator::kAnd:
      return truth(expression.operands[0]) && truth(expression.operands[1]);
    case Operator::kOr:
      return truth(expression.operands[0]) || truth(expression.operands[1]);
    case Operator::kNot:
      return !truth(expression.operands[0]);
    case Operator::kBoolean:
    case Operator::kVariable:
    case Operator::kEntry:
      return value(expression).rational().sign() != 0;
    default:
      throw not_supported("a number stands where a truth value is needed");
  }
}

}  // namespace lastbit::verify::refutation
