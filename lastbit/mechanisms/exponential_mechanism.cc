#include "lastbit/mechanisms/exponential_mechanism.h"

#include <algorithm>
#include <functional>

#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_block.h"
#include "lastbit/random/uniform.h"

namespace lastbit::mechanism_internal {
namespace {

// Falls: how far candidates are below the best, in units of the scale: `exact`, and `near`, which
// is off by at most kNearError where the fall is below 65, and at least kFirstStep elsewhere.
constexpr int kFirstStep = 64;
constexpr double kNearError = 0x1p-44;
struct Falls {
  std::vector<double> near;
  std::function<Rational(std::size_t candidate)> exact;
};

// survives: true with probability e^(64 − fall), or always if the fall is at most 64.
bool survives(const Falls& falls, std::size_t candidate, BitSource& bits) {
  if (falls.near[candidate] < kFirstStep - 1) return true;
  const Rational rest = falls.exact(candidate) - Rational(kFirstStep);
  Exponential variate(bits);
  return !variate.is_below(rest, bits);
}

// Uniform candidates, one after the other, each kept with probability e^−fall, until one is kept.
// They are drawn in blocks, for speed; what a block has after the first that is kept is not looked
// at.
std::size_t first_kept(const Falls& falls, BitSource& bits) {
  const std::uint64_t candidates{falls.near.size()};
  std::vector<std::size_t> drawn;
  std::vector<double> near;
  std::vector<std::uint8_t> kept;
  const auto exact = [&](std::size_t i) {
    return std::min(falls.exact(drawn[i]), Rational(kFirstStep));
  };
  for (std::size_t size = 8;; size = std::min(2 * size, kBlockSamples)) {
    drawn.resize(size);
    near.resize(size);
    kept.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      drawn[i] = static_cast<std::size_t>(uniform_below(bits, candidates));
      near[i] = std::min(falls.near[drawn[i]], double{kFirstStep});
    }
    bernoulli_exp(near, kNearError, exact, kept, bits);
    for (std::size_t i = 0; i < size; ++i) {
      if (kept[i] != 0 && survives(falls, drawn[i], bits)) return drawn[i];
    }
  }
}

std::size_t choose_exactly(const std::vector<Rational>& scores, const Rational& scale,
                           BitSource& bits) {
  const Rational best = *std::ranges::max_element(scores);
  const auto exact = [&](std::size_t i) { return (best - scores[i]) / scale; };
  Falls falls{{}, exact};
  falls.near.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) falls.near.push_back(exact(i).down());
  return first_kept(falls, bits);
}

}  // namespace

std::size_t ExponentialChoice::operator()(std::span<const double> scores, BitSource& bits) const {
  std::vector<Rational> exact;
  exact.reserve(scores.size());
  for (const double score : scores) exact.push_back(Rational::exactly(finite(score)));
  return choose_exactly(exact, scale_, bits);
}

std::size_t ExponentialChoice::operator()(std::span<const std::int64_t> scores,
                                          BitSource& bits) const {
  const std::int64_t best = *std::ranges::max_element(scores);
  // The difference of two 64-bit numbers, the first of which is not below the second.
  const auto below_best = [&](std::size_t i) {
    return static_cast<std::uint64_t>(best) - static_cast<std::uint64_t>(scores[i]);
  };
  const double per_scale = (Rational(1) / scale_).down();
  Falls falls{{}, [&](std::size_t i) { return Rational(below_best(i)) / scale_; }};
  falls.near.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    falls.near.push_back(static_cast<double>(below_best(i)) * per_scale);
  }
  return first_kept(falls, bits);
}

std::size_t ExponentialChoice::operator()(std::span<const Rational> scores, BitSource& bits) const {
  return choose_exactly({scores.begin(), scores.end()}, scale_, bits);
}

}  // namespace lastbit::mechanism_internal
