// Which bounds on the float loss hold for a mechanism: proved ones, and the published one.
#pragma once

#include <optional>
#include <string>

#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/float_mechanism.h"

namespace lastbit::verify {

// FloatBound: no two inputs at most `distance` apart lose more than this value.
struct FloatBound {
  std::string formula;            // how the value is computed, in one line
  std::string hypotheses;         // when it holds
  std::string source;             // where it comes from
  std::optional<Rational> value;  // where the hypotheses hold
  std::string why_not;            // the hypothesis that fails; empty where there is a value
};

// proved_bound: what is proved for exactly these parameters. Only the mechanism that ships has one,
// and binary64 where its range is wide enough to make no difference.
// Proof     proofs/snapping.md#sharp, proofs/loss.md#binary64
FloatBound proved_bound(const FloatMechanism& mechanism, const Rational& distance);
// whole_bound: the same for inputs that are whole numbers, such as counts.
FloatBound whole_bound(const FloatMechanism& mechanism, const Rational& distance);
// simple_bound: the simpler theorem, which a release charges. Proof: proofs/snapping.md#loss
FloatBound simple_bound(const FloatMechanism& mechanism, const Rational& distance);
// mironov_formula: the published bound, with its hypotheses. Not proved here.
FloatBound mironov_formula(const FloatMechanism& mechanism, const Rational& distance);

// domain_problem: why (precision, λ, B) is outside the domain of the proved theorem; empty inside.
std::string domain_problem(int precision, const Rational& scale, const Rational& half_width);
// binary64_problem: why u in binary64 does not behave like floats without a smallest number; empty
// if it does. Proof: proofs/loss.md#binary64
std::string binary64_problem(const Rational& scale, const Rational& half_width);

}  // namespace lastbit::verify
