// Integer: whole numbers of any size, exact (GMP).
//
// Guarantee      every operation is exact. Proof: proofs/numerics.md#exact
// Not promised   speed on numbers of millions of bits. Powers beyond kMaxBits and texts beyond
//                kMaxTextLength are refused, because GMP ends the process when memory runs out.
#pragma once

#include <gmpxx.h>

#include <compare>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lastbit {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

class Integer {
 public:
  // The most bits that two_to and pow produce, and the longest text that parse reads.
  static constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 28;
  static constexpr std::size_t kMaxTextLength = 100'000;

  Integer() = default;
  // Every built-in integer converts implicitly, because nothing is lost. A double never does: see
  // Rational::exactly.
  template <std::integral T>
    requires(sizeof(T) <= sizeof(long))
  Integer(T value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_signed_v<T>) {
      value_ = static_cast<long>(value);
    } else {
      value_ = static_cast<unsigned long>(value);
    }
  }
  // The two wide types must match exactly; otherwise a double would convert through them.
  template <std::same_as<Int128> T>
  Integer(T value) : Integer(value < 0, magnitude(value)) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<UInt128> T>
  Integer(T value) : Integer(false, value) {}  // NOLINT(google-explicit-constructor)
  template <std::floating_point T>
  Integer(T value) = delete;
  explicit Integer(mpz_class value) : value_(std::move(value)) {}

  // parse: an optional sign and decimal digits; anything else, or a text longer than
  // kMaxTextLength, is a kBadText Error.
  static Integer parse(std::string_view text);
  // two_to: 2^exponent; an exponent beyond kMaxBits is a kBadParameter Error.
  static Integer two_to(std::uint64_t exponent);

  int sign() const { return sgn(value_); }
  // bit_length: the number of bits of |this|; 0 for zero.
  std::size_t bit_length() const;
  bool fits_int64() const { return value_.fits_slong_p(); }
  // to_int64: the value; an Error (kInternal) when it does not fit, so check first.
  std::int64_t to_int64() const;
  std::string to_string() const { return value_.get_str(); }
  const mpz_class& gmp() const { return value_; }

  Integer operator-() const { return Integer(mpz_class(-value_)); }
  Integer& operator+=(const Integer& other) {
    value_ += other.value_;
    return *this;
  }
  Integer& operator-=(const Integer& other) {
    value_ -= other.value_;
    return *this;
  }
  Integer& operator*=(const Integer& other) {
    value_ *= other.value_;
    return *this;
  }
  friend Integer operator+(Integer a, const Integer& b) { return a += b; }
  friend Integer operator-(Integer a, const Integer& b) { return a -= b; }
  friend Integer operator*(Integer a, const Integer& b) { return a *= b; }
  friend bool operator==(const Integer& a, const Integer& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    return cmp(a.value_, b.value_) <=> 0;
  }

 private:
  Integer(bool negative, UInt128 magnitude);
  static UInt128 magnitude(Int128 value) {
    return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
  }

  mpz_class value_;
};

Integer abs(const Integer& a);
// floor_div: ⌊a / b⌋ for b ≠ 0; a zero b is an Error (kInternal), so check first.
Integer floor_div(const Integer& a, const Integer& b);
// floor_mod: a − b·⌊a / b⌋, which has the sign of b or is zero; b ≠ 0 as above.
Integer floor_mod(const Integer& a, const Integer& b);
// pow: base^exponent, with 0^0 = 1; a result that could exceed kMaxBits is a kBadParameter Error.
Integer pow(const Integer& base, unsigned exponent);

}  // namespace lastbit
