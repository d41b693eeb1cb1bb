// What makes a query possible, and the numbers that follow from it. Inside of this room only.
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/engines/duckdb/bounded_query.h"

namespace lastbit::engine {

// StepRange: the smallest and the largest number of steps that a field can become.
struct StepRange {
  std::int64_t lowest;
  std::int64_t highest;
  Integer magnitude() const;
};
// step_range
// Requires  checked: bounds with a value of the type between them, at most kMaxIndexBits bits on
//           the grid, an offset of as many, an imputed value within; else kBadParameter.
StepRange step_range(const SteppedField& field);

// entry_count: how many entries a measure has.
std::size_t entry_count(const Measure& measure);

// key_columns: the columns of the groups, in order.
std::vector<KeyColumn> key_columns(const BoundedQuery& query);

// public_groups: how many groups there are; nothing where keys are found.
std::optional<Integer> public_groups(const BoundedQuery& query);

}  // namespace lastbit::engine
