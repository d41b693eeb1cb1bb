// The law of the outputs of a run, cell by cell. For this module only.
#pragma once

#include <optional>
#include <vector>

#include "lastbit/verify/refute/events.h"
#include "lastbit/verify/refute/probability.h"

namespace lastbit::verify::refutation {

// mass_of: the probability that the output of the run with these paths lies in the cell.
// Proof: proofs/refutation.md#paths
template <class Number>
Mass<Number> mass_of(const Cell& cell, const std::vector<Path>& paths,
                     Arithmetic<Number>& arithmetic, const Effort& effort) {
  const Number zero = arithmetic.number(Rational(0));
  Mass<Number> total{zero, zero, true};
  for (const Path& path : paths) {
    const std::optional<System> system = system_in(cell, path);
    if (!system) continue;
    const Mass<Number> mass = probability(path.noises, system->intervals(), arithmetic, effort);
    if (mass.is_zero) continue;
    const Number weight = arithmetic.number(path.weight);
    total.low = total.low + weight * mass.low;
    total.high = total.high + weight * mass.high;
    total.is_zero = false;
  }
  return total;
}

}  // namespace lastbit::verify::refutation
