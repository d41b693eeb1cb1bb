#include "lastbit/release/plan/drafter.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

namespace lastbit::release_internal {
namespace {

// mean_error_of: an upper bound on the mean of |error|, hence on the bias, if the error exceeds
// error(α) with probability at most α, and never exceeds `width`. Proof: proofs/release.md#bias
Rational mean_error_of(const std::function<Rational(const Rational& alpha)>& error,
                       const Rational& width) {
  constexpr int kHalvings = 40;
  Rational sum = 0;
  Rational alpha = 1;
  for (int i = 0; i < kHalvings; ++i) {
    alpha /= Rational(2);
    sum += alpha * std::min(error(alpha), width);
  }
  return sum + alpha * width;
}

// drawn: the numbers of all parts, with noise.
NoisyTable drawn(const std::vector<NoisyNumbers>& parts, const TableDomain::Carrier& table,
                 BitSource& bits) {
  NoisyTable noisy;
  for (const NoisyNumbers& part : parts) noisy.parts.push_back(part.release(table, bits));
  for (const GroupAnswer& group : table) noisy.groups.push_back(group.key);
  noisy.terms.assign(table.size(), 1);
  return noisy;
}

// ErrorsOfSums: the errors of all parts, which depend on how many numbers were added up. Few
// numbers of terms occur, and each takes a while.
class ErrorsOfSums {
 public:
  explicit ErrorsOfSums(const std::vector<NoisyNumbers>& parts) : parts_(parts) {}

  const std::vector<Rational>& of(std::int64_t terms) {
    std::vector<Rational>& errors = known_[terms];
    if (!errors.empty()) return errors;
    for (const NoisyNumbers& part : parts_) errors.push_back(error_of(part, terms));
    return errors;
  }

  static Rational error_of(const NoisyNumbers& part, std::int64_t terms) {
    return terms == 1 ? part.part.accuracy : part.error(part.part.alpha, terms);
  }

 private:
  const std::vector<NoisyNumbers>& parts_;
  std::map<std::int64_t, std::vector<Rational>> known_;
};

}  // namespace

void Draft::release_in_steps() {
  release = [draw = draw, answer = answer](const TableDomain::Carrier& table, BitSource& bits) {
    return answer(draw(table, bits));
  };
}

AnswerLine line_of(const KeyTuple& group, std::string cell,
                   const std::optional<Estimate>& estimate) {
  if (!estimate) return {group, std::move(cell), std::nullopt, std::nullopt, std::nullopt};
  return {group, std::move(cell), std::nullopt, estimate->answer,
          Range{estimate->lower, estimate->upper}};
}

AnswerLimits limits_of_sum(const Range& terms) {
  AnswerLimits limits;
  if (terms.lower.sign() >= 0) limits.lower = 0;
  if (terms.upper.sign() <= 0) limits.upper = 0;
  return limits;
}

void cut_interval(AnswerLine& line, const AnswerLimits& limits) {
  if (!line.interval) return;
  for (Rational* end : {&line.interval->lower, &line.interval->upper}) {
    if (limits.lower) *end = std::max(*end, *limits.lower);
    if (limits.upper) *end = std::min(*end, *limits.upper);
  }
}

void mark_vague(AnswerLine& line, const Rational& width) {
  if (!line.interval || width.sign() == 0) return;
  line.vague = (line.interval->upper - line.interval->lower) * Rational(3) > width * Rational(2);
}

Range terms_of(const SteppedField& field) {
  const StepRange steps = step_range(field);
  const Grid grid(field.grid_exponent);
  return {grid.point(steps.lowest), grid.point(steps.highest)};
}

Drafter::Drafter(const ReleaseFile& release, const Statistic& statistic,
                 const Aggregation& aggregation, std::size_t measure, const LossShare& share)
    : release_(release),
      statistic_(statistic),
      aggregation_(aggregation),
      measure_(measure),
      share_(share),
      alpha_(Rational(1) - statistic.confidence.value) {}

Draft Drafter::draft_counts(const std::string& name, std::vector<std::string> names,
                            const std::optional<Rational>& most) const {
  return draft_numbers(noisy_counts(name, aggregation_, all_entries(), share_, alpha_),
                       std::move(names), {Rational(0), most});
}

Draft Drafter::draft_numbers(const NoisyNumbers& numbers, std::vector<std::string> names,
                             const AnswerLimits& limits) {
  Draft draft;
  draft.parts = {numbers.part};
  draft.accuracy.always = numbers.part.accuracy;
  draft.bias.always = numbers.bias;
  draft.draw = [numbers](const TableDomain::Carrier& table, BitSource& bits) {
    return drawn({numbers}, table, bits);
  };
  draft.answer = [parts = std::vector{numbers}, names = std::move(names),
                  limits](const NoisyTable& noisy) {
    ErrorsOfSums errors(parts);
    const std::vector<Rational>& values = noisy.parts.front();
    std::vector<AnswerLine> lines;
    lines.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t group = i / names.size();
      const Rational& error = errors.of(noisy.terms[group]).front();
      lines.push_back(line_of(noisy.groups[group], names[i % names.size()],
                              estimate_number({values[i], error})));
      cut_interval(lines.back(), limits);
    }
    return lines;
  };
  draft.total_errors = [numbers](std::int64_t /*fewest*/, std::int64_t most) {
    TotalErrors errors;
    errors.accuracy.always = ErrorsOfSums::error_of(numbers, most);
    errors.bias.always = Rational(most) * numbers.bias;
    return errors;
  };
  draft.release_in_steps();
  return draft;
}

namespace {

// JointAnswers: the answers of all groups, each from its own `count` numbers. What estimators have
// computed is kept for later releases.
class JointAnswers {
 public:
  JointAnswers(const NoiseLaw& law, std::size_t count, Drafter::JointKind kind)
      : law_(law), count_(count), kind_(std::move(kind)) {}

  std::vector<AnswerLine> of(const NoisyTable& table) {
    const std::lock_guard guard(mutex_);
    std::vector<AnswerLine> lines;
    lines.reserve(table.groups.size());
    const std::span<const Rational> numbers(table.parts.front());
    for (std::size_t group = 0; group < table.groups.size(); ++group) {
      auto& estimator = estimators_[table.terms[group]];
      if (!estimator) estimator = kind_.estimator(law_, table.terms[group]);
      lines.push_back(
          line_of(table.groups[group], "", estimator(numbers.subspan(group * count_, count_))));
      mark_vague(lines.back(), kind_.width);
    }
    return lines;
  }

 private:
  NoiseLaw law_;
  std::size_t count_;
  Drafter::JointKind kind_;
  std::mutex mutex_;
  std::map<std::int64_t, Drafter::JointKind::Estimator> estimators_;
};

}  // namespace

Draft Drafter::draft_joint(const JointNumbers& numbers, const JointKind& kind) const {
  const NoisyNumbers noisy =
      noisy_combinations(numbers.name, aggregation_, {measure_, numbers.weights},
                         numbers.step_exponent, share_, alpha_);
  Draft draft;
  draft.parts = {noisy.part};
  // The errors of all answers, for groups that are sums of others with `rows` rows each: the noise
  // is at most that of `most` others, and the rows are at least those of `fewest`.
  const auto errors_for = [law = noisy.law, kind, alpha = alpha_](std::int64_t fewest,
                                                                  std::int64_t most) {
    TotalErrors result;
    if (!kind.error) return result;
    const auto error_at = [law, kind, fewest, most](const Integer& rows, const Rational& total) {
      return kind.error(law, most, rows * Integer(fewest), total);
    };
    result.accuracy.for_rows = [error_at, alpha](const Integer& rows) {
      return error_at(rows, alpha);
    };
    result.bias.for_rows = [error_at, width = kind.width](const Integer& rows) {
      return mean_error_of([&](const Rational& total) { return error_at(rows, total); }, width);
    };
    return result;
  };
  auto [accuracy, bias] = errors_for(1, 1);
  draft.accuracy = std::move(accuracy);
  draft.bias = std::move(bias);
  draft.total_errors = errors_for;
  draft.draw = [noisy](const TableDomain::Carrier& table, BitSource& bits) {
    return drawn({noisy}, table, bits);
  };
  draft.answer = [answers =
                      std::make_shared<JointAnswers>(noisy.law, numbers.weights.size(), kind)](
                     const NoisyTable& table) { return answers->of(table); };
  draft.release_in_steps();
  return draft;
}

}  // namespace lastbit::release_internal
