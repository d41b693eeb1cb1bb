#include "lastbit/numerics/convolution.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

// With so few numbers that are not 0, adding products one by one is faster.
constexpr std::size_t kFew = 8;
constexpr std::size_t kLimbBits = GMP_NUMB_BITS;

std::size_t longest_bits(std::span<const Integer> numbers) {
  std::size_t most = 0;
  for (const Integer& number : numbers) {
    invariant(number.sign() >= 0, "numbers that are convolved are not negative");
    most = std::max(most, number.bit_length());
  }
  return most;
}

std::size_t count_nonzero(std::span<const Integer> numbers) {
  return static_cast<std::size_t>(
      std::ranges::count_if(numbers, [](const Integer& number) { return number.sign() > 0; }));
}

std::vector<Integer> convolve_few(std::span<const Integer> few, std::span<const Integer> many) {
  std::vector<Integer> result(few.size() + many.size() - 1);
  for (std::size_t i = 0; i < few.size(); ++i) {
    if (few[i].sign() == 0) continue;
    for (std::size_t j = 0; j < many.size(); ++j) result[i + j] += few[i] * many[j];
  }
  return result;
}

// packed: Σ numbers[i]·2^(place·i), for places of whole limbs.
mpz_class packed(std::span<const Integer> numbers, std::size_t limbs_per_place) {
  std::vector<mp_limb_t> limbs(numbers.size() * limbs_per_place, 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const mpz_srcptr number = numbers[i].gmp().get_mpz_t();
    std::copy_n(mpz_limbs_read(number), mpz_size(number),
                limbs.begin() + static_cast<std::ptrdiff_t>(i * limbs_per_place));
  }
  mpz_class result;
  mpz_import(result.get_mpz_t(), limbs.size(), -1, sizeof(mp_limb_t), 0, 0, limbs.data());
  return result;
}

std::vector<Integer> unpacked(const mpz_class& number, std::size_t count,
                              std::size_t limbs_per_place) {
  const mp_limb_t* limbs = mpz_limbs_read(number.get_mpz_t());
  const std::size_t size = mpz_size(number.get_mpz_t());
  std::vector<Integer> result;
  result.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t from = std::min(i * limbs_per_place, size);
    const std::size_t length = std::min(limbs_per_place, size - from);
    mpz_class place;
    mpz_import(place.get_mpz_t(), length, -1, sizeof(mp_limb_t), 0, 0, limbs + from);
    result.emplace_back(std::move(place));
  }
  return result;
}

}  // namespace

std::vector<Integer> convolve(std::span<const Integer> a, std::span<const Integer> b) {
  if (a.empty() || b.empty()) return {};
  // A sum of n products of x and y bits has at most x + y + ⌈log2 n⌉ bits.
  const std::size_t terms = std::min(a.size(), b.size());
  const std::size_t bits = longest_bits(a) + longest_bits(b) + std::bit_width(terms);
  if (count_nonzero(a) <= kFew) return convolve_few(a, b);
  if (count_nonzero(b) <= kFew) return convolve_few(b, a);
  const std::size_t limbs_per_place = bits / kLimbBits + 1;
  const std::size_t count = a.size() + b.size() - 1;
  if (count > Integer::kMaxBits / (limbs_per_place * kLimbBits)) {
    throw Error(ErrorCode::kNotSupported, "convolve", "the sequences are too long",
                "use fewer or shorter numbers");
  }
  mpz_class product = packed(a, limbs_per_place);
  // GMP squares a number that is multiplied by itself, which is faster.
  if (a.data() == b.data() && a.size() == b.size()) {
    product *= product;
  } else {
    product *= packed(b, limbs_per_place);
  }
  return unpacked(product, count, limbs_per_place);
}

}  // namespace lastbit
