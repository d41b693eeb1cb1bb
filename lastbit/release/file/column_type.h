// ColumnType: the types that columns of Parquet files and of database tables can have, and what
// becomes of their values. Types that are not listed here are refused by name.
// Definition: proofs/reading.md#types
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lastbit/release/file/field.h"

namespace lastbit {

enum class ColumnKind {
  kBoolean,
  kInteger,       // whole numbers that all fit 64 bits with a sign
  kWideInteger,   // whole numbers of up to 127 bits and a sign: UBIGINT, HUGEINT, DECIMAL(w,0)
  kHugeUnsigned,  // unsigned of 128 bits
  kFloat,         // binary32
  kDouble,        // binary64
  kDecimal,       // a whole number over 10^scale, scale >= 1
  kDate,
  kText,
  kNamed,  // enumerations and UUIDs: values that have a text
};

struct ColumnType {
  ColumnKind kind;
  int width = 0;  // of kDecimal and DECIMAL(w,0): how many digits
  int scale = 0;
};

// column_type: of a type's name in SQL, such as BIGINT or DECIMAL(18,2); nothing where no release
// can use it.
std::optional<ColumnType> column_type(std::string_view name);

// field_type: what such a column is read as.
FieldType field_type(const ColumnType& type);

}  // namespace lastbit
