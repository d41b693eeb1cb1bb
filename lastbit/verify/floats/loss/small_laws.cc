#include "lastbit/verify/floats/loss/small_laws.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit::verify {

namespace {

constexpr std::string_view kSmallLaws = "SmallLaws";

// The scale as a float, after checking everything that keeps the whole numbers below 2^62.
Float checked_scale(int precision, const Rational& scale, const Rational& half_width, int finest) {
  require_parameter(precision >= 2 && precision <= 12, kSmallLaws, "precision",
                    "is outside [2, 12]", "study larger precisions by search");
  require_parameter(scale.sign() > 0, kSmallLaws, "scale", "is not positive",
                    "give a float above 0");
  Float result = Float::from(scale, FloatFormat::unbounded(precision));
  require_parameter(result.to_rational() == scale, kSmallLaws, "scale",
                    "is not a float of this precision", "give one, or more bits");
  require_parameter(half_width.sign() > 0 && half_width <= Rational(kMaxSmallRatio) * scale,
                    kSmallLaws, "half_width", "is not in (0, 8*scale]",
                    "study larger half-widths by search");
  require_parameter(Rational::two_to(finest) <= half_width && finest >= result.exponent() - 24,
                    kSmallLaws, "finest", "leaves no inputs, or too many",
                    "give an exponent a little below that of the half-width");
  return result;
}

}  // namespace

SmallLaws::SmallLaws(int precision, const Rational& scale, const Rational& half_width, int finest)
    : function_(checked_scale(precision, scale, half_width, finest),
                half_width + scale * Rational(8)),  // wide enough to clamp none of the edges
      last_((grid().ceil_index(half_width) - 1).to_int64()) {
  // Noise is at least λ·η, so a multiple of λ's binade times η²; edges and inputs are coarser, or
  // floats no smaller than 2^finest or Λ/2.
  const std::int64_t scale_exponent = Float::from(scale, FloatFormat::unbounded(2)).exponent();
  unit_ =
      std::min<std::int64_t>(scale_exponent - precision - precision - 4, finest - precision - 1);
  const FloatFormat format = FloatFormat::unbounded(precision);
  const std::int64_t top = Float::from(half_width, format, Rounding::kDown).exponent();
  inputs_.emplace_back(0);
  for (const Float& x : positive_floats(format, finest, top)) {
    if (compare(x, half_width) > 0) break;
    inputs_.push_back(x.to_rational());
    inputs_.push_back(-inputs_.back());
  }
  std::ranges::sort(inputs_);
  tabulate_noise(half_width * Rational(2) + grid().spacing());

  std::vector<std::int64_t> positions;
  for (const Rational& x : inputs_) positions.push_back(in_units(x));
  for (std::int64_t i = first_edge(); i <= last_edge(); ++i) {
    const std::int64_t edge = confirmed_edge(i);
    std::vector<std::uint64_t>& from = edges_.emplace_back();
    for (const std::int64_t x : positions) {
      // Noise of either sign is equally likely: a sum at or above the edge takes positive noise of
      // at least the distance, or negative noise of at most the distance.
      from.push_back(edge > x ? beyond(edge - x, false) : whole_ - beyond(x - edge, true));
    }
  }
}

std::int64_t SmallLaws::in_units(const Rational& value) const {
  const Rational units = value * Rational::two_to(-unit_);
  invariant(units.is_integer(), "every sum is a multiple of the unit");
  return units.floor().to_int64();
}

// The noise of every u, from 1 down, until it is beyond every edge; smaller u are counted together.
void SmallLaws::tabulate_noise(const Rational& farthest) {
  const FloatFormat format = FloatFormat::unbounded(function_.precision());
  const Float one = Float::from(Rational(1), format);
  Float u = one;
  std::vector<Rational> values;
  do {
    u = next_down(u);
    values.push_back(u.to_rational());
    noise_.push_back(in_units(-function_.noise(u, 1)));
  } while (noise_.back() <= in_units(farthest));
  // Pr[u < t] = t, and noise decreases in u: noise of at least this u's has the probability of the
  // float after u. Half of it has each sign, and probabilities are counted in halves of a gap.
  const std::int64_t digits = u.exponent() - function_.precision() - 1;
  invariant(digits >= -62, "probabilities fit into a word");
  whole_ = std::uint64_t{1} << static_cast<unsigned>(-digits);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Rational below = i == 0 ? Rational(1) : values[i - 1];
    const Rational half = below * Rational::two_to(-digits - 1);
    at_least_.push_back(static_cast<std::uint64_t>(half.floor().to_int64()));
  }
}

// Pr[noise ≥ distance], or > distance, for one sign.
std::uint64_t SmallLaws::beyond(std::int64_t distance, bool strict) const {
  const auto found = strict ? std::ranges::upper_bound(noise_, distance)
                            : std::ranges::lower_bound(noise_, distance);
  invariant(found != noise_.end(), "the farthest noise is beyond every edge");
  return at_least_[static_cast<std::size_t>(found - noise_.begin())];
}

// The edge is half-way below (i − ½)Λ among floats; the function that ships says whether it is.
std::int64_t SmallLaws::confirmed_edge(std::int64_t i) const {
  const FloatFormat format = FloatFormat::unbounded(function_.precision());
  const Rational point = (Rational(i) - Rational(1, 2)) * grid().spacing();
  const Float above = Float::from(point, format, Rounding::kUp);
  const FloatFormat wide = FloatFormat::unbounded(function_.precision() + 2);
  const Rational middle = add(above, next_down(above), wide).to_rational() / Rational(2);
  // At a tie the even float decides; sums are multiples of the unit, so the next one is beyond it.
  const Rational unit = Rational::two_to(unit_);
  const Rational output = grid().point(i);
  const Rational edge = function_.snapped(middle) < output ? middle + unit : middle;
  invariant(function_.snapped(edge) >= output && function_.snapped(edge - unit) < output,
            "an output begins at its edge");
  return in_units(edge);
}

const std::vector<std::uint64_t>& SmallLaws::from_edge(std::int64_t edge) const {
  invariant(edge >= first_edge() && edge <= last_edge(), "the edge exists");
  return edges_[static_cast<std::size_t>(edge - first_edge())];
}

}  // namespace lastbit::verify
