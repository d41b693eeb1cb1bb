// Tests of samplers against a law that is known in closed form; for tests only.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

#include "lastbit/base/error.h"

namespace lastbit::testing {

// kFalseAlarm: the probability that a correct sampler fails one such test, if its bits were fresh.
// They are recorded, so a test that passes keeps passing.
inline constexpr double kFalseAlarm = 1e-6;

// chi_squared_tail: the probability that a χ² variate of `freedom` degrees exceeds x, for an even
// number of degrees: e^(−x/2)·Σ_{i < freedom/2} (x/2)^i/i!.
inline double chi_squared_tail(double x, std::size_t freedom) {
  invariant(freedom > 0 && freedom % 2 == 0, "the closed form needs an even number of degrees");
  double term = std::exp(-x / 2);
  double sum = term;
  for (std::size_t i = 1; i < freedom / 2; ++i) {
    term *= x / 2 / static_cast<double>(i);
    sum += term;
  }
  return sum;
}

// fit: Pearson's p-value of the observed cell counts under the given cell probabilities. The cells
// cover everything, their number is odd, and in each at least some tens of samples are expected.
inline double fit(const std::vector<std::size_t>& observed,
                  const std::vector<double>& probability) {
  invariant(observed.size() == probability.size(), "one probability for each cell");
  double samples = 0;
  for (const std::size_t count : observed) samples += static_cast<double>(count);
  double statistic = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double expected = samples * probability[i];
    const double excess = static_cast<double>(observed[i]) - expected;
    statistic += excess * excess / expected;
  }
  return chi_squared_tail(statistic, observed.size() - 1);
}

// fit_of_cuts: the same for the cells between increasing cuts: cell i holds the samples that reach
// exactly i of them. `reaches(i)` is the probability of reaching cut i, numbered from 0.
inline double fit_of_cuts(const std::vector<std::size_t>& observed,
                          const std::function<double(std::size_t)>& reaches) {
  std::vector<double> probability;
  double above = 1;
  for (std::size_t i = 0; i + 1 < observed.size(); ++i) {
    const double next = reaches(i);
    probability.push_back(above - next);
    above = next;
  }
  probability.push_back(above);
  return fit(observed, probability);
}

}  // namespace lastbit::testing
