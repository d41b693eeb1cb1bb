#include "lastbit/numerics/ball.h"

#include <fmt/core.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include "lastbit/base/error.h"
#include "lastbit/numerics/arb_header.h"
#include "lastbit/numerics/thread_caches.h"

namespace lastbit {
namespace {

int checked_precision(int precision) {
  if (precision >= Ball::kMinPrecision && precision <= Ball::kMaxPrecision) return precision;
  throw Error::bad_parameter(
      "ball", "precision", fmt::format("is {}", precision),
      fmt::format("choose {} to {} bits", Ball::kMinPrecision, Ball::kMaxPrecision));
}

// RAII owners, so that nothing leaks when a later step throws.
struct Arf {
  Arf() { arf_init(value); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
  ~Arf() { arf_clear(value); }
  arf_t value;
};

struct Fmpq {
  explicit Fmpq(const Rational& from) {
    fmpq_init(value);
    fmpq_set_mpq(value, from.gmp().get_mpq_t());
  }
  Fmpq(const Fmpq&) = delete;
  Fmpq& operator=(const Fmpq&) = delete;
  ~Fmpq() { fmpq_clear(value); }
  fmpq_t value;
};

// The nearest double outside `end`. Numbers beyond the double range are sorted out first, because
// their exponents may not even fit MPFR.
double outward_double(const arf_t end, bool up) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLargest = std::numeric_limits<double>::max();
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  if (arf_is_nan(end)) return up ? kInfinity : -kInfinity;
  if (arf_is_zero(end)) return 0.0;
  const bool positive = arf_sgn(end) > 0;
  const double sign = positive ? 1.0 : -1.0;
  if (arf_is_inf(end)) return sign * kInfinity;
  if (arf_cmpabs_2exp_si(end, 1024) >= 0) return sign * (up == positive ? kInfinity : kLargest);
  if (arf_cmpabs_2exp_si(end, -1074) < 0) return up == positive ? sign * kTiny : 0.0;
  const mpfr_rnd_t direction = up ? MPFR_RNDU : MPFR_RNDD;
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  arf_get_mpfr(rounded, end, direction);
  const double result = mpfr_get_d(rounded, direction);
  mpfr_clear(rounded);
  return result;
}

Rational exact_rational(const arf_t end) {
  constexpr slong kMostBits = slong{1} << 24;
  const bool moderate =
      arf_is_finite(end) && (arf_is_zero(end) || (arf_cmpabs_2exp_si(end, kMostBits) < 0 &&
                                                  arf_cmpabs_2exp_si(end, -kMostBits) > 0));
  if (!moderate) {
    throw Error(ErrorCode::kNotSupported, "ball",
                "the end of a ball is infinite, or needs more than 2^24 bits as a fraction",
                "ask is_finite() first, or use lower() and upper()");
  }
  mpq_class result;
  fmpq_t fraction;
  fmpq_init(fraction);
  arf_get_fmpq(fraction, end);
  fmpq_get_mpq(result.get_mpq_t(), fraction);
  fmpq_clear(fraction);
  return Rational(std::move(result));
}

}  // namespace

struct Ball::Access {
  static_assert(sizeof(arb_struct) <= sizeof(storage_) && alignof(arb_struct) <= 8);

  static arb_struct* of(Ball& ball) {
    return std::launder(reinterpret_cast<arb_struct*>(ball.storage_.data()));
  }
  static const arb_struct* of(const Ball& ball) {
    return std::launder(reinterpret_cast<const arb_struct*>(ball.storage_.data()));
  }

  // Arb has several kinds of infinite ball; we use only the one that contains every number.
  static void spread_if_not_finite(Ball& ball) {
    if (!arb_is_finite(of(ball))) arb_indeterminate(of(ball));
  }

  template <class Operation>
  static Ball unary(const Ball& a, Operation operation) {
    Ball result(a.precision_);
    operation(of(result), of(a), result.precision_);
    spread_if_not_finite(result);
    return result;
  }

  template <class Operation>
  static Ball binary(const Ball& a, const Ball& b, Operation operation) {
    Ball result(std::max(a.precision_, b.precision_));
    operation(of(result), of(a), of(b), result.precision_);
    spread_if_not_finite(result);
    return result;
  }

  // One end, rounded outward; an exact ball keeps every bit of its midpoint.
  static void end(arf_t result, const Ball& ball, bool up) {
    const slong bits = std::max<slong>(ball.precision_, arf_bits(arb_midref(of(ball)))) + 64;
    if (up) {
      arb_get_ubound_arf(result, of(ball), bits);
    } else {
      arb_get_lbound_arf(result, of(ball), bits);
    }
  }
};

Ball::Ball(int precision) : precision_(checked_precision(precision)) {
  internal::free_caches_at_thread_exit();
  arb_init(::new (storage_.data()) arb_struct);
}

Ball::Ball(const Rational& value, int precision) : Ball(precision) {
  arb_set_fmpq(Access::of(*this), Fmpq(value).value, precision_);
}

Ball Ball::exactly(double value, int precision) {
  if (!std::isfinite(value)) {
    throw Error::bad_parameter("ball", "value", "is NaN or infinite", "give a finite number");
  }
  Ball result(precision);
  arb_set_d(Access::of(result), value);
  return result;
}

Ball Ball::between(const Rational& low, const Rational& high, int precision) {
  if (low > high) {
    throw Error::bad_parameter("ball", "low", "is above `high`", "give the smaller end first");
  }
  const Ball low_ball(low, precision);
  const Ball high_ball(high, precision);
  return Access::binary(low_ball, high_ball, arb_union);
}

Ball::Ball(const Ball& other) : Ball(other.precision_) {
  arb_set(Access::of(*this), Access::of(other));
}

Ball::Ball(Ball&& other) noexcept : precision_(other.precision_) {
  arb_init(::new (storage_.data()) arb_struct);
  arb_swap(Access::of(*this), Access::of(other));
}

Ball& Ball::operator=(const Ball& other) {
  arb_set(Access::of(*this), Access::of(other));
  precision_ = other.precision_;
  return *this;
}

Ball& Ball::operator=(Ball&& other) noexcept {
  if (this == &other) return *this;
  arb_swap(Access::of(*this), Access::of(other));
  arb_zero(Access::of(other));
  precision_ = other.precision_;
  return *this;
}

Ball::~Ball() { arb_clear(Access::of(*this)); }

bool Ball::is_finite() const { return arb_is_finite(Access::of(*this)) != 0; }

bool Ball::is_exact() const {
  return is_finite() && mag_is_zero(arb_radref(Access::of(*this))) != 0;
}

bool Ball::contains(const Rational& value) const {
  return arb_contains_fmpq(Access::of(*this), Fmpq(value).value) != 0;
}

std::optional<int> Ball::sign() const {
  const arb_struct* value = Access::of(*this);
  if (arb_is_positive(value)) return 1;
  if (arb_is_negative(value)) return -1;
  if (arb_is_zero(value)) return 0;
  return std::nullopt;
}

double Ball::lower() const {
  Arf end;
  Access::end(end.value, *this, false);
  return outward_double(end.value, false);
}

double Ball::upper() const {
  Arf end;
  Access::end(end.value, *this, true);
  return outward_double(end.value, true);
}

Rational Ball::lower_rational() const {
  Arf end;
  Access::end(end.value, *this, false);
  return exact_rational(end.value);
}

Rational Ball::upper_rational() const {
  Arf end;
  Access::end(end.value, *this, true);
  return exact_rational(end.value);
}

std::string Ball::to_string(int digits) const {
  if (digits < 1 || digits > kMaxDigits) {
    throw Error::bad_parameter("ball", "digits", fmt::format("is {}", digits),
                               fmt::format("ask for 1 to {} digits", kMaxDigits));
  }
  const std::unique_ptr<char, decltype(&flint_free)> text(arb_get_str(Access::of(*this), digits, 0),
                                                          &flint_free);
  return text.get();
}

Ball Ball::operator-() const {
  Ball result = *this;
  arb_neg(Access::of(result), Access::of(result));
  return result;
}

Ball operator+(const Ball& a, const Ball& b) { return Ball::Access::binary(a, b, arb_add); }
Ball operator-(const Ball& a, const Ball& b) { return Ball::Access::binary(a, b, arb_sub); }
Ball operator*(const Ball& a, const Ball& b) { return Ball::Access::binary(a, b, arb_mul); }
Ball operator/(const Ball& a, const Ball& b) { return Ball::Access::binary(a, b, arb_div); }

Ball abs(const Ball& a) {
  Ball result = a;
  arb_abs(Ball::Access::of(result), Ball::Access::of(result));
  return result;
}

Ball sqrt(const Ball& a) { return Ball::Access::unary(a, arb_sqrt); }
Ball exp(const Ball& a) { return Ball::Access::unary(a, arb_exp); }
Ball ln(const Ball& a) { return Ball::Access::unary(a, arb_log); }
Ball expm1(const Ball& a) { return Ball::Access::unary(a, arb_expm1); }
Ball log1p(const Ball& a) { return Ball::Access::unary(a, arb_log1p); }
Ball sinh(const Ball& a) { return Ball::Access::unary(a, arb_sinh); }
Ball cosh(const Ball& a) { return Ball::Access::unary(a, arb_cosh); }
Ball coth(const Ball& a) { return Ball::Access::unary(a, arb_coth); }
Ball sin(const Ball& a) { return Ball::Access::unary(a, arb_sin); }
Ball cos(const Ball& a) { return Ball::Access::unary(a, arb_cos); }
Ball pi(int precision) {
  return Ball::Access::unary(Ball(0, precision), [](arb_t result, const arb_t, slong bits) {
    arb_const_pi(result, bits);
  });
}
Ball erfc(const Ball& a) { return Ball::Access::unary(a, arb_hypgeom_erfc); }

Ball pow(const Ball& base, int exponent) {
  return Ball::Access::unary(base, [exponent](arb_t result, const arb_t value, slong precision) {
    fmpz_t power;
    fmpz_init_set_si(power, exponent);
    arb_pow_fmpz(result, value, power, precision);
    fmpz_clear(power);
  });
}

bool certainly_less(const Ball& a, const Ball& b) {
  return arb_lt(Ball::Access::of(a), Ball::Access::of(b)) != 0;
}

bool certainly_less_or_equal(const Ball& a, const Ball& b) {
  return arb_le(Ball::Access::of(a), Ball::Access::of(b)) != 0;
}

bool overlaps(const Ball& a, const Ball& b) {
  return arb_overlaps(Ball::Access::of(a), Ball::Access::of(b)) != 0;
}

std::optional<int> try_decide(const RealAtPrecision& number, int max_precision) {
  checked_precision(max_precision);
  for (int precision = std::min(64, max_precision);; precision *= 2) {
    precision = std::min(precision, max_precision);
    if (const std::optional<int> sign = number(precision).sign()) return sign;
    if (precision == max_precision) return std::nullopt;
  }
}

int decide(const RealAtPrecision& number, int max_precision) {
  const std::optional<int> sign = try_decide(number, max_precision);
  if (sign) return *sign;
  throw Error(ErrorCode::kNotSupported, "decide",
              fmt::format("the sign of a number is still open at {} bits", max_precision),
              "the number may be zero: avoid exact ties, or allow more bits");
}

}  // namespace lastbit
