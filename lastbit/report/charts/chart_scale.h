// ChartScale: from numbers to percents of a picture, for every number there is.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lastbit::report {

class ChartScale {
 public:
  // from_zero: holds 0 and all values, and ends at round numbers, unless there is next to nothing on
  // one side of 0. around: holds all values, and a little more on both sides.
  static ChartScale from_zero(std::span<const double> values);
  static ChartScale around(std::span<const double> values);
  // between: exactly this, wider where that is nothing.
  static ChartScale between(double low, double high);

  double low() const { return low_; }
  double high() const { return high_; }
  // percent: where a value lies, from 0 to 100, never NaN. What lies outside is put at the edge.
  double percent(double value) const;
  // ticks: round numbers within, about `parts` + 1.
  std::vector<double> ticks(int parts = kParts) const;
  // label: of a tick, as in 200,000 or 1.5M.
  std::string label(double tick) const;

 private:
  static constexpr int kParts = 4;
  ChartScale(double low, double high) : low_(low), high_(high) {}
  double step(int parts) const;

  double low_;
  double high_;
};

// drawable: finite, and so far from both ends of the doubles that a scale can count with it. NaN is 0.
double drawable(double value);

}  // namespace lastbit::report
