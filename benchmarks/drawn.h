// Drawn: what it takes to add noise to many numbers, with the mean and the deviation of the noise.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "benchmarks/options.h"
#include "lastbit/base/error.h"
#include "lastbit/base/stopwatch.h"

namespace lastbit {

struct Drawn {
  double seconds;
  double mean;
  double deviation;
};

// draw_once: `add` adds noise to so many zeros of type T.
template <class T, class Add>
Drawn draw_once(std::size_t count, const Add& add) {
  std::vector<T> numbers(count);
  const Stopwatch watch;
  add(std::span<T>(numbers));
  const double seconds = watch.seconds();
  double sum = 0;
  double squares = 0;
  for (const T number : numbers) {
    const double x = static_cast<double>(number);
    sum += x;
    squares += x * x;
  }
  const double n = static_cast<double>(count);
  return {seconds, sum / n, std::sqrt(squares / n - sum * sum / (n * n))};
}

// measure_draws: the median of the times for --count numbers, --repeat times; mean and deviation
// are those of the last draws. Checked before anything is timed: they are those of the law, which
// has mean 0 and the deviation.
template <class T, class Add>
Drawn measure_draws(double deviation, const BenchmarkOptions& options, const Add& add) {
  const auto count = static_cast<std::size_t>(options.at("--count"));
  // Ten standard deviations of a mean and, for laws with tails like these, of a standard deviation.
  const double most = 15 * deviation / std::sqrt(static_cast<double>(count));
  Drawn last = draw_once<T>(count, add);
  invariant(std::abs(last.mean) < most && std::abs(last.deviation - deviation) < most,
            "the noise has the mean and the deviation of its law");
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < options.at("--repeat"); ++i) {
    last = draw_once<T>(count, add);
    seconds.push_back(last.seconds);
  }
  std::ranges::sort(seconds);
  last.seconds = seconds[seconds.size() / 2];
  return last;
}

// print_drawn: a line for people; the same goes into the document.
inline void print_drawn(const std::string& name, const Drawn& drawn,
                        const BenchmarkOptions& options, nlohmann::json& document) {
  const double each = 1e9 * drawn.seconds / static_cast<double>(options.at("--count"));
  fmt::print("{:10} {:9.2f} ns each, mean {:+.4f}, standard deviation {:.4f}\n", name, each,
             drawn.mean, drawn.deviation);
  document[name] = {
      {"seconds", drawn.seconds}, {"mean", drawn.mean}, {"deviation", drawn.deviation}};
}

}  // namespace lastbit
