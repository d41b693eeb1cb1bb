// NumberNoise: the noise in several numbers that are released together, such as those of one group,
// also after they have been corrected by what other numbers say.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lastbit/accuracy/weighted_noise.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// variance_of: of real noise of the law, before it is put on its grid.
Rational variance_of(const NoiseLaw& law);

// Correction: number i was moved by gains[i] times a correction, in which noise i has the weight
// own[i], and the noises of other numbers are `others`, all independent. Where numbers are added
// up, each has its own others, unless `of_sum` says that they are those of the whole sum.
struct Correction {
  std::vector<Rational> gains;
  std::vector<Rational> own;
  std::vector<WeightedNoise> others;
  bool of_sum = false;
};

// NumberNoise: each number has a noise of the law, all independent, and is then corrected if there
// is a correction. What is released is the sum of `terms` such numbers, each with its own noise.
struct NumberNoise {
  NoiseLaw law;
  std::int64_t terms = 1;
  std::shared_ptr<const Correction> correction = nullptr;

  // of: the noise of Σ weights[i]·(number i), as a sum of independent noises: one entry for each
  // number, then those of the correction. The weights in it are linear in the given ones.
  // Requires  caller: one weight for each number.
  // Proof     proofs/release.md#together
  std::vector<WeightedNoise> of(std::span<const Rational> weights) const;
  // error: what the magnitude of that noise exceeds with probability at most alpha.
  Rational error(std::span<const Rational> weights, const Rational& alpha) const;
};

}  // namespace lastbit
