// The search for the pair of inputs with the largest loss. What it finds is a witness: a lower bound
// on the worst loss, exact for its pair.
#pragma once

#include <cstdint>
#include <functional>

#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {

struct SearchOptions {
  Rational sensitivity = 1;      // inputs may be this far apart
  std::uint64_t candidates = 0;  // pairs to try beyond the structured ones
  std::uint64_t seed = 1;        // the same seed gives the same answer
  bool float_inputs = false;     // only inputs that are floats of p bits
  // Called now and then with the fraction done, in [0, 1]; may be empty.
  std::function<void(double)> progress;
};

struct WorstPair {
  PairLoss pair;
  std::uint64_t pairs = 0;  // how many were examined
};

// worst_pair: tries structured candidates (inputs at ±B, at edges and centres of cells, next to
// powers of two; outputs far from the input, where the gap between floats changes; distances Δ and
// just below), then random ones of the same kinds, then moves from the best so far. Most pairs are
// judged by an estimate; those that look worst are computed exactly.
// Requires  checked: sensitivity > 0, else kBadParameter.
// Ensures   deterministic for given options. The result is exact: the worst of all pairs computed,
//           and of all its outputs where there are at most kMaxSearchOutputs, else of the promising
//           ones. An infinite loss ends the search.
// Proof     proofs/loss.md#search says why these candidates
inline constexpr std::int64_t kMaxSearchOutputs = 10'000;
WorstPair worst_pair(const FloatMechanism& mechanism, const SearchOptions& options);

}  // namespace lastbit::verify
