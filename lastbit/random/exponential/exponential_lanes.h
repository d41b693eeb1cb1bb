// One lane of the fast path: E = −ln U in doubles, and what is asked of it, each with a proven bound
// on the distance from the real number. For this module and its tests and benchmarks only.
//
// These are plain functions of one lane without branches, so that a compiler turns a loop over them
// into vector instructions for the processor that it compiles for. Every operation is a single IEEE
// operation rounded to nearest; none is fused. So all processors get the same bits, and one bound
// holds for all.
// Proof: proofs/exponential.md#logarithm, proofs/exponential.md#fast
#pragma once

#include <bit>
#include <cfloat>
#include <cstdint>

namespace lastbit::exponential_internal {

static_assert(FLT_EVAL_METHOD == 0 && DBL_MANT_DIG == 53, "doubles must be binary64, rounded once");

// A word is a sign (its lowest bit) and the first 63 bits of U. Only words of at least 2^48, that
// is U ≥ 2^−16, are answered here: below, the bits not drawn yet matter too much. So E < kMaxE.
inline constexpr double kSmallestWord = 0x1p48;
inline constexpr double kMaxE = 11.1;

// kLogError: for every word of at least kSmallestWord and every U that begins with its bits,
// |lane_log(word) − E| ≤ kLogError.
inline constexpr double kLogError = 0x1p-47;

// For |s| ≤ 0.171573, s·(2 + s²·(c1 + s²·(c2 + …))) is within 2^−54 of ln((1 + s)/(1 − s)). The
// coefficients are a minimax fit; tests/gappa confirms the bound and the rounding errors.
inline constexpr double kAtanh[] = {0x1.5555555551f91p-1, 0x1.999999a786a41p-2,
                                    0x1.24923ed2790a1p-2, 0x1.c723c06c71d92p-3,
                                    0x1.730726cc2de0ap-3, 0x1.5a0abe0da31cdp-3};
inline constexpr double kLn2 = 0x1.62e42fefa39efp-1;
inline constexpr double kRootHalf = 0x1.6a09e667f3bcdp-1;

// lane_word: the middle of the numbers U·2^64 that begin with the bits of `word`, rounded to a
// double. The two halves of the word become doubles by writing them below the leading bit of
// 2^84 and 2^52; only the last addition rounds.
[[gnu::always_inline]] inline double lane_word(std::uint64_t word) {
  const std::uint64_t middle = word | 1;
  const auto high = std::bit_cast<double>((middle >> 32) | std::bit_cast<std::uint64_t>(0x1p84));
  const auto low =
      std::bit_cast<double>((middle & 0xffff'ffff) | std::bit_cast<std::uint64_t>(0x1p52));
  return (high - (0x1p84 + 0x1p52)) + low;
}

// lane_log: −ln(middle·2^−64), for a `middle` made by lane_word.
[[gnu::always_inline]] inline double lane_log(double middle) {
  // middle = 2^k·m with √½ ≤ m < √2: subtracting √½ as a bit pattern puts k above the mantissa.
  const auto bits = std::bit_cast<std::uint64_t>(middle);
  const std::uint64_t k = (bits - std::bit_cast<std::uint64_t>(kRootHalf)) >> 52;
  const auto m = std::bit_cast<double>(bits - (k << 52));
  const double halvings =
      (0x1p52 + 64.0) - std::bit_cast<double>(k | std::bit_cast<std::uint64_t>(0x1p52));
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double sum = kAtanh[5];
  sum = sum * z + kAtanh[4];
  sum = sum * z + kAtanh[3];
  sum = sum * z + kAtanh[2];
  sum = sum * z + kAtanh[1];
  sum = sum * z + kAtanh[0];
  sum = sum * z + 2.0;
  return halvings * kLn2 - s * sum;
}

// PlainLog: the logarithm as it is. Tests replace it with one that errs as far as kLogError allows.
struct PlainLog {
  [[gnu::always_inline]] double operator()(std::uint64_t /*word*/, double middle) const {
    return lane_log(middle);
  }
};

// LaneScale: the exact factor c of E as the double nearest to it, and how far a lane may then be
// off. Proof: proofs/exponential.md#fast
struct LaneScale {
  double scale;
  double certain;       // fraction ± c·E rounds to a whole number at most this far from it
  double affine_error;  // of c·E
};

[[gnu::always_inline]] inline double lane_abs(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7fff'ffff'ffff'ffff);
}

// 0 or 1, to be combined over lanes. "Not below", not "at least": a NaN is never sure.
[[gnu::always_inline]] inline std::uint64_t lane_not_below(double x, double bound) {
  return x < bound ? 0U : 1U;
}
[[gnu::always_inline]] inline std::uint64_t lane_too_small(double middle) {
  return middle >= kSmallestWord ? 0U : 1U;
}

// LaneWhole: a whole number, correct unless it is unsure.
struct LaneWhole {
  std::uint64_t whole;  // the bits of an int64
  std::uint64_t unsure;
};

// lane_nearest: the whole number nearest to y, |y| < 2^50; unsure unless y is within `certain` of it.
[[gnu::always_inline]] inline LaneWhole lane_nearest(double y, double certain, double middle) {
  // Doubles near 1.5·2^52 are whole and their bit patterns consecutive, so this rounds y to the
  // nearest whole number and leaves that in the low bits. The difference from y is exact.
  constexpr double kMagic = 0x1.8p52;
  const double shifted = y + kMagic;
  const double distance = lane_abs(y - (shifted - kMagic));
  return {std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kMagic),
          lane_not_below(distance, certain) | lane_too_small(middle)};
}

// lane_round_signed: ⌊fraction ± c·E + ½⌋, the sign being the lowest bit of the word. Away from ties
// that is the nearest whole number.
template <class Log = PlainLog>
[[gnu::always_inline]] inline LaneWhole lane_round_signed(std::uint64_t word, double fraction,
                                                          const LaneScale& c, Log log = {}) {
  const double middle = lane_word(word);
  const double noise = c.scale * log(word, middle);
  const auto signed_noise =
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(noise) ^ (word << 63));
  return lane_nearest(fraction + signed_noise, c.certain, middle);
}

// lane_floor_scaled: ⌊c·E⌋.
template <class Log = PlainLog>
[[gnu::always_inline]] inline LaneWhole lane_floor_scaled(std::uint64_t word, const LaneScale& c,
                                                          Log log = {}) {
  const double middle = lane_word(word);
  return lane_nearest(c.scale * log(word, middle) - 0.5, c.certain, middle);
}

// lane_excess: E − x, whose sign is certain unless it is unsure; `error` is at least twice the sum
// of kLogError and the error of x.
struct LaneExcess {
  double excess;
  std::uint64_t unsure;
};
template <class Log = PlainLog>
[[gnu::always_inline]] inline LaneExcess lane_excess(std::uint64_t word, double x, double error,
                                                     Log log = {}) {
  const double middle = lane_word(word);
  const double excess = log(word, middle) - x;
  return {excess, (lane_abs(excess) > error ? 0U : 1U) | lane_too_small(middle)};
}

// lane_bounds: two numbers with a + c·E between them, unless it is unsure; infinite or NaN where
// doubles do not suffice.
struct LaneBounds {
  double lower;
  double upper;
  std::uint64_t unsure;
};
template <class Log = PlainLog>
[[gnu::always_inline]] inline LaneBounds lane_bounds(std::uint64_t word, double a,
                                                     const LaneScale& c, Log log = {}) {
  const double middle = lane_word(word);
  const double value = a + c.scale * log(word, middle);
  const double error = lane_abs(value) * 0x1p-51 + c.affine_error;
  return {value - error, value + error, lane_too_small(middle)};
}

}  // namespace lastbit::exponential_internal
