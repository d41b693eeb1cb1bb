// count: how many rows a group has, or how many of them have a value.
#include <fmt/core.h>

#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan_aggregation.h"
#include "lastbit/release/plan/words.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<CountStatistic> CountStatistic::read(release_internal::KindReader& reader) {
  if (reader.keys().find("column") == nullptr) return CountStatistic{};
  auto column = reader.read_column();
  if (column) return CountStatistic{std::move(column)};
  reader.fail();
  return std::nullopt;
}

void CountStatistic::write(release_internal::KindWriter& writer) const {
  if (column) writer.add_use(*column);
}

std::vector<ColumnRole> CountStatistic::columns() const {
  if (!column) return {};
  return {{column->name, false, false, {}, nullptr, column->impute}};
}

Tally CountStatistic::tally(const ReleaseFile& release) const {
  // With an imputed value every row has one.
  if (!column || column->impute) return RowCount{};
  return RowCount{release_internal::field_use(release, *column)};
}

Draft CountStatistic::draft(const Drafter& drafter) const {
  return drafter.draft_counts("number of rows", {""});
}

std::string CountStatistic::describe(const KindWords& words) const {
  if (!column) return "number of " + words.rows;
  return fmt::format("number of {} with a value of {}", words.rows,
                     words.column(column->name.value));
}

bool CountStatistic::counts_units(const ReleaseFile& release) const {
  return (!column || column->impute) && std::holds_alternative<RowUnit>(release.unit);
}

void CountStatistic::explain(const ReleaseFile& /*release*/,
                             std::vector<std::string>& steps) const {
  if (column) steps.push_back(release_internal::missing_in_words(*column));
}

}  // namespace lastbit
