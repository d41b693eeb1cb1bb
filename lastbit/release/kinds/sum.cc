// sum: of the values of a column, clamped to bounds.
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<SumStatistic> SumStatistic::read(release_internal::KindReader& reader) {
  if (reader.keys().find("bounds") != nullptr) return std::nullopt;  // they are found
  const auto column = reader.require_bounded();
  if (!column) return std::nullopt;
  return SumStatistic{*column};
}

void SumStatistic::write(release_internal::KindWriter& writer) const { writer.add_bounded(column); }

std::vector<ColumnRole> SumStatistic::columns() const { return {number_role(column)}; }

Tally SumStatistic::tally(const ReleaseFile& release) const {
  return StepSum{release_internal::stepped_field(release, column, false)};
}

Draft SumStatistic::draft(const Drafter& drafter) const {
  const SteppedField field = release_internal::stepped_field(drafter.release(), column, false);
  return Drafter::draft_numbers(noisy_sums("sum", drafter.aggregation(), drafter.entry(1),
                                           field.grid_exponent, drafter.share(), drafter.alpha()),
                                {""},
                                release_internal::limits_of_sum(release_internal::terms_of(field)));
}

std::string SumStatistic::describe(const KindWords& words) const {
  return "sum of " + words.column(column.column.name.value);
}

void SumStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
