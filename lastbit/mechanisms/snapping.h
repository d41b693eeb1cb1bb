// The snapping mechanism in p-bit floating point: published by Mironov, corrected here.
//
// It adds Laplace noise computed in floats, puts the sum on a grid as wide as the noise and clamps.
// The cost of rounding is charged exactly, so the loss that the map states is a theorem about the
// floats that run. Precision is a parameter: 53 bits behave like the published mechanism on
// doubles, but with unbounded exponents.
#pragma once

#include <cmath>
#include <concepts>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/core/measurement.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/snapping_function.h"
#include "lastbit/numerics/distance.h"

namespace lastbit {

// SnappingPrice: what rounding costs. With η = 2^−p the loss at distance d is at most
// (d + 18·B·η)/λ + 14·η, for p ≥ 7, 0 < B ≤ 2^(p−7)·λ and all real inputs.
// Proof     proofs/snapping.md#loss
struct SnappingPrice {
  static constexpr int kPerBound = 18;
  static constexpr int kFixed = 14;
  static constexpr int kMinPrecision = 7;
  // excess: (18·B/λ + 14)·η, what rounding adds to d/λ.
  static Rational excess(const Rational& scale, const Rational& half_width, int precision) {
    return (Rational(kPerBound) * half_width / scale + Rational(kFixed)) *
           Rational::two_to(-precision);
  }
};

// SnappingParameters: epsilon and the bounds must be set.
struct SnappingParameters {
  Rational epsilon = 0;      // the loss at distance `sensitivity`
  Rational sensitivity = 1;  // Δ
  Rational lower = 0;        // the statistic is expected in [lower, upper]
  Rational upper = 0;
  int precision = 53;  // p
};

// Snapping: the mechanism for one set of parameters.
// Requires  checked: epsilon > 14·2^−p; sensitivity > 0; lower < upper; p ≥ 7; B ≤ 2^(p−7)·λ; λ
//           within 2^±Grid::kMaxExponent; else kBadParameter with the smallest change that works.
// Ensures   λ = (Δ + 18·B·η)/(ε − 14·η) rounded up to p bits, B = (upper − lower)/2; inputs are
//           shifted by (upper + lower)/2, exactly, and outputs shifted back.
// Source    [Mironov2012], section 5; [Covington2020]
// Proof     proofs/snapping.md#loss
class Snapping {
 public:
  explicit Snapping(SnappingParameters parameters);

  const SnappingParameters& parameters() const { return parameters_; }
  const SnappingFunction& function() const { return function_; }
  Rational scale() const { return function_.scale(); }
  const Grid& grid() const { return function_.grid(); }
  const Rational& half_width() const { return function_.half_width(); }
  const Rational& midpoint() const { return midpoint_; }

  // loss: what two inputs at distance d_in may cost; 0 for d_in = 0, and never more than at 2B,
  // because inputs are clamped. Proof: proofs/snapping.md#map
  Distance loss(const Distance& d_in) const;

  // snap_with: the release for given randomness, in the units of the input. Fails as
  // SnappingFunction::noise.
  Rational snap_with(const Float& u, int sign, const Rational& x) const {
    return midpoint_ + function_.snap_with(u, sign, x - midpoint_);
  }
  // release: draws, then snaps. Fails only with the Errors of the source.
  Rational release(const Rational& x, BitSource& bits) const {
    const SnappingDraw draw = draw_snapping(bits, parameters_.precision);
    return snap_with(draw.u, draw.sign, x);
  }
  // A NaN, which no domain here holds, counts as `lower`; infinities are clamped like numbers.
  Rational release(double x, BitSource& bits) const;
  template <std::integral T>
  Rational release(T x, BitSource& bits) const {
    return release(Rational(x), bits);
  }

 private:
  SnappingParameters parameters_;
  Rational midpoint_;
  SnappingFunction function_;
};

// make_snapping
// Releases a number by the snapping mechanism, as an exact rational: the midpoint of [lower, upper]
// plus a multiple of the grid's spacing, or one of the two bounds.
// Requires  typed: numbers (all, an interval or a grid of them) with the absolute distance.
//           checked: as Snapping; a domain of doubles without NaN, else kBadParameter.  caller:
//           nothing; inputs outside [lower, upper] are clamped.
// Ensures   map(d_in) = Snapping::loss(d_in), an exact rational; at most epsilon for d_in ≤
//           sensitivity.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Mironov2012], section 5
// Proof     proofs/snapping.md#map
template <class D>
  requires MetricOn<AbsoluteDistance, D>
auto make_snapping(const D& domain, const AbsoluteDistance& metric,
                   const SnappingParameters& parameters) {
  if constexpr (std::same_as<D, AllDomain<double>>) {
    if (domain.nan() == Nan::kAllowed) {
      throw Error::bad_parameter("make_snapping", "domain",
                                 "admits NaN, which has no noisy version",
                                 "impute NaN first (make_impute_constant)");
    }
  }
  const Snapping snapping(parameters);
  using Result = Measurement<D, AbsoluteDistance, Rational, MaxDivergence>;
  return Result(
      "snapping", domain, metric, {},
      [snapping](const CarrierOf<D>& x, BitSource& bits) { return snapping.release(x, bits); },
      Result::PrivacyRelation::from_map(
          [snapping](const Distance& d_in) { return snapping.loss(d_in); }));
}

// make_snapping, step form: for the number it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/snapping.md#map
inline auto make_snapping(const SnappingParameters& parameters) {
  return Step{[parameters]<class D>(const D& domain, const AbsoluteDistance& metric)
                requires MetricOn<AbsoluteDistance, D>
              { return make_snapping(domain, metric, parameters); }};
}

}  // namespace lastbit
