// standard_deviation: the root of the variance of a column, clamped to bounds, with the denominator
// n − 1. Proof: proofs/statistics.md#deviation
#include <optional>
#include <span>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/kinds/moment_numbers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

namespace {

// A variance is never negative, so each end of its interval has a root; roots keep the order.
Estimate root_of(const Estimate& variance) {
  return {root_down(variance.answer), root_down(variance.lower), root_up(variance.upper)};
}

}  // namespace

std::optional<DeviationStatistic> DeviationStatistic::read(release_internal::KindReader& reader) {
  const auto column = reader.require_bounded();
  if (!column) return std::nullopt;
  return DeviationStatistic{*column};
}

void DeviationStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
}

std::vector<ColumnRole> DeviationStatistic::columns() const { return {number_role(column)}; }

Tally DeviationStatistic::tally(const ReleaseFile& release) const {
  return SquareSum{release_internal::stepped_field(release, column, true)};
}

Draft DeviationStatistic::draft(const Drafter& drafter) const {
  const auto variance = release_internal::plan_variance_of(drafter, column);
  Drafter::JointKind kind;
  kind.estimator = [make = variance.kind.estimator](const NumberNoise& noise) {
    return [estimate = make(noise)](std::span<const Rational> sums) -> std::optional<Estimate> {
      const auto found = estimate(sums);
      if (!found) return std::nullopt;
      return root_of(*found);
    };
  };
  kind.error = [error = variance.kind.error](const NumberNoise& noise, const Integer& rows,
                                             const Rational& alpha) {
    return root_up(error(noise, rows, alpha));
  };
  kind.width = root_up(variance.kind.width);
  return drafter.draft_joint(variance.numbers, kind);
}

std::string DeviationStatistic::describe(const KindWords& words) const {
  return "standard deviation of " + words.column(column.column.name.value);
}

void DeviationStatistic::explain(const ReleaseFile& /*release*/,
                                 std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
