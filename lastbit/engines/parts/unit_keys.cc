#include "lastbit/engines/parts/unit_keys.h"

#include <algorithm>
#include <span>

#include "lastbit/base/error.h"
#include "lastbit/base/held.h"
#include "lastbit/engines/kernel/content_plan.h"

namespace lastbit::engine {
namespace {

const UnitColumn& unit_column(const Aggregation& aggregation) {
  const auto* unit = std::get_if<UnitColumn>(&aggregation.unit);
  invariant(unit != nullptr, "the unit is a column");
  return *unit;
}

Aggregation count_of_units(const Aggregation& aggregation) {
  Aggregation only_unit;
  only_unit.derived = aggregation.derived;
  only_unit.unit = unit_column(aggregation);
  only_unit.measures = {UnitCount{}};
  return only_unit;
}

}  // namespace

UnitKeys::UnitKeys(const Aggregation& aggregation)
    : only_unit_(count_of_units(aggregation)),
      plan_(plan_contents(only_unit_)),
      mapper_(only_unit_, plan_),
      carrier_(kernel_layout(only_unit_, plan_).unit) {}

void UnitKeys::give(const RowSource& rows, const TakeKeys& take) {
  std::vector<ColumnReader> readers(columns().size());
  std::vector<FieldBatch> fields(readers.size());
  std::vector<FieldBatch> block(readers.size());
  rows.give_rows(columns(), RowOrder::kAny, [&](std::span<const ColumnBatch> batch) {
    const std::size_t size = batch.empty() ? 0 : batch[0].rows;
    for (std::size_t i = 0; i < readers.size(); ++i) fields[i] = readers[i].read(batch[i]);
    for (std::size_t first = 0; first < size; first += RowMapper::kBlock) {
      const std::size_t count = std::min(size - first, RowMapper::kBlock);
      for (std::size_t i = 0; i < fields.size(); ++i) block[i] = slice(fields[i], first, count);
      take(held(mapper_.map(block, count, room_).unit, "rows that are bounded have units"), count);
    }
  });
}

bool is_plain_unit(const Aggregation& aggregation) {
  const UnitColumn& unit = unit_column(aggregation);
  if (find_derived(aggregation, unit.name) != nullptr) return false;
  switch (unit.type.kind()) {
    case FieldType::kInteger:
    case FieldType::kBoolean:
    case FieldType::kDate:
    case FieldType::kText:
      return true;
    default:
      return false;
  }
}

}  // namespace lastbit::engine
