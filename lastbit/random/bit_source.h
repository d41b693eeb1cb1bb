// BitSource: where every random bit of a release comes from.
//
// Guarantee      bits of a secure source are the output of AES-256 in counter mode under a key
//                drawn from the operating system. The key is replaced from its own output at every
//                refill and handed-out words are wiped, so a captured state reveals no past noise.
//                No bit is handed out twice: not after a fork, not to two threads (each thread has
//                a source of its own).
// Not promised   protection against an attacker who reads this process's memory while it runs: such
//                an attacker sees the bits that are still to come. One source may not be used by
//                two threads at once, nor by a signal handler that interrupts a draw from it.
// Fails          kEntropy when the operating system gives no key, or a short one, or the cipher
//                fails; kTapeEnded when a recorded tape has no more bits; kBadParameter when
//                drawing from a moved-from source. Never zeros instead.
// Source         [Bernstein2017], for replacing the key; [SP800-38A], for the counter mode
// Proof          proofs/random.md#fast-key-erasure, proofs/random.md#fork-safety
#pragma once

#include <sys/types.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "lastbit/random/bit_window.h"

namespace lastbit {

// EntropyFunction: fills `size` bytes at `buffer` and returns how many it filled, or −1 with errno
// set, like getrandom(2). Tests pass one that fails.
using EntropyFunction = ssize_t (*)(void* buffer, std::size_t size);
ssize_t os_entropy(void* buffer, std::size_t size);

class BitSource {
 public:
  // secure: a source keyed by `entropy`, which is asked before this returns. An interrupted read
  // is repeated; every other failure is a kEntropy Error. A source that could not be rekeyed after
  // a fork fails at every draw until a rekey succeeds.
  static BitSource secure(EntropyFunction entropy = os_entropy);

  BitSource(BitSource&&) noexcept;
  BitSource& operator=(BitSource&&) noexcept;
  ~BitSource();

  // word: 64 fresh bits.
  std::uint64_t word() {
    for (;;) {
      internal::BitWindow* const window = window_;
      if (window != nullptr && window->position < kWords) [[likely]] {
        const std::uint64_t position = window->position;
        const std::uint64_t value = window->words[position];
        if (window->is_current()) [[likely]] {
          window->words[position] = 0;
          window->position = position + 1;
          return value;
        }
      }
      prepare_word();
    }
  }

  // fill: words.size() times word(), faster; the same stream.
  void fill(std::span<std::uint64_t> words);

  // bit, bits: one fresh bit; `count` ≤ 64 fresh bits as the low bits of the result, the first bit
  // drawn being the highest of them. They come from words of their own: mixing bit() and word()
  // reuses nothing. A count above 64 is a kBadParameter Error.
  bool bit() { return bits(1) != 0; }
  std::uint64_t bits(unsigned count) {
    internal::BitWindow* const window = window_;
    // count − 1 wraps around for 0, which the slow path handles.
    if (window != nullptr && count - 1 < 64 && window->reservoir_bits >= count) [[likely]] {
      const std::uint64_t reservoir = window->reservoir;
      if (window->is_current()) [[likely]] {
        window->reservoir = reservoir << (count - 1) << 1;
        window->reservoir_bits -= count;
        return reservoir >> (64 - count);
      }
    }
    return bits_across_words(count);
  }

  // leading_zeros: draws bits until the first 1, that bit included, and returns the number of 0s
  // before it. The same as a loop over bit(), but a whole run at a time.
  std::uint64_t leading_zeros() {
    std::uint64_t zeros = 0;
    for (;;) {
      internal::BitWindow* const window = window_;
      if (window != nullptr && window->reservoir != 0) [[likely]] {
        const std::uint64_t reservoir = window->reservoir;
        if (window->is_current()) [[likely]] {
          const auto run = static_cast<unsigned>(std::countl_zero(reservoir));
          window->reservoir = reservoir << run << 1;
          window->reservoir_bits -= run + 1;
          return zeros + run;
        }
      }
      zeros += drop_zeros();
    }
  }

 private:
  friend struct internal::BitSourceAccess;
  static constexpr std::size_t kWords = internal::BitWindow::kWords;

  explicit BitSource(std::unique_ptr<internal::BitSupply> supply);
  void make_current();
  void prepare_word();
  std::uint64_t bits_across_words(unsigned count);
  std::uint64_t drop_zeros();

  std::unique_ptr<internal::BitSupply> supply_;
  internal::BitWindow* window_;  // owned by supply_; null exactly when supply_ is
};

// thread_bit_source: the calling thread's own secure source, keyed on first use. If that fails, it
// throws kEntropy, and the next call tries again.
BitSource& thread_bit_source();

}  // namespace lastbit
