// ColumnType: the types that columns of files and tables can have, whatever an engine calls them, and
// what becomes of their values.
// Definition: proofs/reading.md#types
#pragma once

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

// field_type: what such a column is read as.
FieldType field_type(const ColumnType& type);

}  // namespace lastbit
