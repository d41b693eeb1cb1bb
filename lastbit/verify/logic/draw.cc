// Random draws in two runs, coupled.
#include <algorithm>
#include <set>

#include "lastbit/verify/logic/calculus_internal.h"

namespace lastbit::verify::calculus_internal {
namespace {

const Polynomial kOne{Rational(1)};

bool is_coin(Sampler sampler) {
  return sampler == Sampler::kBernoulli || sampler == Sampler::kSign;
}

// What is known about the first run's value.
void add_support(Goal& goal, const Draw& draw) {
  const Polynomial y = Polynomial::symbol(draw.symbol);
  if (draw.sampler == Sampler::kExponential || draw.sampler == Sampler::kGeometric) {
    add_fact(goal, y, Sign::kNonNegative);
  }
  if (draw.sampler == Sampler::kUniform) {
    add_fact(goal, kOne - y, Sign::kPositive);
    const Polynomial ln = Polynomial::symbol(fresh(goal, "ln(" + draw.name + ")"));
    add_fact(goal, -ln, Sign::kPositive);
    goal.functions.push_back({Operator::kLn, {y}, ln, false});
  }
}

void set_draw(Goal& goal, Draw draw) {
  const bool whole = draw.sampler != Sampler::kUniform && draw.sampler != Sampler::kLaplace &&
                     draw.sampler != Sampler::kExponential;
  draw.symbol = fresh(goal, draw.name, whole, draw.sampler == Sampler::kUniform);
  add_support(goal, draw);
  goal.draw = std::move(draw);
}

const Draw& draw_of(const Goal& goal) {
  if (!goal.draw || goal.is_stuck) throw mismatch("there is no draw here");
  return *goal.draw;
}

const Polynomial& ln_of(const Goal& goal, SymbolId symbol) {
  const auto found = std::ranges::find_if(goal.functions, [&](const FunctionValue& f) {
    return f.op == Operator::kLn && f.arguments.front() == Polynomial::symbol(symbol);
  });
  if (found == goal.functions.end()) throw mismatch("a uniform draw has lost its logarithm");
  return found->value;
}

// The goal in which the second run's noise is the first run's plus shift.by.
Goal shifted(const Goal& goal, const Shift& shift, Obligations& obligations) {
  const Draw& draw = draw_of(goal);
  const Polynomial y = Polynomial::symbol(draw.symbol);
  Goal after = goal;
  after.draw.reset();
  after.spent += shift.cost;
  std::array<Polynomial, 2> values = {y, y + shift.by};
  const Polynomial cost_of_shift = shift.by * draw.rate;
  if (draw.sampler == Sampler::kUniform) {
    oblige(goal, shift.by, Sign::kNonNegative, "a uniform draw is scaled towards 0", obligations);
    oblige(goal, shift.cost - shift.by, Sign::kNonNegative, "the cost of scaling", obligations);
    values[1] = y;
    if (!shift.by.is_zero()) {
      values[1] = Polynomial::symbol(fresh(after, draw.name + ".2", false, true));
      after.functions.push_back(
          {Operator::kLn, {values[1]}, ln_of(goal, draw.symbol) - shift.by, false});
      add_fact(after, y - values[1], Sign::kNonNegative);
    }
  } else {
    const bool whole = goal.symbols.at(static_cast<std::size_t>(draw.symbol)).is_whole;
    if (whole && !is_whole(goal, shift.by)) throw mismatch("whole noise is shifted by a fraction");
    oblige(goal, shift.cost - cost_of_shift, Sign::kNonNegative, "the cost of the shift",
           obligations);
    if (draw.sampler == Sampler::kExponential || draw.sampler == Sampler::kGeometric) {
      oblige(goal, values[1], Sign::kNonNegative, "the shifted noise stays in its support",
             obligations);
    } else {
      oblige(goal, shift.cost + cost_of_shift, Sign::kNonNegative, "the cost of the shift",
             obligations);
    }
  }
  after.values[draw.name] = values;
  return after;
}

// The coupling may look at everything that was known before the draw, not at the draw itself.
void require_independent(const Goal& goal, const Shift& shift) {
  require_known(goal.symbols, shift.by);
  require_known(goal.symbols, shift.cost);
  require_before_draw(goal, shift.by);
}

Fact negation(const Fact& fact) {
  if (fact.sign == Sign::kZero) throw mismatch("a choice needs an inequality");
  return {-fact.value, fact.sign == Sign::kPositive ? Sign::kNonNegative : Sign::kPositive};
}

}  // namespace

void require_before_draw(const Goal& goal, const Polynomial& value) {
  if (!goal.draw) return;
  bool mentioned = value.mentions(goal.draw->symbol);
  if (goal.draw->sampler == Sampler::kUniform) {
    const auto ln = the_symbol(ln_of(goal, goal.draw->symbol));
    mentioned = mentioned || !ln || value.mentions(*ln);
  }
  if (mentioned) throw mismatch("a coupling depends on the draw that it couples");
}

void begin_draw(Goal& goal, const Sample& sample, Position at, Obligations& obligations) {
  Draw draw{.name = sample.name, .sampler = sample.sampler, .at = at};
  if (!sample.arguments.empty()) {
    draw.parameter = evaluate(goal, sample.arguments[0], 0, obligations);
    if (evaluate(goal, sample.arguments[0], 1, obligations) != draw.parameter) {
      throw not_supported(at, "the two runs may draw with different parameters",
                          "make scales and probabilities public");
    }
  }
  if (sample.sampler == Sampler::kBernoulli) {
    oblige(goal, draw.parameter, Sign::kNonNegative, "a probability is at least 0", obligations);
    const bool logistic = std::ranges::any_of(goal.functions, [&](const FunctionValue& f) {
      return f.op == Operator::kLogistic && f.value == draw.parameter;
    });
    if (!logistic) {
      oblige(goal, kOne - draw.parameter, Sign::kNonNegative, "a probability is at most 1",
             obligations);
    }
  } else if (!sample.arguments.empty()) {
    oblige(goal, draw.parameter, Sign::kPositive, "a scale is positive", obligations);
    draw.rate = one_over(goal, draw.parameter, at, obligations);
  }
  set_draw(goal, std::move(draw));
}

Goals couple(const Goal& goal, const Couple& step, Obligations& obligations) {
  const Draw& draw = draw_of(goal);
  if (is_coin(draw.sampler)) throw mismatch("a coin is coupled by its faces");
  require_independent(goal, step.shift);
  if (!step.test) {
    Goals after = {shifted(goal, step.shift, obligations)};
    advance(after.front(), obligations);
    return after;
  }
  if (!step.otherwise || draw.sampler == Sampler::kUniform) {
    throw mismatch("a choice needs two shifts of noise");
  }
  require_independent(goal, *step.otherwise);
  require_known(goal.symbols, step.test->value);

  // No two draws of the first run may be coupled with one draw of the second: y where the test
  // holds and another draw, other, where it does not.
  Goal pair = goal;
  const Polynomial y = Polynomial::symbol(draw.symbol);
  const SymbolId other =
      fresh(pair, draw.name + "*", goal.symbols.at(static_cast<std::size_t>(draw.symbol)).is_whole);
  add_fact(pair, step.test->value, step.test->sign);
  const Fact fails = negation(*step.test);
  add_fact(pair, fails.value.substitute({{draw.symbol, Polynomial::symbol(other)}}), fails.sign);
  add_fact(pair, y + step.shift.by - Polynomial::symbol(other) - step.otherwise->by, Sign::kZero);
  obligations.add({pair.symbols, pair.facts, absurd(), "no two draws meet in one"});

  Goals after;
  for (const bool passes : {true, false}) {
    Goal one = goal;
    const Fact& fact = passes ? *step.test : fails;
    add_fact(one, fact.value, fact.sign);
    after.push_back(shifted(one, passes ? step.shift : *step.otherwise, obligations));
    advance(after.back(), obligations);
  }
  return after;
}

namespace {

// ln(p / (1 − p)), for p = logistic(t) and for constant p.
Polynomial log_odds(Goal& goal, const Draw& draw) {
  for (const FunctionValue& known : goal.functions) {
    if (known.op == Operator::kLogistic && known.value == draw.parameter) {
      return known.arguments.front();
    }
    // The same, written e^t / (1 + e^t).
    WorkLimit::spend(goal.functions.size());
    for (const FunctionValue& ratio : goal.functions) {
      const bool fits = known.op == Operator::kExp && ratio.op == Operator::kDivide &&
                        ratio.arguments.front() == known.value + kOne &&
                        draw.parameter == known.value * ratio.value;
      if (fits) return known.arguments.front();
    }
  }
  const auto p = draw.parameter.constant();
  if (!p || p->sign() <= 0 || *p >= Rational(1)) {
    throw not_supported(draw.at, "the odds of this coin are not known as a logarithm",
                        "write the probability as logistic(t) or as a number between 0 and 1");
  }
  const Expression odds{.op = Operator::kNumber, .number = *p / (Rational(1) - *p)};
  Obligations none;
  return evaluate(goal, {.op = Operator::kLn, .operands = {odds}}, 0, none);
}

Goal with_faces(const Goal& goal, const Polynomial& first, const Polynomial& second) {
  Goal after = goal;
  after.draw.reset();
  after.values[draw_of(goal).name] = {first, second};
  return after;
}

}  // namespace

Goals couple_coin(const Goal& goal, const CoupleCoin& step, Obligations& obligations) {
  const Draw& draw = draw_of(goal);
  if (!is_coin(draw.sampler)) throw mismatch("this draw is not a coin");
  const bool is_sign = draw.sampler == Sampler::kSign;
  Goal before = goal;
  const Polynomial cost = step.swap && !is_sign ? log_odds(before, draw) : Polynomial();
  Goals after;
  for (const int face : {1, 0}) {
    const Rational first(is_sign ? 2 * face - 1 : face);
    const Rational swapped(is_sign ? 1 - 2 * face : 1 - face);
    after.push_back(with_faces(before, first, step.swap ? swapped : first));
    after.back().spent += face == 1 ? cost : -cost;
    advance(after.back(), obligations);
  }
  return after;
}

Goals give_up(const Goal& goal, Obligations& obligations) {
  const Draw& draw = draw_of(goal);
  const bool in_loop =
      std::ranges::any_of(goal.frames, [](const Frame& frame) { return frame.loop != nullptr; });
  if (draw.sampler != Sampler::kBernoulli || in_loop || goal.result) {
    throw mismatch("only a Bernoulli draw outside loops and PW-EQ can be given up");
  }
  Goal after = with_faces(goal, {}, {});
  after.spent_delta += draw.parameter;
  oblige(after, after.claimed_delta - after.spent_delta, Sign::kNonNegative,
         "what is given up stays within delta", obligations);
  advance(after, obligations);
  return {after};
}

namespace {

bool reads(const Expression& expression, const std::set<std::string>& names) {
  if (expression.op == Operator::kVariable && names.contains(expression.name)) return true;
  return std::ranges::any_of(expression.operands,
                             [&](const Expression& e) { return reads(e, names); });
}

// c, where value = c·s·ln(u).
Polynomial factor_of(const Polynomial& value, SymbolId s, SymbolId ln_u) {
  const Monomial both = Monomial{{{s, 1}}} * Monomial{{{ln_u, 1}}};
  Polynomial factor;
  for (const auto& [monomial, coefficient] : value.terms()) {
    factor += Polynomial::term(coefficient, monomial * inverse(both));
  }
  if (factor.mentions(s) || factor.mentions(ln_u) || factor.is_zero()) {
    throw mismatch("this is not a multiple of s * ln(u)");
  }
  return factor;
}

Error not_laplace() { return mismatch("this is not Laplace noise"); }

struct LaplaceNoise {
  std::string name;
  Polynomial scale;
};

// The value that the statements give to their last variable, seen as noise: c·s·ln(u) with a sign s
// and a uniform u. The goal is about to draw one of them, the statements draw the other.
LaplaceNoise noise_of(const Goal& goal, const Block& block, std::size_t begin, std::size_t end,
                      Obligations& obligations) {
  Goal scratch = goal;
  std::map<Sampler, SymbolId> drawn;
  const auto draw_here = [&](const std::string& name, Sampler sampler, SymbolId symbol) {
    const bool fits = sampler == Sampler::kSign || sampler == Sampler::kUniform;
    if (!fits || !drawn.emplace(sampler, symbol).second) throw not_laplace();
    scratch.values[name] = {Polynomial::symbol(symbol), Polynomial::symbol(symbol)};
  };
  const Draw& about = draw_of(goal);
  draw_here(about.name, about.sampler, about.symbol);
  scratch.draw.reset();
  for (std::size_t i = begin; i < end; ++i) {
    if (const auto* sample = std::get_if<Sample>(&block[i].what)) {
      set_draw(scratch, {.name = sample->name, .sampler = sample->sampler});
      draw_here(sample->name, sample->sampler, draw_of(scratch).symbol);
      scratch.draw.reset();
    } else if (const auto* statement = std::get_if<Assign>(&block[i].what)) {
      assign(scratch, *statement, 0, obligations);
    } else {
      throw not_laplace();
    }
  }
  const auto* last = std::get_if<Assign>(&block[end - 1].what);
  if (drawn.size() != 2 || last == nullptr) throw not_laplace();
  const SymbolId s = drawn.at(Sampler::kSign);
  const SymbolId u = drawn.at(Sampler::kUniform);
  const auto ln_u = the_symbol(ln_of(scratch, u));
  if (!ln_u) throw not_laplace();
  const auto& values = scratch.values.at(last->name);
  Polynomial scale = factor_of(values[0], s, *ln_u);
  if (factor_of(values[1], s, *ln_u) != scale) {
    throw mismatch("the two runs scale the noise differently");
  }
  if (scale.mentions(u)) throw mismatch("the scale depends on the draw");
  require_known(goal.symbols, scale);
  if (is_positive(goal.symbols, -scale)) scale = -scale;  // the sign is fair
  return {last->name, scale};
}

}  // namespace

Goals introduce_laplace(const Goal& goal, const IntroduceLaplace& step, Obligations& obligations) {
  const Draw& draw = draw_of(goal);
  if (goal.frames.empty() || goal.frames.back().loop) throw not_laplace();
  const Frame& frame = goal.frames.back();
  const std::size_t begin = frame.next;
  if (step.statements == 0 || step.statements > frame.block->size() - begin) {
    throw mismatch("there are not that many statements");
  }
  const std::size_t end = begin + step.statements;
  const LaplaceNoise noise = noise_of(goal, *frame.block, begin, end, obligations);

  // u, s and what is computed from them have no value any more, so nothing can read them.
  Goal after = goal;
  std::set<std::string> replaced = {draw.name};
  after.symbols[static_cast<std::size_t>(draw.symbol)].is_hidden = true;
  if (draw.sampler == Sampler::kUniform) {
    const auto ln_u = the_symbol(ln_of(goal, draw.symbol));
    if (!ln_u) throw not_laplace();
    after.symbols[static_cast<std::size_t>(*ln_u)].is_hidden = true;
  }
  after.draw.reset();
  for (std::size_t i = begin; i < end; ++i) {
    const auto* statement = std::get_if<Assign>(&(*frame.block)[i].what);
    if (statement == nullptr) {
      replaced.insert(std::get<Sample>((*frame.block)[i].what).name);
    } else if (reads(statement->value, replaced)) {
      replaced.insert(statement->name);
    } else {
      replaced.erase(statement->name);
      assign(after, *statement, 0, obligations);
    }
  }
  if (!replaced.contains(noise.name)) throw not_laplace();
  for (const std::string& name : replaced) after.values.erase(name);
  after.frames.back().next = end;
  oblige(after, noise.scale, Sign::kPositive, "the scale is positive", obligations);
  const Polynomial rate = one_over(after, noise.scale, draw.at, obligations);
  set_draw(after, {.name = noise.name,
                   .sampler = Sampler::kLaplace,
                   .parameter = noise.scale,
                   .rate = rate,
                   .at = draw.at});
  return {after};
}

}  // namespace lastbit::verify::calculus_internal
