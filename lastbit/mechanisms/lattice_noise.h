// Whole-number noise on the lattice that the data lies on. For this module only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/mechanisms/noise_space.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::mechanism_internal {

// LatticeNoise: x + Λ·Z for a sampler of whole numbers Z. A rational that is not on the grid, which
// no domain here holds, counts as the nearest number that is.
template <class Sampler>
class LatticeNoise {
 public:
  LatticeNoise(const Sampler& sampler, Grid grid) : sampler_(sampler), grid_(grid) {}

  std::vector<std::int64_t> release(std::span<const std::int64_t> values, BitSource& bits) const {
    std::vector<std::int64_t> result(values.begin(), values.end());
    sampler_.add(std::span(result), bits);
    return result;
  }
  std::vector<Rational> release(std::span<const Rational> values, BitSource& bits) const {
    std::vector<Integer> indices;
    indices.reserve(values.size());
    for (const Rational& value : values) indices.push_back(grid_.nearest_index(value));
    sampler_.add(std::span(indices), bits);
    std::vector<Rational> result;
    result.reserve(values.size());
    for (const Integer& index : indices) result.push_back(grid_.point(index));
    return result;
  }

 private:
  Sampler sampler_;
  Grid grid_;
};

// lattice_grid: the grid of the noise: 2^0 for integers, otherwise the data's own or a finer one.
template <LatticeDomain D>
Grid lattice_grid(std::string_view place, const D& domain, const std::optional<Grid>& grid) {
  Grid own(0);
  if constexpr (std::same_as<D, GridDomain>) own = domain.grid();
  if (!grid) return own;
  const bool too_fine = !std::same_as<D, GridDomain> && grid->exponent() < 0;
  if (grid->exponent() > own.exponent() || too_fine) {
    throw Error::bad_parameter(
        place, "grid",
        "(2^" + std::to_string(grid->exponent()) + ") does not fit the data's own grid (2^" +
            std::to_string(own.exponent()) + ")",
        too_fine ? "leave it out, or release rationals"
                 : "give the data's grid or a finer one, or use make_snapped_laplace");
  }
  return *grid;
}

}  // namespace lastbit::mechanism_internal
