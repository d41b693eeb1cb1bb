// What the values of a Parquet column represent, and what DuckDB 1.5 calls the type.
#include <fmt/core.h>

#include "lastbit/base/text.h"
#include "lastbit/sources/parquet_schema.h"

namespace lastbit::source::parquet_internal {
namespace {

using Kind = Meaning::Kind;
using Unit = Meaning::Unit;

constexpr std::int32_t kMaxDecimalDigits = 38;

[[noreturn]] void refuse_annotation(const SchemaElement& leaf, std::string_view what) {
  throw Refusal{fmt::format("says of its column {} {}", lastbit::quote(leaf.name), what),
                "write the file again with a current writer"};
}

Unit read_unit(ThriftReader& reader, ThriftField field) {
  if (field.type != ThriftType::kStruct) throw ThriftError::kMalformed;
  Unit unit = Unit::kNone;
  reader.read_struct([&](ThriftField choice) {
    if (choice.id > 3 || unit != Unit::kNone) throw ThriftError::kMalformed;
    unit = static_cast<Unit>(choice.id);
    return false;
  });
  return unit;
}

// The fields of a member of the LogicalType union. The members differ in what they hold under 1 and
// 2.
void read_member(ThriftReader& reader, LogicalType& type) {
  Meaning& meaning = type.meaning;
  reader.read_struct([&](ThriftField field) {
    const bool first = field.id == 1;
    if (field.id > 2) return false;
    switch (meaning.kind) {
      case Kind::kDecimal:
        (first ? meaning.scale : meaning.precision) = reader.read_i32(field);
        return true;
      case Kind::kTime:
      case Kind::kTimestamp:
        if (first) {
          type.utc = ThriftReader::read_bool(field);
        } else {
          meaning.unit = read_unit(reader, field);
        }
        return true;
      case Kind::kInteger:
        if (first) {
          meaning.bits = reader.read_byte(field);
        } else {
          meaning.is_signed = ThriftReader::read_bool(field);
        }
        return true;
      default:
        return false;
    }
  });
}

// The member of the LogicalType union with this field id.
Kind kind_of_member(std::int16_t id) {
  constexpr Kind kKinds[] = {Kind::kUnknown,   Kind::kString,   Kind::kMap,     Kind::kList,
                             Kind::kEnum,      Kind::kDecimal,  Kind::kDate,    Kind::kTime,
                             Kind::kTimestamp, Kind::kUnknown,  Kind::kInteger, Kind::kNull,
                             Kind::kJson,      Kind::kBson,     Kind::kUuid,    Kind::kFloat16,
                             Kind::kVariant,   Kind::kGeometry, Kind::kGeometry};
  return static_cast<std::size_t>(id) < std::size(kKinds) ? kKinds[id] : Kind::kUnknown;
}

Meaning integer(int bits, bool is_signed) {
  return {.kind = Kind::kInteger, .bits = bits, .is_signed = is_signed};
}

Meaning decimal_of(const SchemaElement& leaf) {
  if (!leaf.scale || !leaf.precision) {
    refuse_annotation(leaf, "that it holds decimal numbers, but not of how many digits");
  }
  return {.kind = Kind::kDecimal, .scale = *leaf.scale, .precision = *leaf.precision};
}

// What the converted type `type` of a leaf says.
Meaning converted_meaning(const SchemaElement& leaf, std::int32_t type) {
  switch (type) {
    case 0:
      return {.kind = Kind::kString};
    case 4:
      return {.kind = Kind::kEnum};
    case 5:
      return decimal_of(leaf);
    case 6:
      return {.kind = Kind::kDate};
    case 7:
      return {.kind = Kind::kTime, .unit = Unit::kMillis};
    case 8:
      return {.kind = Kind::kTime, .unit = Unit::kMicros};
    case 9:
      return {.kind = Kind::kTimestamp, .unit = Unit::kMillis};
    case 10:
      return {.kind = Kind::kTimestamp, .unit = Unit::kMicros};
    case 11:
    case 12:
    case 13:
    case 14:
      return integer(8 << (type - 11), false);
    case 15:
    case 16:
    case 17:
    case 18:
      return integer(8 << (type - 15), true);
    case 19:
      return {.kind = Kind::kJson};
    case 20:
      return {.kind = Kind::kBson};
    case 21:
      return {.kind = Kind::kInterval};
    case 1:
    case 2:
    case 3:
      refuse_annotation(leaf, "that it is a list or a map, although it is neither");
    default:
      return {};
  }
}

bool decimal_fits(const Meaning& meaning, Physical physical) {
  if (meaning.precision < 1 || meaning.scale < 0 || meaning.scale > meaning.precision) return false;
  if (physical == Physical::kInt32) return meaning.precision <= 9;
  if (physical == Physical::kInt64) return meaning.precision <= 18;
  return physical == Physical::kBytes || physical == Physical::kFixedBytes;
}

bool fits(const Meaning& meaning, Physical physical, std::int32_t length) {
  const auto is_fixed = [&](int bytes) {
    return physical == Physical::kFixedBytes && length == bytes;
  };
  switch (meaning.kind) {
    case Kind::kUnknown:
    case Kind::kNull:
      return true;
    case Kind::kString:
    case Kind::kEnum:
      return physical == Physical::kBytes || physical == Physical::kFixedBytes;
    case Kind::kJson:
    case Kind::kBson:
    case Kind::kGeometry:
      return physical == Physical::kBytes;
    case Kind::kDecimal:
      return decimal_fits(meaning, physical);
    case Kind::kDate:
      return physical == Physical::kInt32;
    case Kind::kTime:
      if (meaning.unit == Unit::kNone) return false;
      return physical == (meaning.unit == Unit::kMillis ? Physical::kInt32 : Physical::kInt64);
    case Kind::kTimestamp:
      return meaning.unit != Unit::kNone && physical == Physical::kInt64;
    case Kind::kInteger:
      if (meaning.bits == 64) return physical == Physical::kInt64;
      return (meaning.bits == 8 || meaning.bits == 16 || meaning.bits == 32) &&
             physical == Physical::kInt32;
    case Kind::kUuid:
      return is_fixed(16);
    case Kind::kFloat16:
      return is_fixed(2);
    case Kind::kInterval:
      return is_fixed(12);
    case Kind::kMap:
    case Kind::kList:
    case Kind::kVariant:
      return false;
  }
  return false;
}

std::string physical_name(Physical physical) {
  switch (physical) {
    case Physical::kBoolean:
      return "BOOLEAN";
    case Physical::kInt32:
      return "INTEGER";
    case Physical::kInt64:
      return "BIGINT";
    case Physical::kInt96:
      return "TIMESTAMP";
    case Physical::kFloat:
      return "FLOAT";
    case Physical::kDouble:
      return "DOUBLE";
    case Physical::kBytes:
    case Physical::kFixedBytes:
      return "BLOB";
  }
  throw ThriftError::kMalformed;
}

std::string integer_name(const Meaning& meaning) {
  const std::string name = meaning.bits == 8    ? "TINYINT"
                           : meaning.bits == 16 ? "SMALLINT"
                           : meaning.bits == 32 ? "INTEGER"
                                                : "BIGINT";
  return meaning.is_signed ? name : "U" + name;
}

std::string decimal_name(const Meaning& meaning) {
  // DuckDB would read these as nearby doubles.
  if (meaning.precision > kMaxDecimalDigits) return "UNREAD DECIMAL";
  return fmt::format("DECIMAL({},{})", meaning.precision, meaning.scale);
}

std::string time_name(const LogicalType& type) {
  const std::string name = type.meaning.kind == Kind::kTime ? "TIME" : "TIMESTAMP";
  // DuckDB turns them into microseconds, and fails at the first row in which these do not fit.
  const bool timestamp = type.meaning.kind == Kind::kTimestamp;
  if (timestamp && type.meaning.unit == Unit::kMillis) return "UNREAD TIMESTAMP_MS";
  if (type.utc) return name + " WITH TIME ZONE";
  return type.meaning.unit == Unit::kNanos ? name + "_NS" : name;
}

// The name of what DuckDB reads from the logical type; none if it looks only at the converted type.
std::optional<std::string> logical_name(const LogicalType& type) {
  switch (type.meaning.kind) {
    case Kind::kNull:
      return "INTEGER";  // all values are missing
    case Kind::kUuid:
      return "UUID";
    case Kind::kFloat16:
      return "FLOAT";
    case Kind::kTime:
    case Kind::kTimestamp:
      return time_name(type);
    case Kind::kGeometry:
      return "GEOMETRY";
    case Kind::kUnknown:
      return "UNKNOWN";
    default:
      return std::nullopt;
  }
}

std::string converted_name(const Meaning& meaning) {
  switch (meaning.kind) {
    case Kind::kString:
    case Kind::kEnum:
      return "VARCHAR";
    case Kind::kDecimal:
      return decimal_name(meaning);
    case Kind::kDate:
      return "DATE";
    case Kind::kTime:
    case Kind::kTimestamp:
      return time_name({meaning, false});
    case Kind::kInteger:
      return integer_name(meaning);
    case Kind::kJson:
      return "JSON";
    case Kind::kBson:
      return "BSON";
    case Kind::kInterval:
      return "INTERVAL";
    default:
      return "UNKNOWN";
  }
}

// The name if there is only a logical type, and DuckDB reads the values as if there were none. That
// would turn numbers and dates into others.
std::string unread_name(const Meaning& meaning, Physical physical) {
  const bool is_number = physical == Physical::kInt32 || physical == Physical::kInt64;
  if (is_number && meaning.kind == Kind::kDecimal) return "UNREAD " + decimal_name(meaning);
  if (is_number && meaning.kind == Kind::kDate) return "UNREAD DATE";
  if (is_number && !meaning.is_signed) return "UNREAD " + integer_name(meaning);
  return physical_name(physical);
}

}  // namespace

LogicalType read_logical_type(ThriftReader& reader) {
  LogicalType type;
  bool found = false;
  reader.read_struct([&](ThriftField member) {
    if (found) throw ThriftError::kMalformed;
    found = true;
    type.meaning.kind = kind_of_member(member.id);
    if (type.meaning.kind == Kind::kUnknown) return false;
    if (member.type != ThriftType::kStruct) throw ThriftError::kMalformed;
    read_member(reader, type);
    return true;
  });
  return type;
}

std::string leaf_type(const SchemaElement& leaf) {
  const auto physical = static_cast<Physical>(leaf.physical.value_or(0));
  std::optional<Meaning> converted;
  if (leaf.converted) converted = converted_meaning(leaf, *leaf.converted);
  if (converted && leaf.logical && *converted != leaf.logical->meaning) {
    refuse_annotation(leaf, "in two places what it holds, and they contradict each other");
  }
  // Where there are two, they are the same.
  const auto meaning = leaf.logical ? std::optional(leaf.logical->meaning) : converted;
  if (meaning && !fits(*meaning, physical, leaf.length.value_or(0))) {
    refuse_annotation(leaf, "what values of its physical type cannot be");
  }
  if (leaf.logical) {
    if (const auto name = logical_name(*leaf.logical)) return *name;
  }
  if (converted) return converted_name(*converted);
  if (leaf.logical) return unread_name(leaf.logical->meaning, physical);
  return physical_name(physical);
}

std::string group_type(const SchemaElement& group) {
  const Kind kind = group.logical ? group.logical->meaning.kind : Kind::kUnknown;
  if (group.repetition == 2 || group.converted == 3 || kind == Kind::kList) return "LIST";
  if (group.converted == 1 || group.converted == 2 || kind == Kind::kMap) return "MAP";
  return kind == Kind::kVariant ? "VARIANT" : "STRUCT";
}

}  // namespace lastbit::source::parquet_internal
