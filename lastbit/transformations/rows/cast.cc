#include "lastbit/transformations/rows/cast.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "lastbit/numerics/rounding.h"

namespace lastbit {
namespace {

// 2^63, the first double that no std::int64_t reaches.
constexpr double kTwoTo63 = 0x1p63;

template <class T>
std::optional<T> whole_text(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

template <class T>
std::string written(T value) {
  // 20 characters hold every std::int64_t, and 24 the shortest decimal of every double.
  std::array<char, 32> buffer;
  const auto [stop, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  invariant(error == std::errc(), "32 characters hold every number");
  return std::string(buffer.data(), stop);
}

bool is_word(const std::string& text, std::string_view lower_case) {
  const auto same = [](char letter, char wanted) {
    const bool upper = 'A' <= letter && letter <= 'Z';
    return (upper ? static_cast<char>(letter - 'A' + 'a') : letter) == wanted;
  };
  return std::ranges::equal(text, lower_case, same);
}

std::optional<std::int64_t> to_integer(std::int64_t value) { return value; }
std::optional<std::int64_t> to_integer(bool value) { return value ? 1 : 0; }
std::optional<std::int64_t> to_integer(double value) {
  if (!(-kTwoTo63 <= value && value < kTwoTo63)) return std::nullopt;
  // In range, the conversion cuts off the fraction; it changes nothing only if there is none.
  const auto whole = static_cast<std::int64_t>(value);
  if (static_cast<double>(whole) != value) return std::nullopt;
  return whole;
}
std::optional<std::int64_t> to_integer(const std::string& text) {
  return whole_text<std::int64_t>(text);
}

std::optional<double> to_double(double value) {
  if (std::isnan(value)) return std::nullopt;
  return value;
}
std::optional<double> to_double(bool value) { return value ? 1.0 : 0.0; }
std::optional<double> to_double(std::int64_t value) {
  const auto nearest = static_cast<double>(value);
  // The numbers just below 2^63 round up to it, where converting back is undefined.
  if (nearest >= kTwoTo63 || static_cast<std::int64_t>(nearest) != value) return std::nullopt;
  return nearest;
}
std::optional<double> to_double(const std::string& text) {
  const NearestRounding nearest;  // the C++ library's parser rounds as the processor does
  const auto value = whole_text<double>(text);
  return value ? to_double(*value) : std::nullopt;
}

std::optional<bool> to_boolean(bool value) { return value; }
std::optional<bool> to_boolean(std::int64_t value) {
  if (value != 0 && value != 1) return std::nullopt;
  return value == 1;
}
std::optional<bool> to_boolean(double value) {
  if (value != 0 && value != 1) return std::nullopt;
  return value == 1;
}
std::optional<bool> to_boolean(const std::string& text) {
  if (text == "1" || is_word(text, "true")) return true;
  if (text == "0" || is_word(text, "false")) return false;
  return std::nullopt;
}

std::optional<std::string> to_text(const std::string& text) { return text; }
std::optional<std::string> to_text(bool value) { return value ? "true" : "false"; }
std::optional<std::string> to_text(std::int64_t value) { return written(value); }
std::optional<std::string> to_text(double value) {
  if (std::isnan(value)) return std::nullopt;
  return written(value);
}

}  // namespace

template <CastType To, CastType From>
std::optional<To> cast_value(const From& value) {
  if constexpr (std::same_as<To, std::int64_t>) {
    return to_integer(value);
  } else if constexpr (std::same_as<To, double>) {
    return to_double(value);
  } else if constexpr (std::same_as<To, bool>) {
    return to_boolean(value);
  } else {
    return to_text(value);
  }
}

template std::optional<std::int64_t> cast_value(const std::int64_t&);
template std::optional<std::int64_t> cast_value(const double&);
template std::optional<std::int64_t> cast_value(const bool&);
template std::optional<std::int64_t> cast_value(const std::string&);
template std::optional<double> cast_value(const std::int64_t&);
template std::optional<double> cast_value(const double&);
template std::optional<double> cast_value(const bool&);
template std::optional<double> cast_value(const std::string&);
template std::optional<bool> cast_value(const std::int64_t&);
template std::optional<bool> cast_value(const double&);
template std::optional<bool> cast_value(const bool&);
template std::optional<bool> cast_value(const std::string&);
template std::optional<std::string> cast_value(const std::int64_t&);
template std::optional<std::string> cast_value(const double&);
template std::optional<std::string> cast_value(const bool&);
template std::optional<std::string> cast_value(const std::string&);

}  // namespace lastbit
