#include "lastbit/verify/stability/random_members.h"

#include <algorithm>
#include <cmath>

namespace lastbit::verify {

std::optional<double> ordinary_member(const AllDomain<double>& domain, BitSource& bits) {
  const auto value = std::bit_cast<double>(bits.word());
  return domain.contains(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> ordinary_member(const IntervalDomain<double>& domain, BitSource& bits) {
  // Halves are added so that the width cannot overflow; a rounding error does no harm here.
  const double fraction = std::ldexp(static_cast<double>(bits.bits(53)), -53);
  const double half_width = domain.upper() / 2 - domain.lower() / 2;
  const double value = domain.lower() + half_width * fraction + half_width * fraction;
  return std::clamp(value, domain.lower(), domain.upper());
}

std::optional<std::int64_t> ordinary_member(const AllDomain<std::int64_t>&, BitSource& bits) {
  return static_cast<std::int64_t>(bits.word());
}

std::optional<std::int64_t> ordinary_member(const IntervalDomain<std::int64_t>& domain,
                                            BitSource& bits) {
  return uniform_between(bits, domain.lower(), domain.upper());
}

std::optional<bool> ordinary_member(const AllDomain<bool>&, BitSource& bits) { return bits.bit(); }

std::optional<std::string> ordinary_member(const AllDomain<std::string>&, BitSource& bits) {
  std::string text;
  const auto length = bits.bits(2);
  for (std::uint64_t i = 0; i < length; ++i) text += static_cast<char>('a' + bits.bits(2));
  return text;
}

}  // namespace lastbit::verify
