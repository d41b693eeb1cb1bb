#include "lastbit/report/numbers/number_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "lastbit/numerics/decimal.h"

namespace lastbit::report {
namespace {

constexpr int kShownDigits = 6;

std::string six_digits(double value, Rounding rounding) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  return decimal_text(Rational::exactly(value), kShownDigits, rounding);
}

}  // namespace

std::string exact_text(const Rational& value) {
  constexpr std::size_t kMostDecimals = 60;
  const Integer denominator = value.denominator();
  const std::size_t decimals = denominator.bit_length() - 1;
  const bool binary = denominator == Integer::two_to(decimals);
  if (!binary || decimals == 0 || decimals > kMostDecimals) return value.to_string();
  // n/2^k = n·5^k/10^k.
  const Integer scaled = abs(value.numerator()) * pow(Integer(5), static_cast<unsigned>(decimals));
  std::string digits = scaled.to_string();
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  digits.insert(digits.size() - decimals, ".");
  return (value.sign() < 0 ? "-" : "") + digits;
}

std::string short_text(const Rational& value) {
  constexpr std::size_t kShort = 12;
  std::string exact = value.to_string();
  return exact.size() <= kShort ? exact : decimal_text(value, kShownDigits, Rounding::kDown);
}

std::string at_most_text(double value) { return six_digits(value, Rounding::kUp); }

std::string at_least_text(double value) { return six_digits(value, Rounding::kDown); }

std::string signed_text(double value) { return six_digits(value, Rounding::kNearestEven); }

std::string binary_text(const Rational& value) {
  constexpr std::size_t kShort = 24;
  constexpr int kMostDigits = 15;
  std::string exact = value.is_integer()
                          ? value.to_string()
                          : value.numerator().to_string() + "/" + value.denominator().to_string();
  if (exact.size() <= kShort) return exact;
  return fmt::format("{} (a multiple of 2^{})", decimal_text(value, kMostDigits, Rounding::kDown),
                     binary_fraction(value).exponent);
}

std::string with_commas(std::string number) {
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  std::size_t end = std::min(number.find_first_not_of("0123456789", first), number.size());
  for (; end > first + 3; end -= 3) number.insert(end - 3, ",");
  return number;
}

std::string grouped(std::uint64_t number) { return with_commas(std::to_string(number)); }

std::string duration(double seconds) {
  if (seconds < 0.001) return "<1 ms";
  return seconds < 1 ? fmt::format("{:.0f} ms", seconds * 1000) : fmt::format("{:.1f} s", seconds);
}

std::string grid_text(const Grid& grid) { return fmt::format("2^{}", grid.exponent()); }

nlohmann::ordered_json json_of(const std::optional<Rational>& value) {
  if (!value) return nullptr;
  return value->to_string();
}

}  // namespace lastbit::report
