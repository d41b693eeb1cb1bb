// Finite models of the rules for draws and dilations. Lattice laws are cut on the left only: the
// right law keeps everything that a left outcome may be coupled with, so that nothing is lost.
// Continuous noise is modelled by the same laws on multiples of 1/2.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lastbit/verify/semantics/rule_models_test_support.h"

namespace lastbit::verify::testing {
namespace draw_rule_models_test {

using Law = FiniteDistribution<Rational>;

constexpr int kCut = 4;      // of left laws
constexpr int kFarther = 9;  // of right laws

Rational some_alpha(Dice& dice) {
  return std::vector{rational("1/2"), rational("1/3"), rational("2/3")}.at(
      static_cast<std::size_t>(dice.below(3)));
}
// α^(−n), the cost of n steps on the lattice.
Rational cost_of(const Rational& alpha, const Rational& steps) {
  return Rational(1) / pow(alpha, static_cast<unsigned>(abs(steps).ceil().to_int64()));
}
Law on_halves(const Law& law) {
  return law.map([](const Rational& value) { return value / Rational(2); });
}
auto shifted_by(const Rational& k) {
  return [k](const Rational& a, const Rational& b) { return b == a + k; };
}
Law coin(const Rational& p, const Rational& one = 1, const Rational& other = 0) {
  Law law;
  law.add(one, p);
  law.add(other, Rational(1) - p);
  return law;
}
// The uniform law on the multiples of `step` in (0, 1].
Law unit_grid(const Rational& step) {
  std::vector<Rational> values;
  for (Rational value = step; value <= Rational(1); value += step) values.push_back(value);
  return Law::uniform(values);
}

RuleModel null() {
  return {Rule::kNull,
          on_all([](Dice& dice) {
            const auto law = some_law(dice, 5);
            return lift(law, law, kEqual, 1).holds();
          }),
          {{"two laws", fails_on_one([](Dice& dice) {
              return lift(some_law(dice, 5), some_law(dice, 5), kEqual, 1).holds();
            })}}};
}

RuleModel sign_flip() {
  const auto instance = [](const Rational& p) {
    const Law sign = coin(p, 1, -1);
    return lift(
               sign, sign, [](const Rational& a, const Rational& b) { return b == -a; }, 1)
        .holds();
  };
  return {Rule::kSignFlip,
          [=] { return instance(rational("1/2")); },
          {{"a biased sign", [=] { return !instance(rational("1/3")); }}}};
}

// The noise s·j of a sign and a number of steps j = −ln u; u.2 = u.1/r and s.2 = s.1 at cost r, with
// the claim that f + noise stays the same when f moves by one step.
bool equal_signs_cancel_a_step() {
  const auto noisy = [](int f, int cut) {
    return product(Law::uniform({-1, 1}), truncated_geometric(rational("1/2"), cut))
        .map([f](const auto& draw) {
          return std::pair(draw.first, Rational(f) + draw.first * draw.second);
        });
  };
  return lift(noisy(1, kCut), noisy(0, kFarther), kEqual, 2).holds();
}

RuleModel uniform_scale() {
  const auto towards_zero = [](Dice& dice) {
    const int n = 2 + dice.below(8);
    const int r = 1 + dice.below(4);
    const auto scaled = [&](const Rational& u, const Rational& v) { return v * Rational(r) == u; };
    return lift(unit_grid(Rational(1, n)), unit_grid(Rational(1, n * r)), scaled, r).holds();
  };
  const auto away_from_zero = [](Dice& dice) {
    const int r = 2 + dice.below(3);
    const auto scaled = [&](const Rational& u, const Rational& v) { return v == u * Rational(r); };
    return lift(unit_grid(Rational(1, 12)), unit_grid(Rational(r, 12)), scaled, r).holds();
  };
  const auto depends_on_u = [](Dice&) {
    const auto scaled = [](const Rational& u, const Rational& v) {
      return v == (u > Rational(1, 2) ? u / Rational(2) : u);
    };
    return lift(unit_grid(Rational(1, 4)), unit_grid(Rational(1, 8)), scaled, 2).holds();
  };
  return {Rule::kUniformScale,
          on_all(towards_zero),
          {{"scaling away from 0", fails_on_one(away_from_zero)},
           {"a factor that depends on u", fails_on_one(depends_on_u)},
           {"equal signs cancel a step", [] { return !equal_signs_cancel_a_step(); }}}};
}

RuleModel laplace_null() {
  const auto instance = [](Dice& dice, bool claims_more) {
    const Rational alpha = some_alpha(dice);
    const Rational first = Rational(dice.below(5) - 2, 2);
    const Rational second = Rational(dice.below(5) - 2, 2);
    const auto keeps = [&](const Rational& a, const Rational& b) {
      const Rational gap = (a + first) - (b + second);
      return claims_more ? gap.sign() == 0 : gap == first - second;
    };
    return lift(on_halves(truncated_discrete_laplace(alpha, kCut)),
                on_halves(truncated_discrete_laplace(alpha, kFarther)), keeps, 1)
        .holds();
  };
  return {
      Rule::kLaplaceNull,
      on_all([=](Dice& dice) { return instance(dice, false); }),
      {{"equal sums at no cost", fails_on_one([=](Dice& dice) { return instance(dice, true); })}}};
}

// y.2 = y.1 + k for the law of `make` on multiples of 1/fineness, k in `steps` of them; the cost
// is that of paid(|steps|) steps.
template <class Paid>
bool shift_holds(const std::function<Law(const Rational&, int)>& make, const Rational& alpha,
                 int fineness, const Rational& steps, const Paid& paid) {
  const auto fine = [&](const Rational& y) { return y / Rational(fineness); };
  return lift(make(alpha, kCut).map(fine), make(alpha, kFarther).map(fine),
              shifted_by(steps / Rational(fineness)), cost_of(alpha, paid(steps)))
      .holds();
}
const auto kFull = [](const Rational& steps) { return steps; };
const auto kHalf = [](const Rational& steps) {
  return Rational((abs(steps) / Rational(2)).floor());
};

RuleModel laplace_shift() {
  const auto instance = [](const auto& paid) {
    return [paid](Dice& dice) {
      const Rational alpha = some_alpha(dice);
      return shift_holds(truncated_discrete_laplace, alpha, 2, dice.below(9) - 4, paid);
    };
  };
  const auto depends_on_y = [](Dice&) {
    const auto meets = [](const Rational& a, const Rational& b) {
      return b == a + std::clamp(Rational(1) - a, Rational(-1), Rational(1));
    };
    return lift(truncated_discrete_laplace(rational("1/2"), kCut),
                truncated_discrete_laplace(rational("1/2"), kFarther), meets, 2)
        .holds();
  };
  const auto two_scales = [](Dice&) {
    return lift(truncated_discrete_laplace(rational("2/3"), kCut),
                truncated_discrete_laplace(rational("1/3"), kFarther), shifted_by(1), 3)
        .holds();
  };
  return {Rule::kLaplaceShift,
          on_all(instance(kFull)),
          {{"half the cost", fails_on_one(instance(kHalf))},
           {"a shift that depends on the draw", fails_on_one(depends_on_y)},
           {"two scales", fails_on_one(two_scales)}}};
}

RuleModel discrete_laplace_shift() {
  const auto instance = [](const auto& paid, const Rational& unit) {
    return [paid, unit](Dice& dice) {
      const Rational steps = Rational(dice.below(9) - 4) * unit;
      return shift_holds(truncated_discrete_laplace, some_alpha(dice), 1, steps, paid);
    };
  };
  return {Rule::kDiscreteLaplaceShift,
          on_all(instance(kFull, 1)),
          {{"half the cost", fails_on_one(instance(kHalf, 1))},
           {"a shift by a fraction", fails_on_one(instance(kFull, rational("1/2")))}}};
}

RuleModel exponential_shift(Rule rule, int fineness) {
  const auto instance = [fineness](int least, const Rational& unit, const auto& paid) {
    return [=](Dice& dice) {
      const Rational steps = Rational(least + dice.below(5)) * unit;
      return shift_holds(truncated_geometric, some_alpha(dice), fineness, steps, paid);
    };
  };
  return {rule,
          on_all(instance(0, 1, kFull)),
          {{"a shift below 0", fails_on_one(instance(-2, 1, kFull))},
           {"a shift off the lattice", fails_on_one(instance(0, rational("1/2"), kFull))},
           {"half the cost", fails_on_one(instance(0, 1, kHalf))}}};
}

RuleModel laplace_choice() {
  const auto instance = [](Dice& dice, bool apart) {
    const Rational alpha = some_alpha(dice);
    std::map<Rational, bool> test;
    const int threshold = dice.below(9) - 4;
    const bool scattered = dice.below(4) == 0;
    for (int y = -kCut; y <= kCut; ++y) test[y] = scattered ? dice.coin() : y >= threshold;
    const Rational k = dice.below(5) - 2;
    const Rational other = dice.below(5) - 2;
    const auto shift = [&](const Rational& y) { return test.at(y) ? k : other; };
    std::map<Rational, int> images;
    for (const auto& [y, passes] : test) ++images[y + shift(y)];
    const bool collide = std::ranges::any_of(images, [](const auto& i) { return i.second > 1; });
    if (apart && collide) return true;
    const auto coupled = [&](const Rational& a, const Rational& b) { return b == a + shift(a); };
    const auto cost = [&](const Rational& y) { return cost_of(alpha, shift(y)); };
    return spends(truncated_discrete_laplace(alpha, kCut),
                  truncated_discrete_laplace(alpha, kFarther), coupled, cost);
  };
  return {Rule::kLaplaceChoice,
          [=] { return always([=](Dice& dice) { return instance(dice, true); }, 800); },
          {{"draws that meet", fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

// The law of s·(j + 1/2) for j = ⌊−ln u⌋ and a sign that is 1 with probability p.
Law signed_noise(const Rational& alpha, const Rational& p, int cut) {
  return product(coin(p, 1, -1), truncated_geometric(alpha, cut)).map([](const auto& draw) {
    return draw.first * (draw.second + Rational(1, 2));
  });
}

// The Laplace law of the cells [k, k + 1), by differences of its distribution function, which is
// α^(−x)/2 at whole x ≤ 0 and 1 − α^x/2 at whole x ≥ 0.
Law laplace_cells(const Rational& alpha, int cut) {
  const auto below = [&](int x) {
    const Rational tail = pow(alpha, static_cast<unsigned>(std::abs(x))) / Rational(2);
    return x <= 0 ? tail : Rational(1) - tail;
  };
  Law law;
  for (int k = -cut - 1; k <= cut; ++k) {
    law.add(Rational(k) + Rational(1, 2), below(k + 1) - below(k));
  }
  return law;
}

RuleModel laplace_intro() {
  const auto is_laplace = [](const Rational& p) {
    return [p](Dice& dice) {
      const Rational alpha = some_alpha(dice);
      return signed_noise(alpha, p, kCut) == laplace_cells(alpha, kCut);
    };
  };
  // The pair (s, z) cannot follow a shift of z near 0, where the sign must change.
  const auto seen_sign = [](Dice& dice) {
    const Rational alpha = some_alpha(dice);
    const auto with_sign = [](const Rational& z) { return std::pair(z.sign(), z); };
    const auto moved = [](const auto& a, const auto& b) {
      return a.first == b.first && b.second == a.second + Rational(1);
    };
    return lift(laplace_cells(alpha, kCut).map(with_sign),
                laplace_cells(alpha, kFarther).map(with_sign), moved, cost_of(alpha, 1))
        .holds();
  };
  return {Rule::kLaplaceIntro,
          on_all([=](Dice& dice) {
            const Rational alpha = some_alpha(dice);
            const Rational k = dice.below(7) - 3;
            return is_laplace(rational("1/2"))(dice) &&
                   lift(laplace_cells(alpha, kCut), laplace_cells(alpha, kFarther), shifted_by(k),
                        cost_of(alpha, k))
                       .holds();
          }),
          {{"a biased sign", fails_on_one(is_laplace(rational("1/3")))},
           {"a sign that is used again", fails_on_one(seen_sign)}}};
}

RuleModel bernoulli_swap() {
  const auto instance = [](Dice& dice, int direction) {
    const Rational p = Rational(1 + dice.below(7), 8);
    const Rational odds = p / (Rational(1) - p);
    const auto swapped = [](const Rational& a, const Rational& b) { return a + b == Rational(1); };
    const auto cost = [&](const Rational& y) {
      if (direction == 0) return Rational(1);
      return (y.sign() > 0) == (direction > 0) ? odds : Rational(1) / odds;
    };
    return spends(coin(p), coin(p), swapped, cost);
  };
  return {Rule::kBernoulliSwap,
          on_all([=](Dice& dice) { return instance(dice, 1); }),
          {{"no cost", fails_on_one([=](Dice& dice) { return instance(dice, 0); })},
           {"the cost of the other face",
            fails_on_one([=](Dice& dice) { return instance(dice, -1); })}}};
}

RuleModel dilation_uniform() {
  const auto instance = [](Dice& dice, DilationDirection direction) {
    const int r = 2 + dice.below(3);
    const bool inwards = direction == DilationDirection::kTowardsZero;
    const Law other = unit_grid(inwards ? Rational(1, 12 * r) : Rational(r, 12));
    return dilation_divergence(unit_grid(rational("1/12")), other, r, direction).value.sign() == 0;
  };
  return {Rule::kDilationUniform,
          on_all([=](Dice& dice) { return instance(dice, DilationDirection::kTowardsZero); }),
          {{"the other direction", fails_on_one([=](Dice& dice) {
              return instance(dice, DilationDirection::kAwayFromZero);
            })}}};
}

// A law on the powers 2^−3, …, 2^3, and the law of the exponents.
Law some_powers(Dice& dice) {
  return some_law(dice, 7).map([](int j) { return Rational::two_to(j - 3); });
}
Law logarithms(const Law& law) {
  return law.map([](const Rational& u) {
    return Rational(static_cast<int>(u.numerator().bit_length()) -
                    static_cast<int>(u.denominator().bit_length()));
  });
}

RuleModel dilation_logarithm() {
  const auto instance = [](Dice& dice, int shift) {
    const Law left = some_powers(dice);
    const Law right = some_powers(dice);
    const auto moved =
        logarithms(right).map([&](const Rational& t) { return t + Rational(shift); });
    return divergence(logarithms(left), moved, 2).value <=
           dilation_divergence(left, right, 2, DilationDirection::kTowardsZero).value;
  };
  return {Rule::kDilationLogarithm,
          on_all([=](Dice& dice) { return instance(dice, 1); }),
          {{"no translation", fails_on_one([=](Dice& dice) { return instance(dice, 0); })},
           {"translation the other way",
            fails_on_one([=](Dice& dice) { return instance(dice, -1); })}}};
}

RuleModel dilation_consequence() {
  const auto instance = [](Dice& dice, const Rational& r) {
    const Law left = some_powers(dice);
    const Law right = some_powers(dice);
    const Rational reach = Rational::two_to(dice.below(3));
    const Rational more = Rational::two_to(dice.below(2));
    const auto within = [](const Rational& factor) {
      return [factor](const Rational& a, const Rational& b) {
        return a <= b * factor && b <= a * factor;
      };
    };
    return dilation_lift(left, right, within(reach * more), r).least_delta <=
           dilation_lift(left, right, within(reach), 2).least_delta;
  };
  return {Rule::kDilationConsequence,
          on_all([=](Dice& dice) { return instance(dice, 2); }),
          {{"a larger k", fails_on_one([=](Dice& dice) { return instance(dice, 4); })}}};
}

Law moved(const Law& law, int by) {
  return law.map([by](const Rational& z) { return z + Rational(by); });
}

RuleModel dilation_privacy() {
  const auto instance = [](Dice& dice, const std::vector<int>& translations) {
    const Law noise = some_law(dice, 6).map([](int z) { return Rational(z); });
    const Rational r = Rational(1 + dice.below(4));
    Rational d;  // v(E) − r·v(E + t) is Δ of v and of v translated by −t
    for (const int t : translations) d = std::max(d, divergence(noise, moved(noise, -t), r).value);
    const int f = dice.below(3);
    for (const int other : {f - 1, f, f + 1}) {
      if (!lift(moved(noise, f), moved(noise, other), kEqual, r).holds(d)) return false;
    }
    return true;
  };
  // u takes the values 2^(−5−j): no dilation tells its law from itself, but |ln u| ≥ 5·ln 2.
  const auto from_dilation = [](Dice&) {
    const auto noise = [](int cut) {
      return product(Law::uniform({-1, 1}), truncated_geometric(rational("1/2"), cut))
          .map([](const auto& draw) { return draw.first * (Rational(5) + draw.second); });
    };
    const auto u = [](int cut) {
      return truncated_geometric(rational("1/2"), cut).map([](const Rational& j) {
        return Rational::two_to(-5 - j.numerator().to_int64());
      });
    };
    const bool premise =
        dilation_divergence(u(kCut), u(kFarther), 2, DilationDirection::kTowardsZero)
            .value.sign() == 0;
    return !premise || lift(noise(kCut), moved(noise(kFarther), 1), kEqual, 2).holds();
  };
  return {
      Rule::kDilationPrivacy,
      on_all([=](Dice& dice) { return instance(dice, {-1, 1}); }),
      {{"translations in one direction only",
        fails_on_one([=](Dice& dice) { return instance(dice, {1}); })},
       {"zero dilation of u in place of translations of the noise", fails_on_one(from_dilation)}}};
}

}  // namespace draw_rule_models_test

std::vector<RuleModel> draw_rule_models() {
  using namespace draw_rule_models_test;
  return {null(),
          sign_flip(),
          uniform_scale(),
          laplace_null(),
          laplace_shift(),
          laplace_choice(),
          laplace_intro(),
          exponential_shift(Rule::kExponentialShift, 2),
          exponential_shift(Rule::kGeometricShift, 1),
          discrete_laplace_shift(),
          bernoulli_swap(),
          dilation_uniform(),
          dilation_logarithm(),
          dilation_consequence(),
          dilation_privacy()};
}

}  // namespace lastbit::verify::testing
