// correlation: of two columns, clamped to bounds, over the rows that have both values.
// Proof: proofs/statistics.md#correlation
#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <span>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/kinds/moment_numbers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"
#include "lastbit/statistics/moments.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<CorrelationStatistic> CorrelationStatistic::read(
    release_internal::KindReader& reader) {
  const auto pair = reader.require_pair();
  if (!pair) return std::nullopt;
  return CorrelationStatistic{(*pair)[0], (*pair)[1]};
}

void CorrelationStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_pair(first, second);
}

std::vector<ColumnRole> CorrelationStatistic::columns() const {
  return {number_role(first), number_role(second)};
}

Tally CorrelationStatistic::tally(const ReleaseFile& release) const {
  return ProductSum{release_internal::stepped_field(release, first, true),
                    release_internal::stepped_field(release, second, true), true};
}

Draft CorrelationStatistic::draft(const Drafter& drafter) const {
  const Integer tau = release_internal::correlation_tau(drafter.share());
  const auto numbers = release_internal::correlation_numbers(
      release_internal::stepped_field(drafter.release(), first, true),
      release_internal::stepped_field(drafter.release(), second, true), tau);
  return drafter.draft_joint(
      numbers.joint,
      {.estimator =
           [tau, unit = numbers.unit, alpha = drafter.alpha()](const NumberNoise& noise) {
             return [estimator =
                         CorrelationEstimator(noise.law, noise.terms, unit, Rational(tau), alpha)](
                        std::span<const Rational> sums) -> std::optional<Estimate> {
               return estimator.estimate(sums);
             };
           },
       .error = nullptr,
       .width = 2});
}

std::string CorrelationStatistic::describe(const KindWords& words) const {
  return fmt::format("correlation of {} and {}", words.column(first.column.name.value),
                     words.column(second.column.name.value));
}

void CorrelationStatistic::explain(const ReleaseFile& /*release*/,
                                   std::vector<std::string>& steps) const {
  release_internal::explain_bounds(first, steps);
  release_internal::explain_bounds(second, steps);
}

std::vector<std::string> CorrelationStatistic::caveats() const {
  return {
      "Correlation: how far it may be off depends on how much the columns vary, which is private. "
      "So no accuracy is stated before the release; the interval comes with the answer. If the "
      "noise hides whether a column varies at all, the answer is near 0 and the interval wide."};
}

}  // namespace lastbit
