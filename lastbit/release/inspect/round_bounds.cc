#include "lastbit/release/inspect/round_bounds.h"

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

std::vector<Rational> make_round_numbers() {
  constexpr int kLeastPower = -9;
  constexpr int kMostPower = 17;
  constexpr int kDigits[] = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};
  std::vector<Rational> numbers = {0};
  Rational power = Rational(1, 10);  // the digits are tenths
  for (int i = 0; i > kLeastPower; --i) power /= 10;
  for (int i = kLeastPower; i <= kMostPower; ++i, power *= 10) {
    for (const int digits : kDigits) {
      numbers.push_back(power * digits);
      numbers.push_back(power * -digits);
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

// Doubles have 53 bits, and decimals at most 127, so nothing lies in between.
Rational just_above(const Rational& number) {
  constexpr std::int64_t kBelowAllDoubles = -1100;
  constexpr std::int64_t kFine = -200;
  if (number.sign() == 0) return Rational::two_to(kBelowAllDoubles);
  return number + abs(number) * Rational::two_to(kFine);
}

const std::vector<Rational>& round_numbers() {
  static const std::vector<Rational> kNumbers = make_round_numbers();
  return kNumbers;
}

std::vector<Rational> RoundBounds::thresholds_for(const Rational& lower, const Rational& upper) {
  std::vector<Rational> thresholds = {lower, just_above(upper)};
  for (const Rational& number : round_numbers()) {
    thresholds.push_back(number);
    thresholds.push_back(just_above(number));
  }
  std::ranges::sort(thresholds);
  const auto repeated = std::ranges::unique(thresholds);
  thresholds.erase(repeated.begin(), repeated.end());
  return thresholds;
}

RoundBounds::RoundBounds(std::vector<Rational> thresholds, const std::vector<std::int64_t>& between)
    : thresholds_(std::move(thresholds)) {
  invariant(between.size() == thresholds_.size() + 1, "there is a number between all thresholds");
  std::int64_t sum = 0;
  for (const std::int64_t rows : between) below_.push_back(sum += rows);
}

std::int64_t RoundBounds::smaller_than(const Rational& threshold) const {
  const auto place = std::ranges::lower_bound(thresholds_, threshold);
  invariant(place != thresholds_.end() && *place == threshold, "the threshold was asked for");
  return below_[static_cast<std::size_t>(place - thresholds_.begin())];
}

std::int64_t RoundBounds::below(const Rational& lower) const { return smaller_than(lower); }

std::int64_t RoundBounds::above(const Rational& upper) const {
  return values() - smaller_than(just_above(upper));
}

std::optional<Rational> RoundBounds::least_upper(const Rational& lower, std::int64_t most) const {
  if (values() == 0) return std::nullopt;
  for (const Rational& number : round_numbers()) {
    if (number > lower && above(number) <= most) return number;
  }
  return std::nullopt;
}

std::optional<Rational> RoundBounds::greatest_lower(const Rational& upper,
                                                    std::int64_t most) const {
  if (values() == 0) return std::nullopt;
  const std::vector<Rational>& numbers = round_numbers();
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    if (*number < upper && below(*number) <= most) return *number;
  }
  return std::nullopt;
}

}  // namespace lastbit
