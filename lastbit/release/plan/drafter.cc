#include "lastbit/release/plan/drafter.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/together/row_weights.h"

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

// cut_bias: how far the mean of a number moves, at most, if it is cut to one side of 0. By symmetry
// that is half of the mean magnitude of its noise, which is at most √variance.
// Proof: proofs/release.md#cut
Rational cut_bias(const NoiseLaw& law) {
  const auto* laplace = std::get_if<LaplaceNoise>(&law);
  if (laplace == nullptr) return root_up(std::get<GaussianNoise>(law).variance) / Rational(2);
  // Rounding adds up to half a step to the magnitude, and may spoil the symmetry.
  const Rational half_step = laplace->grid.spacing() / Rational(2);
  return laplace->scale / Rational(2) + (laplace->on_grid ? half_step / Rational(2) : half_step);
}

// ErrorsOfNumbers: of a number of a group that is published as it is, or cut.
struct ErrorsOfNumbers {
  NoisyNumbers numbers;
  std::size_t cells;  // how many each group has
  bool limited;

  // of_number: what the noise exceeds with probability at most the alpha of the part.
  Rational of_number(const CorrectionPointer& correction, std::int64_t terms) const {
    if (!correction) return numbers.error(numbers.part.alpha, terms);
    std::vector<Rational> weights(cells, Rational(0));
    weights.front() = 1;  // all cells are corrected alike
    return NumberNoise{numbers.law, terms, correction}.error(weights, numbers.part.alpha);
  }

  TotalErrors planned(const CorrectionPointer& correction, std::int64_t terms) const {
    TotalErrors errors;
    const Rational error = of_number(correction, terms);
    // Averages are rounded, to whole numbers like the true ones.
    errors.accuracy.always = correction ? Rational((error + Rational(1, 2)).floor()) : error;
    // Nothing is known in advance about how totals make their parts move.
    if (!limited) errors.bias.always = Rational(terms) * numbers.bias;
    if (limited && terms == 1 && !correction) {
      errors.bias.always = numbers.bias + cut_bias(numbers.law);
    }
    return errors;
  }
};

// hold_whole_numbers: leaves out what is not between whole numbers; true counts are whole.
void hold_whole_numbers(Range& interval) {
  const Range whole{Rational(interval.lower.ceil()), Rational(interval.upper.floor())};
  if (whole.lower <= whole.upper) interval = whole;
}

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

void cut_answer(AnswerLine& line, const AnswerLimits& limits,
                const std::optional<Rational>& published) {
  const auto cut = [&](Rational& number) {
    if (limits.lower) number = std::max(number, *limits.lower);
    if (limits.upper) number = std::min(number, *limits.upper);
  };
  if (line.value) {
    Rational possible = *line.value;
    cut(possible);
    line.cut = possible != *line.value;
    line.value = published.value_or(possible);
  }
  if (!line.interval) return;
  // Where nothing possible is left, a single point would look like a certain answer.
  const Rational reach = line.interval->half_width();
  if (limits.lower && line.interval->upper < *limits.lower) {
    line.interval->upper = *limits.lower + reach;
  } else if (limits.upper && line.interval->lower > *limits.upper) {
    line.interval->lower = *limits.upper - reach;
  }
  cut(line.interval->lower);
  cut(line.interval->upper);
  if (!line.value) return;
  line.interval->lower = std::min(line.interval->lower, *line.value);
  line.interval->upper = std::max(line.interval->upper, *line.value);
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
  const std::size_t cells = names.size();
  Draft draft = draft_numbers(noisy_counts(name, aggregation_, all_entries(), share_, alpha_),
                              std::move(names), {Rational(0), most});
  if (!draft.numbers || rows_in_number(tally()).empty()) return draft;
  draft.numbers->rows.assign(cells, Rational(1));
  draft.numbers->learns = true;
  return draft;
}

namespace {

// nearest_whole: a mean of counts as a possible count.
Rational nearest_whole(const Rational& number, const AnswerLimits& limits) {
  Rational whole = (number + Rational(1, 2)).floor();
  if (limits.lower) whole = std::max(whole, *limits.lower);
  if (limits.upper) whole = std::min(whole, *limits.upper);
  return whole;
}

}  // namespace

Draft Drafter::draft_numbers(const NoisyNumbers& numbers, std::vector<std::string> names,
                             const AnswerLimits& limits) {
  Draft draft;
  draft.parts = {numbers.part};
  draft.numbers = {numbers.law};
  if (limits.lower || limits.upper) draft.numbers->limits = limits;
  const ErrorsOfNumbers errors{numbers, names.size(), limits.lower || limits.upper};
  draft.total_errors = [errors](const CorrectionPointer& correction, std::int64_t /*fewest*/,
                                std::int64_t most) { return errors.planned(correction, most); };
  auto [accuracy, bias] = errors.planned(nullptr, 1);
  draft.accuracy = std::move(accuracy);
  draft.bias = std::move(bias);
  draft.draw = [numbers](const TableDomain::Carrier& table, BitSource& bits) {
    return drawn({numbers}, table, bits);
  };
  draft.answer = [errors, names = std::move(names), limits](const NoisyTable& noisy) {
    std::map<std::int64_t, Rational> known;
    const std::vector<Rational>& values = noisy.parts.front();
    std::vector<AnswerLine> lines;
    lines.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t group = i / names.size();
      const std::int64_t terms = noisy.terms[group];
      auto error = known.find(terms);
      if (error == known.end()) {
        error = known.emplace(terms, errors.of_number(noisy.correction, terms)).first;
      }
      lines.push_back(line_of(noisy.groups[group], names[i % names.size()],
                              estimate_number({values[i], error->second})));
      std::optional<Rational> published;
      if (!noisy.published.empty()) published = noisy.published[i];
      if (noisy.correction) {
        if (lines.back().interval) hold_whole_numbers(*lines.back().interval);
        if (!published) published = nearest_whole(values[i], limits);
      }
      cut_answer(lines.back(), limits, published);
    }
    return lines;
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
      auto& estimator = estimators_[{table.terms[group], table.correction}];
      if (!estimator) estimator = kind_.estimator({law_, table.terms[group], table.correction});
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
  std::map<std::pair<std::int64_t, CorrectionPointer>, Drafter::JointKind::Estimator> estimators_;
};

}  // namespace

Draft Drafter::draft_joint(const JointNumbers& numbers, const JointKind& kind) const {
  const NoisyNumbers noisy =
      noisy_combinations(numbers.name, aggregation_, {measure_, numbers.weights},
                         numbers.step_exponent, share_, alpha_);
  Draft draft;
  draft.parts = {noisy.part};
  draft.numbers = {noisy.law};
  if (!rows_in_number(tally()).empty()) {
    draft.numbers->rows = row_weights(numbers.weights, numbers.step_exponent);
  }
  draft.numbers->learns = kind.learns;
  // The errors of all answers, for groups that are sums of others with `rows` rows each: the noise
  // is at most that of `most` others, and the rows are at least those of `fewest`.
  const auto errors_for = [law = noisy.law, kind, alpha = alpha_](
                              const CorrectionPointer& correction, std::int64_t fewest,
                              std::int64_t most) {
    TotalErrors result;
    if (!kind.error) return result;
    const auto error_at = [noise = NumberNoise{law, most, correction}, kind, fewest](
                              const Integer& rows, const Rational& total) {
      return kind.error(noise, rows * Integer(fewest), total);
    };
    result.accuracy.for_rows = [error_at, alpha](const Integer& rows) {
      return error_at(rows, alpha);
    };
    result.bias.for_rows = [error_at, width = kind.width](const Integer& rows) {
      return mean_error_of([&](const Rational& total) { return error_at(rows, total); }, width);
    };
    return result;
  };
  auto [accuracy, bias] = errors_for(nullptr, 1, 1);
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
