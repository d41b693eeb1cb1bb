// Plan: a statistic ready to be released: its price, its accuracy and its chain in words, before
// any data is seen.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/core/measurement.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/statistics/column.h"

namespace lastbit {

// Part: one noisy number (or histogram) that an answer is made of. Its error exceeds `accuracy`
// with probability at most `alpha`.
struct Part {
  std::string name;
  Rational sensitivity;
  Rational epsilon;
  Rational scale;
  Grid grid;
  Rational alpha;
  Rational accuracy;
};

// Estimate: the answer, and an interval that holds the statistic with the requested confidence.
struct Estimate {
  Rational answer;
  Rational lower;
  Rational upper;
  // accuracy: the distance from the answer to the farther end, as a double rounded up.
  double accuracy() const { return std::max(answer - lower, upper - answer).up(); }
};

// Released: what one release gives and what it spent.
struct Released {
  Rational answer;
  Rational lower;
  Rational upper;
  double accuracy;
  Rational epsilon;
};
// ReleasedHistogram: all cells at once; with the requested confidence every interval holds.
struct ReleasedHistogram {
  std::vector<Estimate> cells;
  double accuracy;
  Rational epsilon;
};

// ExpectedError: what is known about the error before the release: one bound, one that depends on
// the number of rows, or none.
struct ExpectedError {
  std::optional<Rational> always;
  std::function<Rational(const Integer&)> by_rows;
};

// Plan<Row, Output>: a statistic of a column of Rows; see the plan_… functions.
//
// Ensures   epsilon() is chain().map(1): two columns that differ by one added or removed row give
//           answers whose max divergence is at most that, both ways. With a public size the same
//           holds for one exchanged row.
// Fails     release: with the Errors of the source, whatever the column is.
// Proof     proofs/statistics.md#price
template <class Row, class Output>
class Plan {
 public:
  using Chain =
      Measurement<ColumnDomain<Row>, SymmetricDistance, std::vector<Rational>, MaxDivergence>;
  using Finish = std::function<Output(const std::vector<Rational>&)>;

  Plan(Chain chain, std::vector<Part> parts, std::string description, ExpectedError expected,
       Finish finish)
      : chain_(std::move(chain)),
        parts_(std::move(parts)),
        description_(std::move(description)),
        expected_(std::move(expected)),
        finish_(std::move(finish)) {}

  // epsilon: what a release spends, exactly, by the chain's own map.
  Rational epsilon() const { return chain_.map(1).value(); }
  // accuracy: the error that is exceeded with probability at most 1 − confidence, rounded up;
  // nothing if it depends on the number of rows.
  std::optional<double> accuracy() const { return rounded_up(expected_.always); }
  // accuracy_for: the same for columns of a guessed number of rows; nothing if no bound is known
  // before the release.
  std::optional<double> accuracy_for(const Integer& rows) const {
    if (expected_.always || !expected_.by_rows) return accuracy();
    return expected_.by_rows(rows).up();
  }
  // parts: the released noisy numbers, from which the answer is computed.
  const std::vector<Part>& parts() const { return parts_; }
  // description: the chain in words.
  const std::string& description() const { return description_; }
  // chain: what runs, as a measurement; its map prices other distances.
  const Chain& chain() const { return chain_; }

  Output release(const std::vector<Row>& column, BitSource& bits) const {
    return finish_(chain_(column, bits));
  }

 private:
  static std::optional<double> rounded_up(const std::optional<Rational>& value) {
    return value ? std::optional(value->up()) : std::nullopt;
  }

  Chain chain_;
  std::vector<Part> parts_;
  std::string description_;
  ExpectedError expected_;
  Finish finish_;
};

}  // namespace lastbit
