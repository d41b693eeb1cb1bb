// ValueMap: maps a field to the whole number that a measure works with, or to null.
//
// Every map is a function of one field, decided exactly; NaN is missing, like null.
// Proof: proofs/engine.md#maps
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// PlainValue: a key as the engine holds it.
using PlainValue = std::variant<std::int64_t, std::string>;
PlainValue plain_value(const KeyValue& key);

// The maps require that check_aggregation accepts the measure.
//
// map_presence: 0 if there is a value.
std::unique_ptr<RowFunction> map_presence();

// map_field: the field itself as a 64-bit whole number; null if it does not fit.
std::unique_ptr<RowFunction> map_field();

// map_digits: the field, a wide whole number, as digits.
std::unique_ptr<RowFunction> map_digits();

// map_steps: clamps the field to the bounds, takes the nearest multiple of the grid, and counts it
// in steps from the offset.
std::unique_ptr<RowFunction> map_steps(const SteppedField& field);

// map_bins: the number of the bin; null if the field is in none.
std::unique_ptr<RowFunction> map_bins(const BinCounts& bins);

// map_ranks: how many candidates are at most the field.
std::unique_ptr<RowFunction> map_ranks(const BelowCounts& below);

// map_categories: the number of the category; for other values the number of categories, or null.
std::unique_ptr<RowFunction> map_categories(const CategoryCounts& categories);

// map_truth: 1 if the field is true, otherwise 0.
std::unique_ptr<RowFunction> map_truth();

// map_tuples: takes the fields of all columns, as their carriers, and gives the number of the
// listed tuple that they equal; null if they equal none.
std::unique_ptr<RowFunction> map_tuples(const ListedKeys& listed);

}  // namespace lastbit::engine
