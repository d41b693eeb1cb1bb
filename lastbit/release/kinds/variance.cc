// variance: of the values of a column, clamped to bounds, with the denominator n − 1.
// Proof: proofs/statistics.md#regions
#include <optional>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/kinds/moment_numbers.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<VarianceStatistic> VarianceStatistic::read(release_internal::KindReader& reader) {
  const auto column = reader.require_bounded();
  if (!column) return std::nullopt;
  return VarianceStatistic{*column};
}

void VarianceStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
}

std::vector<ColumnRole> VarianceStatistic::columns() const { return {number_role(column)}; }

Tally VarianceStatistic::tally(const ReleaseFile& release) const {
  return SquareSum{release_internal::stepped_field(release, column, true)};
}

Draft VarianceStatistic::draft(const Drafter& drafter) const {
  const auto [numbers, kind] = release_internal::plan_variance_of(drafter, column);
  return drafter.draft_joint(numbers, kind);
}

std::string VarianceStatistic::describe(const KindWords& words) const {
  return "variance of " + words.column(column.column.name.value);
}

void VarianceStatistic::explain(const ReleaseFile& /*release*/,
                                std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
