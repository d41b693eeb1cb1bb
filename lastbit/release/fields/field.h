// Fields: what a cell of the data can hold, and what groups and categories can be called.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/fields/field_type.h"

namespace lastbit {

// Instant: a point in time, in microseconds after 1970-01-01 00:00 UTC, in the years 0 to 9999.
struct Instant {
  std::int64_t micros = 0;
  friend auto operator<=>(const Instant&, const Instant&) = default;
};
// TimeOfDay: in microseconds after midnight.
struct TimeOfDay {
  std::int64_t micros = 0;
  friend auto operator<=>(const TimeOfDay&, const TimeOfDay&) = default;
};
// Decimal: number / 10^decimals, exactly; at most 38 digits. A whole number has no decimals.
struct Decimal {
  Int128 number = 0;
  int decimals = 0;
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

// Date: a day of the Gregorian calendar.
using Date = std::chrono::year_month_day;

// KeyValue: what a group or a category is called. FieldValue: what a missing field is replaced by.
using KeyValue = std::variant<bool, std::int64_t, std::string, Date>;
using FieldValue = std::variant<bool, Rational, std::string, Date>;
// KeyTuple: one key for each column of the groups.
using KeyTuple = std::vector<KeyValue>;
// type_of: the type of the columns in which such a key can occur.
FieldType type_of(const KeyValue& key);
// text_of: the key as people read it; a date as in 2026-03-01.
std::string text_of(const KeyValue& key);

}  // namespace lastbit
