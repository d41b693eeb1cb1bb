// What is behind a BitSource: the window of words about to be handed out, and the supply that fills
// it. A secure source and a recorded tape differ only in their supply, so samplers see one type and
// one hot path. Only this module and its tests look in here.
//
// Why a generation: a fork copies the window, and bits drawn on both sides would be the same noise
// twice. A window may be used only while its generation equals fork_generation. Two independent
// events break that equality: the kernel zeroes the pages of a secure window in the child
// (MADV_WIPEONFORK), and a pthread_atfork handler advances fork_generation.
// Proof: proofs/random.md#fork-safety.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace lastbit {

class BitSource;

namespace internal {

// fork_generation: never 0, so a zeroed window is never current.
inline constinit std::atomic<std::uint64_t> fork_generation{1};

struct BitWindow {
  // 16 KiB together with the fields below: whole pages, and long enough that starting the cipher
  // costs little compared with running it.
  static constexpr std::size_t kWords = 2040;

  std::uint64_t generation;      // the fork_generation at the last rekey; 0 when unusable
  std::uint64_t position;        // words[position … kWords) have not been handed out yet
  std::uint64_t reservoir;       // the rest of the word bits() is cutting up, left-aligned, then 0s
  std::uint64_t reservoir_bits;  // how many bits of it are left, at most 64
  alignas(64) std::uint64_t words[kWords];

  // is_current: there was no fork since the last rekey. The fence keeps this check after the reads
  // before it even when a signal handler forks in between; the caller hands out what it read only
  // if the answer is yes.
  bool is_current() const {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    return generation == fork_generation.load(std::memory_order_relaxed);
  }
};
static_assert(sizeof(BitWindow) == 16384);

class BitSupply {
 public:
  explicit BitSupply(BitWindow* window) : window_(window) {}
  BitSupply(const BitSupply&) = delete;
  BitSupply& operator=(const BitSupply&) = delete;
  virtual ~BitSupply() = default;

  // rekey: makes a stale window current again, or throws and leaves it stale.
  virtual void rekey() = 0;
  // refill: puts at least one word into a current, empty window, or throws.
  virtual void refill() = 0;
  // take_tail: when less than one word of a tape is left, moves those bits, left-aligned, into
  // `bits` and returns their number; 0 in every other case.
  virtual unsigned take_tail(std::uint64_t& bits) = 0;

  BitWindow* window() const { return window_; }

 private:
  BitWindow* window_;
};

// BitSourceAccess: gives tapes and white-box tests access to the inside of a BitSource.
struct BitSourceAccess {
  static BitSource make(std::unique_ptr<BitSupply> supply);
  static const BitSupply* supply(const BitSource& source);
  static BitWindow* window(BitSource& source);
};

}  // namespace internal
}  // namespace lastbit
