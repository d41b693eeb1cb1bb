#include "lastbit/statistics/moment_errors.h"

#include <algorithm>
#include <cstddef>
#include <variant>
#include <vector>

namespace lastbit {
namespace {

// rounding_of: how far a noise may be from the real one that it was rounded from, twice.
Rational rounding_of(const LaplaceNoise& noise) { return noise.grid.spacing(); }
Rational rounding_of(const GaussianNoise& /*noise*/) { return 0; }

// largest_sum: a bound for the sum of `numbers` noises, for all weights that these two majorise; it
// is exceeded with probability at most alpha. Proof: proofs/statistics.md#moment-errors
Rational largest_sum(const PlannedMoments& planned, std::size_t numbers, const Rational& first,
                     const Rational& second, const Rational& alpha) {
  // A bound for discrete Gaussian noise grows with the number of noises, if ever so little.
  std::vector<WeightedNoise> noises(numbers, {planned.law, Rational::two_to(-20), planned.terms});
  noises[0].weight = first;
  if (second.sign() > 0) noises[1].weight = second;
  Rational total = 0;
  for (const WeightedNoise& noise : noises) total += noise.weight;
  const Rational rounding =
      std::visit([](const auto& law) { return rounding_of(law); }, planned.law);
  return (weighted_noise_accuracy(noises, alpha) + total * Rational(planned.terms) * rounding) /
         planned.unit;
}

// error_of_rows: of the number of rows, the sum of all numbers.
Rational error_of_rows(const PlannedMoments& planned, std::size_t numbers, const Rational& alpha) {
  const std::vector<WeightedNoise> noises(numbers, {planned.law, 1, planned.terms});
  return weighted_noise_accuracy(noises, alpha) / planned.unit;
}

// divided: (sum + product/n)/(n − 1) for the fewest rows that the noise leaves, at most `width`.
Rational divided(const Rational& sum, const Rational& product, const Rational& fewest,
                 const Rational& width) {
  if (fewest < Rational(2)) return width;
  return std::min((sum + product / fewest) / (fewest - Rational(1)), width);
}

// excess: n/(n − 1) − 1.
Rational excess(const Integer& rows) { return Rational(1) / (Rational(rows) - Rational(1)); }

}  // namespace

Rational variance_error(const PlannedMoments& planned, SquareBasis basis, const Rational& alpha) {
  const Rational width(1, 2);
  if (planned.rows < 2) return width;
  const Rational small = alpha / Rational(20);
  const Rational large = alpha - Rational(2) * small;
  const Rational more = excess(planned.rows);
  const Rational sum =
      basis == SquareBasis::kBernstein
          ? largest_sum(planned, 3, Rational(1) + more / Rational(4), more / Rational(2), large)
          : largest_sum(planned, 3, Rational(1) + more / Rational(2), Rational(1, 4), large);
  const Rational mean = largest_sum(planned, 3, 1, Rational(1, 2), small);
  const Rational fewest = Rational(planned.rows) - error_of_rows(planned, 3, small);
  return divided(sum, mean * mean, fewest, width);
}

Rational covariance_error(const PlannedMoments& planned, const Rational& alpha) {
  const Rational width = 1;
  if (planned.rows < 2) return width;
  const Rational small = alpha / Rational(20);
  const Rational large = alpha - Rational(3) * small;
  const Rational more = excess(planned.rows);
  const Rational sum = largest_sum(planned, 4, Rational(1) + more / Rational(4),
                                   Rational(1, 4) + more * Rational(3, 4), large);
  const Rational mean = largest_sum(planned, 4, 1, 1, small);
  const Rational fewest = Rational(planned.rows) - error_of_rows(planned, 4, small);
  return divided(sum, mean * mean, fewest, width);
}

}  // namespace lastbit
