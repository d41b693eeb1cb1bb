// FieldText: a field of a text file as a value of its declared type.
//
// Guarantee      each function is total and depends only on its text; a text that is not of the
//                type gives nothing. Spaces and tabs around the text are ignored. No locale is
//                consulted. The time is that of looking at each character of the text a few times.
//                Definition: proofs/reading.md#fields
// Left to the caller  rounding of doubles to the nearest, which is the default.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lastbit/numerics/integer.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit {

// read_integer: a number that is exactly whole, however it is written (5, 5.0, 1e+05, 12300e-2),
// and fits in 64 bits. All numbers may have a sign, a point and an exponent.
std::optional<std::int64_t> read_integer(std::string_view text);

// read_real: decimal digits, with or without sign, point and exponent, as the nearest double, ties
// to even; a number too large for a double is infinite.
std::optional<double> read_real(std::string_view text);

// read_boolean: true and false in any letter case, 1 and 0.
std::optional<bool> read_boolean(std::string_view text);

// read_date: a valid date yyyy-mm-dd, in days after 1970-01-01.
std::optional<std::int64_t> read_date(std::string_view text);

// read_timestamp: a valid date and time such as 2026-03-01T10:00:00, as microseconds after 1970 in
// UTC. A space may stand for the T; seconds, with at most six decimals, may be left out. Z or an
// offset such as +02:00 or +02 may follow; otherwise it is local time in the zone.
std::optional<std::int64_t> read_timestamp(std::string_view text, const TimeZone& zone);

// read_time: hh:mm or hh:mm:ss, with at most six decimals, as microseconds after midnight.
std::optional<std::int64_t> read_time(std::string_view text);

// read_decimal: a number times 10^decimals, if that is exactly whole and has at most 38 digits.
std::optional<Int128> read_decimal(std::string_view text, int decimals);

// read_unsigned: a number that is exactly whole, from 0 to 2^64 - 1.
std::optional<Int128> read_unsigned(std::string_view text);

// Days from kFirstDay to kLastDay, 0000-01-01 to 9999-12-31, are dates in every format; others are
// missing.
inline constexpr std::int64_t kFirstDay = -719'528;
inline constexpr std::int64_t kLastDay = 2'932'896;

// Timestamps lie in the same years in UTC. Times of day are below kDayMicros.
inline constexpr std::int64_t kDayMicros = 86'400'000'000;
inline constexpr std::int64_t kFirstInstant = kFirstDay * kDayMicros;
inline constexpr std::int64_t kLastInstant = (kLastDay + 1) * kDayMicros - 1;

// kDecimalEnd: decimals have at most 38 digits. power_of_ten: of 0 <= exponent <= 38.
constexpr Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}
inline constexpr Int128 kDecimalEnd = power_of_ten(38);

// local_micros: an instant in local time of the zone; from_local: the instant of a local time, as
// TimeZone::to_utc says. Both in microseconds after 1970.
std::int64_t local_micros(std::int64_t instant, const TimeZone& zone);
std::int64_t from_local(std::int64_t micros, const TimeZone& zone);

// decimal_to_double: the double nearest to number / 10^scale, ties to even.
// Requires  caller: 0 <= scale <= 38.
double decimal_to_double(Int128 number, int scale);

}  // namespace lastbit
