#include "lastbit/report/charts/chart_scale.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "lastbit/report/numbers/number_text.h"

namespace lastbit::report {
namespace {

// A range smaller than this fraction of its numbers is widened: doubles could not resolve it.
constexpr double kLeastRange = 1e-9;

// Up to this fraction of a step, a scale from 0 ends where its values do.
constexpr double kSmallSide = 0.2;

std::string drop_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return number;
}

}  // namespace

double drawable(double value) {
  constexpr double kMost = 1e307;
  constexpr double kLeast = 1e-290;
  if (std::isnan(value) || std::abs(value) < kLeast) return 0;
  return std::clamp(value, -kMost, kMost);
}

ChartScale ChartScale::between(double low, double high) {
  low = drawable(low);
  high = drawable(high);
  const double size = std::max(std::abs(low), std::abs(high));
  const double least = size == 0 ? 1 : kLeastRange * size;
  if (high - low < least) {
    low -= least / 2;
    high += least / 2;
  }
  return {low, high};
}

ChartScale ChartScale::from_zero(std::span<const double> values) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    low = std::min(low, drawable(value));
    high = std::max(high, drawable(value));
  }
  if (low == high) return {0, 1};
  const double step = ChartScale(low, high).step(kParts);
  // A few small values on the other side of 0 would leave most of a step empty.
  const double least = kSmallSide * step;
  const double bottom = low >= -least ? std::min(low, 0.0) : std::floor(low / step) * step;
  const double top = high <= least ? std::max(high, 0.0) : std::ceil(high / step) * step;
  return {bottom, top};
}

ChartScale ChartScale::around(std::span<const double> values) {
  if (values.empty()) return {0, 1};
  double low = drawable(values.front());
  double high = low;
  for (const double value : values) {
    low = std::min(low, drawable(value));
    high = std::max(high, drawable(value));
  }
  const ChartScale tight = between(low, high);
  constexpr double kMargin = 0.04;
  const double margin = kMargin * (tight.high_ - tight.low_);
  return {tight.low_ - margin, tight.high_ + margin};
}

double ChartScale::percent(double value) const {
  const double part = (drawable(value) - low_) / (high_ - low_);
  return 100 * std::clamp(part, 0.0, 1.0);
}

// 1, 2 or 5 times a power of ten.
double ChartScale::step(int parts) const {
  const double rough = (high_ - low_) / parts;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (rough <= factor * power) return factor * power;
  }
  return 10 * power;
}

std::vector<double> ChartScale::ticks(int parts) const {
  const double size = step(parts);
  const double slack = 1e-6 * size;  // the last tick may be the end of the scale
  std::vector<double> values;
  for (double k = std::ceil((low_ - slack) / size); k * size <= high_ + slack; ++k) {
    values.push_back(k == 0 ? 0 : k * size);
  }
  return values;
}

std::string ChartScale::label(double tick) const {
  constexpr double kMillion = 1e6;
  constexpr double kBillion = 1e9;
  constexpr double kMost = 1e12;
  constexpr double kLeast = 1e-5;
  if (tick == 0) return "0";
  const double size = std::abs(tick);
  if (size >= kMost || size < kLeast) return fmt::format("{:.4g}", tick);
  if (size >= kBillion) return fmt::format("{:.6g}B", tick / kBillion);
  if (size >= kMillion) return fmt::format("{:.6g}M", tick / kMillion);
  return with_commas(drop_trailing_zeros(fmt::format("{:.6f}", tick)));
}

}  // namespace lastbit::report
