// Finite models of the rules for programs: a handful of states, commands that are random kernels
// between them, and relations that are random tables.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include "lastbit/verify/semantics/rule_models_test_support.h"

namespace lastbit::verify::testing {
namespace program_rule_models_test {

constexpr int kStates = 3;
using Law = FiniteDistribution<int>;

struct Command {
  std::vector<Law> laws;
  const Law& operator()(int state) const { return laws[static_cast<std::size_t>(state)]; }
};

Command some_command(Dice& dice) {
  Command command;
  for (int state = 0; state < kStates; ++state) command.laws.push_back(some_law(dice, kStates));
  return command;
}

// A command that draws nothing.
Command some_function(Dice& dice) {
  Command command;
  for (int state = 0; state < kStates; ++state) {
    command.laws.push_back(Law::point(dice.below(kStates)));
  }
  return command;
}

Table some_table(Dice& dice) { return Table::some(dice, kStates, 1 + dice.below(7)); }
Rational some_cost(Dice& dice) { return Rational(1 + dice.below(3)); }

template <class Visit>
void for_pairs(const Visit& visit) {
  for (int a = 0; a < kStates; ++a) {
    for (int b = 0; b < kStates; ++b) visit(a, b);
  }
}

// The least δ for which |- c ~ (k, δ) : before => after, e^k = r; 0 when `before` is empty.
template <class Before, class After>
Rational least_delta(const Command& c, const Before& before, const After& after,
                     const Rational& r) {
  Rational worst;
  for_pairs([&](int a, int b) {
    if (before(a, b)) worst = std::max(worst, lift(c(a), c(b), after, r).least_delta);
  });
  return worst;
}

// Either way of combining a relation and a predicate.
auto both(const Table& table, const auto& more) {
  return [&table, &more](int a, int b) { return table(a, b) && more(a, b); };
}

struct Consequence {
  explicit Consequence(Dice& dice)
      : c(some_command(dice)),
        first(some_table(dice)),
        second(some_table(dice)),
        after(some_table(dice)),
        r(some_cost(dice)) {
    delta = std::max(least_delta(c, first, after, r), least_delta(c, second, after, r));
  }
  bool covered(int a, int b) const { return first(a, b) || second(a, b); }

  Command c;
  Table first;
  Table second;
  Table after;
  Rational r;
  Rational delta;
};

RuleModel consequence() {
  const auto covered = [](const Consequence& model) {
    return [&model](int a, int b) { return model.covered(a, b); };
  };
  return {Rule::kConsequence,
          on_all([=](Dice& dice) {
            const Consequence model(dice);
            const Table more = some_table(dice);
            const Table fewer = some_table(dice);
            const auto before = [&](int a, int b) { return fewer(a, b) && model.covered(a, b); };
            const auto after = [&](int a, int b) { return more(a, b) || model.after(a, b); };
            return least_delta(model.c, before, after, model.r + some_cost(dice) - Rational(1)) <=
                   model.delta;
          }),
          {{"a stronger conclusion", fails_on_one([=](Dice& dice) {
              const Consequence model(dice);
              const Table fewer = some_table(dice);
              return least_delta(model.c, covered(model), both(model.after, fewer), model.r) <=
                     model.delta;
            })},
           {"cases that do not cover the precondition", fails_on_one([=](Dice& dice) {
              const Consequence model(dice);
              const auto all = [](int, int) { return true; };
              return least_delta(model.c, all, model.after, model.r) <= model.delta;
            })},
           {"a smaller cost", fails_on_one([=](Dice& dice) {
              const Consequence model(dice);
              return least_delta(model.c, covered(model), model.after, 1) <= model.delta;
            })}}};
}

// States (x, y) with x, y in {0, 1, 2}, numbered 3x + y; x := e(x, y).
RuleModel assignment() {
  const auto instance = [](Dice& dice, bool on_both_sides) {
    std::array<int, 9> e{};
    for (int& value : e) value = dice.below(3);
    const Table after = Table::some(dice, 9, 1 + dice.below(7));
    const auto assigned = [&](int state) {
      return 3 * e.at(static_cast<std::size_t>(state)) + state % 3;
    };
    for (int a = 0; a < 9; ++a) {
      for (int b = 0; b < 9; ++b) {
        if (!after(assigned(a), on_both_sides ? assigned(b) : b)) continue;
        if (!lift(Law::point(assigned(a)), Law::point(assigned(b)), after, 1).holds()) return false;
      }
    }
    return true;
  };
  return {Rule::kAssign,
          on_all([=](Dice& dice) { return instance(dice, true); }),
          {{"substitution on one side only",
            fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

// Two noisy answers about f, each e^k = 2 times as likely from f as from f + 1, at the cost of one.
bool two_answers_cost_one() {
  const auto answers = [](int f, int cut) {
    const auto noise = truncated_discrete_laplace(rational("1/2"), cut);
    return product(noise, noise).map([f](const auto& drawn) {
      return std::pair(drawn.first + Rational(f), drawn.second + Rational(f));
    });
  };
  return lift(answers(0, 2), answers(1, 3), kEqual, 2).holds();
}

RuleModel sequence() {
  const auto instance = [](Dice& dice, bool both_deltas) {
    const Command c = some_command(dice);
    const Command d = some_command(dice);
    const Table before = some_table(dice);
    const Table between = some_table(dice);
    const Table after = some_table(dice);
    const Rational r = some_cost(dice);
    const Rational q = some_cost(dice);
    const Rational delta = least_delta(c, before, between, r);
    const Rational other = least_delta(d, between, after, q);
    Command sequence;
    for (int state = 0; state < kStates; ++state) sequence.laws.push_back(c(state).bind(d));
    return least_delta(sequence, before, after, r * q) <=
           (both_deltas ? delta + other : std::max(delta, other));
  };
  return {
      Rule::kSequence,
      on_all([=](Dice& dice) { return instance(dice, true); }),
      {{"the larger of the costs in place of their sum", [] { return !two_answers_cost_one(); }},
       {"the larger of the deltas in place of their sum",
        fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

RuleModel conditional() {
  const auto instance = [](Dice& dice, bool synchronised) {
    const Command c = some_command(dice);
    const Command d = some_command(dice);
    const std::array<bool, kStates> b{dice.coin(), dice.coin(), dice.coin()};
    const auto test = [&](int state) { return b.at(static_cast<std::size_t>(state)); };
    const Table before = some_table(dice);
    const Table after = some_table(dice);
    const Rational r = some_cost(dice);
    const auto in_then = [&](int x, int y) { return test(x) && test(y); };
    const auto in_else = [&](int x, int y) { return !test(x) && !test(y); };
    const auto together = [&](int x, int y) { return !synchronised || test(x) == test(y); };
    const Rational delta = std::max(least_delta(c, both(before, in_then), after, r),
                                    least_delta(d, both(before, in_else), after, r));
    Command branch;
    for (int state = 0; state < kStates; ++state) {
      branch.laws.push_back(test(state) ? c(state) : d(state));
    }
    return least_delta(branch, both(before, together), after, r) <= delta;
  };
  return {Rule::kConditional,
          on_all([=](Dice& dice) { return instance(dice, true); }),
          {{"runs that may take different branches",
            fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

RuleModel conditional_one_sided() {
  const auto instance = [](Dice& dice, bool all_cases) {
    const Command c = some_function(dice);
    const Command d = some_function(dice);
    const std::array<bool, kStates> b{dice.coin(), dice.coin(), dice.coin()};
    const auto test = [&](int state) { return b.at(static_cast<std::size_t>(state)); };
    const Table after = some_table(dice);
    Command branch;
    for (int state = 0; state < kStates; ++state) {
      branch.laws.push_back(test(state) ? c(state) : d(state));
    }
    const auto before = [&](int x, int y) {
      if (!all_cases && !test(x) && test(y)) return true;
      const Command& left = test(x) ? c : d;
      const Command& right = test(y) ? c : d;
      return after(left(x).masses().begin()->first, right(y).masses().begin()->first);
    };
    return least_delta(branch, before, after, 1).sign() == 0;
  };
  return {Rule::kConditionalOneSided,
          on_all([=](Dice& dice) { return instance(dice, true); }),
          {{"one of the four cases left out",
            fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

template <class Vector>
auto& at(Vector& all, int i) {
  return all[static_cast<std::size_t>(i)];
}

// for i in 0 .. 3 while guard(i, state) { body(i) }, with an invariant for every i.
struct LoopModel {
  static constexpr int kPasses = 3;
  enum class Flaw { kNone, kNotPreserved, kGuardsDiffer, kLargestCost };

  LoopModel(Dice& dice, Flaw what) : flaw(what) {
    for (int i = 0; i < kPasses; ++i) {
      bodies.push_back(some_command(dice));
      costs.push_back(some_cost(dice));
      guards.push_back({dice.below(4) > 0, dice.below(4) > 0, dice.below(4) > 0});
    }
    guards.push_back({});
    // From the last to the first: a pair may be in the invariant only if a pass preserves it.
    invariants.assign(kPasses + 1, Table::some(dice, kStates, 5));
    for (int i = kPasses - 1; i >= 0; --i) {
      for_pairs([&](int a, int b) { at(invariants, i).set(a, b, may_hold(dice, i, a, b)); });
    }
  }

  bool may_hold(Dice& dice, int i, int a, int b) const {
    if (dice.below(4) == 0) return false;
    if (guard(i, a) != guard(i, b)) return flaw == Flaw::kGuardsDiffer;
    if (!guard(i, a) || flaw == Flaw::kNotPreserved) return true;
    const Command& body = at(bodies, i);
    return lift(body(a), body(b), at(invariants, i + 1), at(costs, i)).holds();
  }

  using End = std::pair<int, int>;  // the counter and the state
  FiniteDistribution<End> run(int i, int state) const {
    if (i == kPasses || !guard(i, state)) return FiniteDistribution<End>::point({i, state});
    return at(bodies, i)(state).bind([&](int next) { return run(i + 1, next); });
  }

  Rational spent(int passes) const {
    Rational total = 1;
    for (int i = 0; i < passes; ++i) {
      total = flaw == Flaw::kLargestCost ? std::max(total, at(costs, i)) : total * at(costs, i);
    }
    return total;
  }

  bool conclusion_holds() const {
    const auto together = [&](const End& x, const End& y) {
      return x.first == y.first && at(invariants, x.first)(x.second, y.second);
    };
    bool holds = true;
    for_pairs([&](int a, int b) {
      if (!invariants.front()(a, b)) return;
      const auto cost = [&](const End& end) { return spent(end.first); };
      holds = holds && spends(run(0, a), run(0, b), together, cost);
    });
    return holds;
  }

  bool guard(int i, int state) const { return at(guards, i).at(static_cast<std::size_t>(state)); }

  Flaw flaw;
  std::vector<Command> bodies;
  std::vector<Rational> costs;
  std::vector<std::array<bool, kStates>> guards;
  std::vector<Table> invariants;
};

RuleModel loop() {
  using Flaw = LoopModel::Flaw;
  const auto instance = [](Flaw flaw) {
    return [flaw](Dice& dice) { return LoopModel(dice, flaw).conclusion_holds(); };
  };
  return {
      Rule::kLoop,
      on_all(instance(Flaw::kNone)),
      {{"an invariant that passes do not preserve", fails_on_one(instance(Flaw::kNotPreserved))},
       {"guards that differ", fails_on_one(instance(Flaw::kGuardsDiffer))},
       {"the largest cost of a pass", fails_on_one(instance(Flaw::kLargestCost))}}};
}

RuleModel absurdity() {
  const auto instance = [](Dice& dice, const auto& before) {
    return least_delta(some_command(dice), before, some_table(dice), 1).sign() == 0;
  };
  return {Rule::kAbsurd,
          on_all([=](Dice& dice) { return instance(dice, [](int, int) { return false; }); }),
          {{"a precondition that only equal states contradict", fails_on_one([=](Dice& dice) {
              return instance(dice, [](int a, int b) { return a != b; });
            })}}};
}

// w.2 = w.1 + k implies function(w.2) = function(w.1) + k, for w in eighths and k in steps.
bool keeps_offsets(Dice& dice, const Rational& step,
                   const std::function<Rational(const Rational&)>& function) {
  const Rational w = Rational(dice.below(65) - 32, 8);
  const Rational k = Rational(dice.below(9) - 4) * step;
  const auto left = FiniteDistribution<Rational>::point(function(w));
  const auto right = FiniteDistribution<Rational>::point(function(w + k));
  const auto shifted = [&](const Rational& a, const Rational& b) { return b == a + k; };
  return lift(left, right, shifted, 1).holds();
}

RuleModel post_process() {
  const auto round = [](const Rational& w) { return Rational((w + Rational(1, 2)).floor()); };
  const auto clamp = [](const Rational& w) { return std::clamp(w, Rational(-1), Rational(1)); };
  return {Rule::kPostProcess,
          on_all([=](Dice& dice) {
            const Command g = some_function(dice);
            const Law law = some_law(dice, kStates);
            return lift(law.bind(g), law.bind(g), kEqual, 1).holds() &&
                   keeps_offsets(dice, 1, round);  // whole offsets and a whole grid
          }),
          {{"a function that differs between the runs", fails_on_one([](Dice& dice) {
              const Law law = some_law(dice, kStates);
              const Command g = some_function(dice);
              const Command h = some_function(dice);
              return lift(law.bind(g), law.bind(h), kEqual, 1).holds();
            })},
           {"rounding keeps offsets",
            fails_on_one([=](Dice& dice) { return keeps_offsets(dice, rational("1/8"), round); })},
           {"clamping keeps offsets",
            fails_on_one([=](Dice& dice) { return keeps_offsets(dice, 1, clamp); })}}};
}

// For every set of outcomes, left(S) ≤ r·right(S) + δ.
bool is_private(const Law& left, const Law& right, const Rational& r, const Rational& delta) {
  for (unsigned subset = 0; subset < 16; ++subset) {
    const auto in = [&](int value) { return ((subset >> value) & 1U) != 0; };
    if (left.mass_where(in) > r * right.mass_where(in) + delta) return false;
  }
  return true;
}

RuleModel output() {
  const auto instance = [](Dice& dice, const auto& related) {
    const Law left = some_law(dice, 4);
    const Law right = some_law(dice, 4);
    const Rational r = some_cost(dice);
    return is_private(left, right, r, lift(left, right, related, r).least_delta);
  };
  return {Rule::kOutput,
          on_all([=](Dice& dice) { return instance(dice, kEqual); }),
          {{"outputs that are close", fails_on_one([=](Dice& dice) {
              return instance(dice, [](int a, int b) { return std::abs(a - b) <= 1; });
            })}}};
}

RuleModel pointwise() {
  enum class Sum { kAll, kLargest };
  const auto instance = [](Dice& dice, int tolerance, Sum sum) {
    const Law left = some_law(dice, 4);
    const Law right = some_law(dice, 4);
    const Rational r = some_cost(dice);
    Rational total;
    Rational largest;
    for (int result = 0; result < 4; ++result) {
      const auto implies = [&](int a, int b) {
        return a != result || std::abs(b - result) <= tolerance;
      };
      const Rational delta = lift(left, right, implies, r).least_delta;
      total += delta;
      largest = std::max(largest, delta);
    }
    return is_private(left, right, r, sum == Sum::kAll ? total : largest);
  };
  // With δ = 0 for every result the sum is 0, which is the rule.
  return {Rule::kPointwise,
          on_all([=](Dice& dice) { return instance(dice, 0, Sum::kAll); }),
          {{"the largest of the deltas",
            fails_on_one([=](Dice& dice) { return instance(dice, 0, Sum::kLargest); })},
           {"a second result that is near the one looked at",
            fails_on_one([=](Dice& dice) { return instance(dice, 1, Sum::kAll); })}}};
}

RuleModel up_to_bad() {
  const auto instance = [](Dice& dice, bool charged) {
    const Command good = some_command(dice);
    const Command bad = some_command(dice);
    const Table before = some_table(dice);
    const Table after = some_table(dice);
    const Rational r = some_cost(dice);
    const Rational p = Rational(dice.below(5), 4);
    Command whole;
    for (int state = 0; state < kStates; ++state) {
      Law law = good(state).reweighted([&](int) { return Rational(1) - p; });
      for (const auto& [value, mass] : bad(state).masses()) law.add(value, p * mass);
      whole.laws.push_back(law);
    }
    const Rational delta = least_delta(good, before, after, r);
    return least_delta(whole, before, after, r) <= delta + (charged ? p : Rational(0));
  };
  return {Rule::kUpToBad,
          on_all([=](Dice& dice) { return instance(dice, true); }),
          {{"what is given up at no delta",
            fails_on_one([=](Dice& dice) { return instance(dice, false); })}}};
}

}  // namespace program_rule_models_test

std::vector<RuleModel> program_rule_models() {
  using namespace program_rule_models_test;
  return {consequence(), assignment(), sequence(),     conditional(), conditional_one_sided(),
          loop(),        absurdity(),  post_process(), output(),      pointwise(),
          up_to_bad()};
}

}  // namespace lastbit::verify::testing
