#include "lastbit/engines/postgres/wire_numeric.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "lastbit/engines/postgres/wire_bytes.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

constexpr int kBase = 10'000;
constexpr int kBaseDigits = 4;
constexpr std::size_t kHeadBytes = 8;
constexpr unsigned kNegative = 0x4000;
constexpr unsigned kNan = 0xC000;
constexpr unsigned kPositiveInfinity = 0xD000;
constexpr unsigned kNegativeInfinity = 0xF000;

// times: with something added; nothing if there are more than 38 digits then.
std::optional<Int128> times(Int128 number, int factor, int plus) {
  if (number > (kDecimalEnd - 1 - plus) / factor) return std::nullopt;
  return number * factor + plus;
}

}  // namespace

std::optional<WireNumeric> read_numeric(std::string_view bytes) {
  if (bytes.size() < kHeadBytes) return std::nullopt;
  WireNumeric number;
  const auto count = wire_integer<std::uint16_t>(bytes);
  number.weight = wire_integer<std::int16_t>(bytes.substr(2));
  const unsigned sign = wire_integer<std::uint16_t>(bytes.substr(4));
  bytes.remove_prefix(kHeadBytes);
  if (bytes.size() != std::size_t{2} * count) return std::nullopt;
  number.negative = sign == kNegative || sign == kNegativeInfinity;
  if (sign == kNan) number.kind = WireNumeric::Kind::kNotANumber;
  if (sign == kPositiveInfinity || sign == kNegativeInfinity) {
    number.kind = WireNumeric::Kind::kInfinity;
  }
  const bool known = sign == 0 || sign == kNegative || number.kind != WireNumeric::Kind::kNumber;
  if (!known) return std::nullopt;
  for (; !bytes.empty(); bytes.remove_prefix(2)) {
    number.digits.push_back(wire_integer<std::int16_t>(bytes));
    if (number.digits.back() < 0 || number.digits.back() >= kBase) return std::nullopt;
  }
  return number;
}

std::optional<Int128> scaled_number(const WireNumeric& number, int scale) {
  if (number.kind != WireNumeric::Kind::kNumber) return std::nullopt;
  Int128 size = 0;
  // The exponent of ten of the last digit that was added, beside the scale.
  int exponent = kBaseDigits * (number.weight + 1) + scale;
  for (const int digit : number.digits) {
    exponent -= kBaseDigits;
    int value = digit;
    int factor = kBase;
    // Digits beyond the scale must be zeros.
    for (int left = std::min(-exponent, kBaseDigits); left > 0; --left) {
      if (value % 10 != 0) return std::nullopt;
      value /= 10;
      factor /= 10;
    }
    const auto sum = times(size, factor, value);
    if (!sum) return std::nullopt;
    size = *sum;
  }
  for (; exponent > 0 && size != 0; --exponent) {
    const auto more = times(size, 10, 0);
    if (!more) return std::nullopt;
    size = *more;
  }
  return number.negative ? -size : size;
}

std::optional<double> nearest_double(const WireNumeric& number) {
  if (number.kind == WireNumeric::Kind::kNotANumber) return std::nullopt;
  if (number.kind == WireNumeric::Kind::kInfinity) {
    const double infinity = std::numeric_limits<double>::infinity();
    return number.negative ? -infinity : infinity;
  }
  std::string text = number.negative ? "-0" : "0";
  for (const int digit : number.digits) text += fmt::format("{:04}", digit);
  const int shift = number.weight + 1 - static_cast<int>(number.digits.size());
  text += fmt::format("e{}", kBaseDigits * shift);
  return read_real(text);
}

}  // namespace lastbit::engine
