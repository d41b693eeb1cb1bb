// Shares of a budget that make relative errors small. For this module only.
//
// Everything here is computed from the release file and from planned errors, which depend on it
// alone. Proof: proofs/release.md#shares
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/plan_statistic.h"

namespace lastbit::release_internal {

// Planner: plans the statistic with this number for a given loss.
using Planner = std::function<PlannedStatistic(std::size_t, const LossShare&)>;

// rounded_down: the largest decimal with so many digits that is at most the value, which is > 0.
Rational rounded_down(const Rational& value, int digits);

// RowGuess: public guesses of how many rows there are, which only shares and comparisons use.
struct RowGuess {
  Integer all;                     // in the whole file, for statistics without `expected_rows`
  std::vector<Integer> per_group;  // of each statistic
};
// guess_rows: `expected_rows` where it is given. Other groups share the rows of the file equally:
// as many as the largest table with `expected_rows` has, otherwise a million.
RowGuess guess_rows(const ReleaseFile& release, const std::vector<const Aggregation*>& tables);

// relative_error: the planned error of a statistic in a group of so many rows, divided by the size
// of what it measures; nothing if one of them is not known.
std::optional<Rational> relative_error(const PlannedStatistic& planned, const Integer& rows);

// squared_factor: of the law by which the relative error falls: the square of error · epsilon, or
// of error · √rho; nothing if it is not known. `usual` is a loss that the statistic may have.
std::optional<Rational> squared_factor(const Planner& planner, std::size_t number,
                                       const Integer& rows, const LossShare& usual);

// root_of: the root of this power, to about six digits. Requires  caller: value > 0.
Rational root_of(const Rational& value, unsigned power);

// error_weights: the shares, up to a factor, for which the squares of the relative errors add up to
// the least, if each falls as 1/epsilon, or as 1/√rho. Nothing for a statistic whose error is not
// known in advance. `numbers` are those of the statistics, `usual` a loss that each may have.
std::vector<std::optional<Integer>> error_weights(const Planner& planner,
                                                  const std::vector<std::size_t>& numbers,
                                                  const std::vector<Integer>& rows,
                                                  const LossShare& usual);

// divide_by_weights: parts of `whole`. Those without a weight get an equal part, the others share
// the rest by weight. Parts are short decimals, except for that of the largest weight, which takes
// what rounding leaves, so that they add up to the whole.
// Requires  caller: weights are > 0, whole > 0, there is at least one.
std::vector<Rational> divide_by_weights(const Rational& whole,
                                        const std::vector<std::optional<Integer>>& weights);

}  // namespace lastbit::release_internal
