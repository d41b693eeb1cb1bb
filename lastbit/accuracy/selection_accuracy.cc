#include "lastbit/accuracy/selection_accuracy.h"

#include <fmt/core.h>

#include "lastbit/accuracy/refusals.h"
#include "lastbit/base/error.h"

namespace lastbit {

UpperBound selection_accuracy(const Rational& scale, std::size_t candidates, std::size_t k,
                              const Rational& alpha, int precision) {
  constexpr std::string_view kPlace = "selection_accuracy";
  accuracy_internal::require_positive(kPlace, "scale", scale);
  accuracy_internal::require_open_probability(kPlace, "alpha", alpha);
  if (k < 1 || k > candidates) {
    throw Error::bad_parameter(
        kPlace, "k", fmt::format("({}) is not between 1 and {} candidates", k, candidates),
        "ask for at least one candidate, and at most as many as there are");
  }
  // Σ over the rounds of half the number of candidates that are not the best of those left.
  const Rational rivals =
      Rational(k) * (Rational(2) * Rational(candidates) - Rational(k) - 1) / Rational(4);
  if (rivals <= alpha) return {Ball(0, precision)};
  return {Ball(scale, precision) * ln(Ball(rivals / alpha, precision))};
}

}  // namespace lastbit
