#include "lastbit/mechanisms/snapped_laplace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

constexpr const char* kSnappedLaplace = "make_snapped_laplace";

// 2^−exponent as a double, or 0 if quotients of ordinary doubles would leave the range.
double inverse_spacing_of(const Grid& grid) {
  const int exponent = grid.exponent();
  if (exponent < -900 || exponent > 900) return 0.0;
  return std::bit_cast<double>(static_cast<std::uint64_t>(1023 - exponent) << 52);
}

}  // namespace

// Parts: numbers as whole multiples of the spacing and fractions in [−½, ½). Those whose fraction
// is not a double are kept separately.
struct SnappedLaplace::Parts {
  std::vector<Integer> wholes;
  std::vector<double> fractions;
  std::vector<std::size_t> places;  // of the two above in the input
  std::vector<std::pair<std::size_t, Rational>> others;

  void add(std::size_t place, Integer whole, double fraction) {
    wholes.push_back(std::move(whole));
    fractions.push_back(fraction);
    places.push_back(place);
  }
};

SnappedLaplace::SnappedLaplace(const Rational& scale, Grid grid,
                               const SnappedLaplaceOptions& options)
    : scale_(scale),
      grid_(grid),
      inverse_spacing_(inverse_spacing_of(grid)),
      options_(options),
      noise_(scale / grid.spacing()) {
  if (options_.lower && options_.upper && *options_.lower > *options_.upper) {
    throw Error::bad_parameter(kSnappedLaplace, "lower",
                               "(" + options_.lower->to_string() + ") is above `upper` (" +
                                   options_.upper->to_string() + ")",
                               "swap the bounds, or leave one out");
  }
}

void SnappedLaplace::require_integers() const {
  if (grid_.exponent() < 0) {
    throw Error::bad_parameter(kSnappedLaplace, "grid",
                               "(2^" + std::to_string(grid_.exponent()) +
                                   ") has multiples that are not whole, but integers are released",
                               "give a grid of 2^0 or coarser, or release rationals");
  }
  if (!options_.lower || !options_.upper) return;
  if (options_.lower->ceil() <= options_.upper->floor()) return;
  throw Error::bad_parameter(kSnappedLaplace, "lower", "and `upper` have no integer between them",
                             "give bounds with an integer between them");
}

void SnappedLaplace::split(double value, std::size_t i, Parts& parts) const {
  const double x = mechanism_internal::finite(value);
  // Exact unless it leaves the range of normal doubles: the factor is a power of two.
  const double scaled = x * inverse_spacing_;
  const double magnitude = std::fabs(scaled);
  if (inverse_spacing_ == 0 || (magnitude < 0x1p-960 && x != 0)) {
    split(Rational::exactly(x), i, parts);
  } else if (magnitude < 0x1p52) {
    const std::int64_t whole = grid_.nearest_index_int64(x);
    // A multiple of the last place of `scaled` and at most ½, hence exact.
    parts.add(i, whole, scaled - static_cast<double>(whole));
  } else {
    parts.add(i, grid_.nearest_index(x), 0.0);  // doubles of this size are whole
  }
}

void SnappedLaplace::split(const Rational& value, std::size_t i, Parts& parts) const {
  const Rational scaled = value / grid_.spacing();
  const Integer whole = grid_.nearest_index(value);
  const Rational fraction = scaled - Rational(whole);
  const double below = fraction.down();
  if (below == fraction.up()) {
    parts.add(i, whole, below);
  } else {
    parts.others.emplace_back(i, scaled);
  }
}

template <class T>
std::vector<Integer> SnappedLaplace::indices(std::span<const T> values, BitSource& bits) const {
  Parts parts;
  for (std::size_t i = 0; i < values.size(); ++i) split(values[i], i, parts);
  noise_.add(parts.fractions, parts.wholes, bits);
  std::vector<Integer> result(values.size());
  for (std::size_t i = 0; i < parts.places.size(); ++i) {
    result[parts.places[i]] = std::move(parts.wholes[i]);
  }
  for (const auto& [place, scaled] : parts.others) result[place] = noise_.around(scaled, bits);
  return result;
}

Rational SnappedLaplace::released(const Integer& index) const {
  Rational value = grid_.point(index);
  if (options_.lower && value < *options_.lower) return *options_.lower;
  if (options_.upper && value > *options_.upper) return *options_.upper;
  return value;
}

std::int64_t SnappedLaplace::cut_integer(const Integer& value) const {
  Integer least = std::numeric_limits<std::int64_t>::min();
  Integer most = std::numeric_limits<std::int64_t>::max();
  if (options_.lower) least = std::clamp(options_.lower->ceil(), least, most);
  if (options_.upper) most = std::clamp(options_.upper->floor(), least, most);
  return std::clamp(value, least, most).to_int64();
}

std::vector<Rational> SnappedLaplace::release(std::span<const double> values,
                                              BitSource& bits) const {
  std::vector<Rational> result;
  result.reserve(values.size());
  for (const Integer& index : indices(values, bits)) result.push_back(released(index));
  return result;
}

std::vector<Rational> SnappedLaplace::release(std::span<const Rational> values,
                                              BitSource& bits) const {
  std::vector<Rational> result;
  result.reserve(values.size());
  for (const Integer& index : indices(values, bits)) result.push_back(released(index));
  return result;
}

std::vector<std::int64_t> SnappedLaplace::release(std::span<const std::int64_t> values,
                                                  BitSource& bits) const {
  require_integers();
  std::vector<std::int64_t> result(values.begin(), values.end());
  if (grid_.exponent() == 0) {
    noise_.add(result, bits);  // cut at the ends of the type
  } else {
    const std::vector<Rational> rationals(values.begin(), values.end());
    const std::vector<Integer> multiples = indices(std::span<const Rational>(rationals), bits);
    std::ranges::transform(multiples, result.begin(), [this](const Integer& index) {
      return cut_integer(grid_.point(index).floor());
    });
  }
  if (options_.lower || options_.upper) {
    for (std::int64_t& value : result) value = cut_integer(value);
  }
  return result;
}

}  // namespace lastbit
