#include "lastbit/numerics/float.h"

#include <fmt/core.h>
#include <mpfr.h>

#include <memory>
#include <new>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/thread_caches.h"

namespace lastbit {
namespace {

mpfr_rnd_t direction(Rounding rounding) {
  switch (rounding) {
    case Rounding::kNearestEven:
      return MPFR_RNDN;
    case Rounding::kDown:
      return MPFR_RNDD;
    case Rounding::kUp:
      return MPFR_RNDU;
    case Rounding::kTowardZero:
      return MPFR_RNDZ;
  }
  throw Error(ErrorCode::kInternal, "float", "unknown rounding direction", "use a Rounding value");
}

// MPFR's exponent range is a thread-local variable that other code may have set: this class sets it
// and restores it afterwards.
class ExponentRange {
 public:
  ExponentRange(mpfr_exp_t low, mpfr_exp_t high)
      : old_low_(mpfr_get_emin()),
        old_high_(mpfr_get_emax()),
        changed_(low != old_low_ || high != old_high_) {
    if (changed_) set(low, high);
  }
  ExponentRange(const ExponentRange&) = delete;
  ExponentRange& operator=(const ExponentRange&) = delete;
  ~ExponentRange() {
    if (changed_) set(old_low_, old_high_);
  }

  static ExponentRange widest() { return {mpfr_get_emin_min(), mpfr_get_emax_max()}; }
  // MPFR writes 1.xx·2^e as 0.1xx·2^(e+1), so its exponents are ours plus one; its smallest one is
  // that of the smallest subnormal, 2^(emin−p+1).
  static ExponentRange of(const FloatFormat& format) {
    return {format.emin() - format.precision() + 2, format.emax() + 1};
  }

 private:
  static void set(mpfr_exp_t low, mpfr_exp_t high) {
    mpfr_set_emin(low);
    mpfr_set_emax(high);
  }

  mpfr_exp_t old_low_;
  mpfr_exp_t old_high_;
  bool changed_;
};

[[noreturn]] void refuse_unbounded(std::string_view what) {
  throw Error(ErrorCode::kNotSupported, "float", fmt::format("an unbounded format has no {}", what),
              "use an IEEE format");
}

}  // namespace

struct Float::Access {
  using Number = __mpfr_struct;
  static_assert(sizeof(Number) <= sizeof(storage_) && alignof(Number) <= 8);

  static Number* of(Float& a) { return std::launder(reinterpret_cast<Number*>(a.storage_.data())); }
  static const Number* of(const Float& a) {
    return std::launder(reinterpret_cast<const Number*>(a.storage_.data()));
  }

  // A move leaves a NaN without digits behind: MPFR never reads the digits of a NaN, so it is a
  // valid operand; only the destructor must tell it apart.
  static void leave_nan(Float& a) noexcept {
    mpfr_custom_init_set(of(a), MPFR_NAN_KIND, 0, a.format_.precision(), nullptr);
  }
  static bool has_digits(const Float& a) { return mpfr_custom_get_significand(of(a)) != nullptr; }

  // A zero, infinity, NaN or normal number of an IEEE format needs no adjustment.
  static bool is_in_place(const Float& a) {
    if (!mpfr_regular_p(of(a))) return true;
    const std::int64_t exponent = mpfr_get_exp(of(a)) - 1;
    return exponent >= a.format_.emin() && exponent <= a.format_.emax();
  }

  // Runs `operation(result, direction)`, which must round correctly and return MPFR's ternary
  // value, at the widest exponent range; then brings the result into the format. The ternary value
  // tells on which side of the first rounding the exact result lies, so the second step rounds the
  // exact result, not the rounded one.
  template <class Operation>
  static Float rounded(const FloatFormat& format, Rounding rounding, Operation operation) {
    Float result(format);
    const mpfr_rnd_t way = direction(rounding);
    int ternary = 0;
    {
      const ExponentRange range = ExponentRange::widest();
      ternary = operation(of(result), way);
    }
    if (!format.is_bounded() || is_in_place(result)) return result;
    const ExponentRange range = ExponentRange::of(format);
    ternary = mpfr_check_range(of(result), ternary, way);
    mpfr_subnormalize(of(result), ternary, way);
    return result;
  }

  // 2^exponent, which the caller knows to be a float of the format.
  static Float power_of_two(const FloatFormat& format, std::int64_t exponent) {
    return rounded(format, Rounding::kNearestEven, [exponent](mpfr_t result, mpfr_rnd_t way) {
      return mpfr_set_ui_2exp(result, 1, exponent, way);
    });
  }

  static Float neighbour(const Float& a, bool up);
};

FloatFormat FloatFormat::unbounded(int precision) {
  if (precision < kMinPrecision || precision > kMaxPrecision) {
    throw Error::bad_parameter("float format", "precision", fmt::format("is {}", precision),
                               fmt::format("choose {} to {} bits", kMinPrecision, kMaxPrecision));
  }
  return {precision, 0};
}

FloatFormat FloatFormat::ieee(int precision, std::int64_t emax) {
  if (emax < 1 || emax > kMaxExponent) {
    throw Error::bad_parameter("float format", "emax", fmt::format("is {}", emax),
                               fmt::format("choose 1 to {}", kMaxExponent));
  }
  return {unbounded(precision).precision(), emax};
}

std::int64_t FloatFormat::emax() const {
  if (!is_bounded()) refuse_unbounded("largest exponent");
  return emax_;
}

Float::Float(const FloatFormat& format) : format_(format) {
  internal::free_caches_at_thread_exit();
  ::new (storage_.data()) Access::Number;
  mpfr_init2(Access::of(*this), format.precision());
  mpfr_set_zero(Access::of(*this), 1);
}

Float::Float(const Float& other) : Float(other.format_) {
  mpfr_set(Access::of(*this), Access::of(other), MPFR_RNDN);
}

Float::Float(Float&& other) noexcept : format_(other.format_) {
  ::new (storage_.data()) Access::Number(*Access::of(other));
  Access::leave_nan(other);
}

Float& Float::operator=(const Float& other) {
  if (this != &other) *this = Float(other);
  return *this;
}

Float& Float::operator=(Float&& other) noexcept {
  std::swap(*Access::of(*this), *Access::of(other));
  std::swap(format_, other.format_);
  return *this;
}

Float::~Float() {
  if (Access::has_digits(*this)) mpfr_clear(Access::of(*this));
}

Float Float::from(const Rational& value, const FloatFormat& format, Rounding rounding) {
  return Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_set_q(result, value.gmp().get_mpq_t(), way);
  });
}

Float Float::from(double value, const FloatFormat& format, Rounding rounding) {
  return Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_set_d(result, value, way);
  });
}

Float Float::from(const Float& value, const FloatFormat& format, Rounding rounding) {
  return Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_set(result, Access::of(value), way);
  });
}

Float Float::nan(const FloatFormat& format) {
  Float result(format);
  mpfr_set_nan(Access::of(result));
  return result;
}

Float Float::infinity(const FloatFormat& format) {
  Float result(format);
  mpfr_set_inf(Access::of(result), 1);
  return result;
}

Float Float::largest(const FloatFormat& format) { return next_down(infinity(format)); }

Float Float::smallest_normal(const FloatFormat& format) {
  return Access::power_of_two(format, format.emin());
}

Float Float::smallest(const FloatFormat& format) {
  return Access::power_of_two(format, format.emin() - format.precision() + 1);
}

bool Float::is_nan() const { return mpfr_nan_p(Access::of(*this)) != 0; }
bool Float::is_infinite() const { return mpfr_inf_p(Access::of(*this)) != 0; }
bool Float::is_finite() const { return mpfr_number_p(Access::of(*this)) != 0; }
bool Float::is_zero() const { return mpfr_zero_p(Access::of(*this)) != 0; }
bool Float::is_negative() const { return !is_nan() && mpfr_signbit(Access::of(*this)) != 0; }

std::int64_t Float::exponent() const {
  if (!is_finite() || is_zero()) {
    throw Error(ErrorCode::kNotSupported, "float", "zero, infinity and NaN have no exponent",
                "ask is_finite() and is_zero() first");
  }
  return mpfr_get_exp(Access::of(*this)) - 1;
}

Rational Float::to_rational() const {
  constexpr std::int64_t kMostBits = std::int64_t{1} << 24;
  if (is_zero()) return Rational(0);
  if (!is_finite() || exponent() > kMostBits || exponent() < -kMostBits) {
    throw Error(ErrorCode::kNotSupported, "float",
                "NaN, infinities and numbers beyond 2^±2^24 are not turned into fractions",
                "ask is_finite() and exponent() first");
  }
  mpq_class result;
  mpfr_get_q(result.get_mpq_t(), Access::of(*this));
  return Rational(std::move(result));
}

double Float::to_double(Rounding rounding) const {
  return mpfr_get_d(Access::of(*this), direction(rounding));
}

std::string Float::to_string() const {
  char* text = nullptr;
  mpfr_asprintf(&text, "%Ra", Access::of(*this));
  const std::unique_ptr<char, decltype(&mpfr_free_str)> owner(text, &mpfr_free_str);
  invariant(text != nullptr, "MPFR printed a number");
  return text;
}

Float Float::operator-() const {
  Float result = *this;
  mpfr_neg(Access::of(result), Access::of(result), MPFR_RNDN);
  return result;
}

bool operator==(const Float& a, const Float& b) {
  return mpfr_equal_p(Float::Access::of(a), Float::Access::of(b)) != 0;
}

std::partial_ordering operator<=>(const Float& a, const Float& b) {
  if (a.is_nan() || b.is_nan()) return std::partial_ordering::unordered;
  return mpfr_cmp(Float::Access::of(a), Float::Access::of(b)) <=> 0;
}

bool identical(const Float& a, const Float& b) {
  if (a.is_nan() || b.is_nan()) return a.is_nan() && b.is_nan();
  return a == b && a.is_negative() == b.is_negative();
}

std::partial_ordering compare(const Float& a, const Rational& b) {
  if (a.is_nan()) return std::partial_ordering::unordered;
  return mpfr_cmp_q(Float::Access::of(a), b.gmp().get_mpq_t()) <=> 0;
}

Float add(const Float& a, const Float& b, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_add(result, Float::Access::of(a), Float::Access::of(b), way);
  });
}

Float subtract(const Float& a, const Float& b, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_sub(result, Float::Access::of(a), Float::Access::of(b), way);
  });
}

Float multiply(const Float& a, const Float& b, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_mul(result, Float::Access::of(a), Float::Access::of(b), way);
  });
}

Float divide(const Float& a, const Float& b, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_div(result, Float::Access::of(a), Float::Access::of(b), way);
  });
}

Float sqrt(const Float& a, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_sqrt(result, Float::Access::of(a), way);
  });
}

Float exp(const Float& a, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_exp(result, Float::Access::of(a), way);
  });
}

Float ln(const Float& a, const FloatFormat& format, Rounding rounding) {
  return Float::Access::rounded(format, rounding, [&](mpfr_t result, mpfr_rnd_t way) {
    return mpfr_log(result, Float::Access::of(a), way);
  });
}

Float ln(const Rational& a, const FloatFormat& format, Rounding rounding) {
  if (a.sign() <= 0) {
    throw Error::bad_parameter("ln", "a", "is not positive", "give a number above zero");
  }
  if (a == Rational(1)) return Float(format);
  // Rounding is monotone: if both ends of an enclosure round to the same float, so does everything
  // between them.
  for (int precision = format.precision() + 32;; precision *= 2) {
    const Ball value = ln(Ball(a, precision));
    Float low = Float::from(value.lower_rational(), format, rounding);
    const Float high = Float::from(value.upper_rational(), format, rounding);
    if (identical(low, high)) return low;
  }
}

Rational ln_down(const Rational& a, int precision) {
  return ln(a, FloatFormat::unbounded(precision), Rounding::kDown).to_rational();
}

Rational ln_up(const Rational& a, int precision) {
  return ln(a, FloatFormat::unbounded(precision), Rounding::kUp).to_rational();
}

Float Float::Access::neighbour(const Float& a, bool up) {
  if (a.is_nan()) return a;
  const FloatFormat& format = a.format_;
  Float result = a;
  if (!format.is_bounded()) {
    if (a.is_zero()) refuse_unbounded("smallest number");
    if (a.is_infinite()) refuse_unbounded("largest number");
    const ExponentRange range = ExponentRange::widest();
    up ? mpfr_nextabove(of(result)) : mpfr_nextbelow(of(result));
    return result;
  }
  // Below 2^(emin+1) the floats are the multiples of the smallest one, subnormal or not; above it
  // MPFR's neighbour is ours.
  const bool near_zero = a.is_zero() || (a.is_finite() && a.exponent() <= format.emin());
  const Float step = smallest(format);
  const ExponentRange range = ExponentRange::of(format);
  if (!near_zero) {
    up ? mpfr_nextabove(of(result)) : mpfr_nextbelow(of(result));
    return result;
  }
  up ? mpfr_add(of(result), of(a), of(step), MPFR_RNDN)
     : mpfr_sub(of(result), of(a), of(step), MPFR_RNDN);
  if (result.is_zero()) mpfr_set_zero(of(result), a.is_negative() ? -1 : 1);
  return result;
}

Float next_up(const Float& a) { return Float::Access::neighbour(a, true); }

Float next_down(const Float& a) { return Float::Access::neighbour(a, false); }

}  // namespace lastbit
