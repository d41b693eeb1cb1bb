// FieldText: a field of a text file as a value of its declared type.
//
// Guarantee      each function is total and depends only on its text; a text that is not of the
//                type gives nothing. Spaces and tabs around the text are ignored. No locale is
//                consulted.
//                Definition: proofs/reading.md#fields
// Left to the caller  rounding of doubles to the nearest, which is the default.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lastbit/numerics/integer.h"

namespace lastbit {

// read_integer: digits, with or without a sign, of a number that fits in 64 bits.
std::optional<std::int64_t> read_integer(std::string_view text);

// read_real: decimal digits, with or without sign, point and exponent, as the nearest double, ties
// to even; a number too large for a double is infinite.
std::optional<double> read_real(std::string_view text);

// read_boolean: true and false in any letter case, 1 and 0.
std::optional<bool> read_boolean(std::string_view text);

// read_date: a valid date yyyy-mm-dd, in days after 1970-01-01.
std::optional<std::int64_t> read_date(std::string_view text);

// Days from kFirstDay to kLastDay, 0000-01-01 to 9999-12-31, are dates in every format; others are
// missing.
inline constexpr std::int64_t kFirstDay = -719'528;
inline constexpr std::int64_t kLastDay = 2'932'896;

// decimal_to_double: the double nearest to number / 10^scale, ties to even.
// Requires  caller: 0 <= scale <= 38.
double decimal_to_double(Int128 number, int scale);

}  // namespace lastbit
