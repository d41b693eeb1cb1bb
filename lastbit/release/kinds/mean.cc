// mean: of the values of a column, clamped to bounds; the quotient of a noisy sum and a noisy
// count.
// Proof: proofs/statistics.md#quotients
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<MeanStatistic> MeanStatistic::read(release_internal::KindReader& reader) {
  if (reader.keys().find("bounds") != nullptr) return std::nullopt;  // they are found
  const auto column = reader.require_bounded();
  if (!column) return std::nullopt;
  return MeanStatistic{*column};
}

void MeanStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_bounded(column);
}

std::vector<ColumnRole> MeanStatistic::columns() const { return {number_role(column)}; }

Tally MeanStatistic::tally(const ReleaseFile& release) const {
  return StepSum{release_internal::stepped_field(release, column, true)};
}

Draft MeanStatistic::draft(const Drafter& drafter) const {
  const SteppedField field = release_internal::stepped_field(drafter.release(), column, true);
  const CentredColumn centred = release_internal::centred_column(field);
  return drafter.draft_quotient(
      {{"number of rows", 0}, {"sum of distances from the middle", field.grid_exponent}},
      [centred](const Integer& rows, const std::vector<Rational>& errors) {
        return mean_error(centred, rows, errors[0], errors[1]);
      },
      [centred](const std::vector<Measured>& m) { return estimate_mean(centred, m[0], m[1]); },
      (centred.offsets.upper - centred.offsets.lower) * centred.unit);
}

std::string MeanStatistic::describe(const KindWords& words) const {
  return "mean of " + words.column(column.column.name.value);
}

void MeanStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
