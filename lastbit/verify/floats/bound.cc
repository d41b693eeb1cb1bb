#include "lastbit/verify/floats/bound.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/mechanisms/snapping.h"
#include "lastbit/numerics/float.h"
#include "lastbit/numerics/grid.h"

namespace lastbit::verify {

namespace {

constexpr std::string_view kLossBound = "loss bound";
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
    throw Error::bad_parameter(kLossBound, "precision",
                               fmt::format("({}) is outside [{}, {}], where the theorem holds", p,
                                           kLeastPrecision, kMostPrecision),
                               "give a precision in that range; 53 is that of doubles");
  }
  if (parameters.scale.sign() <= 0 ||
      compare(Float::from(parameters.scale, FloatFormat::unbounded(p)), parameters.scale) != 0) {
    throw Error::bad_parameter(kLossBound, "scale",
                               fmt::format("is not a positive float of {} bits", p),
                               "round it up to one");
  }
  if (parameters.half_width.sign() <= 0) {
    throw Error::bad_parameter(kLossBound, "bound", "is not positive", "give a bound above 0");
  }
  if (parameters.sensitivity.sign() <= 0) {
    throw Error::bad_parameter(kLossBound, "sensitivity", "is not positive",
                               "give the largest change one neighbour can make, above 0");
  }
  if (parameters.half_width > Rational::two_to(p - 7) * parameters.scale) {
    throw Error::bad_parameter(
        kLossBound, "bound",
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
    const Rational error = gap / scale + logarithm_gap;
    const Rational cell = (grid_ - eta_ * edge_) / scale;
    const Rational widest = (grid_ + eta_ * edge_) / scale;
    const Rational apart = std::min(parameters_.sensitivity, Rational(2) * parameters_.half_width);
    const Rational near = eta_ * (Rational(2) + eta_) * (apart / scale + widest);
    const Rational least = cell - Rational(2) * error;
    const Ball v = ball(1) / -expm1(-ball(least));
    // On a grid both ends move with the input, up to half a gap of the binade below.
    const bool one_binade = parameters_.sensitivity * Rational(2) <= binade(distance);
    const Rational on_grid = one_binade ? Rational(1, 2) : Rational(1);
    const bool real = !parameters_.input_grid;
    return {.largest_distance = distance,
            .product_half_gap = gap,
            .logarithm_half_gap = logarithm_gap,
            .threshold_error = error,
            .near_error = std::min(error, near),
            .between_error = near,
            .spread = apart,
            .cell_width = cell,
            .least_width = least,
            .near_products = real ? Rational(2) : on_grid,
            .far_products = real ? Rational(0) : on_grid,
            .near_weight = v,
            .far_weight = v - ball(1)};
  }

  std::vector<CaseBound> cases() const {
    const BoundQuantities& q = quantities_;
    const Ball& v = q.near_weight;
    const Ball& w = q.far_weight;
    const Ball two_eta = ball(Rational(2) * eta_);
    const Ball half_gap = ball(q.product_half_gap / parameters_.scale);
    const Ball logarithm = ball(q.logarithm_half_gap);
    const Ball near_products = ball(q.near_products);
    const Ball far_products = ball(q.far_products);
    // A threshold lies at a float: at most a factor 1 + 2η above where it should be.
    const Ball near_gap = two_eta * v;
    const Ball far_gap = -log1p(-(two_eta * w));
    const Ball inside_above = ball(eta_ * (Rational(2) + eta_));
    const Ball inside_below = -log1p(-(two_eta * inside_factor()));

    std::vector<CaseBound> result;
    result.push_back(
        {OutputCase::kBound, near_products * half_gap + ball(2) * logarithm + two_eta});
    result.push_back({OutputCase::kBeyondBoth, (near_products * v + far_products * w) * half_gap +
                                                   ball(2) * (v + w) * logarithm + near_gap +
                                                   far_gap});
    if (q.cell_width * parameters_.scale < q.spread) {
      result.push_back(
          {OutputCase::kBetween, (v + w) * ball(q.between_error) + near_gap + far_gap});
    }
    result.push_back(
        {OutputCase::kAtOne,
         (v + w) * ball(q.near_error) + larger(near_gap + inside_below, far_gap + inside_above)});
    result.push_back({OutputCase::kAtBoth, inside_above + inside_below});
    return result;
  }

  // k·e^(2η(c+1)), which falls with the width c of the cell.
  Ball inside_factor() const {
    const Ball c = ball(quantities_.cell_width);
    const Ball e = exp(-c);
    const Ball k = (ball(1) + (ball(1) + c) * e) / (ball(1) - e);
    return k * exp(ball(Rational(2) * eta_) * (c + ball(1)));
  }

  // At least as large as both.
  Ball larger(const Ball& a, const Ball& b) const {
    return ball(std::max(a.upper_rational(), b.upper_rational()));
  }

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
        kLossBound, "input grid",
        fmt::format("is not a multiple of {}, the gap between floats at the largest distance",
                    gap.to_string()),
        "leave it out: the bound then holds for all inputs");
  }
  if (!(parameters.half_width / grid).is_integer()) {
    throw Error::bad_parameter(kLossBound, "input grid",
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

BoundParameters bound_parameters(const FloatModel& model, const Rational& sensitivity) {
  return {.scale = model.scale,
          .half_width = model.half_width,
          .sensitivity = sensitivity,
          .precision = model.precision};
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
