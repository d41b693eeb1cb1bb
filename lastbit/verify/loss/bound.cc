#include "lastbit/verify/loss/bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/float.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::verify {

namespace {

constexpr std::string_view kPlace = "loss bound";
constexpr int kLeastPrecision = SnappingPrice::kMinPrecision;
constexpr int kMostPrecision = 4096;
// The largest power of two ≤ value, for value > 0.
Rational binade(const Rational& value) {
  return Rational::two_to(
      Float::from(value, FloatFormat::unbounded(FloatFormat::kMinPrecision), Rounding::kDown)
          .exponent());
}

void require_domain(const BoundParameters& parameters) {
  const int p = parameters.precision;
  if (p < kLeastPrecision || p > kMostPrecision) {
    throw Error::bad_parameter(kPlace, "precision",
                               fmt::format("({}) is outside [{}, {}], where the theorem holds", p,
                                           kLeastPrecision, kMostPrecision),
                               "give a precision in that range; 53 is that of doubles");
  }
  if (parameters.scale.sign() <= 0 ||
      compare(Float::from(parameters.scale, FloatFormat::unbounded(p)), parameters.scale) != 0) {
    throw Error::bad_parameter(kPlace, "scale",
                               fmt::format("is not a positive float of {} bits", p),
                               "round it up to one");
  }
  if (parameters.half_width.sign() <= 0) {
    throw Error::bad_parameter(kPlace, "bound", "is not positive", "give a bound above 0");
  }
  if (parameters.sensitivity.sign() <= 0) {
    throw Error::bad_parameter(kPlace, "sensitivity", "is not positive",
                               "give the largest change one neighbour can make, above 0");
  }
  if (parameters.half_width > Rational::two_to(p - 7) * parameters.scale) {
    throw Error::bad_parameter(
        kPlace, "bound",
        fmt::format("is above 2^{} noise scales, where the theorem ends and losses may be infinite",
                    p - 7),
        "give more precision, a smaller bound, or more noise");
  }
}

// Arithmetic in balls of enough bits: excesses are near 2^−p, widths near 1.
int ball_precision(int precision) { return 2 * precision + 64; }

// The proof's quantities and the bounds made of them, in the words of proofs/snapping.md#sharp.
class Computation {
 public:
  explicit Computation(const BoundParameters& parameters)
      : parameters_(parameters),
        eta_(Rational::two_to(-parameters.precision)),
        bits_(ball_precision(parameters.precision)),
        grid_(Grid::at_least(parameters.scale).spacing()),
        edge_((Rational((parameters.half_width / grid_).ceil()) - Rational(1, 2)) * grid_),
        quantities_(quantities()) {}

  LossBound bound() const {
    const Rational& scale = parameters_.scale;
    LossBound result{.parameters = parameters_,
                     .ideal = parameters_.sensitivity / scale,
                     .linear_excess = SnappingPrice::excess(scale, parameters_.half_width,
                                                            parameters_.precision),
                     .cases = cases(),
                     .quantities = quantities_,
                     .excess = 0};
    Rational largest = 0;
    for (const CaseBound& one : result.cases) {
      largest = std::max(largest, one.excess.upper_rational());
    }
    result.excess = std::min(result.linear_excess, largest);
    return result;
  }

 private:
  Ball ball(const Rational& value) const { return {value, bits_}; }

  BoundQuantities quantities() const {
    const Rational& scale = parameters_.scale;
    const Rational distance = parameters_.half_width + (Rational(1) + eta_) * edge_;
    const Rational gap = eta_ * binade(distance);
    const Rational logarithm_gap =
        scale == grid_ ? Rational(0) : eta_ * binade((distance + gap) / scale);
    const Rational least = least_cell() - Rational(2) * (gap / scale + logarithm_gap);
    const Ball v = ball(1) / -expm1(-ball(least));
    return {distance, gap, logarithm_gap, least, v, v - ball(1)};
  }

  // In units of λ.
  Rational least_cell() const { return (grid_ - eta_ * edge_) / parameters_.scale; }
  Rational widest_cell() const { return (grid_ + eta_ * edge_) / parameters_.scale; }
  // The farthest end of a cell that touches or lies between the inputs.
  Rational near_distance() const {
    const Rational apart = std::min(parameters_.sensitivity, Rational(2) * parameters_.half_width);
    return apart / parameters_.scale + widest_cell();
  }

  // What the rounding of the product may add to the shift between two inputs, in units of λ, with
  // the weights v and w of the two ends.
  Ball product_cost(const Ball& v, const Ball& w) const {
    const Ball half_gap = ball(quantities_.product_half_gap / parameters_.scale);
    if (!parameters_.input_grid) return ball(2) * v * half_gap;
    const bool one_binade =
        parameters_.sensitivity * Rational(2) <= binade(quantities_.largest_distance);
    return (v + w) * half_gap * ball(one_binade ? Rational(1, 2) : Rational(1));
  }

  std::vector<CaseBound> cases() const {
    const Ball& v = quantities_.near_weight;
    const Ball& w = quantities_.far_weight;
    const Ball two_eta = ball(Rational(2) * eta_);
    const Ball logarithm = ball(quantities_.logarithm_half_gap);
    // A threshold lies at a float: at most a factor 1 + 2η above where it should be.
    const Ball near_gap = two_eta * v;
    const Ball far_gap = -log1p(-(two_eta * w));
    const Rational relative = eta_ * (Rational(2) + eta_);
    const Rational threshold_error =
        quantities_.product_half_gap / parameters_.scale + quantities_.logarithm_half_gap;
    const Ball near_error = ball(std::min(threshold_error, relative * near_distance()));
    const Ball inside_above = ball(relative);
    const Ball inside_below = -log1p(-(two_eta * inside_factor()));

    std::vector<CaseBound> result;
    result.push_back(
        {OutputCase::kBound, product_cost(ball(1), ball(0)) + ball(2) * logarithm + two_eta});
    result.push_back({OutputCase::kBeyondBoth,
                      product_cost(v, w) + ball(2) * (v + w) * logarithm + near_gap + far_gap});
    if (least_cell() * parameters_.scale < parameters_.sensitivity) {
      result.push_back(
          {OutputCase::kBetween, (v + w) * ball(relative * near_distance()) + near_gap + far_gap});
    }
    result.push_back({OutputCase::kAtOne, (v + w) * near_error + larger(near_gap + inside_below,
                                                                        far_gap + inside_above)});
    result.push_back({OutputCase::kAtBoth, inside_above + inside_below});
    return result;
  }

  // k·e^(2η(c+1)), which falls with the width c of the cell.
  Ball inside_factor() const {
    const Ball c = ball(least_cell());
    const Ball e = exp(-c);
    const Ball k = (ball(1) + (ball(1) + c) * e) / (ball(1) - e);
    return k * exp(ball(Rational(2) * eta_) * (c + ball(1)));
  }

  static Ball larger(const Ball& a, const Ball& b) { return certainly_less(a, b) ? b : a; }

  const BoundParameters& parameters_;
  Rational eta_;
  int bits_;
  Rational grid_;  // Λ
  Rational edge_;  // (K + ½)·Λ, the outermost end of a cell
  BoundQuantities quantities_;
};

void require_input_grid(const BoundParameters& parameters, const BoundQuantities& quantities) {
  if (!parameters.input_grid) return;
  const Rational& grid = *parameters.input_grid;
  const Rational gap = Rational(2) * quantities.product_half_gap;
  if (grid.sign() <= 0 || !(grid / gap).is_integer()) {
    throw Error::bad_parameter(
        kPlace, "input grid",
        fmt::format("is not a multiple of {}, the gap between floats at the largest distance",
                    gap.to_string()),
        "leave it out: the bound then holds for all inputs");
  }
  if (!(parameters.half_width / grid).is_integer()) {
    throw Error::bad_parameter(kPlace, "input grid",
                               "does not divide the bound, so clamped inputs leave the grid",
                               "give a bound that is a multiple of it, or leave it out");
  }
}

}  // namespace

std::string_view name_of(OutputCase output_case) {
  switch (output_case) {
    case OutputCase::kBound:
      return "at a bound";
    case OutputCase::kBeyondBoth:
      return "beyond both inputs";
    case OutputCase::kBetween:
      return "between the inputs";
    case OutputCase::kAtOne:
      return "at one input";
    case OutputCase::kAtBoth:
      return "at both inputs";
  }
  return "";
}

LossBound loss_bound(const BoundParameters& parameters) {
  require_domain(parameters);
  const LossBound result = Computation(parameters).bound();
  require_input_grid(parameters, result.quantities);
  return result;
}

PublishedBound published_bound(const BoundParameters& parameters) {
  const Rational eta = Rational::two_to(-parameters.precision);
  const Rational& scale = parameters.scale;
  const Rational& bound = parameters.half_width;
  return {(parameters.sensitivity + Rational(12) * bound * eta) / scale + Rational(2) * eta,
          scale < bound && bound < Rational::two_to(parameters.precision - 7) * scale};
}

}  // namespace lastbit::verify
