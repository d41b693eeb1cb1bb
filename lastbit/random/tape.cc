#include "lastbit/random/tape.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/random/aes_ctr.h"

namespace lastbit::testing {
namespace {

using lastbit::internal::AesCtr;
using lastbit::internal::BitSourceAccess;
using lastbit::internal::BitSupply;
using lastbit::internal::BitWindow;
using lastbit::internal::fork_generation;

// Memory whose words are not zeroed: a short tape touches only the end of its window, and
// enumerate_tapes makes millions of short tapes.
BitWindow* new_window() {
  auto* const window = new BitWindow;
  window->generation = fork_generation.load(std::memory_order_relaxed);
  window->position = BitWindow::kWords;
  window->reservoir = 0;
  window->reservoir_bits = 0;
  return window;
}

class Tape : public BitSupply {
 public:
  Tape() : BitSupply(new_window()), owner_(window()) {}

  // A fork does not change what is recorded.
  void rekey() final { window()->generation = fork_generation.load(std::memory_order_relaxed); }

  std::uint64_t words_used() const {
    return words_loaded_ - (BitWindow::kWords - window()->position) + (tail_bits_ > 0 ? 1 : 0);
  }
  std::uint64_t bits_used() const {
    const std::uint64_t whole_words = words_used() - (tail_bits_ > 0 ? 1 : 0);
    return 64 * whole_words + tail_bits_ - window()->reservoir_bits;
  }

 protected:
  void count_words(std::uint64_t count) { words_loaded_ += count; }
  void count_tail(unsigned bits) { tail_bits_ = bits; }
  bool tail_taken() const { return tail_bits_ > 0; }

 private:
  std::unique_ptr<BitWindow> owner_;
  std::uint64_t words_loaded_ = 0;
  unsigned tail_bits_ = 0;  // bits of the incomplete last word, once taken
};

class FiniteTape final : public Tape {
 public:
  // The words, then the `tail_bits` < 64 leading bits of `tail`.
  FiniteTape(std::vector<std::uint64_t> words, std::uint64_t tail, unsigned tail_bits)
      : words_(std::move(words)), tail_(tail), tail_bits_(tail_bits) {}

  void refill() override {
    const std::size_t count = std::min(words_.size() - next_, BitWindow::kWords);
    if (count == 0) {
      throw Error(ErrorCode::kTapeEnded, "tape", "has no more bits", "record a longer tape");
    }
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(next_), count,
                window()->words + (BitWindow::kWords - count));
    window()->position = BitWindow::kWords - count;
    next_ += count;
    count_words(count);
  }

  unsigned take_tail(std::uint64_t& bits) override {
    const bool words_left = next_ < words_.size() || window()->position < BitWindow::kWords;
    if (words_left || tail_taken()) return 0;
    bits = tail_;
    count_tail(tail_bits_);
    return tail_bits_;
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
  std::uint64_t tail_;
  unsigned tail_bits_;
};

class SeededTape final : public Tape {
 public:
  explicit SeededTape(std::uint64_t seed) {
    std::array<unsigned char, 27> message{};
    constexpr std::string_view kLabel = "lastbit seeded tape";
    static_assert(kLabel.size() + sizeof seed == message.size());
    std::ranges::copy(kLabel, message.begin());
    for (std::size_t i = 0; i < sizeof seed; ++i) {
      message[kLabel.size() + i] = static_cast<unsigned char>(seed >> (8 * i));
    }
    std::array<unsigned char, AesCtr::kSeedBytes> key{};
    const bool hashed = SHA256(message.data(), message.size(), key.data()) != nullptr;
    invariant(hashed, "SHA-256 of a short message failed");
    stream_.start(key.data());
  }

  void refill() override {
    static_assert(std::endian::native == std::endian::little, "the stream is little-endian words");
    std::memset(window()->words, 0, sizeof window()->words);
    stream_.add_keystream(window()->words, sizeof window()->words);
    window()->position = 0;
    count_words(BitWindow::kWords);
  }

  unsigned take_tail(std::uint64_t&) override { return 0; }

 private:
  AesCtr stream_;
};

const Tape& tape_behind(const BitSource& source) {
  const auto* const tape = dynamic_cast<const Tape*>(BitSourceAccess::supply(source));
  if (tape == nullptr) {
    throw Error::bad_parameter("tape", "tape", "is not a recorded tape",
                               "ask a source made by tape_of_bits, tape_of_words or seeded_tape");
  }
  return *tape;
}

}  // namespace

BitSource tape_of_bits(std::string_view bits) {
  std::vector<std::uint64_t> words;
  words.reserve(bits.size() / 64);
  std::uint64_t current = 0;
  unsigned filled = 0;
  for (const char c : bits) {
    if (c != '0' && c != '1') {
      throw Error(ErrorCode::kBadText, "tape_of_bits", quote(bits) + " is not a tape",
                  "write the bits as the characters 0 and 1");
    }
    current |= static_cast<std::uint64_t>(c == '1') << (63 - filled);
    if (++filled == 64) {
      words.push_back(std::exchange(current, 0));
      filled = 0;
    }
  }
  return BitSourceAccess::make(std::make_unique<FiniteTape>(std::move(words), current, filled));
}

BitSource tape_of_words(std::span<const std::uint64_t> words) {
  return BitSourceAccess::make(
      std::make_unique<FiniteTape>(std::vector(words.begin(), words.end()), 0, 0U));
}

BitSource tape_of_words(std::initializer_list<std::uint64_t> words) {
  return tape_of_words(std::span(words.begin(), words.size()));
}

BitSource seeded_tape(std::uint64_t seed) {
  return BitSourceAccess::make(std::make_unique<SeededTape>(seed));
}

std::uint64_t words_used(const BitSource& tape) { return tape_behind(tape).words_used(); }

std::uint64_t bits_used(const BitSource& tape) { return tape_behind(tape).bits_used(); }

}  // namespace lastbit::testing
