#include "lastbit/verify/search/couplings.h"

#include <algorithm>
#include <map>

#include "lastbit/base/error.h"

namespace lastbit::verify {
namespace {

constexpr int kLookAheadSteps = 5;
constexpr std::size_t kMaxAlignments = 12;

const Draw& draw_of(const Goal& goal) {
  if (!goal.draw) throw Error(ErrorCode::kInternal, "couplings", "no draw", "report this bug");
  return *goal.draw;
}

void add_new(std::vector<Polynomial>& list, const Polynomial& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

bool is_known(const Goal& goal, const Polynomial& value) {
  const auto size = static_cast<SymbolId>(goal.symbols.size());
  return std::ranges::all_of(value.terms(), [&](const auto& term) {
    return std::ranges::all_of(term.first.powers, [&](const auto& power) {
      return power.first < size && !goal.symbols[static_cast<std::size_t>(power.first)].is_hidden;
    });
  });
}

// A walk through the near future of a draw, with an unknown shift.
class Walk {
 public:
  Walk(const Goal& goal, Ahead& ahead) : goal_(goal), ahead_(ahead) {}

  void run() {
    Goal probe = goal_;
    unknown_ = static_cast<SymbolId>(probe.symbols.size());
    probe.symbols.push_back({"?", true, false, false});
    Couple couple{{Polynomial::symbol(unknown_), {}}};
    follow(probe, couple, kLookAheadSteps);
    if (is_used_) ahead_.next_pass.reset();
  }

 private:
  void follow(const Goal& goal, const Step& step, int left) {
    Obligations ignored;
    std::vector<Goal> after;
    try {
      after = apply(goal, step, ignored);
    } catch (const Error&) {
      return;  // what cannot be followed is ignored
    }
    for (const Goal& each : after) see(each, left);
  }

  void see(const Goal& goal, int left) {
    see_new_values(goal);
    for (const auto& [name, values] : goal.values) see_pair(values[0], values[1]);
    if (left == 0 || goal.is_stuck) return;
    switch (waiting_for(goal)) {
      case Waiting::kDraw: {
        const Sampler sampler = draw_of(goal).sampler;
        const bool coin = sampler == Sampler::kSign || sampler == Sampler::kBernoulli;
        follow(goal, coin ? Step{CoupleCoin{}} : Step{Couple{}}, left - 1);
        break;
      }
      case Waiting::kBranch:
        see_branch(goal);
        follow(goal, Branch{}, left - 1);
        break;
      case Waiting::kOutput: {
        const auto& output = std::get<Output>(next_statement(goal)->what);
        see_expression(goal, output.value);
        follow(goal, Emit{}, left - 1);
        break;
      }
      case Waiting::kRepeat:
        see_end_of_pass(goal);
        break;
      default:
        break;
    }
  }

  // The fact that says there will be another pass after this one.
  void see_end_of_pass(Goal goal) {
    const Loop& loop = *goal.frames.back().loop->loop;
    if (!loop.guard) return;
    Obligations ignored;
    try {
      const auto cases = conditions(goal, *loop.guard, 0, true, ignored);
      if (cases.size() != 1 || cases.front().size() != 1) return;
      const Fact& fact = cases.front().front();
      if (fact.sign != Sign::kZero && is_known(goal_, fact.value)) ahead_.next_pass = fact;
    } catch (const Error&) {
      return;
    }
  }

  void see_new_values(const Goal& goal) {
    const auto mention = [&](const Mention& one) {
      const bool all_known = std::ranges::all_of(
          one.arguments, [&](const Polynomial& p) { return is_known(goal_, p); });
      const bool seen = std::ranges::any_of(ahead_.mentions, [&](const Mention& m) {
        return m.op == one.op && m.list == one.list && m.arguments == one.arguments;
      });
      const bool of_draw = std::ranges::any_of(
          one.arguments, [&](const Polynomial& p) { return p.mentions(draw_of(goal_).symbol); });
      if (all_known && !seen && !of_draw) ahead_.mentions.push_back(one);
    };
    for (std::size_t i = goal_.entries.size(); i < goal.entries.size(); ++i) {
      mention({Operator::kEntry, goal.entries[i].list, {goal.entries[i].index}});
    }
    for (std::size_t i = goal_.functions.size(); i < goal.functions.size(); ++i) {
      if (goal.functions[i].op == Operator::kDivide) continue;
      mention({goal.functions[i].op, "", goal.functions[i].arguments});
    }
    see_arguments(goal);
  }

  // A function gives the same result in both runs if its arguments are the same.
  void see_arguments(const Goal& goal) {
    for (std::size_t i = goal_.functions.size(); i < goal.functions.size(); ++i) {
      for (std::size_t j = i + 1; j < goal.functions.size(); ++j) {
        const FunctionValue& one = goal.functions[i];
        const FunctionValue& two = goal.functions[j];
        if (one.op != two.op || one.arguments.size() != two.arguments.size()) continue;
        for (std::size_t k = 0; k < one.arguments.size(); ++k) {
          see_pair(one.arguments[k], two.arguments[k]);
        }
      }
    }
  }

  void see_expression(Goal goal, const Expression& expression) {
    Obligations ignored;
    try {
      const Polynomial first = evaluate(goal, expression, 0, ignored);
      const Polynomial second = evaluate(goal, expression, 1, ignored);
      see_new_values(goal);
      see_pair(first, second);
      is_used_ = is_used_ || first.mentions(draw_of(goal_).symbol);
    } catch (const Error&) {
      return;
    }
  }

  void see_branch(Goal goal) {
    const auto& branch = std::get<If>(next_statement(goal)->what);
    Obligations ignored;
    try {
      const auto first = conditions(goal, branch.condition, 0, true, ignored);
      const auto second = conditions(goal, branch.condition, 1, true, ignored);
      see_new_values(goal);
      for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
        for (std::size_t j = 0; j < std::min(first[i].size(), second[i].size()); ++j) {
          const Fact& fact = first[i][j];
          is_used_ = is_used_ || fact.value.mentions(draw_of(goal_).symbol);
          see_pair(fact.value, second[i][j].value);
          const bool usable = fact.sign != Sign::kZero && is_known(goal_, fact.value) &&
                              fact.value.mentions(draw_of(goal_).symbol);
          if (usable && !ahead_.test) ahead_.test = fact;
        }
      }
    } catch (const Error&) {
      return;
    }
  }

  // The unknown that makes the two values equal.
  void see_pair(const Polynomial& first, const Polynomial& second) {
    const Polynomial difference = second - first;
    std::optional<std::pair<Rational, Monomial>> factor;
    Polynomial rest;
    for (const auto& [monomial, coefficient] : difference.terms()) {
      const Monomial other = monomial * Monomial{{{unknown_, -1}}};
      const Polynomial term = Polynomial::term(coefficient, monomial);
      if (!term.mentions(unknown_)) {
        rest += term;
      } else if (factor || Polynomial::term(coefficient, other).mentions(unknown_)) {
        return;
      } else {
        factor = {coefficient, other};
      }
    }
    if (!factor || ahead_.alignments.size() >= kMaxAlignments) return;
    if (!is_known(goal_, Polynomial::term(factor->first, factor->second))) return;
    if (!is_positive(goal_.symbols, factor->second)) return;
    const Polynomial unit =
        Polynomial::term(Rational(1) / abs(factor->first), inverse(factor->second));
    const Polynomial solution = factor->first.sign() > 0 ? -rest * unit : rest * unit;
    if (!is_known(goal_, solution) || solution.mentions(draw_of(goal_).symbol)) return;
    const Ahead::Alignment found{solution, unit};
    if (std::ranges::find(ahead_.alignments, found) == ahead_.alignments.end()) {
      ahead_.alignments.push_back(found);
    }
  }

  const Goal& goal_;
  Ahead& ahead_;
  SymbolId unknown_ = 0;
  bool is_used_ = false;  // in this pass
};

// The sizes that shifts are measured in: distances of inputs, in the units of the draw.
std::vector<Polynomial> sizes(const Goal& goal, const Ahead& ahead) {
  std::vector<Polynomial> result;
  for (const Polynomial& distance : distances(goal)) {
    for (const Ahead::Alignment& one : ahead.alignments) add_new(result, distance * one.unit);
    if (ahead.alignments.empty()) add_new(result, distance);
  }
  return result;
}

// A bound on the shift that does not depend on the state: a small multiple of a size, one that the
// claim can pay for if there is one.
std::optional<Polynomial> bound_of(const Goal& goal, const Ahead& ahead, const Polynomial& by,
                                   bool one_sided, Arithmetic& arithmetic) {
  if (by.is_zero()) return Polynomial();
  const Polynomial rate =
      draw_of(goal).sampler == Sampler::kUniform ? Polynomial(Rational(1)) : draw_of(goal).rate;
  std::vector<Polynomial> measures = sizes(goal, ahead);
  // Values that a loop adds up are measured by the number of its passes.
  for (const Parameter& parameter : goal.program->parameters) {
    const auto value = goal.values.find(parameter.name);
    if (goal.result || parameter.type != Type::kInt || value == goal.values.end()) continue;
    if (!is_positive(goal.symbols, value->second[0])) continue;
    for (const Polynomial& size : sizes(goal, ahead)) add_new(measures, size * value->second[0]);
  }
  std::optional<Polynomial> first;
  const auto is_affordable = [&](const Polynomial& bound) {
    return arithmetic.follows(goal, goal.claimed_epsilon - bound * rate, Sign::kNonNegative);
  };
  for (const Rational& multiple : {Rational(1), Rational(2), Rational(3), Rational(4)}) {
    for (const Polynomial& size : measures) {
      const Polynomial bound = Polynomial(multiple) * size;
      const bool above = arithmetic.follows(goal, bound - by, Sign::kNonNegative);
      if (!above) continue;
      if (!one_sided && !arithmetic.follows(goal, bound + by, Sign::kNonNegative)) continue;
      if (is_affordable(bound)) return bound;
      if (!first) first = bound;
    }
  }
  if (first) return first;
  if (is_positive(goal.symbols, by)) return by;
  if (is_positive(goal.symbols, -by)) return one_sided ? by : -by;
  return std::nullopt;
}

// The size of the shift itself, if its sign is known.
std::optional<Polynomial> exact_bound(const Goal& goal, const Polynomial& by, bool one_sided,
                                      Arithmetic& arithmetic) {
  if (one_sided || arithmetic.follows(goal, by, Sign::kNonNegative)) return by;
  if (arithmetic.follows(goal, -by, Sign::kNonNegative)) return -by;
  return std::nullopt;
}

std::optional<Shift> priced_shift(const Goal& goal, const Ahead& ahead, const Polynomial& by,
                                  bool exact, Arithmetic& arithmetic) {
  const Sampler sampler = draw_of(goal).sampler;
  const bool one_sided = sampler == Sampler::kExponential || sampler == Sampler::kGeometric ||
                         sampler == Sampler::kUniform;
  const auto bound = exact ? exact_bound(goal, by, one_sided, arithmetic)
                           : bound_of(goal, ahead, by, one_sided, arithmetic);
  if (!bound) return std::nullopt;
  return Shift{by, sampler == Sampler::kUniform ? *bound : *bound * draw_of(goal).rate};
}

}  // namespace

std::vector<Polynomial> distances(const Goal& goal) {
  std::vector<Polynomial> found;
  const auto from = [&](const Expression& condition) {
    for (const Expression& operand : condition.operands) {
      if (operand.op == Operator::kNumber && operand.number.sign() > 0) {
        add_new(found, Polynomial(operand.number));
      }
      const auto value = goal.values.find(operand.name);
      if (operand.op == Operator::kVariable && operand.side == 0 && value != goal.values.end()) {
        if (is_positive(goal.symbols, value->second[0])) add_new(found, value->second[0]);
      }
    }
  };
  for (const Adjacency& adjacency : goal.program->adjacent) {
    for (const Expression& condition : adjacency.conditions) from(condition);
  }
  // Bounds of clamps are distances too.
  for (const Parameter& parameter : goal.program->parameters) {
    const auto value = goal.values.find(parameter.name);
    if (value == goal.values.end() || parameter.type != Type::kReal) continue;
    const Polynomial& bound = value->second[0];
    const bool is_public = bound == value->second[1] && is_positive(goal.symbols, bound);
    const auto& powers = bound.terms().begin()->first.powers;
    if (is_public && !goal.claimed_epsilon.mentions(powers.front().first)) add_new(found, bound);
  }
  if (found.empty()) found.emplace_back(Rational(1));
  return found;
}

Ahead look_ahead(const Goal& goal) {
  Ahead ahead;
  Walk(goal, ahead).run();
  // Simple alignments depend on less, so they come first.
  std::map<std::size_t, std::vector<Ahead::Alignment>> by_size;
  for (const Ahead::Alignment& one : ahead.alignments) {
    by_size[one.shift.terms().size()].push_back(one);
  }
  ahead.alignments.clear();
  for (const auto& [size, alignments] : by_size) {
    ahead.alignments.insert(ahead.alignments.end(), alignments.begin(), alignments.end());
  }
  return ahead;
}

// Whether smaller draws pass the test that lies ahead.
static bool wins_by_less(const Goal& goal, const Ahead& ahead) {
  if (!ahead.test) return false;
  const auto& terms = ahead.test->value.terms();
  const auto own = terms.find(Monomial{{{draw_of(goal).symbol, 1}}});
  return own != terms.end() && own->second.sign() < 0;
}

std::vector<Candidate> candidates(const Goal& goal, const Ahead& ahead, bool decides) {
  std::vector<Polynomial> shifts = {Polynomial()};
  for (const Ahead::Alignment& one : ahead.alignments) add_new(shifts, one.shift);
  const std::size_t aligned = shifts.size();
  for (const Polynomial& size : sizes(goal, ahead)) {
    for (std::size_t i = 0; i < aligned; ++i) {
      const Polynomial base = shifts[i];
      add_new(shifts, base + size);
      add_new(shifts, base - size);
    }
    add_new(shifts, size + size);
    add_new(shifts, -size - size);
  }
  std::vector<Candidate> result;
  if (goal.result) {
    if (!decides) result.push_back({Polynomial(), {}});
    for (std::size_t i = 1; decides && i < aligned; ++i) {
      for (const Polynomial& size : sizes(goal, ahead)) {
        result.push_back({shifts[i] + (wins_by_less(goal, ahead) ? -size : size), {}});
      }
    }
    for (std::size_t i = aligned; i < shifts.size(); ++i) result.push_back({shifts[i], {}});
    for (std::size_t i = 0; i < aligned; ++i) result.push_back({shifts[i], {}});
    return result;
  }
  result.push_back({Polynomial(), {}});
  const auto add_choices = [&](std::size_t begin, std::size_t end) {
    if (!ahead.test || draw_of(goal).sampler == Sampler::kUniform) return;
    for (std::size_t i = begin; i < end; ++i) {
      result.push_back({shifts[i], Polynomial()});
      result.push_back({Polynomial(), shifts[i]});
    }
  };
  add_choices(1, aligned);
  for (std::size_t i = 1; i < shifts.size(); ++i) result.push_back({shifts[i], {}});
  add_choices(aligned, shifts.size());
  return result;
}

std::optional<Couple> priced(const Goal& goal, const Ahead& ahead, const Candidate& candidate,
                             bool exact, Arithmetic& arithmetic) {
  if (!candidate.otherwise) {
    const auto shift = priced_shift(goal, ahead, candidate.by, exact, arithmetic);
    return shift ? std::optional(Couple{*shift}) : std::nullopt;
  }
  if (!ahead.test) return std::nullopt;
  Goal passes = goal;
  passes.facts.push_back(*ahead.test);
  Goal fails = goal;
  const Sign opposite = ahead.test->sign == Sign::kPositive ? Sign::kNonNegative : Sign::kPositive;
  fails.facts.push_back({-ahead.test->value, opposite});
  const auto shift = priced_shift(passes, ahead, candidate.by, exact, arithmetic);
  if (!shift) return std::nullopt;
  const auto otherwise = priced_shift(fails, ahead, *candidate.otherwise, exact, arithmetic);
  if (!otherwise) return std::nullopt;
  return Couple{*shift, ahead.test, otherwise};
}

}  // namespace lastbit::verify
