#include "lastbit/random/uniform.h"

#include <bit>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

Error empty_range() {
  return Error::bad_parameter("uniform_below", "n", "is not positive", "give n ≥ 1");
}

// Uniform on {0, …, last}; n = last + 1 does not fit in 64 bits when last is the largest.
std::uint64_t uniform_up_to(BitSource& bits, std::uint64_t last) {
  const auto width = static_cast<unsigned>(std::bit_width(last));
  for (;;) {
    const std::uint64_t block = bits.bits(width);
    if (block <= last) return block;
  }
}

Integer block_of(BitSource& bits, std::size_t width) {
  Integer block(bits.bits(static_cast<unsigned>(width % 64)));
  const Integer word = Integer::two_to(64);
  for (std::size_t i = 0; i < width / 64; ++i) block = block * word + Integer(bits.bits(64));
  return block;
}

}  // namespace

std::uint64_t uniform_below(BitSource& bits, std::uint64_t n) {
  if (n == 0) throw empty_range();
  return uniform_up_to(bits, n - 1);
}

Integer uniform_below(BitSource& bits, const Integer& n) {
  if (n.sign() <= 0) throw empty_range();
  const std::size_t width = (n - Integer(1)).bit_length();
  for (;;) {
    Integer block = block_of(bits, width);
    if (block < n) return block;
  }
}

std::int64_t uniform_between(BitSource& bits, std::int64_t lo, std::int64_t hi) {
  if (lo > hi) {
    throw Error::bad_parameter("uniform_between", "lo", "is above hi", "give lo ≤ hi");
  }
  // Unsigned arithmetic is modulo 2^64, so neither the difference nor the sum is lost.
  const auto start = static_cast<std::uint64_t>(lo);
  const std::uint64_t last = static_cast<std::uint64_t>(hi) - start;
  return static_cast<std::int64_t>(start + uniform_up_to(bits, last));
}

}  // namespace lastbit
