// All float inputs at small precision: the exact loss of every pair against a bound.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/loss/pair_loss.h"

namespace lastbit::verify {

// ExcessBound: a claim that inputs x, x′ lose at most |x − x′|/λ + excess(λ, B); nothing if it
// makes no claim.
struct ExcessBound {
  std::string name;
  std::function<std::optional<Rational>(const Rational& scale, const Rational& half_width)> excess;
};
// linear_bound: excess (per_bound·B/λ + fixed)·η for p ≥ 2, where least < B/λ ≤ most.
ExcessBound linear_bound(std::string name, int precision, const Rational& per_bound,
                         const Rational& fixed, const Rational& least, const Rational& most);

struct ExhaustiveOptions {
  int precision = 6;
  // B/λ of the settings: all floats B of p bits in this range, for every λ ∈ [1, 2). Other binades
  // of λ are the same numbers, scaled.
  Rational least_ratio = Rational(1, 16);
  Rational most_ratio = 4;
  int finest = -12;  // inputs are 0 and all floats of [−B, B] from 2^finest on
  std::vector<ExcessBound> bounds;
  std::function<void(double)> progress;  // told now and then the fraction done; may be empty
};

// SettingWitness: a pair of inputs and an output, at a λ and a B; exact.
struct SettingWitness {
  Rational scale;
  Rational half_width;
  PairLoss pair;
};

struct BoundOutcome {
  std::string name;
  // settings: (λ, B) where the bound claims something; violations: those among them with a pair that
  // loses more, proved by balls.
  std::uint64_t settings = 0;
  std::uint64_t violations = 0;
  std::optional<SettingWitness> first_violation;
  // The pair with the largest (loss − |x − x′|/λ)/excess, and that quotient, rounded down; an
  // infinite loss makes it infinite.
  std::optional<SettingWitness> worst;
  double worst_ratio = 0;
};

struct ExhaustiveResult {
  std::uint64_t settings = 0;
  std::uint64_t pairs = 0;  // of inputs, in all settings
  std::vector<BoundOutcome> bounds;
};

// exhaustive_losses: every pair of inputs of every setting.
// Requires  checked: 2 ≤ precision ≤ 12; 0 < least_ratio ≤ most_ratio ≤ 4; finest ≤ −4 and not below
//           −20; else kBadParameter.
// Ensures   probabilities are exact. Pairs are screened by logarithms in doubles; balls decide
//           those that come within a millionth of a bound. A violation that is counted is proved.
// Cost      per (λ, B): two additions for each input and output, although the number of pairs is
//           the square of the number of inputs. p = 8 takes some seconds, each further bit eight
//           times as long.
// Proof     proofs/loss.md#exhaustive
ExhaustiveResult exhaustive_losses(const ExhaustiveOptions& options);

}  // namespace lastbit::verify
