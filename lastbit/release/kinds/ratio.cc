// ratio: the sum of one column, divided by that of another, over the rows that have both values.
// Proof: proofs/statistics.md#ratio
#include <fmt/core.h>

#include <cstdint>
#include <span>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"
#include "lastbit/statistics/quotients.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

namespace {

bool holds_zero(const BoundedColumn& column) {
  return column.lower.value.sign() <= 0 && column.upper.value.sign() >= 0;
}

}  // namespace

std::optional<RatioStatistic> RatioStatistic::read(release_internal::KindReader& reader) {
  const auto pair = reader.require_pair();
  if (!pair) return std::nullopt;
  return RatioStatistic{(*pair)[0], (*pair)[1]};
}

void RatioStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_pair(first, second);
}

std::vector<ColumnRole> RatioStatistic::columns() const {
  return {number_role(first), number_role(second)};
}

Tally RatioStatistic::tally(const ReleaseFile& release) const {
  return PairSum{release_internal::stepped_field(release, first, false),
                 release_internal::stepped_field(release, second, false)};
}

Draft RatioStatistic::draft(const Drafter& drafter) const {
  const SteppedField one = release_internal::stepped_field(drafter.release(), first, false);
  const SteppedField other = release_internal::stepped_field(drafter.release(), second, false);
  const RatioTerms terms{release_internal::terms_of(one), release_internal::terms_of(other)};
  const auto possible = terms.possible();
  const Integer x = step_range(one).magnitude();
  const Integer y = step_range(other).magnitude();
  Drafter::JointKind kind;
  kind.estimator = [terms, alpha = drafter.alpha()](const NumberNoise& noise) {
    return [ratio = RatioEstimator(noise.law, noise.terms, terms, alpha)](
               std::span<const Rational> numbers) mutable {
      return ratio.estimate(numbers[0], numbers[1]);
    };
  };
  if (possible) {
    kind.error = [terms](const NumberNoise& noise, const Integer& rows, const Rational& alpha) {
      return ratio_error(noise.law, noise.terms, terms, rows, alpha).value();
    };
    kind.width = possible->upper - possible->lower;
  }
  return drafter.draft_joint({"sum and difference of both sums, in equal units",
                              {{0, y, x}, {0, y, -x}},
                              one.grid_exponent + other.grid_exponent},
                             kind);
}

Rational RatioStatistic::size(const Rational& /*rows*/) const {
  const RatioTerms terms{{first.lower.value, first.upper.value},
                         {second.lower.value, second.upper.value}};
  const auto possible = terms.possible();
  return possible ? possible->upper - possible->lower : Rational(0);
}

std::string RatioStatistic::describe(const KindWords& words) const {
  return fmt::format("sum of {} divided by sum of {}", words.column(first.column.name.value),
                     words.column(second.column.name.value));
}

// An error that is not known cannot be asked for.
bool RatioStatistic::check(const Statistic& statistic, release_internal::Problems& problems) const {
  if (statistic.share.kind != ShareKind::kAccuracy || !holds_zero(second)) return true;
  problems.add(statistic.share.position,
               "the error of a ratio is not bounded, since the second column may be 0",
               "write `epsilon` or `weight`, or bounds of the second column that exclude 0");
  return false;
}

void RatioStatistic::explain(const ReleaseFile& /*release*/,
                             std::vector<std::string>& steps) const {
  release_internal::explain_bounds(first, steps);
  release_internal::explain_bounds(second, steps);
}

std::vector<std::string> RatioStatistic::caveats() const {
  if (!holds_zero(second)) return {};
  return {
      "Ratio: the sum that is divided by may be 0, so no accuracy is stated before the release; "
      "the "
      "interval comes with the answer. There is no answer where the noise hides whether that sum "
      "is "
      "0. The probability that there is an answer and its interval is wrong is within what the "
      "confidence allows, but where that sum is near 0, answers are rare, and most of those few "
      "can "
      "be wrong."};
}

std::vector<std::string> RatioStatistic::notes() const {
  if (!holds_zero(second)) return {};
  return {"There is no answer where the noise hides whether the second sum is 0."};
}

}  // namespace lastbit
