#include "lastbit/report/numbers/number_text.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "lastbit/report/numbers/decimal_text.h"

namespace lastbit::report {

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
  if (exact.size() <= kShort) return exact;
  const double near = value.down();
  // Beyond the doubles the nearest one would be another number.
  constexpr double kLarge = 1e300;
  constexpr double kSmall = 1e-300;
  const bool ordinary = std::abs(near) < kLarge && std::abs(near) > kSmall;
  return ordinary ? fmt::format("{:.6g}", near) : decimal_text(value, 6, Toward::kDown);
}

std::string at_most_text(double value) {
  std::string nearest = fmt::format("{:.6g}", value);
  if (!std::isfinite(value) || Rational::parse(nearest) >= Rational::exactly(value)) return nearest;
  const std::string scientific = fmt::format("{:.5e}", value);
  const int exponent = std::stoi(scientific.substr(scientific.find('e') + 1));
  const Rational last_place = Rational::parse(fmt::format("1e{}", exponent - 5));
  return fmt::format("{:.6g}", (Rational::parse(nearest) + last_place).up());
}

std::string at_least_text(double value) {
  const std::string opposite = at_most_text(-value);
  if (opposite == "0" || opposite == "-0") return "0";
  return opposite.starts_with('-') ? opposite.substr(1) : "-" + opposite;
}

std::string signed_text(double value) { return fmt::format("{:.6g}", value); }

std::string grid_text(const Grid& grid) { return fmt::format("2^{}", grid.exponent()); }

nlohmann::ordered_json json_of(const std::optional<Rational>& value) {
  if (!value) return nullptr;
  return value->to_string();
}

}  // namespace lastbit::report
