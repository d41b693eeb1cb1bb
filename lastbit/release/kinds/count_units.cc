// count_units: how many different units have rows in a group.
#include "lastbit/release/kinds/kind_reader.h"
#include "lastbit/release/plan/drafter.h"

namespace lastbit {

using release_internal::Draft;
using release_internal::Drafter;

std::optional<UnitsStatistic> UnitsStatistic::read(release_internal::KindReader& reader) {
  if (std::holds_alternative<IdUnit>(reader.release().unit)) return UnitsStatistic{};
  reader.fail(reader.keys().position(), "`count_units` counts people, and here each has one row",
              "write kind = \"count\"");
  return std::nullopt;
}

void UnitsStatistic::write(release_internal::KindWriter& /*writer*/) const {}

std::vector<ColumnRole> UnitsStatistic::columns() const { return {}; }

Tally UnitsStatistic::tally(const ReleaseFile& /*release*/) const { return UnitCount{}; }

Draft UnitsStatistic::draft(const Drafter& drafter) const {
  return drafter.draft_counts("number of units", {""});
}

std::string UnitsStatistic::describe(const KindWords& words) const {
  return "number of " + words.units;
}

bool UnitsStatistic::counts_units(const ReleaseFile& /*release*/) const { return true; }

}  // namespace lastbit
