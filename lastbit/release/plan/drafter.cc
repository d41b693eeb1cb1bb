#include "lastbit/release/plan/drafter.h"

#include <algorithm>
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

}  // namespace

AnswerLine line_of(const GroupAnswer& group, std::string cell, const Estimate& estimate) {
  return {group.key, std::move(cell), std::nullopt, estimate.answer,
          Range{estimate.lower, estimate.upper}};
}

CentredColumn centred_column(const SteppedField& field) {
  const StepRange range = step_range(field);
  const Grid grid(field.grid_exponent);
  return {grid.point(field.offset), 1, {grid.point(range.lowest), grid.point(range.highest)}};
}

Drafter::Drafter(const ReleaseFile& release, const Statistic& statistic,
                 const Aggregation& aggregation, std::size_t measure, const LossShare& share)
    : release_(release),
      aggregation_(aggregation),
      measure_(measure),
      share_(share),
      alpha_(Rational(1) - statistic.confidence.value) {}

Draft Drafter::draft_counts(const std::string& name, std::vector<std::string> names) const {
  const NoisyNumbers counts = noisy_counts(name, aggregation_, all_entries(), share_, alpha_);
  Draft draft;
  draft.parts = {counts.part};
  draft.accuracy.always = counts.part.accuracy;
  draft.bias.always = counts.bias;
  draft.release = [counts, names = std::move(names)](const TableDomain::Carrier& table,
                                                     BitSource& bits) {
    const std::vector<Rational> noisy = counts.release(table, bits);
    std::vector<AnswerLine> lines;
    lines.reserve(noisy.size());
    for (std::size_t i = 0; i < noisy.size(); ++i) {
      lines.push_back(line_of(table[i / names.size()], names[i % names.size()],
                              estimate_number({noisy[i], counts.part.accuracy})));
    }
    return lines;
  };
  return draft;
}

Draft Drafter::draft_quotient(const std::vector<QuotientPart>& parts, const QuotientError& error,
                              const QuotientEstimate& estimate, const Rational& width) const {
  const LossShare share = share_.divided(parts.size());
  const Rational alpha = alpha_ / Rational(parts.size());
  std::vector<NoisyNumbers> noisy;
  Draft draft;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [name, step] = parts[i];
    noisy.push_back(i == 0 ? noisy_counts(name, aggregation_, entry(i), share, alpha)
                           : noisy_sums(name, aggregation_, entry(i), step, share, alpha));
    draft.parts.push_back(noisy.back().part);
  }
  const auto error_at = [noisy, error](const Integer& rows, const Rational& total) {
    std::vector<Rational> errors;
    for (const NoisyNumbers& part : noisy) {
      errors.push_back(part.error(total / Rational(noisy.size())));
    }
    return error(rows, errors);
  };
  draft.accuracy.for_rows = [error_at, total = alpha_](const Integer& rows) {
    return error_at(rows, total);
  };
  draft.bias.for_rows = [error_at, width](const Integer& rows) {
    return mean_error_of([&](const Rational& total) { return error_at(rows, total); }, width);
  };
  draft.release = [noisy, estimate](const TableDomain::Carrier& table, BitSource& bits) {
    std::vector<std::vector<Rational>> numbers;
    for (const NoisyNumbers& part : noisy) numbers.push_back(part.release(table, bits));
    std::vector<AnswerLine> lines;
    lines.reserve(table.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      std::vector<Measured> measured;
      for (std::size_t i = 0; i < noisy.size(); ++i) {
        measured.push_back({numbers[i][group], noisy[i].part.accuracy});
      }
      lines.push_back(line_of(table[group], "", estimate(measured)));
    }
    return lines;
  };
  return draft;
}

}  // namespace lastbit::release_internal
