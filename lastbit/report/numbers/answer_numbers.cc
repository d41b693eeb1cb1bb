#include "lastbit/report/numbers/answer_numbers.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/numerics/decimal.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::report {
namespace {

constexpr int kMostPlaces = 9;
constexpr std::size_t kMostWholeDigits = 15;
constexpr int kScientificDigits = 4;

// decimal_magnitude: ⌊log10 |value|⌋, as closely as a double tells; only digits depend on it.
int decimal_magnitude(const Rational& value) {
  constexpr double kLeast = 1e-300;
  constexpr double kMost = 1e300;
  const double size = std::clamp(abs(value).up(), kLeast, kMost);
  return static_cast<int>(std::floor(std::log10(size)));
}

// places_for: decimals that show two digits of a positive error.
int places_for(const Rational& error) {
  return std::clamp(1 - decimal_magnitude(error), 0, kMostPlaces + 1);
}

bool is_whole(const AnswerLine& line) {
  if (line.value && !line.value->is_integer()) return false;
  return !line.interval || (line.interval->lower.is_integer() && line.interval->upper.is_integer());
}

// is_large: whether it has more digits before the point than are shown.
bool is_large(const AnswerLine& line) {
  const Rational most(pow(Integer(10), kMostWholeDigits));
  if (line.value && abs(*line.value) >= most) return true;
  return line.interval && (abs(line.interval->lower) >= most || abs(line.interval->upper) >= most);
}

Rational power_of_ten(int exponent) {
  const Rational power = pow(Rational(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Rational(1) / power : power;
}

// scientific_text: as in 3.003e16, to the given place after the point (negative: before it), but
// with at most as many digits as a double has.
std::string scientific_text(const Rational& value, int places, Rounding rounding) {
  constexpr int kMostDigits = 17;
  places = std::min(places, kMostDigits - 1 - decimal_magnitude(value));
  const Integer units = rounded(value * power_of_ten(places), rounding);
  std::string digits = abs(units).to_string();
  if (units.sign() == 0) return digits;
  const int exponent = static_cast<int>(digits.size()) - 1 - places;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.size() > 1) digits.insert(1, ".");
  return fmt::format("{}{}e{}", units.sign() < 0 ? "-" : "", digits, exponent);
}

}  // namespace

NumberStyle NumberStyle::for_error(const Rational& error) {
  return NumberStyle(error.is_integer() ? 0 : places_for(error));
}

NumberStyle NumberStyle::for_values(const std::vector<AnswerLine>& lines) {
  constexpr int kExactPlaces = 6;
  constexpr int kDigits = 4;
  int places = 0;
  Rational largest = 0;
  for (const AnswerLine& line : lines) {
    if (!line.value) continue;
    largest = std::max(largest, abs(*line.value));
    Rational scaled = *line.value * pow(Rational(10), static_cast<unsigned>(places));
    for (; places <= kExactPlaces && !scaled.is_integer(); scaled *= 10) ++places;
  }
  if (places <= kExactPlaces) return NumberStyle(places);
  const int digits = kDigits - 1 - decimal_magnitude(largest);
  return NumberStyle(std::clamp(digits, 0, kMostPlaces + 1));
}

// The median error decides, so that one odd group does not determine the digits of all; if others
// are smaller, they get up to two digits more.
NumberStyle NumberStyle::for_lines(const std::vector<AnswerLine>& lines) {
  std::vector<Rational> errors;
  for (const AnswerLine& line : lines) {
    const auto error = half_width(line);
    if (error && error->sign() > 0) errors.push_back(*error);
  }
  if (errors.empty()) return for_values(lines);
  std::ranges::sort(errors);
  const Rational& median = errors[errors.size() / 2];
  if (std::ranges::any_of(lines, is_large)) {
    const int usual = 1 - decimal_magnitude(median);
    const int finest = 1 - decimal_magnitude(errors.front());
    return NumberStyle(std::clamp(finest, usual, usual + 2), true);
  }
  if (std::ranges::all_of(lines, is_whole)) return NumberStyle(0);
  const int usual = places_for(median);
  return NumberStyle(std::clamp(places_for(errors.front()), usual, usual + 2));
}

std::string NumberStyle::text(const Rational& value, Rounding rounding) const {
  if (scientific_) return scientific_text(value, places_, rounding);
  if (places_ > kMostPlaces) return decimal_text(value, kScientificDigits, rounding);
  const Integer units =
      rounded(value * pow(Rational(10), static_cast<unsigned>(places_)), rounding);
  std::string digits = abs(units).to_string();
  const auto places = static_cast<std::size_t>(places_);
  if (digits.size() > kMostWholeDigits + places)
    return decimal_text(value, kScientificDigits, rounding);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  std::string whole = with_commas(digits.substr(0, digits.size() - places));
  if (places > 0) whole += "." + digits.substr(digits.size() - places);
  return (units.sign() < 0 ? "-" : "") + whole;
}

std::optional<Rational> half_width(const AnswerLine& line) { return farther_end(line); }

std::string error_text(const Rational& error) {
  return NumberStyle::for_error(error).text(error, Rounding::kUp);
}

std::string loss_text(const Rational& loss, Rounding rounding) {
  constexpr std::size_t kShort = 6;
  constexpr std::size_t kShortDecimal = 12;
  const Rational kLeastDecimal(1, 1000);  // below it, 1e-7 is easier to read
  constexpr int kDigits = 6;
  std::string exact = loss.to_string();
  const bool is_decimal = exact.find('/') == std::string::npos && loss >= kLeastDecimal;
  if (exact.size() <= (is_decimal ? kShortDecimal : kShort)) return exact;
  return decimal_text(loss, kDigits, rounding);
}

std::string cost_text(const Cost& cost, Rounding rounding) {
  const bool in_rho = cost.kind() == LossKind::kConcentrated;
  const std::string loss = loss_text(in_rho ? cost.rho() : cost.epsilon(), rounding);
  if (cost.delta().sign() == 0) return loss;
  return fmt::format("{}, {}", loss, loss_text(cost.delta(), rounding));
}

std::string cost_words(const Cost& cost, Rounding rounding) {
  const bool in_rho = cost.kind() == LossKind::kConcentrated;
  const std::string loss = in_rho ? "rho " + loss_text(cost.rho(), rounding)
                                  : "epsilon " + loss_text(cost.epsilon(), rounding);
  if (cost.delta().sign() == 0) return loss;
  return fmt::format("{} and delta {}", loss, loss_text(cost.delta(), rounding));
}

std::string loss_name(const Cost& cost) {
  if (cost.kind() == LossKind::kPure) return "epsilon";
  if (cost.kind() == LossKind::kApproximate) return "epsilon, delta";
  return cost.delta().sign() == 0 ? "rho" : "rho, delta";
}

std::string percent_text(const Rational& probability) {
  constexpr std::size_t kShort = 12;
  constexpr int kDigits = 6;
  const Rational percents = probability * Rational(100);
  const std::string exact = percents.to_string();
  const bool is_short = exact.size() <= kShort && exact.find('/') == std::string::npos;
  // Rounded down: nearly certain is not certain.
  return (is_short ? exact : decimal_text(percents, kDigits, Rounding::kDown)) + " %";
}

double nearest_double(const Rational& value) {
  const double below = value.down();
  const double above = value.up();
  if (!std::isfinite(below) || !std::isfinite(above)) return std::isfinite(below) ? above : below;
  const bool below_is_nearer = value - Rational::exactly(below) <= Rational::exactly(above) - value;
  return below_is_nearer ? below : above;
}

}  // namespace lastbit::report
