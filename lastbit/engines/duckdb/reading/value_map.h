// ValueMap: a field as the whole number that a measure works with, or null. For this module
// only.
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

#include "lastbit/engines/duckdb/reading/row_function.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// PlainValue: a key as the engine holds it.
using PlainValue = std::variant<std::int64_t, std::string>;
PlainValue plain_value(const KeyValue& key);

// The maps require that check_aggregation accepts the measure.
//
// map_presence: 0 where there is a value.
std::unique_ptr<RowFunction> map_presence();

// map_field: the field itself, as a whole number of 64 bits; null where it has more.
std::unique_ptr<RowFunction> map_field();

// map_steps: the nearest multiple of the grid to the field clamped to the bounds, counted in steps
// from the offset.
std::unique_ptr<RowFunction> map_steps(const SteppedField& field);

// map_bins: the number of the bin; null outside of all.
std::unique_ptr<RowFunction> map_bins(const BinCounts& bins);

// map_ranks: how many of the candidates are not above the field.
std::unique_ptr<RowFunction> map_ranks(const BelowCounts& below);

// map_categories: the number of the category; for others the number of categories, or null.
std::unique_ptr<RowFunction> map_categories(const CategoryCounts& categories);

// map_tuples: of the fields of all columns, as their carriers, the number of the listed tuple that
// they are; null where they are none.
std::unique_ptr<RowFunction> map_tuples(const ListedKeys& listed);

}  // namespace lastbit::engine
