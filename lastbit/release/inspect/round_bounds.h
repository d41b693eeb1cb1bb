// Round bounds: numbers such as 1500 or 0.25, and how many values lie beyond them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit {

// just_above: between the number and all larger values of a column, so that a value is at least
// this where it is larger than the number.
Rational just_above(const Rational& number);

// round_numbers: 0, and 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times powers of ten, with both signs;
// increasing.
const std::vector<Rational>& round_numbers();

// RoundBounds: how many of the values of a column lie beyond a bound.
class RoundBounds {
 public:
  // thresholds_for: what to ask an engine about a column with these bounds.
  static std::vector<Rational> thresholds_for(const Rational& lower, const Rational& upper);

  // Requires  caller: `between` answers these thresholds.
  RoundBounds(std::vector<Rational> thresholds, const std::vector<std::int64_t>& between);

  std::int64_t values() const { return below_.back(); }
  // below, above: how many values are smaller or larger.
  // Requires  caller: the bound is a round number, or the one that thresholds_for was given.
  std::int64_t below(const Rational& lower) const;
  std::int64_t above(const Rational& upper) const;

  // least_upper: the smallest round number above `lower` that at most so many values exceed;
  // greatest_lower: the largest below `upper` that at most so many values are below. Nothing if
  // there are no values.
  std::optional<Rational> least_upper(const Rational& lower, std::int64_t most) const;
  std::optional<Rational> greatest_lower(const Rational& upper, std::int64_t most) const;

 private:
  std::int64_t smaller_than(const Rational& threshold) const;

  std::vector<Rational> thresholds_;
  std::vector<std::int64_t> below_;  // how many values are below each; at the end, all
};

}  // namespace lastbit
