#include "lastbit/release/plan/shares/loss_for_accuracy.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "lastbit/base/error.h"

namespace lastbit::release_internal {
namespace {

Rational power_of_ten(int exponent) {
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / power : power;
}

// ShortDecimals: all decimals with four digits between two powers of ten, in order.
struct ShortDecimals {
  static constexpr int kSmallest = -12;
  static constexpr int kLargest = 9;
  static constexpr std::int64_t kPerDecade = 9000;
  static constexpr std::int64_t kLast = (kLargest - kSmallest) * kPerDecade;

  static Rational at(std::int64_t number) {
    const auto decade = static_cast<int>(number / kPerDecade);
    return Rational(1000 + number % kPerDecade) * power_of_ten(kSmallest - 3 + decade);
  }
  // The number of the first decimal that is at least the value, or of the last one.
  static std::int64_t first_from(const Rational& value) {
    std::int64_t low = -1;
    std::int64_t high = kLast;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (at(middle) >= value ? high : low) = middle;
    }
    return high;
  }
  // The number of a decimal that is enough, while the one before it is not; nothing if none is
  // enough. The search starts at `guess`, with steps that double. Whatever `enough` does in
  // between, it held for the result.
  template <class Enough>
  static std::optional<std::int64_t> first_enough(std::int64_t guess, const Enough& enough) {
    std::int64_t low = guess;
    std::int64_t high = guess;
    if (enough(guess)) {
      for (std::int64_t step = 1; low >= 0 && (low == guess || enough(low)); step *= 2) {
        high = low;
        low = std::max<std::int64_t>(guess - step, -1);
      }
    } else {
      for (std::int64_t step = 1; high == guess || !enough(high); step *= 2) {
        if (high == kLast) return std::nullopt;
        low = high;
        high = std::min(guess + step, kLast);
      }
    }
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (enough(middle) ? high : low) = middle;
    }
    return high;
  }
};

}  // namespace

std::optional<Rational> error_for(const Planner& planner, std::size_t statistic,
                                  const LossShare& share, const Integer& rows) {
  try {
    return planner(statistic, share).accuracy.at(rows);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kBadParameter) return std::nullopt;
    throw;
  }
}

std::optional<Rational> loss_for_accuracy(const Planner& planner, std::size_t statistic,
                                          bool concentrated, const Rational& accuracy,
                                          const Integer& rows) {
  const auto error_at = [&](std::int64_t number) {
    return error_for(planner, statistic, {concentrated, ShortDecimals::at(number)}, rows);
  };
  // Errors fall as 1/epsilon or 1/√rho, nearly, so this tells where to look. The second guess is
  // made nearby, where the law is closer.
  std::int64_t guess = ShortDecimals::first_from(1);
  for (int i = 0; i < 2; ++i) {
    const auto error = error_at(guess);
    if (!error || error->sign() <= 0 || accuracy.sign() <= 0) continue;
    const Rational factor = *error / accuracy;
    guess = ShortDecimals::first_from(ShortDecimals::at(guess) *
                                      (concentrated ? factor * factor : factor));
  }
  const auto number = ShortDecimals::first_enough(guess, [&](std::int64_t tried) {
    const auto error = error_at(tried);
    return error && *error <= accuracy;
  });
  return number ? std::optional(ShortDecimals::at(*number)) : std::nullopt;
}

}  // namespace lastbit::release_internal
