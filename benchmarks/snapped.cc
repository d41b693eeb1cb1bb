// How long it takes to add real Laplace noise of scale 10, snapped to its default grid, to many
// doubles, and to write the answers as doubles: one thread, secure bits. benchmarks/python compares
// it with the Python package.
// Usage: bench_snapped [--count N] [--repeat N] [--json]
//
// Checked before anything is timed: the mean and the standard deviation of the noise are those of
// its law.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "benchmarks/drawn.h"
#include "benchmarks/options.h"
#include "lastbit/core/domain.h"
#include "lastbit/core/metric.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/report/numbers/answer_numbers.h"

namespace lastbit {
namespace {

constexpr std::size_t kBlock = 4096;

void run(const BenchmarkOptions& options) {
  BitSource bits = BitSource::secure();
  const auto laplace = make_snapped_laplace(vector_of(doubles()), L1Distance{}, 10);
  const auto add = [&](std::span<double> numbers) {
    for (std::size_t start = 0; start < numbers.size(); start += kBlock) {
      const auto block = numbers.subspan(start, std::min(kBlock, numbers.size() - start));
      const auto released = laplace(std::vector<double>(block.begin(), block.end()), bits);
      std::ranges::transform(released, block.begin(), report::nearest_double);
    }
  };
  nlohmann::json document;
  // The snapping adds less than a millionth of the scale.
  print_drawn("laplace", measure_draws<double>(10 * std::sqrt(2), options, add), options, document);
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
