#include "lastbit/verify/stability/show.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/base/text.h"

namespace lastbit::verify {

std::string show(double value) {
  if (!std::isnan(value)) return fmt::format("{}", value);
  const bool usual = identical(value, std::numeric_limits<double>::quiet_NaN());
  return usual ? "NaN" : fmt::format("NaN({:#x})", std::bit_cast<std::uint64_t>(value));
}

std::string show(std::int64_t value) { return fmt::format("{}", value); }

std::string show(bool value) { return value ? "true" : "false"; }

std::string show(const std::string& value) { return quote(value); }

std::string show(const Rational& value) { return value.to_string(); }

}  // namespace lastbit::verify
