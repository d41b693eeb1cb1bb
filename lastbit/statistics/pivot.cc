#include "lastbit/statistics/pivot.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lastbit {
namespace {

constexpr int kFirstLevel = 2;
constexpr int kLastLevel = 9;

Rational weight_at(const PivotWeight& weight, const Rational& m) {
  return weight.at_zero + (weight.at_one - weight.at_zero) * m;
}

std::vector<WeightedNoise> noise_at(const PivotNoise& noise, const Rational& m) {
  std::vector<Rational> weights;
  weights.reserve(noise.weights.size());
  for (const PivotWeight& weight : noise.weights) weights.push_back(weight_at(weight, m));
  return noise.numbers.of(weights);
}

// noise_within: what bounds the noise of the pivot for every m of an interval. The weights of all
// noises are affine in m, so their magnitudes are largest at an end, and noise does not fall if
// they rise.
Rational noise_within(const PivotNoise& noise, const Rational& lower, const Rational& upper,
                      const Rational& alpha) {
  std::vector<WeightedNoise> noises = noise_at(noise, lower);
  const std::vector<WeightedNoise> others = noise_at(noise, upper);
  for (std::size_t i = 0; i < noises.size(); ++i) {
    noises[i].weight = std::max(abs(noises[i].weight), abs(others[i].weight));
  }
  return weighted_noise_accuracy(noises, alpha);
}

Rational dot(const std::vector<PivotWeight>& weights, Rational PivotWeight::* end,
             std::span<const Rational> numbers) {
  Rational sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Rational& weight = weights[i].*end;
    if (weight.sign() != 0) sum += weight * numbers[i];
  }
  return sum;
}

}  // namespace

Grid fine_noise_grid(const Rational& size) {
  constexpr int kBits = 10;
  const int exponent = Grid::at_least(size * Rational::two_to(-kBits)).exponent();
  return Grid(std::min(exponent - 1, 0));
}

Rational largest_pivot_noise(const PivotNoise& noise, const Rational& alpha) {
  // Short cells where the largest weights are, which are at the ends.
  const std::vector<Rational> cuts = {0,
                                      Rational(1, 512),
                                      Rational(1, 64),
                                      Rational(1, 8),
                                      Rational(1, 2),
                                      Rational(7, 8),
                                      Rational(63, 64),
                                      Rational(511, 512),
                                      1};
  Rational largest = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    largest = std::max(largest, noise_within(noise, cuts[i], cuts[i + 1], alpha));
  }
  return largest;
}

double Pivot::Cell::lower() const { return std::ldexp(static_cast<double>(index), -level); }
double Pivot::Cell::upper() const { return std::ldexp(static_cast<double>(index + 1), -level); }

Pivot::Pivot(PivotNoise noise, const Rational& alpha)
    : noise_(std::move(noise)), alpha_(alpha), limits_(std::size_t{2} << kLastLevel, -1.0) {}

std::optional<Range> Pivot::accepted(std::span<const Rational> numbers) {
  Line line{.at_zero = dot(noise_.weights, &PivotWeight::at_zero, numbers),
            .at_one = dot(noise_.weights, &PivotWeight::at_one, numbers),
            .near_zero = 0,
            .near_one = 0,
            .slack = 0};
  line.near_zero = line.at_zero.down();
  line.near_one = line.at_one.down();
  // Two roundings to doubles, two products and a sum err by less than 2^−50 of either end.
  line.slack = std::ldexp(std::abs(line.near_zero) + std::abs(line.near_one), -48) + 1e-300;
  constexpr std::size_t kCells = std::size_t{1} << kFirstLevel;
  for (std::size_t first = 0; first < kCells; ++first) {
    const auto lower = outermost({kFirstLevel, first}, line, End::kLower);
    if (!lower) continue;
    for (std::size_t last = kCells; last-- > first;) {
      const auto upper = outermost({kFirstLevel, last}, line, End::kUpper);
      if (upper) return Range{*lower, std::max(*lower, *upper)};
    }
  }
  return std::nullopt;
}

double Pivot::limit(const Cell& cell) {
  double& known = limits_[(std::size_t{1} << cell.level) + cell.index];
  if (known < 0) {
    known = noise_within(noise_, Rational::exactly(cell.lower()), Rational::exactly(cell.upper()),
                         alpha_)
                .up();
  }
  return known;
}

// Where doubles overflow, comparisons with NaN are false, and nothing is excluded.
bool Pivot::excludes(const Cell& cell, const Line& line) {
  const auto at = [&](double m) { return line.near_zero * (1 - m) + line.near_one * m; };
  const double lower = at(cell.lower());
  const double upper = at(cell.upper());
  const double least = std::min(std::abs(lower), std::abs(upper));
  return lower * upper > 0 && least - line.slack > limit(cell);
}

std::optional<Rational> Pivot::outermost(const Cell& cell, const Line& line, End end) {
  if (excludes(cell, line)) return std::nullopt;
  if (cell.level == kLastLevel) return solved(cell, line, end);
  const Cell left{cell.level + 1, 2 * cell.index};
  const Cell right{cell.level + 1, 2 * cell.index + 1};
  const auto found = outermost(end == End::kLower ? left : right, line, end);
  return found ? found : outermost(end == End::kLower ? right : left, line, end);
}

// solved: the outermost m of the cell at which the line is within the limit of the cell.
std::optional<Rational> Pivot::solved(const Cell& cell, const Line& line, End end) {
  const Rational lower = Rational::exactly(cell.lower());
  const Rational upper = Rational::exactly(cell.upper());
  const Rational& from = end == End::kLower ? lower : upper;
  const double within = limit(cell);
  if (!std::isfinite(within)) return from;
  const Rational most = Rational::exactly(within);
  const Rational slope = line.at_one - line.at_zero;
  const Rational value = line.at_zero + slope * from;
  if (abs(value) <= most) return from;
  if (slope.sign() == 0) return std::nullopt;
  // The line enters the limits on the side from which it comes.
  const Rational m = ((value.sign() > 0 ? most : -most) - line.at_zero) / slope;
  if (m < lower || m > upper) return std::nullopt;
  return m;
}

}  // namespace lastbit
