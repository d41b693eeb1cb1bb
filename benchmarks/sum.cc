// The exact sum against what a program would otherwise write, over doubles in memory:
//   plain loop     s += x in order, which waits for every addition; its result depends on the order
//   memory limit   the same additions in 16 independent lanes, the speed the memory can deliver
// Usage: bench_sum [--rows N] [--repeat N] [--json]
#include "lastbit/transformations/aggregates/sum.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"
#include "lastbit/transformations/aggregates/sum_kernel.h"

namespace lastbit {
namespace {

using Rows = std::span<const double>;

constexpr double kUpper = 200'000;

// Hashes of 0, 1, 2, … as numbers in [−10 000, 210 000], so that some are clamped at each end.
std::vector<double> make_data(std::size_t rows) {
  std::vector<double> data(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t hash = (i + 1) * 0x9e3779b97f4a7c15;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    data[i] = static_cast<double>((hash ^ (hash >> 31)) >> 11) * 0x1p-53 * 220'000 - 10'000;
  }
  return data;
}

[[gnu::noinline]] double plain_loop(Rows rows) {
  double sum = 0;
  for (const double row : rows) sum += row;
  return sum;
}

[[gnu::noinline]] double memory_limit(Rows rows) {
  double lanes[16] = {};
  const double* row = rows.data();
  for (std::size_t left = rows.size() / 16; left > 0; --left, row += 16) {
    for (std::size_t lane = 0; lane < 16; ++lane) lanes[lane] += row[lane];
  }
  double sum = 0;
  for (const double lane : lanes) sum += lane;
  for (std::size_t i = rows.size() / 16 * 16; i < rows.size(); ++i) sum += rows[i];
  return sum;
}

Rational exact(Rows rows, std::size_t threads) {
  const auto domain = interval(0.0, kUpper);
  std::vector<ExactSum<double>> parts(threads, ExactSum<double>(domain));
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 1; i < threads; ++i) {
      const std::size_t begin = rows.size() * i / threads;
      const std::size_t end = rows.size() * (i + 1) / threads;
      running.emplace_back(
          [&parts, i, part = rows.subspan(begin, end - begin)] { parts[i].add(part); });
    }
    parts[0].add(rows.first(rows.size() / threads));
  }
  for (std::size_t i = 1; i < threads; ++i) parts[0].merge(parts[i]);
  return parts[0].value();
}

// The sum by one instruction set, which need not be the fastest.
Rational by_variant(Rows rows, const sum_internal::KernelVariant& variant) {
  const auto domain = interval(0.0, kUpper);
  const GridRows<double> grid_rows("bench_sum", domain, default_grid(domain));
  const Int128 index = variant.sum(rows, sum_internal::kernel_task(grid_rows));
  return grid_rows.grid().point(Integer(index));
}

// The definition, in rationals.
Rational slow(Rows rows) {
  const Rational spacing = default_grid(interval(0.0, kUpper)).spacing();
  Integer sum;
  for (const double row : rows) {
    const Rational value = std::clamp(Rational::exactly(row), Rational(0), Rational(200'000));
    sum += (value / spacing + Rational(1, 2)).floor();
  }
  return Rational(sum) * spacing;
}

void check_answers(std::vector<double>& data) {
  const Rows sample = Rows(data).first(std::min<std::size_t>(data.size(), 100'000));
  invariant(exact(sample, 1) == slow(sample), "the fast sum is the sum in rationals");
  const Rational sum = exact(data, 1);
  invariant(exact(data, 2) == sum, "two threads give the sum of one");
  for (const auto& variant : sum_internal::kernel_variants()) {
    invariant(by_variant(data, variant) == sum, "every instruction set gives the same sum");
  }
  std::rotate(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(data.size() / 3),
              data.end());
  invariant(exact(data, 1) == sum, "rotated rows give the same sum");
  std::reverse(data.begin(), data.end());
  invariant(exact(data, 2) == sum, "reversed rows give the same sum");
}

struct Contender {
  std::string name;
  std::function<void()> run;
  double seconds = HUGE_VAL;
};

// The best of several rounds; every round runs each contender once, so that a disturbance affects
// all.
void time_all(std::vector<Contender>& contenders, std::int64_t repeat) {
  for (std::int64_t round = 0; round < repeat; ++round) {
    for (Contender& contender : contenders) {
      const Stopwatch watch;
      contender.run();
      const double taken = watch.seconds();
      contender.seconds = std::min(contender.seconds, taken);
    }
  }
}

void run(const BenchmarkOptions& options) {
  const auto row_count = static_cast<std::size_t>(options.at("--rows"));
  std::vector<double> data = make_data(row_count);
  check_answers(data);
  volatile double sink = 0;
  std::vector<Contender> contenders = {
      {"exact sum", [&] { sink = exact(data, 1).down(); }},
      {"plain loop", [&] { sink = plain_loop(data); }},
      {"memory limit", [&] { sink = memory_limit(data); }},
      {"exact sum, 2 threads", [&] { sink = exact(data, 2).down(); }}};
  for (const auto& variant : sum_internal::kernel_variants()) {
    contenders.push_back({fmt::format("exact sum, {}", variant.name),
                          [&] { sink = by_variant(data, variant).down(); }});
  }
  time_all(contenders, options.at("--repeat"));
  const auto instructions = sum_internal::kernel_variants().front().name;
  fmt::print("{} doubles, best of {} rounds, kernel {}\n", row_count, options.at("--repeat"),
             instructions);
  fmt::print("{:<22}{:>12}{:>12}{:>12}\n", "", "ms", "ns/row", "GB/s");
  const auto rows = static_cast<double>(row_count);
  for (const Contender& contender : contenders) {
    fmt::print("{:<22}{:>12.1f}{:>12.3f}{:>12.1f}\n", contender.name, contender.seconds * 1e3,
               contender.seconds * 1e9 / rows, rows * 8e-9 / contender.seconds);
  }
  if (!options.json) return;
  const double ours = contenders[0].seconds;
  nlohmann::json ratios{{"exact_sum_vs_plain_loop", contenders[1].seconds / ours},
                        {"exact_sum_vs_memory_limit", contenders[2].seconds / ours},
                        {"two_threads_vs_one", ours / contenders[3].seconds}};
  for (std::size_t i = 0; i < sum_internal::kernel_variants().size(); ++i) {
    const auto name = sum_internal::kernel_variants()[i].name;
    ratios[fmt::format("exact_sum_{}_vs_plain_loop", name)] =
        contenders[1].seconds / contenders[4 + i].seconds;
  }
  fmt::print("{}\n", ratios.dump());
}

}  // namespace
}  // namespace lastbit

int main(int argc, char** argv) {
  try {
    lastbit::run(lastbit::parse_options(argc, argv,
                                        {.numbers = {{"--repeat", 7}, {"--rows", 100'000'000}}}));
  } catch (const lastbit::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
