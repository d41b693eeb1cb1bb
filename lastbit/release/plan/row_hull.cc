#include "lastbit/release/plan/row_hull.h"

#include <algorithm>
#include <array>
#include <variant>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

using Point = std::vector<Rational>;

// Control: a number and its square, at a control point of a piece of the parabola.
struct Control {
  Rational value;
  Rational square;
};

std::array<Rational, 2> ends_of(const SteppedField& field) {
  const StepRange range = step_range(field);
  return {Rational(range.lowest), Rational(range.highest)};
}

// Eight pieces, the more the closer: the points of one piece lie far outside of the parabola.
std::vector<Control> controls_of(const SteppedField& field) {
  constexpr int kPieces = 8;
  const auto [low, high] = ends_of(field);
  std::vector<Control> controls = {{low, low * low}};
  for (int i = 0; i < kPieces; ++i) {
    const Rational from = controls.back().value;
    const Rational to = low + (high - low) * Rational(i + 1, kPieces);
    controls.push_back({(from + to) / Rational(2), from * to});
    controls.push_back({to, to * to});
  }
  return controls;
}

struct RowHull {
  std::vector<Point> operator()(const StepSum& sum) const {
    const auto [low, high] = ends_of(sum.field);
    return {{1, low}, {1, high}};
  }
  std::vector<Point> operator()(const SquareSum& sum) const {
    std::vector<Point> points;
    for (const Control& at : controls_of(sum.field)) points.push_back({1, at.value, at.square});
    return points;
  }
  std::vector<Point> operator()(const PairSum& sum) const {
    std::vector<Point> points;
    for (const Rational& x : ends_of(sum.first)) {
      for (const Rational& y : ends_of(sum.second)) points.push_back({1, x, y});
    }
    return points;
  }
  std::vector<Point> operator()(const ProductSum& sum) const {
    std::vector<Point> points;
    if (sum.squares) {
      for (const Control& x : controls_of(sum.first)) {
        for (const Control& y : controls_of(sum.second)) {
          points.push_back({1, x.value, y.value, x.value * y.value, x.square, y.square});
        }
      }
      return points;
    }
    for (const Rational& x : ends_of(sum.first)) {
      for (const Rational& y : ends_of(sum.second)) points.push_back({1, x, y, x * y});
    }
    return points;
  }
  template <class Other>
  std::vector<Point> operator()(const Other& /*measure*/) const {
    throw Error(ErrorCode::kNotSupported, "row_hull", "the entries of this measure are not sums",
                "combine counts and sums of numbers, squares or products");
  }
};

}  // namespace

std::vector<std::vector<Rational>> row_hull(const Tally& measure) {
  return std::visit(RowHull(), measure);
}

RowReach row_reach(const Tally& measure, const Combinations& combinations) {
  RowReach reach{0, 0};
  for (const Point& point : row_hull(measure)) {
    Rational l1 = 0;
    Rational l2_squared = 0;
    for (const std::vector<Integer>& weights : combinations.weights) {
      invariant(weights.size() == point.size(), "a combination has a weight for each entry");
      Rational number = 0;
      for (std::size_t i = 0; i < point.size(); ++i) number += Rational(weights[i]) * point[i];
      l1 += abs(number);
      l2_squared += number * number;
    }
    reach = {std::max(reach.l1, l1), std::max(reach.l2_squared, l2_squared)};
  }
  return reach;
}

}  // namespace lastbit
