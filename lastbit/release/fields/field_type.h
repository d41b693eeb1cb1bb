// FieldType: the type that the fields of a column are read as. A field that cannot be read so is
// missing.
#pragma once

#include <string>
#include <string_view>

namespace lastbit {

class TimeZone;

class FieldType {
 public:
  enum Kind {
    kInteger,  // a whole number that fits in 64 bits
    kReal,     // a binary64
    kText,
    kBoolean,
    kDate,
    kTimestamp,  // an instant, in microseconds; it has a zone
    kTime,       // a time of day, in microseconds
    kDecimal,    // a decimal number with a fixed number of decimals
    kUnsigned,   // a whole number from 0 to 2^64 − 1
  };
  static constexpr int kMostDecimals = 18;

  // A kind alone stands for its type: timestamps are then in UTC, and decimals have none.
  constexpr FieldType(Kind kind = kText) : kind_(kind) {}  // NOLINT(google-explicit-constructor)
  // decimal: with so many decimals, 0 to kMostDecimals.
  static constexpr FieldType decimal(int decimals) {
    FieldType type(kDecimal);
    type.decimals_ = decimals;
    return type;
  }
  // timestamp: whose parts, such as the hour, are those of local time in the zone.
  static FieldType timestamp(const TimeZone& zone);

  constexpr Kind kind() const { return kind_; }
  constexpr operator Kind() const { return kind_; }  // NOLINT(google-explicit-constructor)
  // decimals: 0 unless it is a kDecimal. zone: UTC unless it is a kTimestamp.
  constexpr int decimals() const { return decimals_; }
  const TimeZone& zone() const;

  friend constexpr bool operator==(const FieldType&, const FieldType&) = default;
  // Compared with a kind, only the kind counts.
  friend constexpr bool operator==(const FieldType& type, Kind kind) { return type.kind_ == kind; }

 private:
  Kind kind_;
  int decimals_ = 0;
  const TimeZone* zone_ = nullptr;  // null for UTC; zones last as long as the program
};

// name_of: the kind as a release file writes it. full_name: with zone and decimals, for people.
std::string_view name_of(FieldType type);
std::string full_name(FieldType type);

// is_whole: the type holds whole numbers. is_number: numbers of any sort. is_wide: numbers of more
// than 64 bits, which are exact decimals or whole numbers.
constexpr bool is_whole(FieldType type) {
  return type == FieldType::kInteger || type == FieldType::kUnsigned;
}
constexpr bool is_wide(FieldType type) {
  return type == FieldType::kDecimal || type == FieldType::kUnsigned;
}
constexpr bool is_number(FieldType type) {
  return type == FieldType::kInteger || type == FieldType::kReal || is_wide(type);
}

}  // namespace lastbit
