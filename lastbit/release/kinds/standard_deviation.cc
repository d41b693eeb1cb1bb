// standard_deviation: the root of the variance of a column, clamped to bounds, with the denominator
// n − 1. Proof: proofs/statistics.md#deviation
#include <algorithm>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
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
  const SteppedField field = release_internal::stepped_field(drafter.release(), column, true);
  const CentredColumn centred = release_internal::centred_column(field);
  const Rational largest = largest_covariance(centred, centred);
  return drafter.draft_quotient(
      {{"number of rows", 0},
       {"sum of distances from the middle", field.grid_exponent},
       {"sum of their squares", 2 * field.grid_exponent}},
      [centred, largest](const Integer& rows, const std::vector<Rational>& errors) {
        const Rational error =
            covariance_error(centred, centred, rows, {errors[0], errors[1], errors[1], errors[2]});
        return root_up(std::min(error, largest));
      },
      [centred](const std::vector<Measured>& m) {
        return root_of(estimate_variance(centred, m[0], m[1], m[2]));
      },
      root_up(largest));
}

std::string DeviationStatistic::describe(const KindWords& words) const {
  return "standard deviation of " + words.column(column.column.name.value);
}

void DeviationStatistic::explain(const ReleaseFile& /*release*/,
                                 std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
