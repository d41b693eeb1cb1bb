// LossDistribution: how large the privacy loss of a release is, and how probable that is; one of
// the two ends between which the truth lies. Internal to `total_loss.h`.
//
// A loss distribution is a measure m on (−∞, ∞], and h(ε) = ∫ max(0, 1 − e^(ε−l)) dm(l) is its
// profile. Here m sits on the multiples of a step, with masses that are whole multiples of 2^−bits,
// and on infinity. An upper end has a profile that is nowhere below the true one, a lower end one
// that is nowhere above it. Everything below keeps that. Proof: proofs/accounting.md#losses
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::accounting_internal {

enum class End { kUpper, kLower };

struct LossDistribution {
  End end = End::kUpper;
  int bits = 0;                 // masses are multiples of 2^−bits
  Rational step = 1;            // > 0
  std::int64_t first = 0;       // masses[i] is the mass at the loss (first + i)·step
  std::vector<Integer> masses;  // ≥ 0; never empty
  Integer infinity = 0;         // the mass at the loss ∞

  // width: how far the losses are apart.
  Rational width() const { return step * Rational(masses.size()); }
  // precision: of balls that are compared with these masses.
  int precision() const { return bits + 64; }
};

// units_up, units_down: the whole multiple of 2^−bits that is not below, or not above, the number,
// in such multiples and at least 0.
Integer units_up(const Ball& value, int bits);
Integer units_down(const Ball& value, int bits);

// Shares: what becomes of mass that lies between two multiples of a step, at a lower end. Mass in
// the cell from j to j + 1 is divided among its two ends, as near[j] and far[j + 1]. How much loss
// the place j gains from its near part and loses from its far part decides how much may stay.
struct Shares {
  Shares(std::int64_t first_place, std::size_t places);

  std::int64_t first;
  std::vector<Integer> near;  // from the cell above, and what is exactly here
  std::vector<Integer> far;   // from the cell below
  std::vector<Integer> gain;  // ∫ (1 − e^(g−l)) over near, not above the truth; scale 2^(2·bits)
  std::vector<Integer> lack;  // ∫ (e^(g−l) − 1) over far, not below the truth; the same scale
};
// settled: the masses at the places, those that may not stay one place lower; the first place is
// one below that of the shares.
std::vector<Integer> settled(const Shares& shares);

// compose: the distribution of the sum of two independent losses. Both have the same end, bits and
// step, else kInternal.
LossDistribution compose(const LossDistribution& a, const LossDistribution& b);

// cut_tails: removes at most `most` units of mass at each side: at an upper end, large losses
// become infinite and small ones grow to the smallest that is left; at a lower end, large ones
// shrink to the largest that is left and small ones vanish.
void cut_tails(LossDistribution& losses, const Integer& most);

// regridded: on the multiples of another step.
LossDistribution regridded(const LossDistribution& losses, const Rational& step);

// CutRule: how much may be cut off, and how many places are kept.
struct CutRule {
  Rational most_per_use;   // of mass, for a distribution that stands for one release
  std::size_t places = 0;  // a distribution with more is put on a step of twice the size

  void apply(LossDistribution& losses, std::uint64_t uses) const;
};

// power: the distribution of the sum of `times` independent copies, times ≥ 1.
LossDistribution power(const LossDistribution& losses, std::uint64_t times, const CutRule& rule);

// epsilon_at: for an upper end an ε ≥ 0 with h(ε) ≤ δ; for a lower end an ε ≥ 0 such that
// h(ε') ≥ δ for every ε' < ε. Nothing means infinity. Requires 0 < δ < 1.
std::optional<Rational> epsilon_at(const LossDistribution& losses, const Rational& delta);

// delta_at: a number in [0, 1] that is not below (upper end) or not above (lower end) h(ε).
Rational delta_at(const LossDistribution& losses, const Rational& epsilon);

}  // namespace lastbit::accounting_internal
