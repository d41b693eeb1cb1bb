// Rounded Laplace noise against a program that shares only the bits with it: plain MPFR, two
// directed logarithms per sample. Every instruction set must give the same numbers and draw the
// same words, sample by sample; then the two are timed against each other.
// Usage: bench_noise_reference [--samples N] [--json]
#include <fmt/core.h>
#include <gmp.h>
#include <mpfr.h>

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/random/exponential/exponential_block.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace {

using exponential_internal::kernel_variants;

constexpr mpfr_prec_t kPrecision = 256;
constexpr const char* kScales[] = {"1048576", "1", "1/3", "12345/67", "1073741824"};

// ⌊fraction + ½ + sign·c·(−ln U)⌋ for the U of one lane, by directed rounding alone.
class Reference {
 public:
  explicit Reference(const char* scale) {
    mpq_init(scale_);
    mpq_set_str(scale_, scale, 10);
    mpz_inits(known_, upper_, nullptr);
    mpfr_inits2(kPrecision, low_, high_, nullptr);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  ~Reference() {
    mpfr_clears(low_, high_, nullptr);
    mpz_clears(known_, upper_, nullptr);
    mpq_clear(scale_);
  }

  std::int64_t sample(std::uint64_t word, double fraction, BitSource& bits) {
    const bool negative = (word & 1) != 0;
    mpz_set_ui(known_, word >> 1);
    for (unsigned long count = 63;; count += 64) {
      if (const auto answer = decided(count, fraction, negative)) return *answer;
      mpz_mul_2exp(known_, known_, 64);
      mpz_add_ui(known_, known_, bits.word());
    }
  }

 private:
  // The answer if it is the same for all U strictly between known/2^count and (known + 1)/2^count.
  std::optional<std::int64_t> decided(unsigned long count, double fraction, bool negative) {
    if (mpz_sgn(known_) == 0) return std::nullopt;  // −ln U has no upper bound yet
    mpz_add_ui(upper_, known_, 1);
    minus_log(low_, upper_, count, MPFR_RNDU, MPFR_RNDD);
    minus_log(high_, known_, count, MPFR_RNDD, MPFR_RNDU);
    if (negative) {
      mpfr_swap(low_, high_);
      mpfr_neg(low_, low_, MPFR_RNDN);
      mpfr_neg(high_, high_, MPFR_RNDN);
    }
    mpfr_add_d(low_, low_, fraction + 0.5, MPFR_RNDD);
    mpfr_add_d(high_, high_, fraction + 0.5, MPFR_RNDU);
    mpfr_floor(low_, low_);
    mpfr_ceil(high_, high_);
    const std::int64_t first = mpfr_get_si(low_, MPFR_RNDN);
    const std::int64_t last = mpfr_get_si(high_, MPFR_RNDN) - 1;  // the upper end is excluded
    return first == last ? std::optional(first) : std::nullopt;
  }

  // c·(−ln(bits/2^count)), rounded toward `outward`.
  void minus_log(mpfr_t result, const mpz_t bits, unsigned long count, mpfr_rnd_t inward,
                 mpfr_rnd_t outward) {
    mpfr_set_z_2exp(result, bits, -static_cast<mpfr_exp_t>(count), inward);
    mpfr_log(result, result, inward);
    mpfr_neg(result, result, MPFR_RNDN);
    mpfr_mul_q(result, result, scale_, outward);
  }

  mpq_t scale_;
  mpz_t known_;
  mpz_t upper_;
  mpfr_t low_;
  mpfr_t high_;
};

std::vector<double> make_fractions() {
  std::vector<double> fractions(kBlockSamples);
  for (std::size_t i = 0; i < fractions.size(); ++i) {
    fractions[i] = static_cast<double>(i * 619 % 1024) / 1024 - 0.5;
  }
  return fractions;
}

std::vector<std::int64_t> reference_block(Reference& reference, std::span<const double> fractions,
                                          BitSource& bits) {
  std::vector<std::uint64_t> words(fractions.size());
  bits.fill(words);
  std::vector<std::int64_t> samples;
  for (std::size_t i = 0; i < words.size(); ++i) {
    samples.push_back(reference.sample(words[i], fractions[i], bits));
  }
  return samples;
}

struct Timing {
  double reference = 0;  // seconds
  double ours = 0;       // seconds, by the fastest instruction set
};

// Blocks first, first + step, … below `blocks`, each with its own tape.
Timing compare_blocks(std::size_t first, std::size_t step, std::size_t blocks) {
  const std::vector<double> fractions = make_fractions();
  const auto seconds_of = [](const auto& run) {
    const Stopwatch watch;
    run();
    return watch.seconds();
  };
  Timing timing;
  for (std::size_t block = first; block < blocks; block += step) {
    const char* scale = kScales[block % std::size(kScales)];
    Reference reference(scale);
    BitSource tape = testing::seeded_tape(block);
    std::vector<std::int64_t> expected;
    timing.reference += seconds_of([&] { expected = reference_block(reference, fractions, tape); });
    for (const auto& variant : kernel_variants()) {
      const ScaledExponentials noise(rational(scale), variant);
      BitSource bits = testing::seeded_tape(block);
      std::vector<std::int64_t> samples(fractions.size());
      const double taken = seconds_of([&] { noise.round_signed(fractions, samples, bits); });
      if (&variant == &kernel_variants().front()) timing.ours += taken;
      invariant(samples == expected, "the noise is what MPFR says it is");
      invariant(testing::words_used(bits) == testing::words_used(tape),
                "the noise draws the words that MPFR needs");
    }
  }
  mpfr_free_cache();
  return timing;
}

void run(std::size_t samples, bool json) {
  const std::size_t blocks = (samples + kBlockSamples - 1) / kBlockSamples;
  Timing second;
  std::jthread other([&] { second = compare_blocks(1, 2, blocks); });
  Timing total = compare_blocks(0, 2, blocks);
  other.join();
  total.reference += second.reference;
  total.ours += second.ours;
  fmt::print("{} samples, {} scales, equal to MPFR at {} bits:", blocks * kBlockSamples,
             std::size(kScales), kPrecision);
  for (const auto& variant : kernel_variants()) fmt::print(" {}", variant.name);
  const double ratio = total.reference / total.ours;
  fmt::print("\nMPFR takes {:.0f} times as long, recorded bits included\n", ratio);
  if (json) fmt::print("{}\n", nlohmann::json{{"mpfr_over_ours", ratio}}.dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  const auto options = lastbit::parse_options(argc, argv, {.numbers = {{"--samples", 10'000'000}}});
  lastbit::run(static_cast<std::size_t>(options.at("--samples")), options.json);
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
