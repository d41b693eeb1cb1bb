// From a statistic to what an engine must compute for it. For this module only.
#pragma once

#include <optional>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::release_internal {

// column_type: as the release or the schema says; a column about which nothing is known is text.
FieldType column_type(const ReleaseFile& release, const std::string& name);

// imputed_number: what a missing number counts as. Requires a column of numbers.
std::optional<Rational> imputed_number(const ColumnUse& column);

// field_use: the column with its type.
FieldUse field_use(const ReleaseFile& release, const ColumnUse& column);

// stepped_field: a bounded column on a grid far finer than the noise. `centred` counts steps from
// the middle of the bounds, which halves what a row can change.
SteppedField stepped_field(const ReleaseFile& release, const BoundedColumn& column, bool centred);

// rows_counted_by: a text that says in which rows a tally finds something to count; empty if only
// an equal tally counts the same rows. Tallies with the same text can share the choice of a unit's
// rows.
std::string rows_counted_by(const Tally& tally);

// rows_in_number: the same for the rows whose number a tally gives, as its first entry or as the
// sum of all of them; empty if it gives none. Tallies of one aggregation with the same text count
// the same rows in each group.
std::string rows_in_number(const Tally& tally);

// measure_of: what the statistic is computed from; nothing if its categories are discovered, since
// then they are groups.
std::optional<Tally> measure_of(const ReleaseFile& release, const Statistic& statistic);

// aggregation_of: the unit and the groups of the statistic, without measures. Discovered categories
// are the last group column; then a unit counts once in each of at most max_rows_per_group ·
// max_groups of all combinations.
Aggregation aggregation_of(const ReleaseFile& release, const Statistic& statistic);

}  // namespace lastbit::release_internal
