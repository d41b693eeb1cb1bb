#include "lastbit/release/plan/shares/error_shares.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

Rational decimal_power(int exponent) {
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / power : power;
}

// Keys that are to be discovered count as a few.
Integer guessed_groups(const Aggregation& aggregation) {
  constexpr std::int64_t kDiscovered = 10;
  Integer groups = 1;
  for (const GroupColumns& columns : aggregation.groups) {
    if (const auto* listed = std::get_if<ListedKeys>(&columns)) {
      groups *= Integer(std::max<std::size_t>(listed->tuples.size(), 1));
    } else if (const auto* range = std::get_if<RangeKeys>(&columns)) {
      groups *= Integer(range->last) - Integer(range->first) + Integer(1);
    } else {
      groups *= Integer(kDiscovered);
    }
  }
  return groups;
}

// The error that a loss buys, by the law of large groups: an error in rows or numbers is what it
// is, and one that depends on how many rows there are is read off where they are so many that it
// falls in proportion to them. Where it falls like a root instead, as a standard deviation's may,
// its square is taken, which is the error of a variance.
std::optional<Rational> error_in_law(const PlannedStatistic& planned, const Integer& rows) {
  const PlannedError& error = planned.accuracy;
  const Rational size = measured_size(planned.statistic.kind, Rational(rows));
  if (size.sign() <= 0) return std::nullopt;
  if (error.always) return *error.always / size;
  if (!error.for_rows) return std::nullopt;
  const Integer many = pow(Integer(10), 18);
  const auto near = error.for_rows(many);
  const auto far = error.for_rows(Integer(4) * many);
  if (!near || !far || far->sign() <= 0) return std::nullopt;
  const Rational fraction = Rational(many) / Rational(rows);
  const bool falls_as_root = *near < Rational(3) * *far;
  const Rational share = *near / size;
  return (falls_as_root ? share * share : share) * fraction;
}

// The largest whole w with w^power ≤ value.
Integer whole_root(const Rational& value, unsigned power) {
  Integer low = 0;
  Integer high = 1;
  while (Rational(pow(high, power)) <= value) high *= Integer(2);
  while (high - low > Integer(1)) {
    const Integer middle = (Rational(low + high) / Rational(2)).floor();
    (Rational(pow(middle, power)) <= value ? low : high) = middle;
  }
  return low;
}

}  // namespace

Rational rounded_down(const Rational& value, int digits) {
  const Rational least = decimal_power(digits - 1);
  int exponent = 0;
  while (value * decimal_power(exponent) < least) ++exponent;
  while (value * decimal_power(exponent) >= least * Rational(10)) --exponent;
  return Rational((value * decimal_power(exponent)).floor()) / decimal_power(exponent);
}

RowGuess guess_rows(const ReleaseFile& release, const std::vector<const Aggregation*>& tables) {
  constexpr std::int64_t kUsual = 1'000'000;
  std::vector<Integer> groups;
  groups.reserve(tables.size());
  for (const Aggregation* table : tables) groups.push_back(guessed_groups(*table));
  RowGuess guess{0, {}};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& given = release.statistics[i].expected_rows;
    if (given) guess.all = std::max(guess.all, Integer(given->value) * groups[i]);
  }
  if (guess.all.sign() == 0) guess.all = kUsual;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& given = release.statistics[i].expected_rows;
    const Integer equal = (Rational(guess.all) / Rational(groups[i])).floor();
    guess.per_group.push_back(given ? Integer(given->value) : std::max(equal, Integer(1)));
  }
  return guess;
}

std::optional<Rational> relative_error(const PlannedStatistic& planned, const Integer& rows) {
  const auto error = planned.accuracy.at(rows);
  const Rational size = measured_size(planned.statistic.kind, Rational(rows));
  if (!error || size.sign() <= 0) return std::nullopt;
  return *error / size;
}

std::optional<Rational> squared_factor(const Planner& planner, std::size_t number,
                                       const Integer& rows, const LossShare& usual) {
  // Where losses are small, whole numbers are many, and rounding to them says little. Noise that
  // is too large for that is tried at the usual loss.
  const LossShare small{usual.concentrated,
                        usual.concentrated ? Rational(1, 2'000'000) : Rational(1, 1000)};
  for (const LossShare& share : {small, usual}) {
    try {
      const auto error = error_in_law(planner(number, share), rows);
      if (!error || error->sign() <= 0) return std::nullopt;
      const Rational squared = *error * *error * share.loss;
      return share.concentrated ? squared : squared * share.loss;
    } catch (const Error& error) {
      if (error.code() != ErrorCode::kBadParameter) throw;
    }
  }
  return std::nullopt;
}

Rational root_of(const Rational& value, unsigned power) {
  // Scaled by a power of ten, so that the whole part of the root has at least seven digits.
  Rational scale = 1;
  const Rational least = pow(Rational(10), 7 * power);
  while (value * pow(scale, power) < least) scale *= Rational(10);
  return Rational(whole_root(value * pow(scale, power), power)) / scale;
}

std::vector<std::optional<Integer>> error_weights(const Planner& planner,
                                                  const std::vector<std::size_t>& numbers,
                                                  const std::vector<Integer>& rows,
                                                  const LossShare& usual) {
  std::vector<std::optional<Rational>> factors;
  Rational largest = 0;
  for (const std::size_t number : numbers) {
    const auto factor = squared_factor(planner, number, rows[number], usual);
    if (factor) largest = std::max(largest, *factor);
    factors.push_back(factor);
  }
  // Shares in proportion to c^(2/3) for epsilons and to c for rhos, c² being the squared factor,
  // to five digits. A thousand times as accurate as the least accurate is accurate enough.
  const unsigned root = usual.concentrated ? 2 : 3;
  constexpr std::int64_t kScale = 100'000;
  const Rational least = largest / Rational(1'000'000);
  std::vector<std::optional<Integer>> weights;
  for (const auto& factor : factors) {
    if (!factor || largest.sign() == 0) {
      weights.emplace_back();
      continue;
    }
    const Rational part = std::max(*factor, least) / largest;
    weights.emplace_back(whole_root(part * pow(Rational(kScale), root), root));
  }
  return weights;
}

std::vector<Rational> divide_by_weights(const Rational& whole,
                                        const std::vector<std::optional<Integer>>& weights) {
  constexpr int kDigits = 4;
  Integer sum = 0;
  std::int64_t known = 0;
  std::size_t largest = 0;  // the first of the largest weights, or the first of all
  Integer most = -1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::optional<Integer>& weight = weights[i];
    if (!weight) continue;
    sum += *weight;
    ++known;
    if (*weight <= most) continue;
    most = *weight;
    largest = i;
  }
  const Rational equal = whole / Rational(weights.size());
  std::vector<Rational> parts;
  Rational left = whole;
  for (const auto& weight : weights) {
    const Rational exact =
        weight ? equal * Rational(known) * Rational(*weight) / Rational(sum) : equal;
    parts.push_back(rounded_down(exact, kDigits));
    left -= parts.back();
  }
  parts[largest] += left;
  return parts;
}

}  // namespace lastbit::release_internal
