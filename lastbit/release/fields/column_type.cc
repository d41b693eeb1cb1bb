#include "lastbit/release/fields/column_type.h"

namespace lastbit {

FieldType field_type(const ColumnType& type) {
  switch (type.kind) {
    case ColumnKind::kBoolean:
      return FieldType::kBoolean;
    case ColumnKind::kInteger:
    case ColumnKind::kWideInteger:
    case ColumnKind::kHugeUnsigned:
      return FieldType::kInteger;
    case ColumnKind::kUnsigned:
      return FieldType::kUnsigned;
    case ColumnKind::kFloat:
    case ColumnKind::kDouble:
      return FieldType::kReal;
    case ColumnKind::kDecimal:
      if (type.scale > FieldType::kMostDecimals) return FieldType::kReal;
      return FieldType::decimal(type.scale);
    case ColumnKind::kTimestamp:
    case ColumnKind::kLocalTime:
      return FieldType::kTimestamp;
    case ColumnKind::kTime:
      return FieldType::kTime;
    case ColumnKind::kDate:
      return FieldType::kDate;
    case ColumnKind::kText:
    case ColumnKind::kNamed:
      break;
  }
  return FieldType::kText;
}

bool can_be_read(FieldType actual, FieldType wanted) {
  if (actual == wanted) return true;
  if (wanted == FieldType::kReal) return is_number(actual);
  if (wanted == FieldType::kInteger) {
    return actual == FieldType::kUnsigned || actual == FieldType::decimal(0);
  }
  return wanted == FieldType::kTimestamp && actual == FieldType::kTimestamp;
}

}  // namespace lastbit
