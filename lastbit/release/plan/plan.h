// ReleasePlan: everything about a release that is known before any row is read: what the engine
// must count, which noise is added, what it costs and how large errors will be.
//
// Guarantee      each statistic is a chain of the framework's transformations and measurements,
//                from data sets that differ by units to released numbers; `cost` is what their maps
//                say at distance 1, so that no price is computed twice. Released answers depend on
//                the data through these chains only. Proof: proofs/release.md#price
// Left to the caller  that the exact answers which `release` is given are those of an engine that
//                computes `aggregations` (release/plan/aggregation.h), for a secret key drawn for
//                this release; and that the cost is booked before `release` is called.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/aggregation.h"
#include "lastbit/release/plan/answer.h"

namespace lastbit {

namespace release_internal {
class SharedRows;
struct TablesTogether;
struct StagedRelease;
}  // namespace release_internal

// NoiseMechanism: which mechanism makes numbers or choices private. name_of: its usual name.
enum class NoiseMechanism {
  kSnappedLaplace,
  kDiscreteGaussian,
  kThresholdHistogram,
  kNoisyMax,
  kNoisyMaxInRounds,
  kExponential,
  kExponentialInRounds,
  kGaussianThresholdHistogram,
};
std::string_view name_of(NoiseMechanism mechanism);

// PlannedPart: noisy numbers of one kind, one per group or cell, from which answers are made.
struct PlannedPart {
  std::string name;  // as in "number of rows"
  NoiseMechanism mechanism = NoiseMechanism::kSnappedLaplace;
  std::string sensitivity;   // how far one unit moves all of them, and in which metric: "3 in L1"
  std::string noise;         // its size, as in "scale 2" or "standard deviation 3.5"
  std::optional<Grid> grid;  // released numbers are multiples of it
  std::optional<std::int64_t> threshold;  // of discovered keys
  Cost cost;                              // by the chain's own map
  // The variance of discrete Gaussian noise, in squared steps of the grid.
  std::optional<Rational> steps_variance = std::nullopt;
  // The error of a single number exceeds `accuracy` with probability at most alpha.
  Rational alpha = 0;
  Rational accuracy = 0;
};

// ErrorUnit: the unit in which an accuracy is given.
enum class ErrorUnit {
  kValue,  // the unit of the answer itself
  kRows,   // rows: how many more lie below a quantile, how many fewer a top category has
};

// PlannedError: how large errors will be, for all data. If this depends on how many rows a group
// has, which is private, `for_rows` gives it for a guess.
struct PlannedError {
  ErrorUnit unit = ErrorUnit::kValue;
  std::optional<Rational> always;
  std::function<std::optional<Rational>(const Integer& rows)> for_rows;  // may be empty
  // at: `always`, or for_rows(rows), or nothing if no bound is known.
  std::optional<Rational> at(const Integer& rows) const;
};

// TotalErrors: of answers about groups that were added up.
struct TotalErrors {
  PlannedError accuracy;
  PlannedError bias;
};

// RelativeError: the error of one answer, divided by the size of what is measured (of a count: the
// rows; of a mean: the width of its bounds), in a group of so many rows, which is a public guess.
struct RelativeError {
  Integer rows = 0;
  std::optional<Rational> error = std::nullopt;  // nothing if it is not known in advance
};

struct PlannedStatistic {
  Statistic statistic;          // as in the file, with the types of its columns
  std::size_t aggregation = 0;  // index in the plan: where its numbers come from
  std::size_t measure = 0;      // index in that aggregation
  std::vector<PlannedPart> parts;
  Cost cost;              // of all parts, in the kind of the accounting
  PlannedError accuracy;  // of one answer, at the statistic's confidence
  PlannedError bias;      // how far the mean of an answer over all noise is from the truth, at most
  // In plain words, one sentence each: what is done to the rows and answers; what the bounds may
  // cost.
  std::vector<std::string> steps;
  std::vector<std::string> caveats;
  // What no interval shows, in a line each, to stand below a table of answers.
  std::vector<std::string> notes = {};
  // release: its answers, followed by those of its totals. It is empty for a total, which is a
  // statistic of its own in the plan, after the one whose answers it adds up.
  using Answers = std::vector<std::vector<AnswerLine>>;
  std::function<Answers(const std::vector<GroupAnswer>&, BitSource&)> release;
  // total_errors: of a total that keeps these columns of `by`, where so many groups are added up,
  // at least and at most.
  std::function<TotalErrors(const std::vector<std::size_t>& kept, std::int64_t fewest,
                            std::int64_t most)>
      total_errors;
  // staged: `release` in two steps, where statistics can learn from each other in between;
  // shares_rows, shares_tables: which of the plan's shared_rows or tables_together it belongs to.
  // All may be empty, and at most one of the last two is set.
  std::shared_ptr<const release_internal::StagedRelease> staged = nullptr;
  std::optional<std::size_t> shares_rows = std::nullopt;
  std::optional<std::size_t> shares_tables = std::nullopt;
  // The names of the statistics whose noisy numbers its answers use beside its own.
  std::vector<std::string> learns_from = {};
  RelativeError relative = {};  // nothing for a total
};

// AccountingWay: a way in which losses could add up, and what the release would be in it.
struct AccountingWay {
  LossKind accounting = LossKind::kPure;
  bool mixed = false;   // epsilons beside rhos; the accounting is approximate then
  Rational needed = 0;  // the part of the file's budget that it takes
  // The mean of the squared relative errors, of statistics that share what the others leave.
  std::optional<Rational> squared_error = std::nullopt;
  std::string obstacle = {};  // why it is not possible; empty if it is
};

// ConvertedCost: a cost in rho as one in epsilon and delta.
struct ConvertedCost {
  Cost cost = Cost::approximate(0, 0);
  // Whether it follows from the law of the noise, all of which is Gaussian, and not from the rho
  // alone, which says less.
  bool by_gaussian_law = false;
};

struct ReleasePlan {
  ReleaseFile release;
  std::string digest;  // release_digest(release)
  LossKind accounting = LossKind::kPure;
  bool mixed = false;  // some statistics cost epsilons and the others rhos
  // converted: where rhos are counted against an epsilon and a delta, the cost as these.
  std::optional<ConvertedCost> converted = std::nullopt;
  std::vector<AccountingWay> ways = {};  // those considered, the one that was chosen first
  Integer guessed_rows = 0;  // in the whole file, where it does not say: decides shares, no more
  std::vector<Aggregation> aggregations;
  std::vector<PlannedStatistic> statistics;  // in the order of the file, each before its totals
  // What statistics that count the same rows know together. Their stated errors use it.
  std::vector<std::shared_ptr<const release_internal::SharedRows>> shared_rows;
  // The same for tables by different columns.
  std::vector<std::shared_ptr<const release_internal::TablesTogether>> tables_together;
  Cost cost = Cost::pure(0);  // of all statistics, in the kind of the accounting
  std::string mechanisms;     // those that run, with their versions, for the ledger
  // Where the cost is to be booked: the path in the file, unless the person who runs the release
  // names another ledger. The digest is that of the file in either case.
  std::string ledger;

  // cost_for: the cost in the kind of loss that a ledger counts. Rhos count as what they are
  // converted to, which is at most the file's budget. kMismatch if a ledger of this kind cannot pay
  // it.
  Cost cost_for(LossKind kind) const;
};

// plan_release
// Requires  checked: a release that check_against_schema gave; shares that fit the budget,
//           accuracies that noise can reach, sums that fit 128 bits; else kBadInput, with the place
//           in the file.
// Ensures   the cost of the plan is at most the budget of the file. If the file leaves the
//           accounting open, it is one that a ledger with this much left can pay, if there is one;
//           rhos take no more delta than is left, if some is.
// Proof     proofs/release.md#price, proofs/release.md#accounting
ReleasePlan plan_release(const ReleaseFile& release,
                         const std::optional<Cost>& left = std::nullopt);

// release_answers: the noisy answers of each statistic. `exact` holds the engine's answer to each
// of the plan's aggregations. All noise is drawn first, in the order of the statistics; then those
// that count the same rows are reconciled, quantiles of the same rows are put in order, and counts
// are made possible and still add up.
// Proof     proofs/release.md#together, proofs/release.md#quantile-order, proofs/release.md#cut
std::vector<StatisticAnswers> release_answers(const ReleasePlan& plan,
                                              const std::vector<std::vector<GroupAnswer>>& exact,
                                              BitSource& bits);

// cost_for_accuracy: what a statistic of the plan would cost if its error had to be at most
// `accuracy` (in its unit, for groups of `rows` rows where that matters); nothing if no loss
// achieves it, or for a total.
std::optional<Cost> cost_for_accuracy(const ReleasePlan& plan, std::size_t statistic,
                                      const Rational& accuracy, const Integer& rows);

}  // namespace lastbit
