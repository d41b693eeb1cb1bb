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
  const release_internal::NoisyNumbers sum =
      noisy_sums("sum", drafter.aggregation(), drafter.entry(1), field.grid_exponent,
                 drafter.share(), drafter.alpha());
  Draft draft;
  draft.parts = {sum.part};
  draft.accuracy.always = sum.part.accuracy;
  draft.bias.always = sum.bias;
  draft.release = [sum](const TableDomain::Carrier& table, BitSource& bits) {
    const std::vector<Rational> sums = sum.release(table, bits);
    std::vector<AnswerLine> lines;
    lines.reserve(table.size());
    for (std::size_t group = 0; group < table.size(); ++group) {
      lines.push_back(release_internal::line_of(table[group], "",
                                                estimate_number({sums[group], sum.part.accuracy})));
    }
    return lines;
  };
  return draft;
}

std::string SumStatistic::describe() const { return "sum of " + column.column.name.value; }

void SumStatistic::explain(const ReleaseFile& /*release*/, std::vector<std::string>& steps) const {
  release_internal::explain_bounds(column, steps);
}

}  // namespace lastbit
