// Discrete Gaussian noise on integers and grids.
#pragma once

#include <optional>

#include "lastbit/base/error.h"
#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/lattice_noise.h"
#include "lastbit/mechanisms/noise_space.h"
#include "lastbit/random/discrete_gaussian.h"

namespace lastbit {

// make_discrete_gaussian
// Releases numbers of a grid with noise on that grid: x + Λ·Z with Pr[Z = k] proportional to
// e^(−(k·Λ)²/(2·variance)).
// Requires  typed: integers (all or an interval) or grid numbers with the absolute distance, or
//           vectors of them with the L2 distance.  checked: variance > 0; a grid, where one is
//           given, that the data's own grid lies on; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in²/(2·variance) as ρ of zero-concentrated divergence, an exact rational;
//           attained at every whole order for multiples of Λ. Integers are released as integers, cut
//           at the ends of int64; grid numbers as exact rationals.
// Limits    the time depends on the noise. The length of a vector of free length is released.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Canonne2020]; [BunSteinke2016], for ρ
// Proof     proofs/mechanisms.md#discrete-gaussian
template <class D, class M>
  requires LatticeSpace<D, M, L2Distance>
auto make_discrete_gaussian(const D& domain, const M& metric, const Rational& variance,
                            const std::optional<Grid>& grid = std::nullopt) {
  if (variance.sign() <= 0) {
    throw Error::bad_parameter("make_discrete_gaussian", "variance",
                               "(" + variance.to_string() + ") is not positive",
                               "give a variance above 0; a larger one hides more");
  }
  const Grid noise_grid = mechanism_internal::lattice_grid(
      "make_discrete_gaussian", mechanism_internal::element_of(domain), grid);
  const Rational spacing = noise_grid.spacing();
  return mechanism_internal::noise_measurement<ZeroConcentratedDivergence>(
      "discrete Gaussian", domain, metric,
      mechanism_internal::LatticeNoise(DiscreteGaussian(variance / (spacing * spacing)),
                                       noise_grid),
      [twice = Rational(2) * variance](const ValueOf<M>& d_in) {
        return Radical<2>(d_in).radicand() / twice;
      });
}

// make_discrete_gaussian, step form: for the numbers it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#discrete-gaussian
inline auto make_discrete_gaussian(const Rational& variance,
                                   const std::optional<Grid>& grid = std::nullopt) {
  return Step{[variance, grid]<class D, class M>(const D& domain, const M& metric)
                requires LatticeSpace<D, M, L2Distance>
              { return make_discrete_gaussian(domain, metric, variance, grid); }};
}

}  // namespace lastbit
