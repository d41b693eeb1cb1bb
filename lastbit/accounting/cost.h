// Cost and Budget: the loss of a release, and the loss allowed in all.
//
// Guarantee      sums, comparisons and prices are exact rationals. If every release has the cost it
//                is booked with, whatever was released before, then all releases that a budget
//                allowed together lose no more than its cap, even if each was chosen after the
//                earlier answers were seen. Proof: proofs/accounting.md#filter
// Left to the caller  that all costs are about the same neighbours (one row, one person), and that
//                costs do not depend on the data.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lastbit/core/measure.h"
#include "lastbit/numerics/rational.h"

namespace lastbit {

// LossKind: how a loss is measured.
enum class LossKind {
  kPure,          // epsilon
  kApproximate,   // epsilon and delta
  kConcentrated,  // rho of zero-concentrated differential privacy, and a delta, which may be 0
};

class Cost {
 public:
  // The most bits of a numerator or denominator. A sum of many costs with large denominators can
  // exceed this, and is then refused; sums of decimals never do.
  static constexpr std::size_t kMaxBits = std::size_t{1} << 16;

  // Negative numbers, a delta of 1 or more and numbers beyond kMaxBits are kBadParameter Errors.
  static Cost pure(const Rational& epsilon);
  static Cost approximate(const Rational& epsilon, const Rational& delta);
  static Cost concentrated(const Rational& rho, const Rational& delta = 0);
  // parse: what to_string writes, in exactly that form; anything else is a kBadText Error, or a
  // kBadParameter Error as above when the numbers are readable but not a cost.
  static Cost parse(std::string_view text);

  LossKind kind() const { return kind_; }
  // epsilon, delta, rho: the number; a cost without a delta has a delta of 0. An epsilon or rho
  // that this kind does not have is a kNotSupported Error.
  const Rational& epsilon() const;
  const Rational& delta() const;
  const Rational& rho() const;
  // to_string: exact, as in "epsilon 0.5", "epsilon 1, delta 0.000001", "rho 1/3" or "rho 1/3,
  // delta 0.000001". A rho has a delta in the text only if it is above 0.
  std::string to_string() const;

  // Costs of different kinds are different, even if they promise the same.
  friend bool operator==(const Cost&, const Cost&) = default;

 private:
  Cost(LossKind kind, const Rational& loss, const Rational& delta);

  LossKind kind_;
  Rational loss_;  // epsilon or rho
  Rational delta_;
};

// cost_of: the price that a measurement's map states; an infinite one is a kBadParameter Error.
Cost cost_of(const MaxDivergence& measure, const Distance& epsilon);
Cost cost_of(const SmoothedMaxDivergence& measure, const PrivacyLoss& loss);
Cost cost_of(const ZeroConcentratedDivergence& measure, const Distance& rho);
Cost cost_of(const ApproximateConcentratedDivergence& measure, const ConcentratedLoss& loss);

// Budget: an accountant and its cap. The kind of the cap says how costs are added: epsilons; both
// epsilons and deltas; or rhos and deltas, where a cap in rho without a delta allows none.
class Budget {
 public:
  // A cap whose epsilon or rho is 0 is a kBadParameter Error, since it allows nothing.
  explicit Budget(Cost cap);

  const Cost& cap() const { return cap_; }
  LossKind kind() const { return cap_.kind(); }
  // none: the cost at the start, before anything is spent.
  Cost none() const;
  // price: what `cost` takes from this budget, in the kind of the cap. An epsilon takes epsilon²/2
  // from a rho, and its delta from the delta. A cost that the cap cannot pay (a delta above 0 where
  // the cap has none; a rho in epsilon and delta) is a kMismatch Error.
  // Proof: proofs/accounting.md#prices
  Cost price(const Cost& cost) const;
  // after: the total when `cost` is added to `spent`, or nothing when that exceeds the cap. `spent`
  // must be of the cap's kind, else kMismatch.
  std::optional<Cost> after(const Cost& spent, const Cost& cost) const;
  // left: the cap minus `spent`, which must not exceed it (else kInternal).
  Cost left(const Cost& spent) const;

  friend bool operator==(const Budget&, const Budget&) = default;

 private:
  Cost cap_;
};

// approximate_epsilon: an epsilon for which a loss of rho is also one of (epsilon, delta), as a
// binary fraction.
//
// Requires  rho ≥ 0 and 0 < delta < 1, else kBadParameter.
// Ensures   every mechanism that is rho-zero-concentrated is (result, delta)-differentially
//           private. The result is the least upper bound found among rho·α + ln(1/(αδ))/(α−1) +
//           ln(1−1/α), α > 1, and never above rho + 2·√(rho·ln(1/δ)) by more than its rounding.
// Limits    the α is searched for, so the result need not be the least possible.
// Source    [Canonne2020]
// Proof     proofs/accounting.md#conversion
Rational approximate_epsilon(const Rational& rho, const Rational& delta);

// convert: a cost in rho as one in epsilon and delta, at a further delta; others as they are, with
// a delta.
//
// Requires  0 < delta, and the deltas together below 1, else kBadParameter.
// Ensures   every mechanism with the cost `cost` has the result as well, which is
//           (approximate_epsilon(rho, delta), cost.delta() + delta) for a rho above 0.
// Proof     proofs/accounting.md#conversion
Cost convert(const Cost& cost, const Rational& delta);

}  // namespace lastbit
