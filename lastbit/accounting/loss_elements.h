// The loss distributions of single mechanisms, as upper and lower ends. Internal to
// `total_loss.h`.
//
// All pairs of laws here are symmetric: exchanging the two inputs does not change the distribution.
// Proof: proofs/accounting.md#pairs
#pragma once

#include <cstdint>

#include "lastbit/accounting/loss_distribution.h"

namespace lastbit::accounting_internal {

// approximate_losses: of every mechanism with the loss (ε, δ), on the step ε; the one that loses
// most is randomised response that fails with probability δ. Requires ε > 0, 0 ≤ δ < 1.
LossDistribution approximate_losses(const Rational& epsilon, const Rational& delta, End end,
                                    int bits);

// laplace_losses: of Laplace noise of scale 1/ε on a number that changes by at most 1, on the step
// ε/parts. Requires ε > 0 and parts ≥ 1.
LossDistribution laplace_losses(const Rational& epsilon, std::int64_t parts, End end, int bits);

// gaussian_losses: of Gaussian noise of variance 1/square on a vector that moves by at most 1.
// `tail` says how much mass may be cut off at each side. Requires square > 0 and 0 < tail < 1.
LossDistribution gaussian_losses(const Rational& square, const Rational& step, const Rational& tail,
                                 End end, int bits);

// concentrated_losses: an upper end for every mechanism with the loss rho. Requires rho > 0.
LossDistribution concentrated_losses(const Rational& rho, const Rational& step,
                                     const Rational& tail, int bits);

// gaussian_reach: about how far below and above losses of Gaussian noise of this variance reach,
// but for a mass of `tail`. Only a guess, for choosing steps.
struct Reach {
  double low;
  double high;
};
Reach gaussian_reach(double square, double tail);

}  // namespace lastbit::accounting_internal
