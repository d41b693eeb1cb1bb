#include "lastbit/mechanisms/snapping_law.h"

#include "lastbit/base/error.h"

namespace lastbit::testing {

namespace {

// The floats of one exponent, u = (2^(precision−1) + mantissa) · 2^(1−precision−e), one sign.
class OneExponent {
 public:
  OneExponent(const SnappingFunction& function, const Rational& x, int u_precision, int sign,
              std::int64_t e)
      : function_(function), x_(x), u_precision_(u_precision), sign_(sign), e_(e) {}

  Rational output(std::int64_t mantissa) const {
    const Integer digits = Integer::two_to(static_cast<std::uint64_t>(u_precision_ - 1)) + mantissa;
    const Float u = Float::from(Rational(digits) * Rational::two_to(1 - u_precision_ - e_),
                                FloatFormat::unbounded(u_precision_));
    return function_.snap_with(u, sign_, x_);
  }

  // Adds the mantissas of [first, last], whose outputs at the ends are given.
  void add(FiniteDistribution<Rational>& law, std::int64_t first, const Rational& at_first,
           std::int64_t last, const Rational& at_last) const {
    if (at_first == at_last) {
      law[at_first] += Rational(last - first + 1) * Rational::two_to(-u_precision_ - e_);
      return;
    }
    if (last - first == 1) {
      add(law, first, at_first, first, at_first);
      add(law, last, at_last, last, at_last);
      return;
    }
    const std::int64_t middle = first + (last - first) / 2;
    const Rational at_middle = output(middle);
    add(law, first, at_first, middle, at_middle);
    const Rational after_middle = output(middle + 1);
    add(law, middle + 1, after_middle, last, at_last);
  }

 private:
  const SnappingFunction& function_;
  const Rational& x_;
  int u_precision_;
  int sign_;
  std::int64_t e_;
};

}  // namespace

FiniteDistribution<Rational> snapping_law(const SnappingFunction& function, const Rational& x,
                                          int u_precision) {
  if (u_precision < 2 || u_precision > kMaxLawPrecision) {
    throw Error::bad_parameter("snapping_law", "u_precision", "is outside [2, 53]",
                               "study the mechanism at a precision of at most 53 bits");
  }
  FiniteDistribution<Rational> law;
  const std::int64_t last = (std::int64_t{1} << (u_precision - 1)) - 1;
  for (const int sign : {1, -1}) {
    // ln u < 0, so a positive sign leads down.
    const Rational end = sign > 0 ? -function.half_width() : function.half_width();
    for (std::int64_t e = 1;; ++e) {
      const OneExponent floats(function, x, u_precision, sign, e);
      const Rational at_last = floats.output(last);
      if (at_last == end) {
        law[end] += Rational::two_to(-e);  // half the mass 2^(1−e) of this exponent and all below
        break;
      }
      floats.add(law, 0, floats.output(0), last, at_last);
    }
  }
  return law;
}

FiniteDistribution<Rational> snapping_law(const SnappingFunction& function, const Rational& x) {
  return snapping_law(function, x, function.precision());
}

}  // namespace lastbit::testing
