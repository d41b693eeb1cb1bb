#include "lastbit/verify/floats/loss/dyadic_law.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/verify/floats/loss/threshold.h"

namespace lastbit::verify {

namespace {

// Where an output begins or ends: the event that the output is ≥ bound, or > bound.
struct Edge {
  Rational bound;
  bool strict = false;

  bool reached_by(const Rational& output) const {
    return strict ? output > bound : output >= bound;
  }
};

// An input, and for each sign the probability of u below the threshold of an edge.
class Thresholds {
 public:
  Thresholds(const FloatMechanism& mechanism, const Rational& x)
      : mechanism_(mechanism),
        support_(mechanism.model()),
        format_(FloatFormat::unbounded(mechanism.model().precision)),
        twice_scale_(Float::from(mechanism.scale() * Rational(2), format_)),
        x_(std::clamp(x, -mechanism.half_width(), mechanism.half_width())) {}

  // The smallest u from which on the edge is reached (sign = 1), or no longer reached (sign = −1).
  std::optional<Float> of(const Edge& edge, int sign) const {
    const auto holds = [&](const Float& u) {
      return edge.reached_by(mechanism_.output(x_, sign, u)) == (sign > 0);
    };
    return least_true(support_, holds, guess(edge, sign));
  }

  Dyadic below(const std::optional<Float>& u) const { return support_.probability_below(u); }
  Dyadic below(const Edge& edge, int sign) const { return below(of(edge, sign)); }

 private:
  // About where the exact sum crosses the edge. Only a guess: ties are ignored.
  Rational crossing(const Edge& edge) const;
  // The u whose noise of the given sign leads from x to the crossing, all roundings undone.
  Float guess(const Edge& edge, int sign) const;

  const FloatMechanism& mechanism_;
  UniformSupport support_;
  FloatFormat format_;
  Float twice_scale_;
  Rational x_;
};

// Twice the point half-way from a positive or negative float to its neighbour; exact.
Float twice_middle(const Float& a, bool up) {
  return add(a, up ? next_up(a) : next_down(a), FloatFormat::unbounded(a.format().precision() + 2));
}

Rational Thresholds::crossing(const Edge& edge) const {
  const GridRounding rounding = mechanism_.model().rounding;
  Rational sum = edge.bound;
  bool beyond = edge.strict;  // the sum must exceed the crossing, not meet it
  if (mechanism_.has_grid()) {
    // A bound ±B that is not a multiple of Λ stands for the next multiple outside.
    const Grid& grid = mechanism_.grid();
    Integer index = sum.sign() < 0 ? grid.floor_index(sum) : grid.ceil_index(sum);
    if (edge.strict) index += 1;
    beyond = rounding == GridRounding::kTowardZero && index.sign() <= 0;
    const Rational offset = rounding != GridRounding::kTowardZero ? Rational(1, 2) : beyond ? 1 : 0;
    sum = (Rational(index) - offset) * grid.spacing();
  }
  if (sum.sign() == 0) return 0;
  const Float rounded = Float::from(sum, format_, beyond ? Rounding::kDown : Rounding::kUp);
  return twice_middle(rounded, beyond).to_rational() / Rational(2);
}

Float Thresholds::guess(const Edge& edge, int sign) const {
  const Rational distance = sign > 0 ? x_ - crossing(edge) : crossing(edge) - x_;
  if (distance.sign() <= 0) return support_.largest();
  if (distance > mechanism_.scale() * Rational(kMaxReach)) {
    const std::optional<Float>& smallest = support_.smallest();
    if (smallest) return *smallest;
    throw Error(ErrorCode::kNotSupported, "exact law",
                "an output is too far from the input for its probability to be written out",
                "choose a smaller ratio of half-width to scale, or outputs closer to the input");
  }
  const Float noise = Float::from(distance, format_, Rounding::kDown);
  const Float log = divide(twice_middle(noise, true), twice_scale_, format_, Rounding::kDown);
  const FloatFormat wide = FloatFormat::unbounded(format_.precision() + 32);
  const Float minus_half = Float::from(Rational(-1, 2), wide);
  return exp(multiply(twice_middle(log, true), minus_half, wide), wide);
}

// Halves the list at every step, so that numbers of similar size are added.
Dyadic sum(std::span<const Dyadic> terms) {
  if (terms.empty()) return {};
  if (terms.size() == 1) return terms.front();
  const std::size_t half = terms.size() / 2;
  return sum(terms.first(half)) + sum(terms.subspan(half));
}

void check_law(const std::vector<Dyadic>& law) {
  invariant(std::ranges::all_of(law, [](const Dyadic& p) { return p.sign() >= 0; }),
            "probabilities are not negative");
  invariant(sum(law) == Dyadic(1, 0), "probabilities sum to 1");
}

}  // namespace

std::vector<Dyadic> dyadic_law(const FloatMechanism& mechanism,
                               const std::vector<Rational>& outputs, const Rational& x) {
  const Thresholds thresholds(mechanism, x);
  const std::size_t count = outputs.size();
  const Dyadic one(1, 0);
  // lower[i]: noise downward leads below the i-th output; upper[i]: noise upward leads to it or
  // beyond. Both are monotone in i, so from the first edge without a threshold on none has one.
  std::vector<Dyadic> lower(count + 1, one);
  std::vector<Dyadic> upper(count + 1, one);
  lower[0] = {};
  upper[count] = {};
  for (std::size_t i = 1; i < count; ++i) {
    const std::optional<Float> u = thresholds.of({outputs[i]}, 1);
    if (!u) break;
    lower[i] = thresholds.below(u);
  }
  for (std::size_t i = count; i-- > 1;) {
    const std::optional<Float> u = thresholds.of({outputs[i]}, -1);
    if (!u) break;
    upper[i] = thresholds.below(u);
  }
  std::vector<Dyadic> law;
  law.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    law.push_back(((lower[i + 1] - lower[i]) + (upper[i] - upper[i + 1])).halved());
  }
  check_law(law);
  return law;
}

Dyadic dyadic_probability(const FloatMechanism& mechanism, const Rational& x,
                          const Rational& output) {
  const Rational& bound = mechanism.half_width();
  if (mechanism.has_grid()) {
    if (abs(output) > bound) return {};
    const Rational index = output / mechanism.grid().spacing();
    if (abs(output) != bound && !index.is_integer()) return {};
  }
  const Thresholds thresholds(mechanism, x);
  const bool lowest = mechanism.has_grid() && output == -bound;
  const bool highest = mechanism.has_grid() && output == bound;
  Dyadic probability;
  const Dyadic one(1, 0);
  for (const int sign : {1, -1}) {
    // With sign = 1 there is nothing below the lowest output and everything is below a higher one.
    const Dyadic first = lowest ? (sign > 0 ? Dyadic() : one) : thresholds.below({output}, sign);
    const Dyadic last =
        highest ? (sign > 0 ? one : Dyadic()) : thresholds.below({output, true}, sign);
    probability = probability + (sign > 0 ? last - first : first - last);
  }
  invariant(probability.sign() >= 0, "a probability is not negative");
  return probability.halved();
}

}  // namespace lastbit::verify
