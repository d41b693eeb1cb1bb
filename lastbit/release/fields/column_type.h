// ColumnType: the types that columns of files and tables can have, whatever an engine calls them,
// and how their values are read.
// Definition: proofs/reading.md#types
#pragma once

#include "lastbit/release/fields/field.h"

namespace lastbit {

enum class ColumnKind {
  kBoolean,
  kInteger,       // whole numbers that all fit in 64 bits, signed
  kUnsigned,      // whole numbers of 64 bits, unsigned
  kWideInteger,   // whole numbers of up to 127 bits and a sign: HUGEINT
  kHugeUnsigned,  // 128 bits, unsigned
  kFloat,         // binary32
  kDouble,        // binary64
  kDecimal,       // a whole number over 10^scale
  kDate,
  kTimestamp,  // an instant
  kLocalTime,  // a date and a time of day, without a zone
  kTime,
  kText,
  kNamed,  // enumerations and UUIDs: values that have a text
};

struct ColumnType {
  ColumnKind kind;
  int width = 0;  // of kDecimal: how many digits
  int scale = 0;  // of kDecimal; of kTimestamp and kLocalTime: digits after the second, 0 to 9
};

// field_type: the type that such a column is read as. Timestamps are in UTC.
FieldType field_type(const ColumnType& type);

// can_be_read: whether a column that holds values of type `actual` can be declared as `wanted`:
// exact numbers as real ones; unsigned numbers and decimals without decimals as integers, where
// those beyond 64 bits are missing; timestamps in any zone.
bool can_be_read(FieldType actual, FieldType wanted);

}  // namespace lastbit
