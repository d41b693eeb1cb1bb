// Fields: what a cell of the data can hold, and what groups and categories can be called.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit {

// FieldType: the type that the fields of a column are read as. A field that cannot be read so is
// missing.
enum class FieldType {
  kInteger,  // a whole number that fits in 64 bits
  kReal,     // a binary64
  kText,
  kBoolean,
  kDate,
};
// name_of: as a release file writes it.
std::string_view name_of(FieldType type);

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
