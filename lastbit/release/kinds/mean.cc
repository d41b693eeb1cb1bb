// mean: of the values of a column, clamped to bounds; from the noisy sums of their distances from
// both bounds.
// Proof: proofs/statistics.md#corners
#include <cstdint>
#include <optional>
#include <span>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"
#include "lastbit/statistics/quotients.h"

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

// Steps are counted from 0, so that a sum of the same column needs no further scan.
Tally MeanStatistic::tally(const ReleaseFile& release) const {
  return StepSum{release_internal::stepped_field(release, column, false)};
}

Draft MeanStatistic::draft(const Drafter& drafter) const {
  const SteppedField field = release_internal::stepped_field(drafter.release(), column, false);
  const StepRange steps = step_range(field);
  const Range bounds = release_internal::terms_of(field);
  const Rational alpha = drafter.alpha();
  return drafter.draft_joint(
      {"sums of distances from both bounds",
       {{-Integer(steps.lowest), 1}, {steps.highest, -1}},
       field.grid_exponent},
      {.estimator =
           [bounds, alpha](const NumberNoise& noise) {
             return [mean = CornerMean(noise, bounds, alpha)](
                        std::span<const Rational> corners) mutable -> std::optional<Estimate> {
               return mean.estimate(corners[0], corners[1]);
             };
           },
       .error =
           [bounds](const NumberNoise& noise, const Integer& rows, const Rational& total) {
             return corner_mean_error(noise, bounds, rows, total);
           },
       .width = bounds.upper - bounds.lower,
       .learns = true});
}

std::string MeanStatistic::describe(const KindWords& words) const {
  return "mean of " + words.column(column.column.name.value);
}

void MeanStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
