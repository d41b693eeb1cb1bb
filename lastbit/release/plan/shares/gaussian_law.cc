#include "lastbit/release/plan/shares/gaussian_law.h"

#include <vector>

#include "lastbit/accounting/lattice_gaussian.h"
#include "lastbit/release/plan/shares/error_shares.h"

namespace lastbit::release_internal {
namespace {

// scaled_parts: about the parts of the same release for `factor` times its rho.
std::vector<PlannedPart> scaled_parts(const SharedBudget& shared, const Rational& factor) {
  std::vector<PlannedPart> parts = parts_of(shared.statistics);
  for (PlannedPart& part : parts) {
    part.cost = Cost::concentrated(part.cost.rho() * factor);
    if (part.steps_variance) *part.steps_variance /= factor;
  }
  return parts;
}

// fitting_factor: about how much less rho a release has to use to lose at most epsilon.
Rational fitting_factor(const SharedBudget& shared, const Rational& epsilon, const Rational& delta,
                        const Rational& least) {
  constexpr int kHalvings = 14;
  Rational low = least;
  Rational high = 1;
  for (int step = 0; step < kHalvings; ++step) {
    const Rational middle = (low + high) / Rational(2);
    const auto lost = epsilon_by_gaussian_law(scaled_parts(shared, middle), delta);
    (lost && *lost <= epsilon ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::optional<Rational> epsilon_by_gaussian_law(std::span<const PlannedPart> parts,
                                                const Rational& delta) {
  std::vector<LatticeGaussian> numbers;
  for (const PlannedPart& part : parts) {
    if (part.mechanism != NoiseMechanism::kDiscreteGaussian || !part.steps_variance) {
      return std::nullopt;
    }
    numbers.push_back({part.cost.rho(), *part.steps_variance});
  }
  return lattice_gaussian_epsilon(numbers, delta);
}

ConvertedCost convert_rho(const Cost& cost, std::span<const PlannedPart> parts,
                          const Rational& delta) {
  if (const auto epsilon = epsilon_by_gaussian_law(parts, delta)) {
    return {Cost::approximate(*epsilon, delta), true};
  }
  return {convert(cost, delta), false};
}

std::optional<SharedBudget> share_by_gaussian_law(
    const Rational& epsilon, const Rational& delta, const Rational& covered,
    const std::function<std::optional<SharedBudget>(const Rational& rho)>& share) {
  // Noise of few steps of its grid loses a little more than real noise, so the first rho may be too
  // large. The next is found for the same parts; that of other shares may still be too large.
  constexpr int kMostTries = 4;
  Rational rho = rounded_down(gaussian_rho(epsilon, delta), 6);
  for (int count = 0; count < kMostTries && rho > covered; ++count) {
    auto shared = share(rho);
    if (!shared || !shared->converted || !shared->converted->by_gaussian_law) return std::nullopt;
    if (shared->converted->cost.epsilon() <= epsilon) return shared;
    rho = rounded_down(rho * fitting_factor(*shared, epsilon, delta, covered / rho), 6);
  }
  return std::nullopt;
}

}  // namespace lastbit::release_internal
