// What exact noise costs, as a multiple of drawing its 64 random bits from the same secure source in
// the same run: every instruction set this processor has, each on one thread, and the fastest on two.
// Drawing the bits is included in every row.
// Usage: bench_noise [--check SAMPLES] [--repeat N] [--json]
//
// Checked before anything is timed: on recorded bits every instruction set gives, sample by sample,
// what the slow path gives that uses no doubles.
#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/discrete_gaussian.h"
#include "lastbit/random/discrete_laplace.h"
#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/exponential/exponential_block.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace {

using exponential_internal::kernel_variants;
using exponential_internal::KernelVariant;

constexpr std::size_t kSamples = std::size_t{1} << 16;
constexpr std::int64_t kScale = std::int64_t{1} << 20;

// Multiples of 2^−10 in [−½, ½).
std::vector<double> make_fractions(std::size_t count) {
  std::vector<double> fractions(count);
  for (std::size_t i = 0; i < count; ++i) {
    fractions[i] = static_cast<double>(i * 619 % 1024) / 1024 - 0.5;
  }
  return fractions;
}

// The definition of a block, by balls alone.
void check_block(const Rational& scale, std::span<const double> fractions, std::uint64_t seed) {
  const std::size_t size = fractions.size();
  BitSource slow_bits = testing::seeded_tape(seed);
  std::vector<std::uint64_t> words(size);
  slow_bits.fill(words);
  std::vector<std::int64_t> slow(size);
  for (std::size_t i = 0; i < size; ++i) {
    Exponential e(words[i]);
    const Rational middle = Rational::exactly(fractions[i]) + Rational(1, 2);
    slow[i] = e.floor_affine(middle, Rational(e.sign()) * scale, slow_bits).to_int64();
  }
  for (const KernelVariant& variant : kernel_variants()) {
    BitSource bits = testing::seeded_tape(seed);
    std::vector<std::int64_t> fast(size);
    ScaledExponentials(scale, variant).round_signed(fractions, fast, bits);
    invariant(fast == slow, "the fast path is the slow path");
    invariant(testing::words_used(bits) == testing::words_used(slow_bits),
              "the fast path draws the bits of the slow path");
  }
}

void check_answers(std::size_t samples) {
  const std::vector<double> fractions = make_fractions(kBlockSamples);
  const Rational scales[] = {kScale, 1, Rational(1, 3), Rational(12345, 67), std::int64_t{1} << 30};
  const std::size_t blocks = samples / kBlockSamples;
  const auto check_every_second = [&](std::size_t first) {
    for (std::size_t i = first; i < blocks; i += 2) {
      check_block(scales[i % std::size(scales)], fractions, i);
    }
  };
  std::jthread other([&] { check_every_second(1); });
  check_every_second(0);
}

struct Row {
  std::string name;
  std::string key;
  std::size_t items;  // in one run
  std::function<void()> run;
  double nanoseconds = 1e300;  // per item: the best of all runs
};

// Every round runs each row once, so that a disturbance affects all.
void time_all(std::vector<Row>& rows, std::int64_t repeat) {
  for (std::int64_t round = 0; round < repeat; ++round) {
    for (Row& row : rows) {
      const Stopwatch watch;
      row.run();
      const double taken = 1e9 * watch.seconds();
      row.nanoseconds = std::min(row.nanoseconds, taken / static_cast<double>(row.items));
    }
  }
}

// The buffers of one thread, 16 KiB each, as in a caller that works in pieces.
struct Workspace {
  static constexpr std::size_t kPiece = 2 * kBlockSamples;

  BitSource bits = BitSource::secure();
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(kPiece);
  std::vector<std::int64_t> out = std::vector<std::int64_t>(kPiece);
  std::vector<std::int64_t> other = std::vector<std::int64_t>(kPiece);
  std::vector<std::uint8_t> coins = std::vector<std::uint8_t>(kPiece);
  std::vector<double> fractions = make_fractions(kPiece);
  std::vector<double> scores = make_fractions(kSamples);

  template <class Work>
  void in_pieces(Work work) {
    for (std::size_t done = 0; done < kSamples; done += kPiece) work();
  }
};

// One row for each thing that is built on the variate.
void add_rows(std::vector<Row>& rows, Workspace& space, const KernelVariant& variant) {
  const std::string set(variant.name);
  const auto add = [&](const std::string& name, const std::string& key, std::function<void()> run) {
    rows.push_back({name + ", " + set, key + "_" + set, kSamples, std::move(run)});
  };
  const ScaledExponentials noise(kScale, variant);
  add("rounded Laplace", "rounded_laplace", [&space, noise] {
    space.in_pieces([&] { noise.round_signed(space.fractions, space.out, space.bits); });
  });
  add("geometric", "geometric",
      [&space, noise] { space.in_pieces([&] { noise.floor(space.out, space.bits); }); });
  add("difference of two geometric", "geometric_difference", [&space, noise] {
    space.in_pieces([&] {
      noise.floor(space.out, space.bits);
      noise.floor(space.other, space.bits);
      std::ranges::transform(space.out, space.other, space.out.begin(), std::minus<>());
    });
  });
  add("coin of probability e^-x", "bernoulli_exp", [&space, variant] {
    const auto exact = [&](std::size_t i) { return Rational::exactly(space.fractions[i]); };
    space.in_pieces(
        [&] { bernoulli_exp(space.fractions, 0, exact, space.coins, space.bits, variant); });
  });
  add("noisy maximum, a candidate", "noisy_max", [&space, variant] {
    space.out[0] =
        static_cast<std::int64_t>(ScaledExponentials(1, variant).argmax(space.scores, space.bits));
  });
}

// Rounded Laplace on this many threads at once, each with its own source: samples per second.
double samples_per_second(std::vector<Workspace>& spaces) {
  constexpr std::size_t kRuns = 16;
  const Stopwatch watch;
  {
    std::vector<std::jthread> running;
    for (Workspace& space : spaces) {
      running.emplace_back([&space] {
        const ScaledExponentials noise(kScale);
        for (std::size_t run = 0; run < kRuns; ++run) {
          space.in_pieces([&] { noise.round_signed(space.fractions, space.out, space.bits); });
        }
      });
    }
  }
  const double taken = watch.seconds();
  return static_cast<double>(spaces.size() * kRuns * kSamples) / taken;
}

double speedup_by_two_threads(std::int64_t repeat) {
  std::vector<Workspace> one(1);
  std::vector<Workspace> two(2);
  double best_of_one = 0;
  double best_of_two = 0;
  for (std::int64_t round = 0; round < repeat; ++round) {
    best_of_one = std::max(best_of_one, samples_per_second(one));
    best_of_two = std::max(best_of_two, samples_per_second(two));
  }
  return best_of_two / best_of_one;
}

void run(const BenchmarkOptions& options) {
  check_answers(static_cast<std::size_t>(options.at("--check")));
  Workspace space;
  std::vector<Row> rows = {{"64 random bits by fill()", "fill", kSamples,
                            [&space] { space.in_pieces([&] { space.bits.fill(space.words); }); }}};
  for (const KernelVariant& variant : kernel_variants()) add_rows(rows, space, variant);
  rows.push_back({"rounded Laplace, slow path", "rounded_laplace_slow", 1000, [&space] {
                    for (std::size_t i = 0; i < 1000; ++i) {
                      Exponential e(space.bits);
                      const Rational scale(e.sign() * kScale);
                      space.out[i] = e.floor_affine(Rational(1, 2), scale, space.bits).to_int64();
                    }
                  }});
  rows.push_back({"discrete Laplace, scale 2^20", "discrete_laplace", kSamples, [&space] {
                    const DiscreteLaplace noise(kScale);
                    space.in_pieces([&] { noise.add(space.out, space.bits); });
                  }});
  rows.push_back({"discrete Gaussian, sigma 10", "discrete_gaussian", kSamples, [&space] {
                    const DiscreteGaussian noise(100);
                    space.in_pieces([&] { noise.add(space.out, space.bits); });
                  }});
  const std::int64_t repeat = options.at("--repeat");
  time_all(rows, repeat);

  nlohmann::json ratios;
  fmt::print("{:<46}{:>10}{:>16}\n", "sample", "ns each", "time / 64 bits");
  for (const Row& row : rows) {
    const double ratio = row.nanoseconds / rows[0].nanoseconds;
    fmt::print("{:<46}{:>10.2f}{:>16.2f}\n", row.name, row.nanoseconds, ratio);
    if (&row != &rows[0]) ratios[row.key + "_over_fill"] = ratio;
  }
  const double speedup = speedup_by_two_threads(repeat);
  fmt::print("{:<46}{:>26.2f}\n", "rounded Laplace, two threads over one", speedup);
  ratios["two_threads_over_one"] = speedup;
  if (options.json) fmt::print("{}\n", ratios.dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  lastbit::run(
      lastbit::parse_options(argc, argv, {.numbers = {{"--check", 100'000}, {"--repeat", 60}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
