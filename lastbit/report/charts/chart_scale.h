// ChartScale: maps any number to a percentage of a picture.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace lastbit::report {

class ChartScale {
 public:
  // from_zero: includes 0 and all values, and ends at round numbers, unless one side of 0 is almost
  // empty. around: includes all values, and a little more on both sides.
  static ChartScale from_zero(std::span<const double> values);
  static ChartScale around(std::span<const double> values);
  // between: exactly this range, widened if it is empty.
  static ChartScale between(double low, double high);

  double low() const { return low_; }
  double high() const { return high_; }
  // percent: where a value lies, from 0 to 100, never NaN. A value outside is put at the edge.
  double percent(double value) const;
  // ticks: round numbers within, about `parts` + 1.
  std::vector<double> ticks(int parts = kParts) const;
  // label: the label of a tick, as in 200,000 or 1.5M.
  std::string label(double tick) const;

 private:
  static constexpr int kParts = 4;
  ChartScale(double low, double high) : low_(low), high_(high) {}
  double step(int parts) const;

  double low_;
  double high_;
};

// drawable: the value made finite, and far enough from both ends of the doubles that a scale can
// compute with it. NaN becomes 0.
double drawable(double value);

}  // namespace lastbit::report
