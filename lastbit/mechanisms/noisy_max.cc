#include "lastbit/mechanisms/noisy_max.h"

#include <optional>
#include <vector>

#include "lastbit/random/exponential/exponential.h"

namespace lastbit::mechanism_internal {
namespace {

// The double that is the score, where there is one.
std::optional<double> as_double(std::int64_t score) {
  constexpr std::int64_t kMost = std::int64_t{1} << 53;
  if (score < -kMost || score > kMost) return std::nullopt;
  return static_cast<double>(score);
}
std::optional<double> as_double(const Rational& score) {
  const double below = score.down();
  if (below != score.up()) return std::nullopt;
  return below;
}

template <class T>
std::size_t choose(const ScaledExponentials& noise, std::span<const T> scores, BitSource& bits) {
  std::vector<double> doubles;
  doubles.reserve(scores.size());
  for (const T& score : scores) {
    const std::optional<double> exact = as_double(score);
    if (!exact) break;
    doubles.push_back(*exact);
  }
  if (doubles.size() == scores.size()) return noise.argmax(doubles, bits);
  std::vector<AffineExponential> variates;
  variates.reserve(scores.size());
  for (const T& score : scores) {
    variates.push_back({Rational(score), noise.scale(), Exponential(bits)});
  }
  return argmax(variates, bits);
}

}  // namespace

std::size_t NoisyMax::operator()(std::span<const double> scores, BitSource& bits) const {
  std::vector<double> numbers;
  numbers.reserve(scores.size());
  for (const double score : scores) numbers.push_back(finite(score));
  return noise_.argmax(numbers, bits);
}

std::size_t NoisyMax::operator()(std::span<const std::int64_t> scores, BitSource& bits) const {
  return choose(noise_, scores, bits);
}

std::size_t NoisyMax::operator()(std::span<const Rational> scores, BitSource& bits) const {
  return choose(noise_, scores, bits);
}

}  // namespace lastbit::mechanism_internal
