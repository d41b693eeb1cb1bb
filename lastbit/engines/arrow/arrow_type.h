// ArrowColumn: a column of a stream as its schema declares it. For this module only.
// Definition: proofs/engine.md#arrow
#pragma once

#include <optional>

#include "lastbit/base/error.h"
#include "lastbit/engines/arrow/arrow_abi.h"
#include "lastbit/release/file/schema.h"

namespace lastbit::engine {

// ArrowLayout: how a column is stored.
enum class ArrowLayout {
  kNothing,  // every field is missing
  kBits,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUInt8,
  kUInt16,
  kUInt32,
  kUInt64,
  kInt128,
  kInt256,
  kHalf,
  kFloat,
  kDouble,
  kTexts,      // offsets of 32 bits
  kLongTexts,  // offsets of 64 bits
  kTextViews,
};

// is_text: one of the last three.
constexpr bool is_text(ArrowLayout layout) { return layout >= ArrowLayout::kTexts; }

struct ArrowColumn {
  SchemaColumn schema;                              // without a type: no release can use it
  ArrowLayout layout = ArrowLayout::kNothing;       // of the values, if there is a type
  bool is_milliseconds = false;                     // dates that are counted in milliseconds
  std::optional<ArrowLayout> codes = std::nullopt;  // of a dictionary's codes, if it has one
};

// type_of: of a column that a release can use.
inline ColumnType type_of(const ArrowColumn& column) {
  if (column.schema.type) return *column.schema.type;
  invariant(false, "the column has a type that a release can use");
  return {ColumnKind::kInteger};
}

// arrow_column: it is total; what it does not know has no type.
ArrowColumn arrow_column(const ArrowSchema& schema);

}  // namespace lastbit::engine
