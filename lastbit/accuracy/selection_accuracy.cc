#include "lastbit/accuracy/selection_accuracy.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <variant>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {
namespace {

void require_choice(std::string_view place, std::size_t candidates, std::size_t k,
                    const Rational& alpha) {
  accuracy_internal::require_open_probability(place, "alpha", alpha);
  if (k >= 1 && k <= candidates) return;
  throw Error::bad_parameter(place, "k",
                             fmt::format("({}) is not between 1 and {} candidates", k, candidates),
                             "ask for at least one candidate, and at most as many as there are");
}

// rivals_of: Σ over the rounds of how many of those left are not the best of them; it is also the
// number of pairs of one of the k best and another that belongs below it.
Rational rivals_of(std::size_t candidates, std::size_t k) {
  return Rational(k) * (Rational(2) * Rational(candidates) - Rational(k) - 1) / Rational(2);
}

// λ·ln(odds), or 0 if that is negative.
UpperBound scaled_log(const Rational& scale, const Rational& odds, int precision) {
  if (odds <= Rational(1)) return {Ball(0, precision)};
  return {Ball(scale, precision) * ln(Ball(odds, precision))};
}

}  // namespace

UpperBound selection_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                              const Rational& alpha, int precision) {
  constexpr std::string_view kPlace = "selection_accuracy";
  accuracy_internal::require_positive(kPlace, "scale", scale);
  require_choice(kPlace, candidates, k, alpha);
  return scaled_log(scale, rivals_of(candidates, k) / (Rational(2) * alpha), precision);
}

UpperBound exponential_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                                const Rational& alpha, int precision) {
  constexpr std::string_view kPlace = "exponential_accuracy";
  accuracy_internal::require_positive(kPlace, "scale", scale);
  require_choice(kPlace, candidates, k, alpha);
  const Rational rounds(k);
  return scaled_log(scale, rivals_of(candidates, k) / rounds * (rounds - alpha) / alpha, precision);
}

Rational ranking_accuracy(const NoiseLaw& law, std::size_t candidates, std::size_t k,
                          const Rational& alpha) {
  constexpr std::string_view kPlace = "ranking_accuracy";
  require_choice(kPlace, candidates, k, alpha);
  const auto* laplace = std::get_if<LaplaceNoise>(&law);
  if (laplace != nullptr && !laplace->on_grid) {
    throw Error::bad_parameter(kPlace, "law", "rounds numbers that are not on its grid",
                               "use a grid that all numbers are on");
  }
  const Rational pairs = rivals_of(candidates, k);
  // One noise exceeds another with probability at most 1/2.
  if (pairs <= Rational(2) * alpha) return 0;
  return weighted_noise_accuracy(std::array{WeightedNoise{law, 1, 2}}, Rational(2) * alpha / pairs);
}

}  // namespace lastbit
