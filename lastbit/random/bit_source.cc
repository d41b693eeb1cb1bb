#include "lastbit/random/bit_source.h"

#include <fmt/core.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/random/aes_ctr.h"

namespace lastbit {
namespace {

using internal::AesCtr;
using internal::BitSupply;
using internal::BitWindow;
using internal::fork_generation;

constexpr std::size_t kSeedWords = AesCtr::kSeedBytes / sizeof(std::uint64_t);

Error entropy_error(std::string problem) {
  return Error(ErrorCode::kEntropy, "bit source", std::move(problem),
               "make the operating system's getrandom() available; nothing was released");
}

void watch_forks() {
  static const int problem = pthread_atfork(
      nullptr, nullptr, [] { fork_generation.fetch_add(1, std::memory_order_relaxed); });
  if (problem != 0) throw entropy_error("cannot register the handler that detects a fork");
}

// A mapping of its own for one window: the advice below works on whole pages, and nothing else
// may be wiped with them.
BitWindow* map_window() {
  void* const pages =
      mmap(nullptr, sizeof(BitWindow), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw entropy_error("no memory for the state of a source");
  // On a kernel that knows neither advice, the pthread_atfork handler remains, which is enough for
  // fork(); refusing to work there would gain nothing.
  (void)madvise(pages, sizeof(BitWindow), MADV_WIPEONFORK);
  (void)madvise(pages, sizeof(BitWindow), MADV_DONTDUMP);
  return new (pages) BitWindow{};
}

struct UnmapWindow {
  void operator()(BitWindow* window) const {
    OPENSSL_cleanse(window, sizeof(BitWindow));
    munmap(window, sizeof(BitWindow));
  }
};

// Between two refills the first words of the window are not noise but the next key and counter
// block: the keystream is written over the old ones, so no old key can remain there.
class SecureSupply final : public BitSupply {
 public:
  explicit SecureSupply(EntropyFunction entropy) : SecureSupply(entropy, map_window()) {}

  void rekey() override {
    BitWindow& state = *window();
    OPENSSL_cleanse(&state, sizeof state);
    // The generation is set before entropy is requested: a fork from here on makes it stale.
    state.generation = fork_generation.load(std::memory_order_relaxed);
    state.position = BitWindow::kWords;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    try {
      read_seed(state.words);
      // A true seed is zero with probability 2^−384; an entropy function that wrote nothing is
      // not. (Pages zeroed by a fork during the read are stale, and rekeyed at the next draw.)
      const bool zero =
          std::all_of(state.words, state.words + kSeedWords, [](auto word) { return word == 0; });
      if (zero && state.is_current()) {
        throw entropy_error("the operating system gave only zero bytes");
      }
    } catch (const Error&) {
      OPENSSL_cleanse(&state, sizeof state);
      throw;
    }
  }

  void refill() override {
    BitWindow& state = *window();
    try {
      cipher_.start(state.words);
      OPENSSL_cleanse(state.words, AesCtr::kSeedBytes);
      // Every other word is 0, because it was wiped when it was handed out.
      cipher_.add_keystream(state.words, sizeof state.words);
      cipher_.forget();
    } catch (const Error&) {
      OPENSSL_cleanse(&state, sizeof state);
      cipher_.forget();
      throw;
    }
    state.position = kSeedWords;
  }

  unsigned take_tail(std::uint64_t&) override { return 0; }

 private:
  SecureSupply(EntropyFunction entropy, BitWindow* mapped)
      : BitSupply(mapped), entropy_(entropy), owner_(mapped) {
    watch_forks();
  }

  void read_seed(std::uint64_t* seed) const {
    ssize_t got = 0;
    do {
      errno = 0;
      got = entropy_(seed, AesCtr::kSeedBytes);
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      throw entropy_error(fmt::format("the operating system refused randomness ({})",
                                      std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
    }
    if (static_cast<std::size_t>(got) != AesCtr::kSeedBytes) {
      throw entropy_error(
          fmt::format("the operating system gave {} random bytes of {}", got, AesCtr::kSeedBytes));
    }
  }

  EntropyFunction entropy_;
  std::unique_ptr<BitWindow, UnmapWindow> owner_;
  AesCtr cipher_;
};

}  // namespace

ssize_t os_entropy(void* buffer, std::size_t size) { return getrandom(buffer, size, 0); }

BitSource BitSource::secure(EntropyFunction entropy) {
  BitSource source(std::make_unique<SecureSupply>(entropy));
  source.make_current();
  return source;
}

BitSource::BitSource(std::unique_ptr<BitSupply> supply)
    : supply_(std::move(supply)), window_(supply_->window()) {}

BitSource::BitSource(BitSource&& other) noexcept
    : supply_(std::move(other.supply_)), window_(std::exchange(other.window_, nullptr)) {}

BitSource& BitSource::operator=(BitSource&& other) noexcept {
  if (this != &other) {
    supply_ = std::move(other.supply_);
    window_ = std::exchange(other.window_, nullptr);
  }
  return *this;
}

BitSource::~BitSource() = default;

void BitSource::make_current() {
  if (supply_ == nullptr) {
    throw Error::bad_parameter("bit source", "this", "was moved from and holds no bits",
                               "draw from the source it was moved to");
  }
  if (!window_->is_current()) supply_->rekey();
}

void BitSource::prepare_word() {
  make_current();
  if (window_->position == kWords) supply_->refill();
}

void BitSource::fill(std::span<std::uint64_t> words) {
  while (!words.empty()) {
    if (window_ != nullptr && window_->position < kWords) {
      const std::size_t position = window_->position;
      const std::size_t count = std::min(words.size(), kWords - position);
      std::memcpy(words.data(), window_->words + position, count * sizeof(std::uint64_t));
      if (window_->is_current()) {
        std::memset(window_->words + position, 0, count * sizeof(std::uint64_t));
        window_->position = position + count;
        words = words.subspan(count);
        continue;
      }
    }
    prepare_word();
  }
}

std::uint64_t BitSource::bits_across_words(unsigned count) {
  if (count > 64) {
    throw Error::bad_parameter("bits", "count", "is above 64", "draw at most 64 bits at a time");
  }
  if (count == 0) return 0;
  for (;;) {
    make_current();
    if (window_->reservoir_bits >= count) return bits(count);
    std::uint64_t fresh = 0;
    unsigned fresh_bits = supply_->take_tail(fresh);
    if (fresh_bits == 0) {
      fresh = word();
      fresh_bits = 64;
    }
    // The reservoir is read after the new word and the generation is checked last: a fork at any
    // point before leaves an empty reservoir or a stale generation, never a mixture.
    const std::uint64_t old = window_->reservoir;
    const auto old_bits = static_cast<unsigned>(window_->reservoir_bits);
    if (!window_->is_current()) continue;
    const std::uint64_t both = old | (fresh >> old_bits);  // old_bits < count ≤ 64
    if (old_bits + fresh_bits < count) {
      // Only the end of a tape gets here. Its last bits stay for a smaller draw.
      window_->reservoir = both;
      window_->reservoir_bits = old_bits + fresh_bits;
      continue;
    }
    const unsigned taken = count - old_bits;
    window_->reservoir = fresh << (taken - 1) << 1;
    window_->reservoir_bits = fresh_bits - taken;
    return both >> (64 - count);
  }
}

// Removes a reservoir that holds nothing but zeros, puts new bits there, and returns how many
// zeros were removed.
std::uint64_t BitSource::drop_zeros() {
  make_current();
  if (window_->reservoir != 0) return 0;
  const std::uint64_t zeros = std::exchange(window_->reservoir_bits, 0);
  std::uint64_t fresh = 0;
  unsigned fresh_bits = supply_->take_tail(fresh);
  if (fresh_bits == 0) {
    fresh = word();
    fresh_bits = 64;
  }
  window_->reservoir = fresh;
  window_->reservoir_bits = fresh_bits;
  return zeros;
}

BitSource& thread_bit_source() {
  thread_local BitSource source = BitSource::secure();
  return source;
}

namespace internal {

BitSource BitSourceAccess::make(std::unique_ptr<BitSupply> supply) {
  return BitSource(std::move(supply));
}

const BitSupply* BitSourceAccess::supply(const BitSource& source) { return source.supply_.get(); }

BitWindow* BitSourceAccess::window(BitSource& source) { return source.window_; }

}  // namespace internal
}  // namespace lastbit
