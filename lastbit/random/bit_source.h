// BitSource: where every random bit of a release comes from.
//
// Guarantee      bits of a secure source are the output of AES-256 in counter mode under a key
//                drawn from the operating system. The key is replaced from its own output at every
//                refill and handed-out words are wiped, so a captured state reveals no past noise.
//                No bit is handed out twice: not after a fork, not to two threads (each thread has
//                a source of its own).
// Not promised   protection against an attacker who reads this process's memory while it runs:
//                such a reader sees the bits that are still to come.
// Fails          kEntropy when the operating system gives no key, or a short one, or the cipher
//                fails; kTapeEnded when a recorded tape has no more bits. Never zeros instead.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace lastbit {

// EntropyFunction: fills `size` bytes at `buffer` and returns how many it filled, or −1 with errno
// set, like getrandom(2). Tests pass one that fails.
using EntropyFunction = ssize_t (*)(void* buffer, std::size_t size);
ssize_t os_entropy(void* buffer, std::size_t size);

class BitSource {
 public:
  // secure: a source keyed by `entropy`, which is asked before this returns.
  static BitSource secure(EntropyFunction entropy = os_entropy);

  BitSource(BitSource&&) noexcept;
  BitSource& operator=(BitSource&&) noexcept;
  ~BitSource();

  // word: 64 fresh bits.
  std::uint64_t word();
  // fill: words.size() times word(), faster.
  void fill(std::span<std::uint64_t> words);
  // bit, bits: one fresh bit; `count` ≤ 64 fresh bits as the low bits of the result, the first bit
  // drawn being the highest of them. They are cut from words of their own: mixing bit() and word()
  // reuses nothing.
  bool bit() { return bits(1) != 0; }
  std::uint64_t bits(unsigned count);

 private:
  struct State;
  explicit BitSource(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// thread_bit_source: the calling thread's own secure source, keyed at its first use.
BitSource& thread_bit_source();

}  // namespace lastbit
