// LINK: OpenSSL::Crypto
//
// What a random bit costs: word(), fill(), bits() and geometric_half() of a secure source against
// the bare keystream of OpenSSL's AES-256-CTR, in one run on one machine. Only ratios, not
// nanoseconds, can be compared between machines.
//
// Checked before anything is timed: a source keyed with a known seed hands out exactly the
// keystream that a direct use of OpenSSL gives, by word() and by fill().
#include <fmt/core.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/geometric.h"

namespace {

constexpr std::size_t kSeedBytes = 48;
constexpr std::size_t kWordsPerRefill = 2034;  // 16320 bytes less the next seed
constexpr std::size_t kBlockWords = 2040;

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

ssize_t known_seed(void* buffer, std::size_t size) {
  std::memset(buffer, 0x42, size);
  return static_cast<ssize_t>(size);
}

Context keystream(const unsigned char* seed) {
  Context context(EVP_CIPHER_CTX_new());
  const int started =
      EVP_EncryptInit_ex(context.get(), EVP_aes_256_ctr(), nullptr, seed, seed + 32);
  lastbit::invariant(started == 1, "OpenSSL starts AES-256-CTR");
  return context;
}

// XORs the keystream into the words.
void run(EVP_CIPHER_CTX* context, std::vector<std::uint64_t>& words) {
  int written = 0;
  auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
  const auto size = static_cast<int>(words.size() * sizeof(std::uint64_t));
  lastbit::invariant(EVP_EncryptUpdate(context, bytes, &written, bytes, size) == 1,
                     "OpenSSL runs AES-256-CTR");
}

void check_answers() {
  std::vector<unsigned char> seed(kSeedBytes);
  known_seed(seed.data(), kSeedBytes);
  auto by_word = lastbit::BitSource::secure(known_seed);
  auto by_fill = lastbit::BitSource::secure(known_seed);
  for (int refill = 0; refill < 3; ++refill) {
    std::vector<std::uint64_t> expected(kBlockWords, 0);
    run(keystream(seed.data()).get(), expected);
    std::memcpy(seed.data(), expected.data(), kSeedBytes);
    std::vector<std::uint64_t> filled(kWordsPerRefill);
    by_fill.fill(filled);
    for (std::size_t i = 0; i < kWordsPerRefill; ++i) {
      const std::uint64_t right = expected[kBlockWords - kWordsPerRefill + i];
      lastbit::invariant(by_word.word() == right && filled[i] == right,
                         "a source hands out the keystream");
    }
  }
}

// The shortest time of several runs of `body`, in nanoseconds per item: disturbances only make a
// run longer.
template <class F>
double nanoseconds(std::size_t items, F&& body) {
  double best = 1e300;
  for (int i = 0; i < 9; ++i) {
    const lastbit::Stopwatch watch;
    body();
    const double took = 1e9 * watch.seconds();
    best = std::min(best, took / static_cast<double>(items));
  }
  return best;
}

// Keeps the compiler from removing what is measured; touched once per run, not once per draw.
volatile std::uint64_t sink = 0;

template <class F>
void draw_many(std::size_t items, F&& draw) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < items; ++i) all ^= draw();
  sink = all;
}

struct Row {
  std::string_view name;
  std::string_view key;
  double nanoseconds;
  double bytes;
};

std::vector<Row> measure() {
  constexpr std::size_t kItems = 1 << 21;
  constexpr std::size_t kBlocks = kItems / kBlockWords;
  auto source = lastbit::BitSource::secure();
  std::vector<std::uint64_t> words(kBlockWords, 0);
  const std::vector<unsigned char> seed(kSeedBytes, 7);
  const Context context = keystream(seed.data());
  std::vector<Row> rows;
  const auto add = [&](std::string_view name, std::string_view key, double bytes, std::size_t items,
                       auto&& body) {
    rows.push_back({name, key, nanoseconds(items, body), bytes});
  };
  add("OpenSSL keystream, 16 KiB", "openssl_keystream", 8, kBlocks * kBlockWords, [&] {
    for (std::size_t i = 0; i < kBlocks; ++i) run(context.get(), words);
    sink = words[0];
  });
  add("fill(), 16 KiB", "fill", 8, kBlocks * kBlockWords, [&] {
    for (std::size_t i = 0; i < kBlocks; ++i) source.fill(words);
    sink = words[0];
  });
  add("word()", "word", 8, kItems, [&] { draw_many(kItems, [&] { return source.word(); }); });
  add("bits(8)", "bits8", 1, kItems, [&] { draw_many(kItems, [&] { return source.bits(8); }); });
  add("geometric_half()", "geometric_half", 0.25, kItems,
      [&] { draw_many(kItems, [&] { return lastbit::geometric_half(source); }); });
  return rows;
}

}  // namespace

int main(int argc, char** argv) try {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  check_answers();
  const std::vector<Row> rows = measure();
  nlohmann::json ratios;
  fmt::print("{:<28}{:>10}{:>10}{:>22}\n", "draw", "ns each", "GB/s", "time / keystream word");
  for (const Row& row : rows) {
    const double ratio = row.nanoseconds / rows[0].nanoseconds;
    fmt::print("{:<28}{:>10.2f}{:>10.2f}{:>22.2f}\n", row.name, row.nanoseconds,
               row.bytes / row.nanoseconds, ratio);
    if (&row != &rows[0]) ratios[fmt::format("{}_over_keystream_word", row.key)] = ratio;
  }
  if (json) fmt::print("{}\n", ratios.dump());
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
