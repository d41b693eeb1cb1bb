// count_distinct: how many different values a column has, among the rows that count.
// Proof: proofs/engine.md#distinct
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<DistinctStatistic> DistinctStatistic::read(release_internal::KindReader& reader) {
  const auto column = reader.require_column();
  if (!column) return std::nullopt;
  // An imputed value is not one of the data, so it is not counted among them.
  if (column->impute) {
    reader.fail(column->impute->position,
                "`count_distinct` counts values in the data, and imputed ones are not in it",
                "write nulls = \"drop\" in the statistic");
    return std::nullopt;
  }
  return DistinctStatistic{*column};
}

void DistinctStatistic::write(release_internal::KindWriter& writer) const {
  writer.add_use(column);
}

// Values are told apart as keys are: exactly, which real numbers are not.
std::vector<ColumnRole> DistinctStatistic::columns() const {
  return {{column.name, false, true, {}, nullptr, {}}};
}

Tally DistinctStatistic::tally(const ReleaseFile& release) const {
  return DistinctCount{release_internal::field_use(release, column)};
}

Draft DistinctStatistic::draft(const Drafter& drafter) const {
  // Only booleans have few values for sure: public keys do not say that there are no others.
  const bool truth =
      release_internal::field_use(drafter.release(), column).type == FieldType::kBoolean;
  return drafter.draft_counts("number of different values", {""},
                              truth ? std::optional(Rational(2)) : std::nullopt);
}

std::string DistinctStatistic::describe(const KindWords& words) const {
  return "number of different values of " + words.column(column.name.value);
}

void DistinctStatistic::explain(const ReleaseFile& /*release*/,
                                std::vector<std::string>& steps) const {
  steps.push_back(release_internal::missing_in_words(column));
  steps.emplace_back("Values are different if they differ at all: texts in any byte.");
}

}  // namespace lastbit
