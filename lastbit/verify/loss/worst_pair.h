// The search for the pair of inputs with the largest loss. What it finds is a witness: a lower bound
// on the worst loss, exact for its pair.
#pragma once

#include <cstdint>
#include <functional>

#include "lastbit/verify/loss/pair_loss.h"

namespace lastbit::verify {

struct SearchOptions {
  Rational sensitivity = 1;      // inputs may be this far apart
  std::uint64_t candidates = 0;  // pairs to try beyond the structured ones
  std::uint64_t seed = 1;        // the same seed gives the same answer
  bool float_inputs = false;     // only inputs that are floats of p bits
  // Called now and then with the part that is done, in [0, 1]; may be empty.
  std::function<void(double)> progress;
};

struct WorstPair {
  PairLoss pair;
  std::uint64_t pairs = 0;  // how many were tried
};

// worst_pair: tries structured candidates first (inputs at ±B, at edges and centres of cells, next
// to powers of two; distances Δ and just below; both directions come with every pair), then random
// ones, then moves from the best so far.
// Requires  checked: sensitivity > 0, else kBadParameter.
// Ensures   deterministic for given options; the result is the worst of all pairs tried.
WorstPair worst_pair(const FloatMechanism& mechanism, const SearchOptions& options);

}  // namespace lastbit::verify
