// The law itself: which of the 2^63 first intervals of U lead to which result, against closed forms,
// and frequencies on a recorded tape.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_block.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace exponential_law_test {

using testing::seeded_tape;
using testing::tape_of_words;

constexpr std::uint64_t kIntervals = std::uint64_t{1} << 63;

// The result that the first 63 bits u of U alone lead to, or nothing when they do not decide.
using FirstAnswer = std::function<std::int64_t(BitSource&)>;
std::optional<std::int64_t> answer(const FirstAnswer& sample, std::uint64_t u, bool negative) {
  BitSource bits = tape_of_words({u << 1 | (negative ? 1U : 0U)});
  try {
    return sample(bits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
    return std::nullopt;
  }
}

// ⌊2^63·e^−x⌋ for a rational x ≥ 0.
std::uint64_t intervals_below_exp(const Rational& x) {
  if (x.sign() == 0) return kIntervals;
  const Ball count = exp(Ball(-x, 256)) * Ball(Rational::two_to(63), 256);
  EXPECT_EQ(count.lower_rational().floor(), count.upper_rational().floor());
  return static_cast<std::uint64_t>(count.lower_rational().floor().to_int64());
}

// E ≥ x exactly for U ≤ e^−x. `reaches` must be certain, and true, for exactly the ⌊2^63·e^−x⌋
// first intervals, open for the next one, which holds e^−x, and certain and false for all others.
// Results are monotone in u, so bisection finds the end.
void expect_law(const FirstAnswer& sample, bool negative, const Rational& x,
                const std::function<bool(std::int64_t)>& reaches) {
  std::uint64_t low = 0;  // every interval below `low` is certain to reach; open counts as no
  std::uint64_t high = kIntervals;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const auto result = middle == 0 ? std::nullopt : answer(sample, middle, negative);
    // The interval at 0 is always open, but its part of U reaches every x in the end.
    const bool certain = middle == 0 || (result.has_value() && reaches(*result));
    (certain ? low : high) = certain ? middle + 1 : middle;
  }
  const std::uint64_t expected = x.sign() <= 0 ? kIntervals : intervals_below_exp(x);
  EXPECT_EQ(low, expected) << x.to_string();
  if (expected == kIntervals) return;
  EXPECT_FALSE(answer(sample, low, negative).has_value());
  if (low + 1 == kIntervals) return;
  const auto after = answer(sample, low + 1, negative);
  ASSERT_TRUE(after.has_value());
  EXPECT_FALSE(reaches(*after));
}

// Pr[k ≥ j] = ½·e^(−(j − ½ − r)/c) for j > r + ½ and Pr[k ≤ −j] = ½·e^(−(j − ½ + r)/c) for j ≥ ½ − r, to
// the last of 63 bits, for the fast path and for balls.
TEST(ExponentialLawTest, RoundedLaplaceHasItsLawToTheLastOf63Bits) {
  for (const char* scale_text : {"1", "1/3", "5/2", "0.7"}) {
    const Rational scale = rational(scale_text);
    const ScaledExponentials noise(scale);
    for (const double fraction : {0.0, 0.25, -0.25, -0.5, 0x1p-30}) {
      const Rational r = Rational::exactly(fraction);
      const FirstAnswer fast = [&](BitSource& bits) {
        std::vector<std::int64_t> out(1);
        noise.round_signed(std::span(&fraction, 1), out, bits);
        return out[0];
      };
      const FirstAnswer slow = [&](BitSource& bits) {
        Exponential e(bits);
        return e.floor_affine(r + Rational(1, 2), Rational(e.sign()) * scale, bits).to_int64();
      };
      for (const int j : {1, 2, 3, 7}) {
        const Rational up = (Rational(j) - Rational(1, 2) - r) / scale;
        const Rational down = (Rational(j) - Rational(1, 2) + r) / scale;
        for (const FirstAnswer& sample : {fast, slow}) {
          expect_law(sample, false, up, [j](std::int64_t k) { return k >= j; });
          expect_law(sample, true, down, [j](std::int64_t k) { return k <= -j; });
        }
      }
    }
  }
}

TEST(ExponentialLawTest, FloorIsGeometricToTheLastOf63Bits) {
  for (const char* text : {"1", "1/3", "5/2", "1000"}) {
    const ScaledExponentials noise(rational(text));
    const FirstAnswer sample = [&](BitSource& bits) {
      std::vector<std::int64_t> out(1);
      noise.floor(out, bits);
      return out[0];
    };
    for (const int j : {1, 2, 5}) {
      expect_law(sample, false, Rational(j) / noise.scale(),
                 [j](std::int64_t k) { return k >= j; });
    }
  }
}

TEST(ExponentialLawTest, BernoulliExpHasItsProbabilityToTheLastOf63Bits) {
  for (const char* text : {"1", "1/1000", "7.25", "0.1", "9"}) {
    const Rational exact = rational(text);
    const double x = exact.down();
    const FirstAnswer sample = [&](BitSource& bits) {
      std::vector<std::uint8_t> out(1);
      bernoulli_exp(std::span(&x, 1), 0x1p-50, [&](std::size_t) { return exact; }, out, bits);
      return std::int64_t{out[0]};
    };
    expect_law(sample, false, exact, [](std::int64_t coin) { return coin == 1; });
  }
}

// A false alarm has probability 10^−6 over the choice of the tape: the upper quantile of χ²
// with 20 degrees of freedom.
constexpr double kQuantile20 = 65.42;

TEST(ExponentialLawTest, FrequenciesOnARecordedTapeFitTheLaw) {
  constexpr std::size_t kSamples = 2'000'000;
  constexpr int kEdge = 10;
  constexpr double kScale = 1.25;
  constexpr double kFraction = 0.375;
  const ScaledExponentials noise(rational("5/4"));
  std::vector<std::int64_t> out(kSamples);
  BitSource bits = seeded_tape(41);
  noise.round_signed(std::vector<double>(kSamples, kFraction), out, bits);
  std::map<std::int64_t, double> seen;
  for (const std::int64_t k : out) seen[std::clamp<std::int64_t>(k, -kEdge, kEdge)] += 1;
  // Pr[fraction + L < t] for a Laplace variate L.
  const auto below = [](double t) {
    const double x = (t - kFraction) / kScale;
    return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2;
  };
  double chi_square = 0;
  for (int k = -kEdge; k <= kEdge; ++k) {
    const double from = k == -kEdge ? 0 : below(k - 0.5);
    const double to = k == kEdge ? 1 : below(k + 0.5);
    const double expected = (to - from) * static_cast<double>(kSamples);
    chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
  }
  EXPECT_LT(chi_square, kQuantile20);  // 21 cells
}

}  // namespace exponential_law_test
}  // namespace lastbit
