// ColumnType: the types that columns of files and tables can have, whatever an engine calls them,
// and how their values are read.
// Definition: proofs/reading.md#types
#pragma once

#include "lastbit/release/file/field.h"

namespace lastbit {

enum class ColumnKind {
  kBoolean,
  kInteger,       // whole numbers that all fit in 64 bits, signed
  kWideInteger,   // whole numbers of up to 127 bits and a sign: UBIGINT, HUGEINT, DECIMAL(w,0)
  kHugeUnsigned,  // 128 bits, unsigned
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

// field_type: the type that such a column is read as.
FieldType field_type(const ColumnType& type);

}  // namespace lastbit
