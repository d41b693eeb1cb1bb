// Recorded bits in place of random ones, for tests only, never for a release.
//
// A tape is a BitSource, so a sampler cannot tell it from a secure source. When a finite tape ends,
// drawing is a kTapeEnded Error; no bit is made up. After a fork both sides go on reading the same
// tape.
//
// bit() and bits() cut words of their own from the tape, 64 bits at a time (or what is left, at the
// end of a tape of bits), so after mixing them with word(), later bits get the rest of such a word.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

namespace lastbit::testing {

// tape_of_bits: the bits, written as '0' and '1', are drawn in that order; word() takes the next
// 64. The tape ends exactly after its last bit. Any other character is a kBadText Error.
BitSource tape_of_bits(std::string_view bits);

// tape_of_words: these words in this order; bits() takes the highest bit of a word first.
BitSource tape_of_words(std::span<const std::uint64_t> words);
BitSource tape_of_words(std::initializer_list<std::uint64_t> words);

// seeded_tape: an endless stream that depends on `seed` alone: the keystream of AES-256 in counter
// mode from a zero counter block, under the key SHA-256("lastbit seeded tape" ‖ seed in 8 bytes,
// lowest first), read as little-endian words.
BitSource seeded_tape(std::uint64_t seed);

// words_used, bits_used: how much of a tape was handed out. The word that bits() is cutting up
// counts as a whole for words_used and bit by bit for bits_used. A kBadParameter Error for any
// other source.
std::uint64_t words_used(const BitSource& tape);
std::uint64_t bits_used(const BitSource& tape);

// TapeLaw: the exact distribution of a sampler. The probabilities and `undecided` sum to 1.
template <class T, class Compare = std::less<T>>
struct TapeLaw {
  std::map<T, Rational, Compare> probability;
  Rational undecided;  // the mass of the tapes that need more than max_bits bits
};

namespace internal {

template <class T, class Compare, class F>
void explore_tapes(F& sample, unsigned max_bits, std::string& prefix, TapeLaw<T, Compare>& law) {
  BitSource tape = tape_of_bits(prefix);
  try {
    T outcome = sample(tape);
    // A run that stopped early would already have stopped on the parent's tape.
    invariant(bits_used(tape) == prefix.size(), "the sampler depends on more than its tape");
    law.probability[std::move(outcome)] +=
        Rational::two_to(-static_cast<std::int64_t>(prefix.size()));
    return;
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kTapeEnded) throw;
  }
  if (prefix.size() >= max_bits) {
    law.undecided += Rational::two_to(-static_cast<std::int64_t>(prefix.size()));
    return;
  }
  for (const char next : {'0', '1'}) {
    prefix.push_back(next);
    explore_tapes(sample, max_bits, prefix, law);
    prefix.pop_back();
  }
}

}  // namespace internal

// enumerate_tapes: the exact law of `sample`, a function from BitSource& to T, by running it on
// every tape: a tape that ends too early is extended by 0 and by 1, up to `max_bits` bits.
// Requires  typed: nothing more.  checked: nothing.  caller: `sample` depends on nothing but the
//           tape and draws with bit(), bits() or leading_zeros() (a word() costs 64 levels).
// Ensures   probability[t] ≤ Pr[sample = t] ≤ probability[t] + undecided, exact rationals.
// Fails     with any Error of `sample` other than kTapeEnded.
// Cost      one run for each node of the tree of tapes, so at most 2^(max_bits + 1).
// Proof     proofs/random.md#enumerate-tapes
template <class T, class Compare = std::less<T>, class F>
TapeLaw<T, Compare> enumerate_tapes(F sample, unsigned max_bits) {
  TapeLaw<T, Compare> law;
  std::string prefix;
  internal::explore_tapes(sample, max_bits, prefix, law);
  return law;
}

}  // namespace lastbit::testing
