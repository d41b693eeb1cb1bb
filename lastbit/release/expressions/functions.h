// The functions that expressions can call. For this module only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/expression.h"

namespace lastbit::expression_internal {

// Taken: what an argument of a function may be.
enum class Taken {
  kNumber,
  kInteger,
  kText,
  kDate,        // a date or a timestamp
  kClock,       // a timestamp or a time
  kMoment,      // a date, a timestamp or a time, whichever has the part
  kSame,        // any type; all such arguments have one type, and so has the result
  kPlaces,      // a constant whole number from 0 to 15
  kPartName,    // a constant text that names a part of a date or a time
  kTruncation,  // a constant text: second, minute, hour, day, week, month, quarter or year
};

// Given: the type of the result.
enum class Given { kOfFirst, kInteger, kReal, kText, kBoolean, kDate };

struct RowFunctionKind {
  std::string_view name;  // in lower case
  RowOperation operation;
  std::vector<Taken> takes;
  std::size_t optional = 0;  // how many of the last arguments may be left out
  bool many = false;         // the last argument may be repeated
  Given gives = Given::kOfFirst;
  std::optional<DatePart> part;  // for year(d), hour(t) and the like
  std::string_view words;        // what it gives, for the documents
};

// row_functions: all of them, in alphabetical order.
std::span<const RowFunctionKind> row_functions();

// date_part_named: nothing if there is no such part.
std::optional<DatePart> date_part_named(std::string_view name);
std::string_view name_of(DatePart part);

// has_part: whether values of the type have the part.
bool has_part(FieldType type, DatePart part);

}  // namespace lastbit::expression_internal
