#include "lastbit/random/bit_source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <rapidcheck/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace bit_source_test {

using internal::BitSourceAccess;
using internal::BitWindow;

constexpr std::size_t kSeedBytes = 48;
constexpr std::size_t kSeedWords = 6;
constexpr std::size_t kWordsPerRefill = BitWindow::kWords - kSeedWords;

// The key and first counter block of example F.5.5 (CTR-AES256.Encrypt) of NIST SP 800-38A.
constexpr std::array<unsigned char, kSeedBytes> kNistSeed = {
    0x60, 0x3d, 0xeb, 0x10, 0x15, 0xca, 0x71, 0xbe, 0x2b, 0x73, 0xae, 0xf0, 0x85, 0x7d, 0x77, 0x81,
    0x1f, 0x35, 0x2c, 0x07, 0x3b, 0x61, 0x08, 0xd7, 0x2d, 0x98, 0x10, 0xa3, 0x09, 0x14, 0xdf, 0xf4,
    0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

ssize_t nist_entropy(void* buffer, std::size_t size) {
  std::memcpy(buffer, kNistSeed.data(), std::min(size, kSeedBytes));
  return static_cast<ssize_t>(size);
}

// What a secure source should hand out, computed from the description alone: the keystream is cut
// into pieces; the first 48 bytes of each are the next seed and the rest is handed out.
std::vector<std::uint64_t> expected_stream(const unsigned char* first_seed, std::size_t refills) {
  std::vector<std::uint64_t> stream;
  std::array<unsigned char, kSeedBytes> seed{};
  std::copy_n(first_seed, kSeedBytes, seed.begin());
  for (std::size_t r = 0; r < refills; ++r) {
    std::vector<unsigned char> bytes(BitWindow::kWords * 8, 0);
    EVP_CIPHER_CTX* const context = EVP_CIPHER_CTX_new();
    EXPECT_EQ(
        1, EVP_EncryptInit_ex(context, EVP_aes_256_ctr(), nullptr, seed.data(), seed.data() + 32));
    // One block at a time, unlike the code under test.
    for (std::size_t at = 0; at < bytes.size(); at += 16) {
      int written = 0;
      EXPECT_EQ(1, EVP_EncryptUpdate(context, &bytes[at], &written, &bytes[at], 16));
    }
    EVP_CIPHER_CTX_free(context);
    std::copy_n(bytes.begin(), kSeedBytes, seed.begin());
    const std::size_t old_size = stream.size();
    stream.resize(old_size + kWordsPerRefill);
    std::memcpy(&stream[old_size], &bytes[kSeedBytes], kWordsPerRefill * 8);
  }
  return stream;
}

TEST(BitSourceTest, HandsOutTheNistKeystreamAfterTheNextSeed) {
  // Block 4 of the example, plaintext XOR ciphertext; blocks 1 to 3 become the next seed.
  constexpr std::array<unsigned char, 16> kPlain = {0xf6, 0x9f, 0x24, 0x45, 0xdf, 0x4f, 0x9b, 0x17,
                                                    0xad, 0x2b, 0x41, 0x7b, 0xe6, 0x6c, 0x37, 0x10};
  constexpr std::array<unsigned char, 16> kCipher = {0xdf, 0xc9, 0xc5, 0x8d, 0xb6, 0x7a,
                                                     0xad, 0xa6, 0x13, 0xc2, 0xdd, 0x08,
                                                     0x45, 0x79, 0x41, 0xa6};
  std::array<unsigned char, 16> keystream{};
  for (std::size_t i = 0; i < 16; ++i) {
    keystream[i] = static_cast<unsigned char>(kPlain[i] ^ kCipher[i]);
  }
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), keystream.data(), 16);
  BitSource source = BitSource::secure(nist_entropy);
  EXPECT_EQ(source.word(), words[0]);
  EXPECT_EQ(source.word(), words[1]);
}

TEST(BitSourceTest, StreamIsTheRekeyedKeystreamAcrossRefills) {
  const auto expected = expected_stream(kNistSeed.data(), 4);
  BitSource source = BitSource::secure(nist_entropy);
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(source.word(), expected[i]) << i;
}

RC_GTEST_PROP(BitSourceTest, FillIsTheSameStreamAsWord, ()) {
  // Lengths around the refill boundary are the corner cases.
  const auto length =
      rc::gen::oneOf(rc::gen::inRange<std::size_t>(0, 5), rc::gen::inRange<std::size_t>(2030, 2045),
                     rc::gen::inRange<std::size_t>(4060, 6200));
  const auto lengths = *rc::gen::resize(6, rc::gen::container<std::vector<std::size_t>>(length));
  BitSource filled = BitSource::secure(nist_entropy);
  BitSource drawn = BitSource::secure(nist_entropy);
  for (const std::size_t count : lengths) {
    std::vector<std::uint64_t> words(count);
    filled.fill(words);
    for (const std::uint64_t word : words) RC_ASSERT(word == drawn.word());
    RC_ASSERT(filled.word() == drawn.word());
  }
}

RC_GTEST_PROP(BitSourceTest, BitsAreTheWordsFromTheHighestBitOn, ()) {
  const auto counts = *rc::gen::container<std::vector<unsigned>>(
      rc::gen::oneOf(rc::gen::inRange(0U, 65U), rc::gen::element(0U, 1U, 63U, 64U)));
  BitSource cut = BitSource::secure(nist_entropy);
  BitSource whole = BitSource::secure(nist_entropy);
  std::string expected;
  for (const unsigned count : counts) {
    while (expected.size() < count) {
      const std::uint64_t word = whole.word();
      for (int i = 63; i >= 0; --i) expected += ((word >> i) & 1) != 0 ? '1' : '0';
    }
    std::string got;
    const std::uint64_t value = cut.bits(count);
    for (unsigned i = count; i-- > 0;) got += ((value >> i) & 1) != 0 ? '1' : '0';
    if (count < 64) RC_ASSERT((value >> count) == 0U);
    RC_ASSERT(got == expected.substr(0, count));
    expected.erase(0, count);
  }
}

RC_GTEST_PROP(BitSourceTest, LeadingZerosIsALoopOverBit, (std::uint64_t seed)) {
  BitSource runs = testing::seeded_tape(seed);
  BitSource single = testing::seeded_tape(seed);
  for (int i = 0; i < 200; ++i) {
    std::uint64_t zeros = 0;
    while (!single.bit()) ++zeros;
    RC_ASSERT(runs.leading_zeros() == zeros);
    RC_ASSERT(testing::bits_used(runs) == testing::bits_used(single));
  }
}

TEST(BitSourceTest, MixingBitsAndWordsReusesNothing) {
  const auto stream = expected_stream(kNistSeed.data(), 1);
  BitSource source = BitSource::secure(nist_entropy);
  EXPECT_EQ(source.bits(4), stream[0] >> 60);
  EXPECT_EQ(source.word(), stream[1]);
  EXPECT_EQ(source.bits(60), stream[0] & ((std::uint64_t{1} << 60) - 1));
  EXPECT_EQ(source.bits(64), stream[2]);
}

TEST(BitSourceTest, MoreThan64BitsAtOnceAreRefused) {
  BitSource source = BitSource::secure();
  EXPECT_EQ(code_of([&] { source.bits(65); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { source.bits(~0U); }), ErrorCode::kBadParameter);
}

TEST(BitSourceTest, DrawingFromAMovedFromSourceIsAnError) {
  BitSource first = BitSource::secure(nist_entropy);
  const std::uint64_t word = first.word();
  BitSource second = std::move(first);
  // NOLINTBEGIN(bugprone-use-after-move): what happens then is the subject.
  std::vector<std::uint64_t> words(3);
  EXPECT_EQ(code_of([&] { first.word(); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { first.bit(); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { first.fill(words); }), ErrorCode::kBadParameter);
  EXPECT_EQ(code_of([&] { first.leading_zeros(); }), ErrorCode::kBadParameter);
  first = BitSource::secure(nist_entropy);
  EXPECT_EQ(first.word(), word);
  // NOLINTEND(bugprone-use-after-move)
  const auto stream = expected_stream(kNistSeed.data(), 1);
  EXPECT_EQ(second.word(), stream[1]);
}

TEST(BitSourceTest, TwoSourcesAndTwoThreadsHaveDifferentStreams) {
  std::set<std::uint64_t> seen;
  BitSource a = BitSource::secure();
  BitSource b = BitSource::secure();
  seen.insert(a.word());
  seen.insert(b.word());
  seen.insert(thread_bit_source().word());
  std::array<std::uint64_t, 4> words{};
  std::vector<std::thread> threads;
  for (auto& word : words) {
    threads.emplace_back([&word] { word = thread_bit_source().word(); });
  }
  for (auto& thread : threads) thread.join();
  seen.insert(words.begin(), words.end());
  EXPECT_EQ(seen.size(), 7U);  // a false alarm has probability below 21 · 2^−64
}

TEST(BitSourceTest, AThreadKeepsItsSource) {
  EXPECT_EQ(&thread_bit_source(), &thread_bit_source());
}

TEST(BitSourceTest, HandedOutWordsAreWiped) {
  BitSource source = BitSource::secure(nist_entropy);
  const BitWindow& window = *BitSourceAccess::window(source);
  source.word();
  EXPECT_EQ(window.position, kSeedWords + 1);
  EXPECT_EQ(window.words[kSeedWords], 0U);
  EXPECT_NE(window.words[kSeedWords + 1], 0U);
  std::vector<std::uint64_t> words(100);
  source.fill(words);
  EXPECT_EQ(window.position, kSeedWords + 101);
  for (std::size_t i = kSeedWords; i < window.position; ++i) EXPECT_EQ(window.words[i], 0U) << i;
  EXPECT_NE(window.words[window.position], 0U);
}

TEST(BitSourceTest, HandedOutBitsAreShiftedOutOfTheReservoir) {
  BitSource source = BitSource::secure(nist_entropy);
  const BitWindow& window = *BitSourceAccess::window(source);
  const std::uint64_t word = expected_stream(kNistSeed.data(), 1)[0];
  source.bits(10);
  EXPECT_EQ(window.reservoir, word << 10);
  EXPECT_EQ(window.reservoir_bits, 54U);
  source.bits(54);
  EXPECT_EQ(window.reservoir, 0U);
  EXPECT_EQ(window.words[kSeedWords], 0U);
}

// Whether two words, given with every bit inverted so that the search does not find its own
// arguments, lie side by side anywhere in the writable memory of this process. Key schedules are
// aligned, so aligned places are enough.
bool is_in_memory(const std::array<std::uint64_t, 2>& inverted) {
  // Larger mappings are the bookkeeping of sanitizers, terabytes of untouched zeros.
  constexpr std::uintptr_t kLargest = 1 << 26;
  void* const pages =
      mmap(nullptr, kLargest, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto* const words = static_cast<const std::uint64_t*>(pages);
  const auto own = reinterpret_cast<std::uintptr_t>(pages);
  const int memory = open("/proc/self/mem", O_RDONLY);
  std::ifstream maps("/proc/self/maps");
  bool found = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char mode[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, mode) != 3) continue;
    if (std::strncmp(mode, "rw", 2) != 0 || end - begin > kLargest) continue;
    const ssize_t got = pread(memory, pages, end - begin, static_cast<off_t>(begin));
    for (ssize_t i = 0; i + 1 < got / 8; ++i) {
      if (words[i] != ~inverted[0] || words[i + 1] != ~inverted[1]) continue;
      // The copy being searched is itself part of what is searched.
      if (begin + static_cast<std::uintptr_t>(i) * 8 - own >= kLargest) found = true;
    }
  }
  close(memory);
  munmap(pages, kLargest);
  return found;
}

TEST(BitSourceTest, OldKeysLeaveTheWholeProcessAtARefill) {
  if (access("/proc/self/mem", R_OK) != 0) GTEST_SKIP() << "/proc/self/mem is not readable here";
  BitSource source = BitSource::secure();
  const auto inverted_key = [&] {
    const BitWindow& window = *BitSourceAccess::window(source);
    return std::array<std::uint64_t, 2>{~window.words[0], ~window.words[1]};
  };
  const auto os_key = inverted_key();
  EXPECT_TRUE(is_in_memory(os_key));  // otherwise the search would prove nothing
  source.word();
  EXPECT_FALSE(is_in_memory(os_key));
  const auto second_key = inverted_key();
  EXPECT_NE(second_key, os_key);
  EXPECT_TRUE(is_in_memory(second_key));
  std::vector<std::uint64_t> rest(kWordsPerRefill);
  source.fill(rest);
  EXPECT_FALSE(is_in_memory(second_key));
}

TEST(BitSourceTest, ADestroyedSourceLeavesNoKey) {
  if (access("/proc/self/mem", R_OK) != 0) GTEST_SKIP() << "/proc/self/mem is not readable here";
  std::array<std::uint64_t, 2> inverted{};
  {
    BitSource source = BitSource::secure();
    source.word();
    const BitWindow& window = *BitSourceAccess::window(source);
    inverted = {~window.words[0], ~window.words[1]};
    EXPECT_TRUE(is_in_memory(inverted));
  }
  EXPECT_FALSE(is_in_memory(inverted));
}

}  // namespace bit_source_test
}  // namespace lastbit
