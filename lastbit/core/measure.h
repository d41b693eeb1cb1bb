// Measures: how far apart two output distributions are, which is what privacy bounds.
//
// Each measure has a Value type and says how losses add up under sequential composition. The
// divergences themselves are computed for finite distributions in divergence.h.
// Definitions and proofs: proofs/core.md#measures.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/numerics/distance.h"

namespace lastbit {

// MaxDivergence: D∞(Y‖Z) ≤ ε when Pr[Y ∈ S] ≤ e^ε · Pr[Z ∈ S] for every event S. Pure
// differential privacy; the Value is ε.
// Source    [Dwork2006a]
struct MaxDivergence {
  using Value = Distance;
  static constexpr std::string_view kName = "max divergence (epsilon)";
  static Distance sum(const Distance& a, const Distance& b) { return a + b; }
  friend bool operator==(const MaxDivergence&, const MaxDivergence&) = default;
};

// PrivacyLoss: a pair (ε, δ) with 0 ≤ δ ≤ 1; one is below another when both parts are.
class PrivacyLoss {
 public:
  PrivacyLoss() = default;
  // A delta outside [0, 1] is a kBadParameter Error.
  PrivacyLoss(Distance epsilon, Rational delta)
      : epsilon_(std::move(epsilon)), delta_(std::move(delta)) {
    if (delta_.sign() < 0 || delta_ > Rational(1)) {
      throw Error::bad_parameter("privacy loss", "delta", "is outside [0, 1]",
                                 "give a probability");
    }
  }
  const Distance& epsilon() const { return epsilon_; }
  const Rational& delta() const { return delta_; }
  std::string to_string() const {
    return "(" + epsilon_.to_string() + ", " + delta_.to_string() + ")";
  }
  friend bool operator==(const PrivacyLoss&, const PrivacyLoss&) = default;
  friend std::partial_ordering operator<=>(const PrivacyLoss& a, const PrivacyLoss& b) {
    const auto epsilons = a.epsilon_ <=> b.epsilon_;
    const auto deltas = a.delta_ <=> b.delta_;
    if (epsilons == deltas || deltas == 0) return epsilons;
    return epsilons == 0 ? std::partial_ordering(deltas) : std::partial_ordering::unordered;
  }

 private:
  Distance epsilon_;
  Rational delta_;
};

// SmoothedMaxDivergence: D∞^δ(Y‖Z) ≤ ε when Pr[Y ∈ S] ≤ e^ε · Pr[Z ∈ S] + δ for every event S.
// Approximate differential privacy; the Value is (ε, δ). Stated without logarithms, because the
// logarithm of (Pr[Y ∈ S] − δ)/Pr[Z ∈ S] does not exist where Pr[Y ∈ S] = δ.
// Source    [Dwork2006b]
struct SmoothedMaxDivergence {
  using Value = PrivacyLoss;
  static constexpr std::string_view kName = "smoothed max divergence (epsilon, delta)";
  // δ is a probability, so a sum above 1 says no more than 1.
  static PrivacyLoss sum(const PrivacyLoss& a, const PrivacyLoss& b) {
    return {a.epsilon() + b.epsilon(), std::min(a.delta() + b.delta(), Rational(1))};
  }
  friend bool operator==(const SmoothedMaxDivergence&, const SmoothedMaxDivergence&) = default;
};

// ZeroConcentratedDivergence: D_α(Y‖Z) ≤ ρ·α for every order α > 1. The Value is ρ.
// Source    [BunSteinke2016]
struct ZeroConcentratedDivergence {
  using Value = Distance;
  static constexpr std::string_view kName = "zero-concentrated divergence (rho)";
  static Distance sum(const Distance& a, const Distance& b) { return a + b; }
  friend bool operator==(const ZeroConcentratedDivergence&,
                         const ZeroConcentratedDivergence&) = default;
};

// ConcentratedLoss: a pair (ρ, δ) with 0 ≤ δ ≤ 1; one is below another when both parts are.
class ConcentratedLoss {
 public:
  ConcentratedLoss() = default;
  // A delta outside [0, 1] is a kBadParameter Error.
  ConcentratedLoss(Distance rho, Rational delta) : pair_(std::move(rho), std::move(delta)) {}
  const Distance& rho() const { return pair_.epsilon(); }
  const Rational& delta() const { return pair_.delta(); }
  std::string to_string() const { return pair_.to_string(); }
  friend bool operator==(const ConcentratedLoss&, const ConcentratedLoss&) = default;
  friend std::partial_ordering operator<=>(const ConcentratedLoss& a, const ConcentratedLoss& b) {
    return a.pair_ <=> b.pair_;
  }

 private:
  PrivacyLoss pair_;
};

// ApproximateConcentratedDivergence: (ρ, δ) when Y = (1 − δ)·Y₀ + δ·Y₁ and Z = (1 − δ)·Z₀ + δ·Z₁
// for laws with D_α(Y₀‖Z₀) ≤ ρ·α and D_α(Z₀‖Y₀) ≤ ρ·α for every order α > 1: zero-concentrated,
// but for events of probability δ. It is symmetric.
// Source    [BunSteinke2016], section 8
// Proof     proofs/core.md#approximate-concentrated
struct ApproximateConcentratedDivergence {
  using Value = ConcentratedLoss;
  static constexpr std::string_view kName = "approximate zero-concentrated divergence (rho, delta)";
  // The exact delta is 1 − (1 − δ₁)(1 − δ₂), which is less by δ₁·δ₂ only; sums stay short decimals.
  static ConcentratedLoss sum(const ConcentratedLoss& a, const ConcentratedLoss& b) {
    return {a.rho() + b.rho(), std::min(a.delta() + b.delta(), Rational(1))};
  }
  friend bool operator==(const ApproximateConcentratedDivergence&,
                         const ApproximateConcentratedDivergence&) = default;
};

template <class M>
concept Measure = requires(const typename M::Value& value) {
  { M::sum(value, value) } -> std::same_as<typename M::Value>;
  { value <= value } -> std::convertible_to<bool>;
};

}  // namespace lastbit
