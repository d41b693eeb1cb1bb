#include "lastbit/verify/refute/real.h"

#include <functional>
#include <optional>

namespace lastbit::verify::refutation {
namespace {

using Operation = Ball (*)(const Ball&, const Ball&);
using Function = Ball (*)(const Ball&);

Real combined(const Real& a, const Real& b, Operation operation) {
  return {
      [a, b, operation](int precision) { return operation(a.ball(precision), b.ball(precision)); },
      a.size() + b.size() + 1};
}

Real applied(const Real& a, Function function) {
  return {[a, function](int precision) { return function(a.ball(precision)); }, a.size() + 1};
}

bool both_rational(const Real& a, const Real& b) { return a.is_rational() && b.is_rational(); }

}  // namespace

Error not_supported(std::string problem) {
  return {ErrorCode::kNotSupported, "refute", std::move(problem),
          "nothing is claimed about this instance"};
}

ImpossibleOperation::ImpossibleOperation(std::string problem)
    : Error(not_supported(std::move(problem))) {}

Rational bounded(Rational value) {
  if (value.numerator().bit_length() + value.denominator().bit_length() > Real::kMaxBits) {
    throw not_supported("a number needs more than 4096 bits");
  }
  return value;
}

Real::Real(RealAtPrecision formula, int size)
    : formula_(std::make_shared<const RealAtPrecision>(std::move(formula))), size_(size) {
  if (size > kMaxSize) throw not_supported("a number needs more than 200 steps to compute");
}

const Rational& Real::rational() const {
  invariant(is_rational(), "the number is rational");
  return exact_;
}

Ball Real::ball(int precision) const {
  return is_rational() ? Ball(exact_, precision) : (*formula_)(precision);
}

double Real::approximate() const {
  if (is_rational()) return exact_.gmp().get_d();
  const Ball value = ball(64);
  return (value.lower() + value.upper()) / 2;
}

int Real::sign() const {
  if (is_rational()) return exact_.sign();
  const std::optional<int> sign = try_decide(*formula_, 1024);
  if (!sign) throw not_supported("the sign of a number is too close to call");
  return *sign;
}

Real operator+(const Real& a, const Real& b) {
  if (both_rational(a, b)) return Real(a.rational() + b.rational());
  return combined(a, b, [](const Ball& x, const Ball& y) { return x + y; });
}

Real operator-(const Real& a, const Real& b) {
  if (both_rational(a, b)) return Real(a.rational() - b.rational());
  return combined(a, b, [](const Ball& x, const Ball& y) { return x - y; });
}

Real operator*(const Real& a, const Real& b) {
  if (both_rational(a, b)) return Real(a.rational() * b.rational());
  return combined(a, b, [](const Ball& x, const Ball& y) { return x * y; });
}

Real operator/(const Real& a, const Real& b) {
  if (b.sign() == 0) throw ImpossibleOperation("the program divides by 0");
  if (both_rational(a, b)) return Real(a.rational() / b.rational());
  return combined(a, b, [](const Ball& x, const Ball& y) { return x / y; });
}

Real ln(const Real& a) {
  if (a.sign() <= 0)
    throw ImpossibleOperation("the program takes ln of a number that is not positive");
  if (a.is_rational() && a.rational() == 1) return Real(Rational(0));
  return applied(a, [](const Ball& x) { return lastbit::ln(x); });
}

Real exp(const Real& a) {
  if (a.is_rational() && a.rational() == 0) return Real(Rational(1));
  return applied(a, [](const Ball& x) { return lastbit::exp(x); });
}

Real logistic(const Real& a) {
  return Real(Rational(1)) / (Real(Rational(1)) + exp(Real(Rational(-1)) * a));
}

}  // namespace lastbit::verify::refutation
