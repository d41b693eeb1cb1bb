// What operations do with single values. For this folder only.
//
// Guarantee      each is total: a result that does not exist, or does not fit its type, is missing.
//                Definition: docs/expressions.md
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::expression_internal {

// Whole numbers of 64 bits.
using Whole = std::int64_t;
inline std::optional<Whole> add(Whole a, Whole b) {
  Whole result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<Whole> subtract(Whole a, Whole b) {
  Whole result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
inline std::optional<Whole> multiply(Whole a, Whole b) {
  Whole result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
// divide_whole, modulo: the quotient towards zero, and the remainder, which has the sign of `a`.
inline std::optional<Whole> divide_whole(Whole a, Whole b) {
  if (b == 0 || (b == -1 && a == std::numeric_limits<Whole>::min())) return std::nullopt;
  return a / b;
}
inline std::optional<Whole> modulo(Whole a, Whole b) {
  if (b == 0) return std::nullopt;
  return b == -1 ? 0 : a % b;
}

// Doubles, rounded to the nearest. A result that is NaN is missing, and so is an infinite one of
// finite operands.
inline std::optional<double> finish(double result, double a, double b) {
  const bool overflows = std::isinf(result) && std::isfinite(a) && std::isfinite(b);
  return std::isnan(result) || overflows ? std::nullopt : std::optional(result);
}
inline std::optional<double> add(double a, double b) { return finish(a + b, a, b); }
inline std::optional<double> subtract(double a, double b) { return finish(a - b, a, b); }
inline std::optional<double> multiply(double a, double b) { return finish(a * b, a, b); }
inline std::optional<double> divide(double a, double b) {
  return b == 0 ? std::nullopt : finish(a / b, a, b);
}

// Decimals, as whole numbers of at most 38 digits over a power of ten that their type says.
using Wide = Int128;
inline std::optional<Wide> as_decimal(Wide number) {
  const bool fits = number < kDecimalEnd && number > -kDecimalEnd;
  return fits ? std::optional(number) : std::nullopt;
}
inline std::optional<Wide> add(Wide a, Wide b) {
  Wide result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : as_decimal(result);
}
inline std::optional<Wide> subtract(Wide a, Wide b) { return add(a, -b); }
inline std::optional<Wide> multiply(Wide a, Wide b) {
  Wide result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : as_decimal(result);
}
inline std::optional<Wide> divide_whole(Wide a, Wide b) {
  return b == 0 ? std::nullopt : std::optional(a / b);
}
inline std::optional<Wide> modulo(Wide a, Wide b) {
  return b == 0 ? std::nullopt : std::optional(a % b);
}
// rescale: from one number of decimals to another, the nearest one, halves away from zero.
std::optional<Wide> rescale(Wide number, int from, int to);
// round_places: to at most so many decimals, of the `decimals` that it has.
std::optional<Wide> round_places(Wide number, int decimals, int places);
// floor_whole, ceil_whole, round_whole: as whole numbers of 64 bits.
std::optional<Whole> floor_whole(Wide number, int decimals);
std::optional<Whole> ceil_whole(Wide number, int decimals);
std::optional<Whole> round_whole(Wide number, int decimals);
// round_decimal: the double with so many decimals, halves away from zero.
std::optional<Wide> round_decimal(double number, int decimals);
// as_unsigned: a whole number from 0 to 2^64 - 1.
inline std::optional<Wide> as_unsigned(Wide number) {
  return number >= 0 && number >> 64 == 0 ? std::optional(number) : std::nullopt;
}

// compare: exactly; a whole number and a double as the real numbers that they are, texts byte by
// byte. Doubles are not NaN.
inline std::weak_ordering compare(Whole a, Whole b) { return a <=> b; }
inline std::weak_ordering compare(double a, double b) {
  if (a == b) return std::weak_ordering::equivalent;
  return a < b ? std::weak_ordering::less : std::weak_ordering::greater;
}
std::weak_ordering compare(Whole a, double b);
inline std::weak_ordering compare(double a, Whole b) { return 0 <=> compare(b, a); }
inline std::weak_ordering compare(Wide a, Wide b) { return a <=> b; }
std::weak_ordering compare(const Decimal& a, const Decimal& b);
std::weak_ordering compare(const Decimal& a, double b);
inline std::weak_ordering compare(const Decimal& a, Whole b) { return compare(a, Decimal{b, 0}); }
inline std::weak_ordering compare(Whole a, const Decimal& b) { return compare(Decimal{a, 0}, b); }
inline std::weak_ordering compare(double a, const Decimal& b) { return 0 <=> compare(b, a); }
inline std::weak_ordering compare(std::string_view a, std::string_view b) { return a <=> b; }

// round_places: the double nearest to the number rounded to so many decimal places, halves away
// from zero.
// Requires  caller: 0 <= places <= 15.
double round_places(double number, int places);
// as_whole: a double without a fractional part that fits; nothing otherwise.
std::optional<Whole> as_whole(double number);

// Texts are sequences of characters. An invalid byte is a character of its own, and stays as it is.
Whole count_characters(std::string_view text);
std::string_view cut_characters(std::string_view text, Whole first, std::optional<Whole> count);
std::string_view trim(std::string_view text, bool start, bool end);
// join, replace_all: nothing if the result is longer than kMaxTextBytes.
std::optional<std::string> join(std::string_view a, std::string_view b);
std::optional<std::string> replace_all(std::string_view text, std::string_view from,
                                       std::string_view to);

// LikePattern: % stands for any characters, _ for one.
class LikePattern {
 public:
  // read: nothing if an escape character is not followed by %, _ or itself.
  static std::optional<LikePattern> read(std::string_view pattern, std::optional<char32_t> escape);
  // matches: its time is bounded by the product of the lengths.
  bool matches(std::string_view text) const;

 private:
  enum class Kind { kCharacter, kOne, kAny };
  struct Part {
    Kind kind;
    std::string bytes;
  };
  std::vector<Part> parts_;
};

// Dates.
std::optional<Day> add_days(Day day, Whole days);
std::optional<Day> truncate(Day day, DatePart part);
Whole part_of(Day day, DatePart part);

// Timestamps, in local time of a zone. Hours and shorter parts are cut off by the clock that shows
// the instant; longer ones begin at midnight.
std::optional<Instant> truncate(Instant instant, DatePart part, const TimeZone& zone);
std::optional<Whole> part_of(Instant instant, DatePart part, const TimeZone& zone);
std::optional<Day> day_of(Instant instant, const TimeZone& zone);
TimeOfDay time_of(Instant instant, const TimeZone& zone);
// midnight_of: when the day begins.
std::optional<Instant> midnight_of(Day day, const TimeZone& zone);
// Requires  caller: the part is an hour, minute or second.
Whole part_of(TimeOfDay time, DatePart part);

// Casts. Texts are read as the fields of a text file are (release/fields/field_text.h).
std::string write_whole(Whole number);
// write_real: the fewest digits that read as the same double; with an exponent below 0.0001 and
// from 1e15 on. Infinite numbers are inf and -inf.
std::string write_real(double number);
std::string_view write_truth(bool truth);
std::string write_day(Day day);
// write_instant: local time, as in 2026-03-01 10:00:00; with decimals only where there are some.
std::optional<std::string> write_instant(Instant instant, const TimeZone& zone);
std::string write_time(TimeOfDay time);
// write_decimal: with all decimals.
std::string write_decimal(Wide number, int decimals);
std::optional<double> read_finite(std::string_view text);
// round_whole: the nearest whole number, halves away from zero.
std::optional<Whole> round_whole(double number);

}  // namespace lastbit::expression_internal
