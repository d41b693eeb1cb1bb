// Instants and days of columnar formats as fields.
// Definition: proofs/reading.md#types
#pragma once

#include <cstdint>
#include <optional>

#include "lastbit/release/fields/time_zone.h"

namespace lastbit::engine {

// day_field: a number of days after 1970-01-01, if that is a date of our calendar.
std::optional<std::int64_t> day_field(std::int64_t days);

// time_field: a number of units of 10^-digits seconds after midnight as whole microseconds, towards
// the past; nothing if the day does not have them.
std::optional<std::int64_t> time_field(std::int64_t number, int digits);

// instant_field: a number of units of 10^-digits seconds after 1970 as whole microseconds in UTC,
// towards the past; nothing outside of the years 0000 to 9999. With a zone it is local time there.
// Requires  caller: 0 <= digits <= 9.
std::optional<std::int64_t> instant_field(std::int64_t number, int digits, const TimeZone* zone);

}  // namespace lastbit::engine
