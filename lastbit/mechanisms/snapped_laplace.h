// Laplace noise on a grid of any fineness, exact: the sum of a private number and a real Laplace
// variate, rounded to the grid in one step. No float is in between, so rounding is free.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/noise_space.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/rounded_laplace.h"

namespace lastbit {

// SnappedLaplaceOptions: optional parameters. Bounds cut what is released, at no cost.
struct SnappedLaplaceOptions {
  std::optional<Grid> grid;
  std::optional<Rational> lower;
  std::optional<Rational> upper;
};

// SnappedLaplace: the mechanism for one set of parameters.
// Requires  checked: scale > 0; lower ≤ upper; else kBadParameter.
// Ensures   release(x) is the multiple of the grid nearest to x + L, ties toward +∞, cut to
//           [lower, upper], for a real Laplace variate L of the scale; independently for each x.
// Limits    the time depends on the noise, and on whether x divided by the grid's spacing is a
//           binary fraction that a double holds (all doubles qualify, except some below 2^−960
//           times the spacing); other numbers take microseconds.
// Fails     with the Errors of the source, whatever x is.
// Proof     proofs/mechanisms.md#snapped-laplace
class SnappedLaplace {
 public:
  SnappedLaplace(const Rational& scale, Grid grid, const SnappedLaplaceOptions& options = {});

  const Rational& scale() const { return scale_; }
  const Grid& grid() const { return grid_; }

  std::vector<Rational> release(std::span<const double> values, BitSource& bits) const;
  std::vector<Rational> release(std::span<const Rational> values, BitSource& bits) const;
  // Integers are cut to the integers within [lower, upper] and within their type.
  // Requires  checked: there is at least one, and the grid's spacing is whole, else kBadParameter.
  std::vector<std::int64_t> release(std::span<const std::int64_t> values, BitSource& bits) const;
  // require_integers: the check above, before any data is seen.
  void require_integers() const;

 private:
  struct Parts;
  void split(double value, std::size_t i, Parts& parts) const;
  void split(const Rational& value, std::size_t i, Parts& parts) const;
  template <class T>
  std::vector<Integer> indices(std::span<const T> values, BitSource& bits) const;
  Rational released(const Integer& index) const;
  std::int64_t cut_integer(const Integer& value) const;

  Rational scale_;
  Grid grid_;
  double inverse_spacing_;  // 0 where doubles cannot be divided by the spacing exactly
  SnappedLaplaceOptions options_;
  RoundedLaplace noise_;
};

// default_noise_grid: 2^0 for integers; otherwise the smallest power of two that is at least 2^−20
// times the scale, but not finer than the data's own grid.
template <NoiseDomain D>
Grid default_noise_grid(const D& domain, const Rational& scale) {
  if constexpr (std::same_as<CarrierOf<D>, std::int64_t>) {
    return Grid(0);
  } else {
    const Grid fine = Grid::at_least(scale * Rational::two_to(-20));
    if constexpr (std::same_as<D, GridDomain>) {
      if (domain.grid().exponent() > fine.exponent()) return domain.grid();
    }
    return fine;
  }
}

// make_snapped_laplace
// Releases numbers with Laplace noise, each rounded to the nearest multiple of a public grid.
// Integers are released as integers, other numbers as exact rationals.
// Requires  typed: numbers (all, an interval or a grid of them) with the absolute distance, or
//           vectors of them with the L1 distance.  checked: scale > 0; doubles without NaN; bounds
//           in order; a whole grid for integers; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in/scale, an exact rational, for every grid and all bounds; attained.
// Limits    the time depends on the noise; see also SnappedLaplace. An infinite double counts as
//           the largest of its sign. The length of a vector of free length is released.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Dwork2006a], for the Laplace mechanism
// Proof     proofs/mechanisms.md#snapped-laplace
template <class D, class M>
  requires NoiseSpace<D, M, L1Distance>
auto make_snapped_laplace(const D& domain, const M& metric, const Rational& scale,
                          const SnappedLaplaceOptions& options = {}) {
  mechanism_internal::require_scale("make_snapped_laplace", scale);
  mechanism_internal::require_no_nan("make_snapped_laplace", domain);
  const auto& element = mechanism_internal::element_of(domain);
  const SnappedLaplace noise(
      scale, options.grid ? *options.grid : default_noise_grid(element, scale), options);
  if constexpr (std::same_as<CarrierOf<NoiseElementOf<D>>, std::int64_t>) noise.require_integers();
  return mechanism_internal::noise_measurement<MaxDivergence>(
      "snapped Laplace", domain, metric, noise,
      [scale](const Distance& d_in) { return d_in / scale; });
}

// make_snapped_laplace, step form: for the numbers it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#snapped-laplace
inline auto make_snapped_laplace(const Rational& scale, const SnappedLaplaceOptions& options = {}) {
  return Step{[scale, options]<class D, class M>(const D& domain, const M& metric)
                requires NoiseSpace<D, M, L1Distance>
              { return make_snapped_laplace(domain, metric, scale, options); }};
}

// make_snapped_laplace_for: the step form with scale = sensitivity/epsilon, exactly.
// Requires  checked: epsilon > 0, sensitivity > 0, else kBadParameter; and as the full form.
// Ensures   map(sensitivity) = epsilon.
// Proof     proofs/mechanisms.md#snapped-laplace
inline auto make_snapped_laplace_for(const Rational& epsilon, const Rational& sensitivity,
                                     const SnappedLaplaceOptions& options = {}) {
  return make_snapped_laplace(
      mechanism_internal::scale_for("make_snapped_laplace_for", epsilon, sensitivity), options);
}

}  // namespace lastbit
