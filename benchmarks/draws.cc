// How long it takes to add exact integer noise to many numbers: discrete Laplace of scale 10 and
// discrete Gaussian of standard deviation 10, one thread, secure bits. benchmarks/peers compares it
// with others, benchmarks/python with the Python package.
// Usage: bench_draws [--count N] [--repeat N] [--json]
//
// Checked before anything is timed: the mean and the standard deviation of the noise are those of
// its law.
#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>

#include "benchmarks/drawn.h"
#include "benchmarks/options.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/discrete_gaussian.h"
#include "lastbit/random/discrete_laplace.h"

namespace lastbit {
namespace {

template <class Noise>
Drawn measure(const Noise& noise, double deviation, const BenchmarkOptions& options) {
  BitSource bits = BitSource::secure();
  return measure_draws<std::int64_t>(
      deviation, options, [&](std::span<std::int64_t> numbers) { noise.add(numbers, bits); });
}

void run(const BenchmarkOptions& options) {
  // The variance of the discrete Laplace law with p = e^(−1/10) is 2p/(1 − p)².
  const double p = std::exp(-0.1);
  const Drawn laplace = measure(DiscreteLaplace(10), std::sqrt(2 * p) / (1 - p), options);
  const Drawn gaussian = measure(DiscreteGaussian(100), 10, options);
  nlohmann::json document;
  print_drawn("laplace", laplace, options, document);
  print_drawn("gaussian", gaussian, options, document);
  if (options.json) fmt::print("{}\n", document.dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) try {
  lastbit::run(
      lastbit::parse_options(argc, argv, {.numbers = {{"--count", 1'000'000}, {"--repeat", 9}}}));
  return EXIT_SUCCESS;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
