// The exact laws of noisy max, of the exponential mechanism and of their rounds, for tests only;
// not installed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "lastbit/numerics/ball.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::testing {

inline constexpr int kLawPrecision = 200;
using Scores = std::vector<std::int64_t>;
using Law = std::vector<Ball>;

inline Ball ball(const Rational& x) { return Ball(x, kLawPrecision); }

// e^(−(best − score)/scale): the coins of permute-and-flip.
inline Law coins(const Scores& scores, const Rational& scale) {
  const std::int64_t best = *std::ranges::max_element(scores);
  Law result;
  for (const std::int64_t score : scores) {
    result.push_back(exp(ball(Rational(score - best) / scale)));
  }
  return result;
}

// Noisy max by its definition: the integral, over the excess of i above the best score, of the
// probability that it beats all others, which after substituting s for e^−excess is p_i·∫_0^1 Π
// (1 − p_j·s) ds.
inline Law noisy_max_law(const Scores& scores, const Rational& scale) {
  const Law p = coins(scores, scale);
  Law result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Law polynomial = {ball(1)};
    for (std::size_t j = 0; j < p.size(); ++j) {
      if (j == i) continue;
      Law next(polynomial.size() + 1, ball(0));
      for (std::size_t k = 0; k < polynomial.size(); ++k) {
        next[k] = next[k] + polynomial[k];
        next[k + 1] = next[k + 1] - p[j] * polynomial[k];
      }
      polynomial = std::move(next);
    }
    Ball integral = ball(0);
    for (std::size_t k = 0; k < polynomial.size(); ++k) {
      integral = integral + polynomial[k] / ball(k + 1);
    }
    result.push_back(p[i] * integral);
  }
  return result;
}

inline Law exponential_law(const Scores& scores, const Rational& scale) {
  Law p = coins(scores, scale);
  Ball total = ball(0);
  for (const Ball& weight : p) total = total + weight;
  for (Ball& weight : p) weight = weight / total;
  return p;
}

// What k rounds choose, each from the candidates that are left, with its probability.
using Ranking = std::vector<std::size_t>;
using RankingLaw = std::map<Ranking, Ball>;
using ChoiceLaw = Law (*)(const Scores& scores, const Rational& scale);
inline RankingLaw top_k_law(const Scores& scores, const Rational& scale, std::size_t k,
                            ChoiceLaw law_of = noisy_max_law) {
  if (k == 0) return {{Ranking{}, ball(1)}};
  RankingLaw result;
  const Law first = law_of(scores, scale);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    Scores left = scores;
    left.erase(std::next(left.begin(), static_cast<std::ptrdiff_t>(i)));
    for (const auto& [ranking, mass] : top_k_law(left, scale, k - 1, law_of)) {
      Ranking whole = {i};
      for (const std::size_t j : ranking) whole.push_back(j < i ? j : j + 1);
      result.emplace(std::move(whole), first[i] * mass);
    }
  }
  return result;
}

inline Law masses(const RankingLaw& law) {
  Law result;
  for (const auto& [ranking, mass] : law) result.push_back(mass);
  return result;
}

// The largest |ln(P_i/P'_i)| of two laws.
inline Ball largest_loss(const Law& here, const Law& there) {
  Ball most = ball(0);
  for (std::size_t i = 0; i < here.size(); ++i) {
    const Ball loss = abs(ln(here[i] / there[i]));
    if (certainly_greater(loss, most)) most = loss;
  }
  return most;
}

inline std::vector<double> lower_ends(const Law& law) {
  std::vector<double> result;
  for (const Ball& mass : law) result.push_back(mass.lower());
  return result;
}

inline std::vector<Scores> all_scores(std::int64_t most) {
  std::vector<Scores> result;
  for (std::int64_t a = 0; a <= most; ++a) {
    for (std::int64_t b = 0; b <= most; ++b) {
      for (std::int64_t c = 0; c <= most; ++c) result.push_back({a, b, c});
    }
  }
  return result;
}

}  // namespace lastbit::testing
