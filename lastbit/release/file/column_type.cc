#include "lastbit/release/file/column_type.h"

namespace lastbit {

FieldType field_type(const ColumnType& type) {
  switch (type.kind) {
    case ColumnKind::kBoolean:
      return FieldType::kBoolean;
    case ColumnKind::kInteger:
    case ColumnKind::kWideInteger:
    case ColumnKind::kHugeUnsigned:
      return FieldType::kInteger;
    case ColumnKind::kFloat:
    case ColumnKind::kDouble:
    case ColumnKind::kDecimal:
      return FieldType::kReal;
    case ColumnKind::kDate:
      return FieldType::kDate;
    case ColumnKind::kText:
    case ColumnKind::kNamed:
      break;
  }
  return FieldType::kText;
}

}  // namespace lastbit
