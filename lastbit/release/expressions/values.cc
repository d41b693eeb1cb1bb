#include "lastbit/release/expressions/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <utility>

#include "lastbit/base/utf8.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::expression_internal {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr double kTwoTo63 = 9'223'372'036'854'775'808.0;

std::optional<Day> as_day(Whole number) {
  if (number < kFirstDay || number > kLastDay) return std::nullopt;
  return Day{number};
}
year_month_day calendar(Day day) { return year_month_day(sys_days(std::chrono::days(day.number))); }
Whole number_of(const year_month_day& date) { return sys_days(date).time_since_epoch().count(); }

// weekday_of: 1 for Monday to 7 for Sunday.
Whole weekday_of(Day day) {
  return std::chrono::weekday(sys_days(std::chrono::days(day.number))).iso_encoding();
}

}  // namespace

std::weak_ordering compare(Whole a, double b) {
  if (b >= kTwoTo63) return std::weak_ordering::less;
  if (b < -kTwoTo63) return std::weak_ordering::greater;
  const double below = std::floor(b);
  const auto whole = static_cast<Whole>(below);  // exact: it is whole and in range
  if (a != whole) return a <=> whole;
  return below < b ? std::weak_ordering::less : std::weak_ordering::equivalent;
}

std::weak_ordering compare(const Decimal& a, const Decimal& b) {
  if (a.decimals > b.decimals) return 0 <=> compare(b, a);
  Wide scaled = 0;
  if (__builtin_mul_overflow(a.number, power_of_ten(b.decimals - a.decimals), &scaled)) {
    return a.number <=> 0;  // its magnitude is beyond that of any decimal
  }
  return scaled <=> b.number;
}

std::weak_ordering compare(const Decimal& a, double b) {
  if (std::isinf(b)) return b > 0 ? std::weak_ordering::less : std::weak_ordering::greater;
  return Rational(Integer(a.number)) <=>
         Rational::exactly(b) * Rational(Integer(power_of_ten(a.decimals)));
}

std::optional<Wide> rescale(Wide number, int from, int to) {
  if (to >= from) return multiply(number, power_of_ten(to - from));
  const Wide divisor = power_of_ten(from - to);
  const Wide rest = number % divisor;
  const Wide away = rest * 2 >= divisor ? 1 : rest * 2 <= -divisor ? -1 : 0;
  return number / divisor + away;
}

std::optional<Wide> round_places(Wide number, int decimals, int places) {
  if (places >= decimals) return number;
  const auto rounded = rescale(number, decimals, places);
  return rounded ? rescale(*rounded, places, decimals) : std::nullopt;
}

namespace {
std::optional<Whole> narrowed(Wide number) {
  const bool fits =
      number >= std::numeric_limits<Whole>::min() && number <= std::numeric_limits<Whole>::max();
  return fits ? std::optional(static_cast<Whole>(number)) : std::nullopt;
}
}  // namespace

std::optional<Whole> floor_whole(Wide number, int decimals) {
  const Wide divisor = power_of_ten(decimals);
  return narrowed(number / divisor - (number % divisor < 0 ? 1 : 0));
}
std::optional<Whole> ceil_whole(Wide number, int decimals) {
  const Wide divisor = power_of_ten(decimals);
  return narrowed(number / divisor + (number % divisor > 0 ? 1 : 0));
}
std::optional<Whole> round_whole(Wide number, int decimals) {
  const auto rounded = rescale(number, decimals, 0);
  return rounded ? narrowed(*rounded) : std::nullopt;
}

std::optional<Wide> round_decimal(double number, int decimals) {
  if (!std::isfinite(number) || std::abs(number) >= 1e38) return std::nullopt;
  const Rational scaled =
      Rational::exactly(std::abs(number)) * Rational(Integer(power_of_ten(decimals)));
  const Integer rounded = (scaled + Rational(1, 2)).floor();
  const auto magnitude = read_decimal(rounded.to_string(), 0);
  return magnitude && number < 0 ? -*magnitude : magnitude;
}

double round_places(double number, int places) {
  int exponent = 0;
  const double fraction = std::frexp(std::abs(number), &exponent);
  exponent -= 53;
  // |number| is mantissa · 2^exponent, and whole from exponent 0 on.
  if (!std::isfinite(number) || exponent >= 0) return number;
  Int128 scaled = static_cast<Whole>(std::ldexp(fraction, 53));
  for (int i = 0; i < places; ++i) scaled *= 10;  // below 2^53 · 10^15 < 2^103
  Int128 rounded = 0;
  if (exponent > -120)
    rounded = (scaled + (static_cast<Int128>(1) << (-exponent - 1))) >> -exponent;
  return std::copysign(decimal_to_double(rounded, places), number);
}

std::optional<Whole> as_whole(double number) {
  if (!(number >= -kTwoTo63 && number < kTwoTo63) || number != std::floor(number)) {
    return std::nullopt;
  }
  return static_cast<Whole>(number);
}

Whole count_characters(std::string_view text) {
  Whole count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(read_character(text).bytes);
  return count;
}

std::string_view cut_characters(std::string_view text, Whole first, std::optional<Whole> count) {
  if (count && *count <= 0) return {};
  // Positions before 1 count, as in SQL, so that substring('abc', 0, 2) is 'a'.
  const std::optional<Whole> end = count ? add(first, *count) : std::nullopt;
  Whole position = 1;
  std::size_t start = text.size();
  std::size_t at = 0;
  while (at < text.size() && !(end && position >= *end)) {
    if (position >= first) start = std::min(start, at);
    at += read_character(text.substr(at)).bytes;
    ++position;
  }
  return start < at ? text.substr(start, at - start) : std::string_view();
}

std::string_view trim(std::string_view text, bool start, bool end) {
  if (start) text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (end) text = text.substr(0, text.find_last_not_of(' ') + 1);
  return text;
}

std::optional<std::string> join(std::string_view a, std::string_view b) {
  if (a.size() + b.size() > kMaxTextBytes) return std::nullopt;
  return std::string(a).append(b);
}

std::optional<std::string> replace_all(std::string_view text, std::string_view from,
                                       std::string_view to) {
  if (from.empty()) return std::string(text);
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t found = text.find(from, at);
    result += text.substr(at, found - at);
    if (found != std::string_view::npos) result += to;
    if (result.size() > kMaxTextBytes) return std::nullopt;
    if (found == std::string_view::npos) return result;
    at = found + from.size();
  }
}

std::optional<LikePattern> LikePattern::read(std::string_view pattern,
                                             std::optional<char32_t> escape) {
  LikePattern result;
  while (!pattern.empty()) {
    Character character = read_character(pattern);
    const bool escaped = escape && character.point == *escape;
    if (escaped) {
      pattern.remove_prefix(character.bytes);
      if (pattern.empty()) return std::nullopt;
      character = read_character(pattern);
      if (character.point != U'%' && character.point != U'_' && character.point != *escape) {
        return std::nullopt;
      }
    }
    const std::string_view bytes = pattern.substr(0, character.bytes);
    Kind kind = Kind::kCharacter;
    if (!escaped && bytes == "%") kind = Kind::kAny;
    if (!escaped && bytes == "_") kind = Kind::kOne;
    result.parts_.push_back({kind, std::string(bytes)});
    pattern.remove_prefix(character.bytes);
  }
  return result;
}

bool LikePattern::matches(std::string_view text) const {
  // After a mismatch the last % takes one character more; earlier ones need not change.
  std::size_t part = 0;
  std::size_t at = 0;
  std::optional<std::size_t> after_any;
  std::size_t retry = 0;
  while (at < text.size()) {
    const std::size_t bytes = read_character(text.substr(at)).bytes;
    if (part < parts_.size()) {
      const Part& next = parts_[part];
      if (next.kind == Kind::kAny) {
        after_any = ++part;
        retry = at;
        continue;
      }
      if (next.kind == Kind::kOne || text.substr(at, bytes) == next.bytes) {
        ++part;
        at += bytes;
        continue;
      }
    }
    if (!after_any) return false;
    part = *after_any;
    retry += read_character(text.substr(retry)).bytes;
    at = retry;
  }
  while (part < parts_.size() && parts_[part].kind == Kind::kAny) ++part;
  return part == parts_.size();
}

std::optional<Day> add_days(Day day, Whole days) {
  const auto sum = add(day.number, days);
  return sum ? as_day(*sum) : std::nullopt;
}

std::optional<Day> truncate(Day day, DatePart part) {
  const year_month_day date = calendar(day);
  switch (part) {
    case DatePart::kWeek:
      return as_day(day.number - weekday_of(day) + 1);
    case DatePart::kMonth:
      return as_day(number_of(date.year() / date.month() / 1));
    case DatePart::kQuarter: {
      const unsigned month = (static_cast<unsigned>(date.month()) - 1) / 3 * 3 + 1;
      return as_day(number_of(date.year() / std::chrono::month(month) / 1));
    }
    case DatePart::kYear:
      return as_day(number_of(date.year() / std::chrono::January / 1));
    default:
      break;
  }
  return day;
}

Whole part_of(Day day, DatePart part) {
  const year_month_day date = calendar(day);
  switch (part) {
    case DatePart::kDay:
      return static_cast<unsigned>(date.day());
    case DatePart::kWeek: {
      // The week of a day is that of its Thursday, counted from the Thursday's new year.
      const Day thursday{day.number - weekday_of(day) + 4};
      const Whole new_year = number_of(calendar(thursday).year() / std::chrono::January / 1);
      return (thursday.number - new_year) / 7 + 1;
    }
    case DatePart::kMonth:
      return static_cast<unsigned>(date.month());
    case DatePart::kQuarter:
      return (static_cast<unsigned>(date.month()) - 1) / 3 + 1;
    case DatePart::kYear:
      return static_cast<int>(date.year());
    case DatePart::kWeekday:
      return weekday_of(day);
    default:
      break;
  }
  return day.number - number_of(date.year() / std::chrono::January / 1) + 1;
}

namespace {

// micros_in: the length of a part of a day; nothing if it is longer.
std::optional<std::int64_t> micros_in(DatePart part) {
  switch (part) {
    case DatePart::kHour:
      return 3'600'000'000;
    case DatePart::kMinute:
      return 60'000'000;
    case DatePart::kSecond:
      return 1'000'000;
    default:
      return std::nullopt;
  }
}

std::int64_t floor_modulo(std::int64_t number, std::int64_t divisor) {
  const std::int64_t rest = number % divisor;
  return rest < 0 ? rest + divisor : rest;
}

std::optional<Instant> as_instant(std::int64_t micros) {
  if (micros < kFirstInstant || micros > kLastInstant) return std::nullopt;
  return Instant{micros};
}

}  // namespace

std::optional<Day> day_of(Instant instant, const TimeZone& zone) {
  const std::int64_t local = local_micros(instant.micros, zone);
  return as_day((local - floor_modulo(local, kDayMicros)) / kDayMicros);
}

TimeOfDay time_of(Instant instant, const TimeZone& zone) {
  return {floor_modulo(local_micros(instant.micros, zone), kDayMicros)};
}

std::optional<Instant> midnight_of(Day day, const TimeZone& zone) {
  return as_instant(from_local(day.number * kDayMicros, zone));
}

std::optional<Instant> truncate(Instant instant, DatePart part, const TimeZone& zone) {
  if (const auto length = micros_in(part)) {
    return as_instant(instant.micros - floor_modulo(local_micros(instant.micros, zone), *length));
  }
  const auto day = day_of(instant, zone);
  const auto start = day ? truncate(*day, part) : std::nullopt;
  return start ? midnight_of(*start, zone) : std::nullopt;
}

std::optional<Whole> part_of(Instant instant, DatePart part, const TimeZone& zone) {
  if (micros_in(part)) return part_of(time_of(instant, zone), part);
  const auto day = day_of(instant, zone);
  return day ? std::optional(part_of(*day, part)) : std::nullopt;
}

Whole part_of(TimeOfDay time, DatePart part) {
  const std::int64_t whole = time.micros / micros_in(part).value_or(1);
  return part == DatePart::kHour ? whole : whole % 60;
}

std::string write_whole(Whole number) { return fmt::format("{}", number); }

std::string write_real(double number) {
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  std::array<char, 32> digits = {};  // the longest are -1.2345678901234567e-308 and -0.00012…
  const double size = std::abs(number);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e15);
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {digits.begin(), std::to_chars(digits.begin(), digits.end(), number, form).ptr};
}

std::string_view write_truth(bool truth) { return truth ? "true" : "false"; }

std::string write_day(Day day) {
  const year_month_day date = calendar(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string write_time(TimeOfDay time) {
  const std::int64_t seconds = time.micros / 1'000'000;
  std::string text =
      fmt::format("{:02}:{:02}:{:02}", seconds / 3'600, seconds / 60 % 60, seconds % 60);
  const std::int64_t micros = time.micros % 1'000'000;
  if (micros == 0) return text;
  text += fmt::format(".{:06}", micros);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

std::optional<std::string> write_instant(Instant instant, const TimeZone& zone) {
  const auto day = day_of(instant, zone);
  if (!day) return std::nullopt;
  return write_day(*day) + " " + write_time(time_of(instant, zone));
}

std::string write_decimal(Wide number, int decimals) {
  std::string digits = Integer(number < 0 ? -number : number).to_string();
  const auto places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, ".");
  return number < 0 ? "-" + digits : digits;
}

std::optional<double> read_finite(std::string_view text) {
  const auto number = read_real(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<Whole> round_whole(double number) { return as_whole(std::round(number)); }

}  // namespace lastbit::expression_internal
