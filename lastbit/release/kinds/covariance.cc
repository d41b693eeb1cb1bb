// covariance: of two columns, clamped to bounds, over the rows that have both values.
// Proof: proofs/statistics.md#quotients
#include <fmt/core.h>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;
using release_internal::KindReader;

std::optional<CovarianceStatistic> CovarianceStatistic::read(KindReader& reader) {
  const auto pair = reader.require_pair();
  if (!pair) return std::nullopt;
  return CovarianceStatistic{(*pair)[0], (*pair)[1]};
}

void CovarianceStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_pair(first, second);
}

std::vector<ColumnRole> CovarianceStatistic::columns() const {
  return {number_role(first), number_role(second)};
}

Tally CovarianceStatistic::tally(const ReleaseFile& release) const {
  return ProductSum{release_internal::stepped_field(release, first, true),
                    release_internal::stepped_field(release, second, true)};
}

Draft CovarianceStatistic::draft(const Drafter& drafter) const {
  const SteppedField one = release_internal::stepped_field(drafter.release(), first, true);
  const SteppedField other = release_internal::stepped_field(drafter.release(), second, true);
  const CentredColumn x = release_internal::centred_column(one);
  const CentredColumn y = release_internal::centred_column(other);
  return drafter.draft_quotient(
      {{"number of rows", 0},
       {"sum of the first's distances from the middle", one.grid_exponent},
       {"sum of the second's distances from the middle", other.grid_exponent},
       {"sum of their products", one.grid_exponent + other.grid_exponent}},
      [x, y](const Integer& rows, const std::vector<Rational>& errors) {
        return covariance_error(x, y, rows, {errors[0], errors[1], errors[2], errors[3]});
      },
      [x, y](const std::vector<Measured>& m) {
        return estimate_covariance(x, y, m[0], m[1], m[2], m[3]);
      },
      Rational(2) * largest_covariance(x, y));
}

std::string CovarianceStatistic::describe(const KindWords& words) const {
  return fmt::format("covariance of {} and {}", words.column(first.column.name.value),
                     words.column(second.column.name.value));
}

void CovarianceStatistic::explain(const ReleaseFile& /*release*/,
                                  std::vector<std::string>& steps) const {
  release_internal::explain_bounds(first, steps);
  release_internal::explain_bounds(second, steps);
}

}  // namespace lastbit
