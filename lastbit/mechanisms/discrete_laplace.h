// Discrete Laplace noise on integers and grids.
#pragma once

#include <optional>

#include "lastbit/core/chain.h"
#include "lastbit/mechanisms/lattice_noise.h"
#include "lastbit/mechanisms/noise_space.h"
#include "lastbit/random/discrete_laplace.h"

namespace lastbit {

// make_discrete_laplace
// Releases numbers of a grid with noise on that grid: x + Λ·Z with Pr[Z = k] proportional to
// e^(−|k|·Λ/scale). On integers this is the two-sided geometric mechanism.
// Requires  typed: integers (all or an interval) or grid numbers with the absolute distance, or
//           vectors of them with the L1 distance.  checked: scale > 0; a grid, where one is given,
//           that the data's own grid lies on; else kBadParameter.  caller: nothing.
// Ensures   map(d_in) = d_in/scale, an exact rational; attained for multiples of Λ. Integers are
//           released as integers, cut at the ends of int64; grid numbers as exact rationals.
// Limits    the time depends on the noise. The length of a vector of free length is released.
// Fails     when releasing: with the Errors of the source, whatever the input is.
// Source    [Ghosh2009]
// Proof     proofs/mechanisms.md#discrete-laplace
template <class D, class M>
  requires LatticeSpace<D, M, L1Distance>
auto make_discrete_laplace(const D& domain, const M& metric, const Rational& scale,
                           const std::optional<Grid>& grid = std::nullopt) {
  mechanism_internal::require_scale("make_discrete_laplace", scale);
  const Grid noise_grid = mechanism_internal::lattice_grid(
      "make_discrete_laplace", mechanism_internal::element_of(domain), grid);
  return mechanism_internal::noise_measurement<MaxDivergence>(
      "discrete Laplace", domain, metric,
      mechanism_internal::LatticeNoise(DiscreteLaplace(scale / noise_grid.spacing()), noise_grid),
      [scale](const Distance& d_in) { return d_in / scale; });
}

// make_discrete_laplace, step form: for the numbers it meets in a chain.
// Requires  as the full form.
// Ensures   as the full form.
// Proof     proofs/mechanisms.md#discrete-laplace
inline auto make_discrete_laplace(const Rational& scale,
                                  const std::optional<Grid>& grid = std::nullopt) {
  return Step{[scale, grid]<class D, class M>(const D& domain, const M& metric)
                requires LatticeSpace<D, M, L1Distance>
              { return make_discrete_laplace(domain, metric, scale, grid); }};
}

}  // namespace lastbit
