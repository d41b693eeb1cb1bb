// Drafter: the building blocks from which kinds make their statistics. For this module only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/plan_parts.h"
#include "lastbit/statistics/estimate.h"
#include "lastbit/statistics/number_noise.h"

namespace lastbit::release_internal {

using CorrectionPointer = std::shared_ptr<const Correction>;

// NoisyTable: the numbers with noise that the answers about some groups are made of.
struct NoisyTable {
  std::vector<KeyTuple> groups;
  std::vector<std::vector<Rational>> parts;  // each has as many numbers for every group
  std::vector<std::int64_t> terms;           // of how many numbers those of a group are the sums
  // correction: what other statistics have added to the numbers; null if nothing.
  CorrectionPointer correction = nullptr;
  // total_corrections: the same for sums over groups that agree in these columns of their keys,
  // where the corrections of the groups are not independent; otherwise empty.
  std::map<std::vector<std::size_t>, CorrectionPointer> total_corrections = {};
  // published: the numbers of the only part as they are to be published, where this must not be
  // decided for each by itself; empty otherwise.
  std::vector<Rational> published = {};
};

// AnswerLimits: what no data set exceeds: answers are at least `lower` and at most `upper`, where
// these are set.
struct AnswerLimits {
  std::optional<Rational> lower;
  std::optional<Rational> upper;
};
// limits_of_sum: of sums of any number of such terms.
AnswerLimits limits_of_sum(const Range& terms);

// GroupNumbers: what is known about the numbers of each group, if these are of one part.
struct GroupNumbers {
  NoiseLaw law;  // of the noise of each number
  // rows: Σ rows[i]·(number i) is the number of rows of the group; empty if there is no such sum.
  std::vector<Rational> rows = {};
  // learns: whether answers can be made of corrected numbers.
  bool learns = false;
  // limits: if the numbers themselves are the answers.
  std::optional<AnswerLimits> limits = std::nullopt;
};

// Draft: a statistic before its groups are named and its keys found.
struct Draft {
  std::vector<PlannedPart> parts;
  PlannedError accuracy;
  PlannedError bias;
  // Which of several ways was chosen, and why, in a sentence each.
  std::vector<std::string> choices = {};
  std::function<std::vector<AnswerLine>(const TableDomain::Carrier&, BitSource&)> release;
  // For statistics whose groups can be added up, `release` in two steps, so that sums can be taken
  // in between. They are empty for others.
  std::function<NoisyTable(const TableDomain::Carrier&, BitSource&)> draw = nullptr;
  std::function<std::vector<AnswerLine>(const NoisyTable&)> answer = nullptr;
  std::function<TotalErrors(const CorrectionPointer&, std::int64_t fewest, std::int64_t most)>
      total_errors = nullptr;
  std::optional<GroupNumbers> numbers = std::nullopt;  // of `draw`

  // release_in_steps: sets `release` to `answer` after `draw`.
  void release_in_steps();
};

// line_of: an answer about a group, or about one of its cells; nothing where none can be given.
AnswerLine line_of(const KeyTuple& group, std::string cell,
                   const std::optional<Estimate>& estimate);

// cut_answer: the interval becomes what is possible of it; if nothing is, what is possible within
// half its length of the nearest possible number. The answer becomes the nearest possible number,
// unless it is to be published as another one; then the interval grows to hold that.
// Proof  proofs/release.md#cut
void cut_answer(AnswerLine& line, const AnswerLimits& limits,
                const std::optional<Rational>& published = std::nullopt);

// mark_vague: notes whether the interval says next to nothing about an answer that lies in a range
// of this width, which may be 0 if there is none.
void mark_vague(AnswerLine& line, const Rational& width);

// terms_of: the numbers that a field becomes, counted from its offset.
Range terms_of(const SteppedField& field);

class Drafter {
 public:
  // The arguments outlive this. `measure` is that of the statistic in the aggregation.
  Drafter(const ReleaseFile& release, const Statistic& statistic, const Aggregation& aggregation,
          std::size_t measure, const LossShare& share);

  const ReleaseFile& release() const { return release_; }
  const Statistic& statistic() const { return statistic_; }
  const Aggregation& aggregation() const { return aggregation_; }
  const Tally& tally() const { return aggregation_.measures[measure_]; }
  std::size_t measure() const { return measure_; }
  const LossShare& share() const { return share_; }
  // alpha: the probability with which an answer may miss its interval.
  const Rational& alpha() const { return alpha_; }
  EntryRange entry(std::size_t number) const { return {measure_, number, 1}; }
  EntryRange all_entries() const { return {measure_, 0, entry_count(tally())}; }

  // draft_numbers: the noisy numbers are the answers, one for each of the names, within the limits.
  // draft_counts: so are the entries of the measure, which are counts up to `most`.
  static Draft draft_numbers(const NoisyNumbers& numbers, std::vector<std::string> names,
                             const AnswerLimits& limits);
  Draft draft_counts(const std::string& name, std::vector<std::string> names,
                     const std::optional<Rational>& most = {}) const;

  // JointNumbers: combinations of the measure's entries, of which `weights` has one list each; the
  // numbers are in steps of 2^step_exponent. All of them together get the whole share.
  struct JointNumbers {
    std::string name;
    std::vector<std::vector<Integer>> weights;
    int step_exponent = 0;
  };
  // JointKind: what a statistic makes of its noisy numbers.
  struct JointKind {
    // estimator: the answer of a group from its numbers, which have this noise. It is made once for
    // every number of terms that occurs.
    using Estimator = std::function<std::optional<Estimate>(std::span<const Rational>)>;
    std::function<Estimator(const NumberNoise& noise)> estimator;
    // error: what the error of an answer about so many rows exceeds with probability at most alpha;
    // empty if nothing is known before the release.
    std::function<Rational(const NumberNoise& noise, const Integer& rows, const Rational& alpha)>
        error;
    Rational width;  // of the range of all answers; 0 if there is none
    // learns: both also work for numbers that were corrected by what other statistics say.
    bool learns = false;
  };
  Draft draft_joint(const JointNumbers& numbers, const JointKind& kind) const;

 private:
  const ReleaseFile& release_;
  const Statistic& statistic_;
  const Aggregation& aggregation_;
  std::size_t measure_;
  LossShare share_;
  Rational alpha_;
};

}  // namespace lastbit::release_internal
