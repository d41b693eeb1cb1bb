#include "lastbit/engines/kernel/instant_field.h"

#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

// whole_micros: nothing if it does not fit in 64 bits.
std::optional<std::int64_t> whole_micros(std::int64_t number, int digits) {
  if (digits > 6) {
    const auto parts = static_cast<std::int64_t>(power_of_ten(digits - 6));
    return number / parts - (number % parts < 0 ? 1 : 0);
  }
  std::int64_t micros = 0;
  const auto factor = static_cast<std::int64_t>(power_of_ten(6 - digits));
  if (__builtin_mul_overflow(number, factor, &micros)) return std::nullopt;
  return micros;
}

}  // namespace

std::optional<std::int64_t> day_field(std::int64_t days) {
  return days >= kFirstDay && days <= kLastDay ? std::optional(days) : std::nullopt;
}

std::optional<std::int64_t> time_field(std::int64_t number, int digits) {
  const auto micros = whole_micros(number, digits);
  return micros && *micros >= 0 && *micros < kDayMicros ? micros : std::nullopt;
}

// Local time may differ from UTC by more than a day, but not from what can be added to without
// overflow.
std::optional<std::int64_t> instant_field(std::int64_t number, int digits, const TimeZone* zone) {
  auto micros = whole_micros(number, digits);
  if (!micros) return std::nullopt;
  if (zone != nullptr) {
    const bool near = *micros >= kFirstInstant - kDayMicros && *micros <= kLastInstant + kDayMicros;
    if (!near) return std::nullopt;
    micros = from_local(*micros, *zone);
  }
  return *micros >= kFirstInstant && *micros <= kLastInstant ? micros : std::nullopt;
}

}  // namespace lastbit::engine
