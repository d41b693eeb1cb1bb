#include "lastbit/release/fields/field_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <string>
#include <system_error>

#include "lastbit/base/text.h"

namespace lastbit {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the digits from the front and returns how many there were.
std::size_t take_digits(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return false;
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

// Whether a text without a sign is a decimal number.
bool is_decimal(std::string_view text) {
  const std::size_t whole = take_digits(text);
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole + fraction == 0) return false;
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    take_sign(text);
    if (take_digits(text) == 0) return false;
  }
  return text.empty();
}

// exponent_of: what follows the e of a number that is_decimal accepts. Larger ones than any text
// could make up for stand for all of these.
std::int64_t exponent_of(std::string_view exponent) {
  const bool negative = take_sign(exponent);
  std::int64_t power = 0;
  for (const char digit : exponent) {
    if (power < std::int64_t{1} << 40) power = power * 10 + (digit - '0');
  }
  return negative ? -power : power;
}

// Whether a decimal number that is near no double is too large, rather than too small. It is one or
// the other, so its first significant digit decides.
bool is_huge(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_not_of("0.");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  // The number is d × 10^place with 1 <= d < 10, before the exponent.
  const auto place =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) - (first < point ? 1 : 0);
  return place + (e == std::string_view::npos ? 0 : exponent_of(text.substr(e + 1))) > 0;
}

// read_scaled: the number times 10^decimals, if that is whole and has at most 38 digits. The time
// is that of looking at each character a few times, whatever the exponent and however many digits.
std::optional<Int128> read_scaled(std::string_view text, int decimals) {
  const bool negative = take_sign(text);
  if (!is_decimal(text)) return std::nullopt;
  const std::size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const std::size_t first = digits.find_first_not_of("0.");
  if (first == std::string_view::npos) return 0;
  const std::size_t last = digits.find_last_not_of("0.");
  const std::size_t point = std::min(digits.find('.'), digits.size());
  // The number is d × 10^power, and d is what is written from the first digit that is not zero to
  // the last one.
  const bool inside = first < point && point < last;
  const std::size_t size = last - first + (inside ? 0 : 1);
  std::int64_t power =
      static_cast<std::int64_t>(point) - static_cast<std::int64_t>(last) - (last < point ? 1 : 0);
  power += decimals + (e == std::string_view::npos ? 0 : exponent_of(text.substr(e + 1)));
  constexpr std::int64_t kDigits = 38;
  // d does not end with a zero, so that it is a multiple of no power of ten.
  if (power < 0 || size > kDigits || power > kDigits - static_cast<std::int64_t>(size)) {
    return std::nullopt;
  }
  Int128 number = 0;
  for (const char c : digits.substr(first, last - first + 1)) {
    if (c != '.') number = number * 10 + (c - '0');
  }
  number *= power_of_ten(static_cast<int>(power));
  return negative ? -number : number;
}

// TimeReader: takes parts of dates and times from the front of a text.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : text_(text) {}

  bool empty() const { return text_.empty(); }
  bool take(char c) {
    const bool there = text_.starts_with(c);
    if (there) text_.remove_prefix(1);
    return there;
  }
  // day: of yyyy-mm-dd.
  std::optional<std::int64_t> day() {
    constexpr std::size_t kSize = 10;
    if (text_.size() < kSize) return std::nullopt;
    const auto day = read_date(text_.substr(0, kSize));
    // A date may be surrounded by spaces, but not here.
    if (text_[0] == ' ' || text_[0] == '\t') return std::nullopt;
    text_.remove_prefix(kSize);
    return day;
  }
  // micros: of hh:mm, hh:mm:ss and hh:mm:ss.ffffff.
  std::optional<std::int64_t> micros() {
    const auto hours = two_digits(23);
    if (!hours || !take(':')) return std::nullopt;
    const auto minutes = two_digits(59);
    if (!minutes) return std::nullopt;
    std::int64_t result = (*hours * 60 + *minutes) * 60'000'000;
    if (!take(':')) return result;
    const auto seconds = two_digits(59);
    if (!seconds) return std::nullopt;
    result += *seconds * 1'000'000;
    if (!take('.')) return result;
    std::int64_t unit = 1'000'000;
    for (; !text_.empty() && is_digit(text_.front()); text_.remove_prefix(1)) {
      unit /= 10;
      if (unit == 0) return std::nullopt;
      result += (text_.front() - '0') * unit;
    }
    return unit == 1'000'000 ? std::nullopt : std::optional(result);
  }
  // offset: the seconds of Z, +hh and +hh:mm.
  std::optional<std::int64_t> offset() {
    if (take('Z')) return 0;
    const bool negative = text_.starts_with('-');
    if (!take('+') && !take('-')) return std::nullopt;
    const auto hours = two_digits(23);
    if (!hours) return std::nullopt;
    const auto minutes = take(':') ? two_digits(59) : std::optional<std::int64_t>(0);
    if (!minutes) return std::nullopt;
    const std::int64_t seconds = (*hours * 60 + *minutes) * 60;
    return negative ? -seconds : seconds;
  }

 private:
  std::optional<std::int64_t> two_digits(std::int64_t most) {
    if (text_.size() < 2 || !is_digit(text_[0]) || !is_digit(text_[1])) return std::nullopt;
    const std::int64_t number = (text_[0] - '0') * 10 + (text_[1] - '0');
    text_.remove_prefix(2);
    return number <= most ? std::optional(number) : std::nullopt;
  }

  std::string_view text_;
};

// floor_seconds: whole seconds, towards the past.
std::int64_t floor_seconds(std::int64_t micros) {
  constexpr std::int64_t kSecond = 1'000'000;
  return micros / kSecond - (micros % kSecond < 0 ? 1 : 0);
}

}  // namespace

std::optional<std::int64_t> read_integer(std::string_view text) {
  text = trimmed(text);
  std::string_view digits = text;
  take_sign(digits);
  if (digits.empty()) return std::nullopt;
  if (!std::ranges::all_of(digits, is_digit)) {
    const auto number = read_scaled(text, 0);
    if (!number || *number < std::numeric_limits<std::int64_t>::min() ||
        *number > std::numeric_limits<std::int64_t>::max()) {
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*number);
  }
  if (text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  return value;
}

std::optional<double> read_real(std::string_view text) {
  text = trimmed(text);
  const bool negative = take_sign(text);
  if (!is_decimal(text)) return std::nullopt;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) value = is_huge(text) ? std::numeric_limits<double>::infinity() : 0;
  return negative ? -value : value;
}

std::optional<bool> read_boolean(std::string_view text) {
  text = trimmed(text);
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  const auto is = [&](std::string_view word) { return std::ranges::equal(text, word, {}, lower); };
  if (is("true") || text == "1") return true;
  if (is("false") || text == "0") return false;
  return std::nullopt;
}

std::optional<std::int64_t> read_date(std::string_view text) {
  text = trimmed(text);
  constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char c, char form) { return form == 'd' ? is_digit(c) : c == form; };
  if (!std::ranges::equal(text, kForm, fits)) return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = 0;
    for (const char digit : text.substr(at, size)) value = value * 10 + (digit - '0');
    return value;
  };
  const std::chrono::year_month_day date(std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2))));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date).time_since_epoch().count();
}

std::int64_t local_micros(std::int64_t instant, const TimeZone& zone) {
  return instant + zone.offset_at(floor_seconds(instant)) * 1'000'000;
}

std::int64_t from_local(std::int64_t micros, const TimeZone& zone) {
  const std::int64_t seconds = floor_seconds(micros);
  return micros - (seconds - zone.to_utc(seconds)) * 1'000'000;
}

std::optional<std::int64_t> read_timestamp(std::string_view text, const TimeZone& zone) {
  TimeReader reader(trimmed(text));
  const auto day = reader.day();
  if (!day || !(reader.take('T') || reader.take(' '))) return std::nullopt;
  const auto time = reader.micros();
  if (!time) return std::nullopt;
  const std::int64_t local = *day * kDayMicros + *time;
  std::int64_t instant = 0;
  if (reader.empty()) {
    instant = from_local(local, zone);
  } else {
    const auto offset = reader.offset();
    if (!offset || !reader.empty()) return std::nullopt;
    instant = local - *offset * 1'000'000;
  }
  if (instant < kFirstInstant || instant > kLastInstant) return std::nullopt;
  return instant;
}

std::optional<std::int64_t> read_time(std::string_view text) {
  TimeReader reader(trimmed(text));
  const auto time = reader.micros();
  return reader.empty() ? time : std::nullopt;
}

std::optional<Int128> read_decimal(std::string_view text, int decimals) {
  text = trimmed(text);
  // The usual text: so short that nothing overflows, without an exponent, and with no more decimals
  // than the type has.
  constexpr std::size_t kShort = 18;
  std::string_view rest = text;
  const bool negative = take_sign(rest);
  if (rest.size() > kShort || decimals > static_cast<int>(kShort)) {
    return read_scaled(text, decimals);
  }
  std::int64_t number = 0;
  std::size_t digits = 0;
  int missing = decimals;
  bool fraction = false;
  for (const char c : rest) {
    if (is_digit(c)) {
      number = number * 10 + (c - '0');
      ++digits;
      if (fraction) --missing;
    } else if (c == '.' && !fraction) {
      fraction = true;
    } else {
      return read_scaled(text, decimals);
    }
  }
  if (digits == 0 || missing < 0) return read_scaled(text, decimals);
  const Int128 scaled = Int128{number} * power_of_ten(missing);
  return negative ? -scaled : scaled;
}

std::optional<Int128> read_unsigned(std::string_view text) {
  constexpr Int128 kEnd = static_cast<Int128>(1) << 64;
  const auto number = read_decimal(text, 0);
  return number && *number >= 0 && *number < kEnd ? number : std::nullopt;
}

double decimal_to_double(Int128 number, int scale) {
  constexpr Int128 kExact = static_cast<Int128>(1) << 53;
  constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  // Both are exact, and one division rounds once.
  if (number >= -kExact && number <= kExact && scale < static_cast<int>(kPowers.size())) {
    return static_cast<double>(static_cast<std::int64_t>(number)) /
           kPowers[static_cast<std::size_t>(scale)];
  }
  const std::string text = Integer(number).to_string() + "e-" + std::to_string(scale);
  return read_real(text).value_or(0);
}

}  // namespace lastbit
