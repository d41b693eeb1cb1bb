// What the kinds that count categories share. Only this folder includes it.
#pragma once

#include <vector>

#include "lastbit/release/file/problems.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::release_internal {

// category_counts: how many rows have each category, and with `other` how many have none of them.
// Requires  caller: the categories are public.
Tally category_counts(const ReleaseFile& release, const ColumnUse& column,
                      const Categories& categories, bool other);

// category_keys: the categories of such a tally, in order.
std::vector<KeyValue> category_keys(const CategoryCounts& counts);

// check_discovered: discovered keys are those that the data holds, so none of them can replace
// missing values. If `column` asks for that, notes a problem and returns false.
bool check_discovered(const ColumnUse& column, const Categories& categories, Problems& problems);

}  // namespace lastbit::release_internal
