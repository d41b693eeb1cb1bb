// The largest mass that two finite laws can share along allowed pairs, and why no more is possible.
//
// Every question about couplings in this module takes this form: moving mass from left outcomes to
// right outcomes along allowed pairs is a maximum flow, computed in rationals.
#pragma once

#include <vector>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

struct SharedMass {
  Rational total;
  // joint[i][j] is the mass that goes from left outcome i to right outcome j: zero where the pair
  // is not allowed, rows at most `left`, columns at most `right`, all together `total`.
  std::vector<std::vector<Rational>> joint;
  // A set S of left outcomes that shows why no more can be shared: `total` is the mass of `left`
  // outside S and that of `right` on the outcomes that S may go to.
  std::vector<bool> obstacle;
};

// share_mass: a joint sub-distribution with marginals at most `left` and `right` that charges only
// pairs (i, j) with allowed[i][j], and of the largest total mass.
// Requires  checked: no negative mass, a row of `allowed` for each left outcome with an entry for
//           each right outcome; else a kBadParameter Error.
// Proof     proofs/coupling.md#max-flow
SharedMass share_mass(const std::vector<Rational>& left, const std::vector<Rational>& right,
                      const std::vector<std::vector<bool>>& allowed);

// greatest_shared_mass: the total of share_mass.
Rational greatest_shared_mass(const std::vector<Rational>& left, const std::vector<Rational>& right,
                              const std::vector<std::vector<bool>>& allowed);

}  // namespace lastbit::verify
