#include "lastbit/numerics/integer.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

void require_size(std::uint64_t bits, std::string_view place) {
  if (bits <= Integer::kMaxBits) return;
  throw Error::bad_parameter(place, "exponent",
                             fmt::format("gives a number of more than {} bits", Integer::kMaxBits),
                             "give a smaller exponent");
}

}  // namespace

Integer::Integer(bool negative, UInt128 magnitude) {
  value_ = static_cast<unsigned long>(magnitude >> 64);
  value_ <<= 64;
  value_ += static_cast<unsigned long>(magnitude);
  if (negative) value_ = -value_;
}

Integer Integer::parse(std::string_view text) {
  if (text.size() > kMaxTextLength) {
    throw Error(ErrorCode::kBadText, "integer", quote(text) + " is too long",
                fmt::format("write at most {} characters", kMaxTextLength));
  }
  const bool has_sign = !text.empty() && (text[0] == '-' || text[0] == '+');
  const std::string_view digits = text.substr(has_sign ? 1 : 0);
  const bool all_digits = std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
  if (digits.empty() || !all_digits) {
    throw Error(ErrorCode::kBadText, "integer", quote(text) + " is not a whole number",
                "write digits with an optional sign, such as 42 or -7");
  }
  mpz_class value{std::string(digits), 10};
  if (text[0] == '-') value = -value;
  return Integer(std::move(value));
}

Integer Integer::two_to(std::uint64_t exponent) {
  require_size(exponent, "two_to");
  mpz_class value;
  mpz_setbit(value.get_mpz_t(), exponent);
  return Integer(std::move(value));
}

std::size_t Integer::bit_length() const {
  return sign() == 0 ? 0 : mpz_sizeinbase(value_.get_mpz_t(), 2);
}

std::int64_t Integer::to_int64() const {
  invariant(fits_int64(), "an Integer was narrowed to 64 bits without asking whether it fits");
  return value_.get_si();
}

Integer abs(const Integer& a) { return Integer(mpz_class(abs(a.gmp()))); }

Integer floor_div(const Integer& a, const Integer& b) {
  invariant(b.sign() != 0, "division of an Integer by zero");
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), a.gmp().get_mpz_t(), b.gmp().get_mpz_t());
  return Integer(std::move(quotient));
}

Integer floor_mod(const Integer& a, const Integer& b) {
  invariant(b.sign() != 0, "division of an Integer by zero");
  mpz_class remainder;
  mpz_fdiv_r(remainder.get_mpz_t(), a.gmp().get_mpz_t(), b.gmp().get_mpz_t());
  return Integer(std::move(remainder));
}

Integer pow(const Integer& base, unsigned exponent) {
  // |base| < 2^length, so |base|^exponent < 2^(length·exponent); 0 and ±1 never grow.
  const std::uint64_t length = base.bit_length();
  if (length > 1) require_size(length <= Integer::kMaxBits ? length * exponent : length, "pow");
  mpz_class power;
  mpz_pow_ui(power.get_mpz_t(), base.gmp().get_mpz_t(), exponent);
  return Integer(std::move(power));
}

}  // namespace lastbit
