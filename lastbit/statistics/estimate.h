// Estimates from noisy numbers: a number with known error, and what all estimates share. Functions
// of released numbers cost nothing.
#pragma once

#include <optional>

#include "lastbit/accuracy/ranges.h"
#include "lastbit/statistics/plan.h"

namespace lastbit {

// Measured: a noisy number; its error is at most `error`, except with the planned probability.
struct Measured {
  Rational value;
  Rational error;
  Rational lower() const { return value - error; }
  Rational upper() const { return value + error; }
};

// estimate_number: the number, cut to `range` if one is given.
// Ensures   if the true number lies in the range and the error is as stated, the interval holds it.
// Proof     proofs/statistics.md#cut
Estimate estimate_number(const Measured& number, const std::optional<Range>& range = {});

// CentredColumn: rows as offsets from `middle` in steps of `unit`, between −below and above.
struct CentredColumn {
  Rational middle;
  Rational unit;
  Range offsets;
};

// scaled: the same in other units, of which there are `unit` to one.
Estimate scaled(const Estimate& estimate, const Rational& unit);

// root_down, root_up: the root of a number that is not negative, rounded to 64 bits.
Rational root_down(const Rational& square);
Rational root_up(const Rational& square);

}  // namespace lastbit
