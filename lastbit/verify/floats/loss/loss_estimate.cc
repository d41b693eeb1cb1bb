#include "lastbit/verify/floats/loss/loss_estimate.h"

#include <algorithm>
#include <cmath>

#include "lastbit/base/error.h"

namespace lastbit::verify {

LossEstimate::LossEstimate(const FloatMechanism& mechanism)
    : mechanism_(mechanism),
      format_(FloatFormat::unbounded(mechanism.model().precision)),
      wide_(FloatFormat::unbounded(mechanism.model().precision + 2)),
      twice_scale_(Float::from(mechanism.scale() * Rational(2), format_)) {}

Rational LossEstimate::middle_below(const Rational& y) const {
  const Float above = Float::from(y, format_, Rounding::kUp);
  return add(above, next_down(above), wide_).to_rational() / Rational(2);
}

Cell LossEstimate::cell_of(const Rational& output) const {
  const Rational& bound = mechanism_.half_width();
  const Grid& grid = mechanism_.grid();
  const auto edge_below = [&](const Integer& index) {
    return middle_below((Rational(index) - Rational(1, 2)) * grid.spacing());
  };
  Cell cell{output, std::nullopt, std::nullopt};
  if (output > -bound) {
    cell.bottom = edge_below(output >= bound ? grid.ceil_index(bound) : grid.nearest_index(output));
  }
  if (output < bound) {
    const Integer index = output <= -bound ? grid.floor_index(output) : grid.nearest_index(output);
    cell.top = edge_below(index + 1);
  }
  return cell;
}

Rational LossEstimate::gap(const Rational& at) const {
  const std::int64_t exponent = Float::from(at, format_, Rounding::kDown).exponent();
  return Rational::two_to(exponent - format_.precision() + 1);
}

Float LossEstimate::largest_noise_within(const Rational& distance, bool strict) const {
  Float noise = Float::from(distance, format_, Rounding::kDown);
  if (!strict && compare(noise, distance) == 0) noise = next_down(noise);
  return noise;
}

Rational LossEstimate::depth(const Rational& distance, bool strict) const {
  const Float noise = largest_noise_within(distance, strict);
  const Float twice = add(noise, next_up(noise), wide_);
  Float log = divide(twice, twice_scale_, format_, Rounding::kDown);
  // A product half-way between two floats may go up.
  const Float product = multiply(log, twice_scale_, format_);
  if (product > add(noise, noise, format_)) log = next_down(log);
  return add(log, next_up(log), wide_).to_rational() / Rational(2);
}

Rational LossEstimate::phase(const Rational& x, const Cell& cell) const {
  const Rational* end = cell.near_end(x);
  invariant(end != nullptr, "the input is outside the cell");
  const Float noise = largest_noise_within(abs(x - *end), x > *end);
  const Float twice = add(noise, next_up(noise), wide_);
  const Rational log = twice.to_rational() / (mechanism_.scale() * Rational(2));
  const Rational units = log / gap(log);
  return units - Rational(units.floor());
}

LossEstimate::PhaseStep LossEstimate::phase_step(const Rational& x, const Cell& cell) const {
  const Rational* end = cell.near_end(x);
  invariant(end != nullptr, "the input is outside the cell");
  const Rational distance = abs(x - *end);
  const Rational log = distance / mechanism_.scale();
  const Rational unit = gap(distance);
  PhaseStep best{unit, Rational(1)};
  for (int count = 1; count <= 4; ++count) {
    const Rational move = Rational(count) * unit;
    const Rational phases = move / mechanism_.scale() / gap(log);
    const Rational change = phases - Rational((phases + Rational(1, 2)).floor());
    if (abs(change) < abs(best.change)) best = {move, change};
  }
  return best;
}

std::optional<LossEstimate::Depths> LossEstimate::depths(const Rational& x,
                                                         const Cell& cell) const {
  const Rational* end = cell.near_end(x);
  if (end == nullptr) return std::nullopt;
  const bool below = x > *end;  // the cell is below the input
  Depths result{depth(abs(x - *end), below), std::nullopt};
  if (const std::optional<Rational>& far_end = below ? cell.bottom : cell.top) {
    result.far = depth(abs(x - *far_end), below);
  }
  return result;
}

// An end is passed where its distance to the input crosses a float.
std::vector<Rational> LossEstimate::jumps(const Rational& from, const Rational& to,
                                          const Cell& cell) const {
  std::vector<Rational> result;
  for (const std::optional<Rational>& side : {cell.bottom, cell.top}) {
    if (!side) continue;
    const Rational end = *side;
    if (from <= end && end <= to) continue;
    const bool below = from > end;
    const Rational least = below ? from - end : end - to;
    const Rational most = below ? to - end : end - from;
    for (Float distance = Float::from(least, format_, Rounding::kUp); compare(distance, most) <= 0;
         distance = next_up(distance)) {
      const Rational moved = distance.to_rational();
      result.push_back(below ? end + moved : end - moved);
    }
  }
  std::ranges::sort(result);
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

double LossEstimate::excess(const Depths& closer, const Depths& farther,
                            const Rational& allowance) const {
  const double near = (farther.near - closer.near - allowance / mechanism_.scale()).down();
  if (!closer.far || !farther.far) return near;
  // P = ½(e^−near − e^−far), so what is left is the quotient of 1 − e^−width for the two inputs.
  const Rational width_closer = *closer.far - closer.near;
  const Rational width_farther = *farther.far - farther.near;
  const double rest = -std::expm1(-width_farther.down());
  const double change = std::expm1((width_farther - width_closer).down());
  return near + std::log1p(-change * (1 - rest) / rest);
}

std::optional<double> LossEstimate::excess(const Rational& x1, const Rational& x2, const Cell& cell,
                                           const Rational& allowance) const {
  const Rational* end = cell.near_end(x1);
  if (end == nullptr || cell.near_end(x2) != end) return std::nullopt;
  const auto first = depths(x1, cell);
  const auto second = depths(x2, cell);
  if (!first || !second) return std::nullopt;
  const bool first_closer = (x1 < x2) == (x1 > *end);
  return first_closer ? excess(*first, *second, allowance) : excess(*second, *first, allowance);
}

}  // namespace lastbit::verify
