// The laws of the snapping mechanism for all float inputs at once, at small precision.
//
// Noise does not depend on the input, so one table of the noise of every u serves all inputs; and a
// cell is the same for all inputs and all B. The table is filled by the function that ships, and
// the ends of the cells are confirmed by running it on both sides.
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/mechanisms/snapping_function.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// SmallLaws: one precision p and one λ; inputs are 0 and all floats x with 2^finest ≤ |x| ≤ B.
// Requires  checked: 2 ≤ p ≤ 12; λ a positive float of p bits; 0 < B ≤ kMaxSmallRatio·λ;
//           2^finest ≤ B and finest ≥ −24 + the exponent of λ; else kBadParameter.
// Proof     proofs/loss.md#exhaustive
inline constexpr int kMaxSmallRatio = 8;
class SmallLaws {
 public:
  SmallLaws(int precision, const Rational& scale, const Rational& half_width, int finest);

  const std::vector<Rational>& inputs() const { return inputs_; }
  const Grid& grid() const { return function_.grid(); }
  // first_edge, last_edge: which edges there are; edge i is where output i·Λ begins.
  std::int64_t first_edge() const { return -last_; }
  std::int64_t last_edge() const { return last_ + 1; }

  // from_edge: Pr[round_Λ(x + noise) ≥ edge·Λ] for every input x, in units of 1/whole(). Any B' ≤ B
  // only clamps what is rounded, so this gives all its laws. An edge that does not exist violates
  // an invariant.
  const std::vector<std::uint64_t>& from_edge(std::int64_t edge) const;
  std::uint64_t whole() const { return whole_; }

 private:
  void tabulate_noise(const Rational& farthest);
  std::int64_t confirmed_edge(std::int64_t edge) const;
  std::uint64_t beyond(std::int64_t distance, bool strict) const;
  std::int64_t in_units(const Rational& value) const;

  SnappingFunction function_;
  std::int64_t last_;        // the largest index of an output below B
  std::int64_t unit_;        // everything is a multiple of 2^unit
  std::uint64_t whole_ = 0;  // a probability of 1
  std::vector<Rational> inputs_;
  std::vector<std::int64_t> noise_;      // magnitudes, increasing
  std::vector<std::uint64_t> at_least_;  // Pr[sign is + and noise ≥ the one here]
  std::vector<std::vector<std::uint64_t>> edges_;
};

}  // namespace lastbit::verify
