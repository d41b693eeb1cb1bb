// Any bytes as a field of each type, and as a decimal number.
//
// Checked        the C library, in its own locale, finds the same integers, doubles and dates,
//                wherever its grammar is ours; decimals are compared with exact rationals.
#include <strings.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <ctime>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/fields/field_notation.h"
#include "lastbit/release/fields/field_text.h"
#include "tests/reading/fuzz_support.h"

namespace lastbit::source_testing {
namespace {

std::string trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

bool consists_of(const std::string& text, const char* characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string::npos;
}

// is_short: whether the double of a number is whole only if the number is.
bool is_short(const std::string& word) {
  return word.size() < 15 && word.find_first_of("eE") == std::string::npos;
}

void check_integer(std::string_view text) {
  const std::string word = trim(text);
  std::optional<std::int64_t> expected;
  if (consists_of(word, "+-0123456789")) {
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(word.c_str(), &end, 10);
    if (*end == '\0' && errno == 0) expected = value;
    require(read_integer(text) == expected, "strtoll finds the same integer");
  }
  const auto found = read_integer(text);
  const auto real = read_real(text);
  require(!found || (real && *real == static_cast<double>(*found)), "an integer is a real as well");
  require(
      found || !real || *real != std::floor(*real) || std::abs(*real) >= 0x1p53 || !is_short(word),
      "a real that is whole is an integer");
  const auto wide = read_decimal(text, 0);
  require(!found || (wide && *wide == *found), "an integer is a decimal as well");
  const auto positive = read_unsigned(text);
  require(!found || positive.has_value() == (*found >= 0), "an integer from 0 on is unsigned");
}

std::optional<std::uint64_t> bits_of(std::optional<double> value) {
  if (!value) return std::nullopt;
  return std::bit_cast<std::uint64_t>(*value);
}

void check_real(std::string_view text) {
  const std::string word = trim(text);
  std::optional<double> expected;
  if (consists_of(word, "+-.eE0123456789")) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (*end == '\0') expected = value;
  }
  require(bits_of(read_real(text)) == bits_of(expected), "strtod finds the same double");
}

// A date is there exactly if the calendar leads back to the same text.
void check_date(std::string_view text) {
  const std::string word = trim(text);
  std::optional<std::int64_t> expected;
  int year = 0;
  int month = 0;
  int day = 0;
  if (word.size() == 10 && consists_of(word, "-0123456789") && word[4] == '-' && word[7] == '-' &&
      std::ranges::count(word, '-') == 2 &&
      std::sscanf(word.c_str(), "%4d-%2d-%2d", &year, &month, &day) == 3) {
    std::tm date = {};
    date.tm_year = year - 1900;
    date.tm_mon = month - 1;
    date.tm_mday = day;
    const std::time_t seconds = timegm(&date);
    char back[64];
    std::snprintf(back, sizeof back, "%04d-%02d-%02d", date.tm_year + 1900, date.tm_mon + 1,
                  date.tm_mday);
    if (word == back) expected = seconds / 86'400;
  }
  require(read_date(text) == expected, "timegm finds the same date");
}

// With a comma for a point, numbers are those in which commas and points are exchanged.
void check_notation(std::string_view text) {
  std::string other(text);
  for (char& c : other) c = c == '.' ? ',' : c == ',' ? '.' : c;
  const FieldNotation comma{.decimal = ','};
  require(read_integer(text) == read_integer(other, comma), "a comma may be the point of integers");
  require(bits_of(read_real(text)) == bits_of(read_real(other, comma)),
          "a comma may be the point of reals");
  const FieldNotation grouped{.decimal = ',', .thousands = "."};
  const auto with = read_integer(other, grouped);
  std::erase(other, '.');
  require(!with || with == read_integer(other, comma), "groups change no number");
  const FieldNotation german{.date_format = "%d.%m.%Y"};
  const std::string word = trim(text);
  if (word.size() == 10) {
    const std::string turned =
        word.substr(6, 4) + "-" + word.substr(3, 2) + "-" + word.substr(0, 2);
    const auto day = word[2] == '.' && word[5] == '.' ? read_date(turned) : std::nullopt;
    require(read_date(text, german) == day, "a date has the same parts in another order");
  }
}

void check_boolean(std::string_view text) {
  const std::string word = trim(text);
  // A zero byte ends a text for strcasecmp.
  const bool plain = word.find('\0') == std::string::npos;
  std::optional<bool> expected;
  if (plain && (word == "1" || strcasecmp(word.c_str(), "true") == 0)) expected = true;
  if (plain && (word == "0" || strcasecmp(word.c_str(), "false") == 0)) expected = false;
  require(read_boolean(text) == expected, "a boolean is one of four words");
}

Rational distance(double from, const Rational& to) {
  const Rational difference = Rational::exactly(from) - to;
  return difference < Rational(0) ? -difference : difference;
}

void check_decimal(Int128 number, int scale) {
  const Rational exact(Integer(number), pow(Integer(10), static_cast<unsigned>(scale)));
  const double found = decimal_to_double(number, scale);
  const Rational off = distance(found, exact);
  for (const double to : {-HUGE_VAL, HUGE_VAL}) {
    const Rational other = distance(std::nextafter(found, to), exact);
    require(off <= other, "no other double is nearer");
    const bool even = std::bit_cast<std::uint64_t>(found) % 2 == 0;
    require(off < other || even, "ties go to the even one");
  }
}

// A number of the first bytes, shifted so that small ones come as well, and a scale.
void check_decimal(std::string_view text) {
  if (text.size() < 3) return;
  UInt128 bits = 0;
  const std::string_view bytes = text.substr(2, 16);
  for (const char c : bytes) bits = bits << 8 | static_cast<unsigned char>(c);
  check_decimal(static_cast<Int128>(bits), static_cast<unsigned char>(text[0]) % 39);
  check_decimal(static_cast<Int128>(bits) >> (static_cast<unsigned char>(text[1]) % 128),
                static_cast<unsigned char>(text[0]) % 39);
}

}  // namespace
}  // namespace lastbit::source_testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace lastbit::source_testing;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_integer(text);
  check_notation(text);
  check_boolean(text);
  check_date(text);
  check_real(text);
  check_decimal(text);
  return 0;
}
