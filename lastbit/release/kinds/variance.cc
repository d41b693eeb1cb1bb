// variance: of the values of a column, clamped to bounds, with the denominator n − 1.
// Proof: proofs/statistics.md#quotients
#include <algorithm>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
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
  const SteppedField field = release_internal::stepped_field(drafter.release(), column, true);
  const CentredColumn centred = release_internal::centred_column(field);
  return drafter.draft_quotient(
      {{"number of rows", 0},
       {"sum of distances from the middle", field.grid_exponent},
       {"sum of their squares", 2 * field.grid_exponent}},
      [centred](const Integer& rows, const std::vector<Rational>& errors) {
        return std::min(
            covariance_error(centred, centred, rows, {errors[0], errors[1], errors[1], errors[2]}),
            largest_covariance(centred, centred));
      },
      [centred](const std::vector<Measured>& m) {
        return estimate_variance(centred, m[0], m[1], m[2]);
      },
      largest_covariance(centred, centred));
}

std::string VarianceStatistic::describe(const KindWords& words) const {
  return "variance of " + words.column(column.column.name.value);
}

void VarianceStatistic::explain(const ReleaseFile& /*release*/,
                                std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
