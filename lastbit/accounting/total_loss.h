// TotalLoss: what many releases lose together, between two proved ends.
//
// Guarantee      for losses that are fixed in advance, the total epsilon at a delta, and the total
//                delta at an epsilon, lie between the two ends. The upper end holds for every
//                release with these losses, even if what is released depends on earlier answers. No
//                number below the lower end does. Proof: proofs/accounting.md#total
// Not promised   the same for losses that are chosen after earlier answers were seen: how many
//                releases there are and what each may lose has to be fixed before the first. Only
//                plain sums, as a ledger keeps them, allow that (proofs/accounting.md#filter).
// Left to the caller  that all losses are about the same neighbours.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/loss_distribution.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// LaplaceLoss: Laplace noise on one real number, rounded or not. Epsilon is the most that the
// number changes, divided by the scale of the noise. Noise on whole numbers loses more, and a
// vector of numbers may: use a pure loss for them.
struct LaplaceLoss {
  Rational epsilon;
};
// GaussianLoss: Gaussian noise on real numbers, rounded or not. Sigma is the standard deviation of
// the noise, divided by the most that the numbers move in Euclidean distance. For noise on whole
// numbers use a loss in rho.
struct GaussianLoss {
  Rational sigma;
};
using KnownLoss = std::variant<Cost, LaplaceLoss, GaussianLoss>;

// LossPart: the same loss, several times.
struct LossPart {
  KnownLoss loss;
  std::uint64_t times = 1;
};

// LossRange: two ends, between which a number lies; nothing stands for infinity.
struct LossRange {
  std::optional<Rational> lower;
  std::optional<Rational> upper;
};

class TotalLoss {
 public:
  static constexpr std::size_t kMaxParts = 10'000;
  static constexpr std::uint64_t kMaxTimes = 1'000'000'000;

  // The total of these parts, for deltas of at least `least_delta`.
  //
  // Requires  checked: 1 to kMaxParts parts, each 1 to kMaxTimes times; every epsilon and rho at
  //           most 1,000; every sigma at least 1/100; 2^−300 ≤ least_delta < 1.
  // Ensures   the guarantee above.
  // Limits    steps are refined until the ends are within 1/10,000 of each other at `least_delta`,
  //           or the work would take more than some seconds; a loss in rho keeps them further
  //           apart, because it does not say which mechanism runs.
  // Fails     kBadParameter
  // Source    [Kairouz2015], [Zhu2022], [Doroshenko2022]
  // Proof     proofs/accounting.md#total
  using OnProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;
  TotalLoss(std::span<const LossPart> parts, const Rational& least_delta,
            const OnProgress& on_progress = {});

  // epsilon: at this delta; one outside [least_delta, 1) is a kBadParameter Error.
  LossRange epsilon(const Rational& delta) const;
  // delta: at this epsilon ≥ 0, else kBadParameter.
  LossRange delta(const Rational& epsilon) const;
  // simple_epsilon: what plain sums say at this delta: all epsilons, and for the rhos together what
  // approximate_epsilon makes of the delta that is left. Nothing if no delta is left.
  std::optional<Rational> simple_epsilon(const Rational& delta) const;

 private:
  void refine(const OnProgress& on_progress);

  std::vector<LossPart> parts_;
  Rational least_delta_;
  Rational sum_epsilon_ = 0;
  Rational sum_delta_ = 0;
  Rational sum_rho_ = 0;
  std::optional<accounting_internal::LossDistribution> upper_;  // nothing: no loss at all
  std::optional<accounting_internal::LossDistribution> lower_;
};

}  // namespace lastbit
