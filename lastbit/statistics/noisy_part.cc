#include "lastbit/statistics/noisy_part.h"

#include <fmt/core.h>

namespace lastbit::statistics_internal {

Rational error_bound(const Rational& scale, const Grid& grid, const Rational& alpha,
                     std::size_t numbers, bool whole) {
  const UpperBound bound = smallest_accuracy(scale, grid, alpha / Rational(numbers));
  const Rational upper = bound.ball.upper_rational();
  return whole ? Rational(upper.floor()) : upper;
}

std::string nulls_in_words(const Nulls& nulls) {
  const auto& value = nulls.value();
  if (!value) return "leave out missing values";
  return fmt::format("replace missing values by {}", value->to_string());
}

std::string bounds_in_words(const Rational& lower, const Rational& upper) {
  return fmt::format("clamp to [{}, {}]", lower.to_string(), upper.to_string());
}

std::string resize_in_words(std::size_t rows) {
  return fmt::format("keep or fill up to {} rows", rows);
}

std::string noise_in_words(const std::vector<Part>& parts) {
  std::string text;
  for (const Part& part : parts) {
    if (!text.empty()) text += ", ";
    text +=
        fmt::format("{} plus Laplace noise of scale {} on the grid 2^{} (epsilon {})", part.name,
                    part.scale.to_string(), part.grid.exponent(), part.epsilon.to_string());
  }
  return text;
}

}  // namespace lastbit::statistics_internal
