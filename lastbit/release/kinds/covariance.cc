// covariance: of two columns, clamped to bounds, over the rows that have both values.
// Proof: proofs/statistics.md#regions
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
#include "lastbit/statistics/moment_errors.h"
#include "lastbit/statistics/moments.h"

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
  const auto numbers = release_internal::corner_numbers(
      release_internal::stepped_field(drafter.release(), first, true),
      release_internal::stepped_field(drafter.release(), second, true));
  return drafter.draft_joint(
      numbers.joint,
      {.estimator =
           [unit = numbers.unit, alpha = drafter.alpha()](const NumberNoise& noise) {
             return [unit, estimator = CovarianceEstimator(noise.law, noise.terms, unit, alpha)](
                        std::span<const Rational> sums) -> std::optional<Estimate> {
               return scaled(estimator.estimate(sums), unit);
             };
           },
       .error =
           [unit = numbers.unit](const NumberNoise& noise, const Integer& rows,
                                 const Rational& alpha) {
             return covariance_error({noise.law, unit, rows, noise.terms}, alpha) * unit;
           },
       .width = numbers.unit});
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
