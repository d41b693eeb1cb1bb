// The values that u takes, in order, and the search for the value at which an output begins.
#pragma once

#include <functional>
#include <optional>

#include "lastbit/numerics/float.h"
#include "lastbit/verify/floats/float_mechanism.h"
#include "lastbit/verify/floats/loss/dyadic.h"

namespace lastbit::verify {

// UniformSupport: the values of a UniformModel. Each model's values are the positive floats of one
// format up to a largest one, so neighbours and rounding are those of Float.
// Proof     proofs/loss.md#models
class UniformSupport {
 public:
  explicit UniformSupport(const FloatModel& model);

  const FloatFormat& format() const { return largest_.format(); }
  const Float& largest() const { return largest_; }
  // smallest: nothing if there is no smallest value.
  const std::optional<Float>& smallest() const { return smallest_; }

  // at_or_above, at_or_below: the closest value on that side of a number ≥ 0; beyond the ends, the
  // end itself. Without a smallest value the number must not be 0.
  Float at_or_above(const Float& number) const;
  Float at_or_below(const Float& number) const;

  // probability_below: Pr[u < t] for a value t; 1 for nothing. Exact.
  Dyadic probability_below(const std::optional<Float>& t) const;

 private:
  Float within_ends(Float value) const;

  UniformModel model_;
  Float largest_;
  std::optional<Float> smallest_;
};

// least_true: the smallest value at which `holds` is true, or nothing if there is none.
// Requires  caller: `holds` is increasing in u (once true, true for all larger values), and false
//           for some value where there is no smallest one.
// Ensures   a correct answer for any guess: it is returned only after `holds` was found true there
//           and false at the value below.
// Cost      two calls for a right guess; otherwise twice the logarithm of the number of values
//           between.
// Proof     proofs/loss.md#law
std::optional<Float> least_true(const UniformSupport& support,
                                const std::function<bool(const Float&)>& holds, const Float& guess);

}  // namespace lastbit::verify
