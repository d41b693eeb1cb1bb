#include "lastbit/accounting/lattice_gaussian.h"

#include <algorithm>
#include <string_view>

#include "lastbit/accounting/cost.h"
#include "lastbit/base/error.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

constexpr int kProfilePrecision = 256;
// Halvings of an interval in which a number is looked for.
constexpr int kHalvings = 40;

Ball profile_ball(const Rational& value) { return {value, kProfilePrecision}; }

// gaussian_delta: the least delta at epsilon ≥ 0 of Gaussian noise of variance 1/square on a vector
// that moves by 1.
Ball gaussian_delta(const Ball& square, const Ball& epsilon) {
  const Ball mu = sqrt(square);
  const Ball half = profile_ball(Rational(1, 2));
  const Ball root = sqrt(profile_ball(2));
  const Ball lost = erfc((epsilon / mu - half * mu) / root);
  const Ball kept = erfc((epsilon / mu + half * mu) / root);
  return half * (lost - exp(epsilon) * kept);
}

// RoundedNoise: real Gaussian noise that discrete noise is at most so much worse than.
struct RoundedNoise {
  Ball square;  // of all numbers together: the sum of squared moves, each over its variance
  Ball factor;  // ln κ: κ is added to losses and multiplies deltas
};

// rounded_noise: the noise that is left when so much of each variance is used for rounding to the
// grid. A larger `care` rounds more smoothly. Nothing if the noise is of too few steps for that.
std::optional<RoundedNoise> rounded_noise(std::span<const LatticeGaussian> numbers, int care) {
  Ball square = profile_ball(0);
  Ball factor = profile_ball(0);
  const Ball twice_pi_squared = profile_ball(2) * pi(kProfilePrecision) * pi(kProfilePrecision);
  for (const auto& [rho, variance] : numbers) {
    if (rho.sign() == 0) continue;
    // The square of the distance in steps, which is at least the number of coordinates that differ.
    const Rational reach = Rational(2) * rho * variance;
    // 2π² is about 79/4, and ln 2 about 7/10, so that reach·e^(−2π²·rounding) is about e^−care.
    const auto bits = static_cast<std::int64_t>(reach.ceil().bit_length());
    const Rational rounding = Rational(4, 79) * (Rational(7, 10) * Rational(bits) + Rational(care));
    if (rounding + rounding >= variance) return std::nullopt;
    square = square + profile_ball(reach / (variance - rounding));
    const Ball first = exp(-(twice_pi_squared * profile_ball(rounding)));
    const Ball ripple = profile_ball(2) * first / (profile_ball(1) - first);
    factor = factor + profile_ball(reach) * (log1p(ripple) - log1p(-ripple));
  }
  return RoundedNoise{square, factor};
}

// smallest_epsilon: the least multiple of highest/2^40 found for which the noise has this delta;
// nothing if the highest one is not enough.
std::optional<Rational> smallest_epsilon(const RoundedNoise& noise, const Rational& highest,
                                         const Rational& delta) {
  const auto is_enough = [&](const Rational& epsilon) {
    const Ball rest = profile_ball(epsilon) - noise.factor;
    if (rest.sign() != 1) return false;
    return certainly_less_or_equal(exp(noise.factor) * gaussian_delta(noise.square, rest),
                                   profile_ball(delta));
  };
  if (!is_enough(highest)) return std::nullopt;
  Rational low = 0;
  Rational high = highest;
  for (int step = 0; step < kHalvings; ++step) {
    const Rational middle = (low + high) / Rational(2);
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

void check_delta(std::string_view place, const Rational& delta) {
  if (delta.sign() > 0 && delta < Rational(1)) return;
  throw Error::bad_parameter(place, "delta", "is not between 0 and 1",
                             "give a small positive probability");
}

}  // namespace

std::optional<Rational> lattice_gaussian_epsilon(std::span<const LatticeGaussian> numbers,
                                                 const Rational& delta) {
  check_delta("lattice_gaussian_epsilon", delta);
  Rational rho = 0;
  for (const LatticeGaussian& part : numbers) {
    if (part.rho.sign() < 0 || part.variance.sign() <= 0) {
      throw Error::bad_parameter("lattice_gaussian_epsilon", "numbers",
                                 "have a negative rho, or noise without a variance",
                                 "give a rho of at least 0 and a variance above 0");
    }
    rho += part.rho;
  }
  if (rho.sign() == 0) return Rational(0);
  // Every care gives a true bound. Much is best for noise of many steps, little for that of few. A
  // care that is no better than the best before it costs one evaluation, so the one that is best for
  // most noise comes first.
  const Rational highest = approximate_epsilon(rho, delta);
  std::optional<Rational> best;
  for (const int care : {40, 26, 18, 12, 8}) {
    const auto noise = rounded_noise(numbers, care);
    if (!noise) continue;
    const auto epsilon = smallest_epsilon(*noise, best.value_or(highest), delta);
    if (epsilon) best = epsilon;
  }
  return best;
}

Rational gaussian_rho(const Rational& epsilon, const Rational& delta) {
  check_delta("gaussian_rho", delta);
  if (epsilon.sign() <= 0) {
    throw Error::bad_parameter("gaussian_rho", "epsilon", "is not positive",
                               "give a number above 0");
  }
  const auto is_covered = [&](const Rational& rho) {
    return certainly_less_or_equal(
        gaussian_delta(profile_ball(Rational(2) * rho), profile_ball(epsilon)),
        profile_ball(delta));
  };
  // Gaussian noise of rho loses more than rho with probability about one half.
  Rational low = 0;
  Rational high = epsilon;
  while (is_covered(high)) high = high + high;
  for (int step = 0; step < kHalvings; ++step) {
    const Rational middle = (low + high) / Rational(2);
    (is_covered(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace lastbit
