// How long it takes to add exact integer noise to many numbers: discrete Laplace of scale 10 and
// discrete Gaussian of standard deviation 10, one thread, secure bits. benchmarks/peers compares it
// with others.
// Usage: bench_draws [--count N] [--repeat N] [--json]
//
// Checked before anything is timed: the mean and the standard deviation of the noise are those of
// its law.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/random/discrete_gaussian.h"
#include "lastbit/random/discrete_laplace.h"

namespace lastbit {
namespace {

struct Draws {
  double seconds;
  double mean;
  double deviation;
};

template <class Noise>
Draws draw(const Noise& noise, std::size_t count, BitSource& bits) {
  std::vector<std::int64_t> numbers(count);
  const Stopwatch watch;
  noise.add(numbers, bits);
  const double seconds = watch.seconds();
  double sum = 0;
  double squares = 0;
  for (const std::int64_t number : numbers) {
    const double x = static_cast<double>(number);
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(count);
  return {seconds, sum / n, std::sqrt(squares / n - sum * sum / (n * n))};
}

// The median of the times; mean and deviation are those of the last draws.
template <class Noise>
Draws measure(const Noise& noise, double deviation, const BenchmarkOptions& options) {
  BitSource bits = BitSource::secure();
  const auto count = static_cast<std::size_t>(options.at("--count"));
  // Ten standard deviations of a mean and, for laws with tails like these, of a standard deviation.
  const double most = 15 * deviation / std::sqrt(static_cast<double>(count));
  Draws last = draw(noise, count, bits);
  invariant(std::abs(last.mean) < most && std::abs(last.deviation - deviation) < most,
            "the noise has the mean and the deviation of its law");
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < options.at("--repeat"); ++i) {
    last = draw(noise, count, bits);
    seconds.push_back(last.seconds);
  }
  std::ranges::sort(seconds);
  last.seconds = seconds[seconds.size() / 2];
  return last;
}

void run(const BenchmarkOptions& options) {
  // The variance of the discrete Laplace law with p = e^(−1/10) is 2p/(1 − p)².
  const double p = std::exp(-0.1);
  const Draws laplace = measure(DiscreteLaplace(10), std::sqrt(2 * p) / (1 - p), options);
  const Draws gaussian = measure(DiscreteGaussian(100), 10, options);
  nlohmann::json document;
  const auto add = [&](const std::string& name, const Draws& draws) {
    const double each = 1e9 * draws.seconds / static_cast<double>(options.at("--count"));
    fmt::print("{:10} {:9.2f} ns each, mean {:+.4f}, standard deviation {:.4f}\n", name, each,
               draws.mean, draws.deviation);
    document[name] = {
        {"seconds", draws.seconds}, {"mean", draws.mean}, {"deviation", draws.deviation}};
  };
  add("laplace", laplace);
  add("gaussian", gaussian);
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
