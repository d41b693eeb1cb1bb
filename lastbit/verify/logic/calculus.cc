#include "lastbit/verify/logic/calculus.h"

#include <algorithm>

#include "lastbit/verify/logic/calculus_internal.h"

namespace lastbit::verify {

using namespace calculus_internal;  // NOLINT(google-build-using-namespace): this module's own

Waiting waiting_for(const Goal& goal) {
  if (goal.draw) return Waiting::kDraw;
  if (goal.frames.empty()) return Waiting::kEnd;
  if (goal.frames.back().loop) return Waiting::kRepeat;
  const Statement& statement = goal.frames.back().block->at(goal.frames.back().next);
  if (std::holds_alternative<If>(statement.what)) return Waiting::kBranch;
  return std::holds_alternative<Loop>(statement.what) ? Waiting::kLoop : Waiting::kOutput;
}

const Statement* next_statement(const Goal& goal) {
  if (goal.draw || goal.frames.empty() || goal.frames.back().loop) return nullptr;
  return &goal.frames.back().block->at(goal.frames.back().next);
}

namespace calculus_internal {

void assign(Goal& goal, const Assign& statement, int side, Obligations& obligations) {
  const Parameter& variable = declared(*goal.program, statement.name);
  if (variable.type == Type::kBool) {
    const Expression& value = statement.value;
    const bool is_bool =
        value.op == Operator::kBoolean || (value.op == Operator::kVariable &&
                                           declared(*goal.program, value.name).type == Type::kBool);
    if (!is_bool) throw mismatch("a number is assigned to a truth value");
  }
  std::array<Polynomial, 2> values;
  for (const int run : {0, 1}) {
    if (side != 0 && side != run + 1) continue;
    auto& value = values[static_cast<std::size_t>(run)];
    value = evaluate(goal, statement.value, run, obligations);
    if (variable.type != Type::kReal && !is_whole(goal, value)) {
      throw mismatch("a whole variable is given a value that may not be whole");
    }
  }
  if (side == 0) {
    goal.values[statement.name] = values;
    return;
  }
  // Where only one run gives a variable its first value, that of the other may be anything.
  if (!goal.values.contains(statement.name)) {
    const auto any = Polynomial::symbol(fresh(goal, statement.name + "?", false));
    goal.values[statement.name] = {any, any};
  }
  const auto run = static_cast<std::size_t>(side - 1);
  goal.values[statement.name][run] = values[run];
}

namespace {

// What the statement assigns or outputs, if it does and that is a truth value to be decided.
const Expression* condition_of(const Statement& statement) {
  const auto* assigned = std::get_if<Assign>(&statement.what);
  const auto* output = std::get_if<Output>(&statement.what);
  if (assigned == nullptr && output == nullptr) return nullptr;
  const Expression& value = assigned != nullptr ? assigned->value : output->value;
  return is_truth(value.op) ? &value : nullptr;
}

// x := condition and output condition, as the branches that they stand for.
std::shared_ptr<const Block> as_branches(const Statement& statement, const Expression& condition) {
  const auto* assigned = std::get_if<Assign>(&statement.what);
  const std::string name(assigned != nullptr ? assigned->name : kOutputName);
  const auto set_to = [&](int truth) {
    const Expression value{.op = Operator::kBoolean, .number = Rational(truth)};
    return Statement{Assign{name, value}, statement.at};
  };
  const Statement branch{If{condition, {set_to(1)}, {set_to(0)}}, statement.at};
  if (assigned != nullptr) return std::make_shared<const Block>(Block{branch});
  Output output = std::get<Output>(statement.what);
  output.value = {.op = Operator::kVariable, .name = name};
  return std::make_shared<const Block>(Block{set_to(0), branch, Statement{output, statement.at}});
}

}  // namespace

void require_matched(const Goal& goal) {
  if (goal.unmatched[0].empty() && goal.unmatched[1].empty()) return;
  throw Error(ErrorCode::kNotSupported, "calculus", "one run may output more often than the other",
              "output outside of branches that the runs may take differently");
}

void advance(Goal& goal, Obligations& obligations) {
  if (goal.draw || goal.is_stuck) return;
  while (!goal.frames.empty() && !goal.frames.back().loop) {
    Frame& frame = goal.frames.back();
    if (frame.next == frame.block->size()) {
      goal.frames.pop_back();
      continue;
    }
    const int side = frame.side;
    const Statement& statement = (*frame.block)[frame.next];
    if (const Expression* condition = condition_of(statement)) {
      ++frame.next;
      goal.frames.push_back({as_branches(statement, *condition), 0, side, nullptr});
    } else if (const auto* assigned = std::get_if<Assign>(&statement.what)) {
      ++frame.next;
      assign(goal, *assigned, side, obligations);
    } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
      if (side != 0) {  // a single run cannot be coupled with anything
        goal.is_stuck = true;
        return;
      }
      ++frame.next;
      begin_draw(goal, *sample, statement.at, obligations);
      return;
    } else {
      return;
    }
  }
}

std::vector<GuardCase> guard_cases(Goal& goal, const Expression& condition, int side,
                                   Obligations& obligations) {
  std::vector<GuardCase> result;
  if (side != 0) {
    for (const bool truth : {true, false}) {
      for (const auto& facts : conditions(goal, condition, side - 1, truth, obligations)) {
        result.push_back({truth, truth, facts});
      }
    }
    return result;
  }
  std::array<std::array<Cases, 2>, 2> of;  // [run][truth]
  for (const std::size_t run : {0U, 1U}) {
    for (const std::size_t truth : {0U, 1U}) {
      of[run][truth] = conditions(goal, condition, static_cast<int>(run), truth == 1, obligations);
    }
  }
  const bool same = of[0] == of[1];
  for (const auto& [first, second] : {std::pair{1U, 1U}, {0U, 0U}, {1U, 0U}, {0U, 1U}}) {
    if (same && first != second) continue;
    for (const auto& facts : same ? of[0][first] : product(of[0][first], of[1][second])) {
      result.push_back({first == 1, second == 1, facts});
    }
  }
  return result;
}

}  // namespace calculus_internal

namespace {

Goals branch(const Goal& goal, Obligations& obligations) {
  if (waiting_for(goal) != Waiting::kBranch) throw mismatch("there is no branch here");
  Goal before = goal;
  const Frame frame = before.frames.back();
  const If& statement = std::get<If>(frame.block->at(frame.next).what);
  ++before.frames.back().next;
  const auto block = [&](bool truth) {
    return std::shared_ptr<const Block>(frame.block,
                                        truth ? &statement.then_block : &statement.else_block);
  };
  Goals after;
  for (const GuardCase& guard : guard_cases(before, statement.condition, frame.side, obligations)) {
    after.push_back(before);
    add_facts(after.back(), guard.facts);
    if (guard.first == guard.second) {
      after.back().frames.push_back({block(guard.first), 0, frame.side, nullptr});
    } else {
      after.back().frames.push_back({block(guard.second), 0, 2, nullptr});
      after.back().frames.push_back({block(guard.first), 0, 1, nullptr});
    }
    advance(after.back(), obligations);
  }
  return after;
}

Goals mention(const Goal& goal, const Mention& step, Obligations& obligations) {
  for (const Polynomial& argument : step.arguments) {
    require_known(goal.symbols, argument);
    require_before_draw(goal, argument);
  }
  Goal after = goal;
  if (step.op == Operator::kEntry) {
    if (step.arguments.size() != 1) throw mismatch("a list has one index");
    entry_values(after, step.list, step.arguments.front(), {});
  } else {
    function_value(after, step.op, step.arguments, {}, obligations);
  }
  return {after};
}

// by_sign: the goal where the value is < 0, = 0 and > 0.
Goals by_sign(const Goal& goal, const Polynomial& value) {
  Goals after(3, goal);
  add_fact(after[0], -value, Sign::kPositive);
  add_fact(after[1], value, Sign::kZero);
  add_fact(after[2], value, Sign::kPositive);
  return after;
}

Goals split_one(const Goal& goal, const SplitOne& step) {
  if (step.entry >= goal.entries.size()) throw mismatch("there is no such entry");
  const ListEntry& entry = goal.entries[step.entry];
  const auto changed = goal.changed_index.find(entry.list);
  if (changed == goal.changed_index.end() || entry.is_split) {
    throw mismatch("this entry needs no distinction");
  }
  const auto& all = goal.program->adjacent;
  const auto adjacency = std::ranges::find_if(
      all, [&](const Adjacency& a) { return a.reach == Reach::kOne && a.list == entry.list; });
  const Polynomial distance = entry.index - Polynomial::symbol(changed->second);
  Goals after = by_sign(goal, distance);
  for (Goal& each : after) each.entries[step.entry].is_split = true;
  const auto second = the_symbol(entry.values[1]);
  if (!second) throw mismatch("this entry needs no distinction");
  define(after[0], *second, entry.values[0]);
  define(after[2], *second, entry.values[0]);
  add_facts(after[1], adjacency_facts(goal, *adjacency, entry.values));
  return after;
}

struct FunctionCase {
  std::vector<Fact> facts;
  std::optional<Polynomial> value;  // none: the facts mention the function's symbol
};

std::vector<FunctionCase> function_cases(const FunctionValue& function) {
  const Polynomial& v = function.value;
  const Polynomial& x = function.arguments[0];
  const Polynomial one{Rational(1)};
  const Polynomial half{Rational(1) / Rational(2)};
  const auto at_least = [](const Polynomial& a, const Polynomial& b) {
    return Fact{a - b, Sign::kNonNegative};
  };
  const auto more_than = [](const Polynomial& a, const Polynomial& b) {
    return Fact{a - b, Sign::kPositive};
  };
  switch (function.op) {
    case Operator::kAbs:
      return {{{at_least(x, {})}, x}, {{more_than({}, x)}, -x}};
    case Operator::kMin:
    case Operator::kMax: {
      const Polynomial& y = function.arguments[1];
      const bool is_max = function.op == Operator::kMax;
      return {{{at_least(x, y)}, is_max ? x : y}, {{more_than(y, x)}, is_max ? y : x}};
    }
    case Operator::kClamp: {
      const Polynomial& low = function.arguments[1];
      const Polynomial& high = function.arguments[2];
      return {{{at_least(high, low), more_than(low, x)}, low},
              {{at_least(x, low), at_least(high, x)}, x},
              {{at_least(high, low), more_than(x, high)}, high},
              {{more_than(low, high)}, high}};
    }
    case Operator::kFloor:
      return {{{at_least(x, v), more_than(v + one, x)}, std::nullopt}};
    case Operator::kCeil:
      return {{{at_least(v, x), more_than(x + one, v)}, std::nullopt}};
    case Operator::kRound: {
      const Polynomial reach = half * function.arguments[1];
      return {{{at_least(x, v - reach), more_than(v + reach, x)}, std::nullopt}};
    }
    case Operator::kPow2Ceil:
      return {{{at_least(v, x), more_than(x + x, v)}, std::nullopt}};
    default:
      throw mismatch("this function has no definition by cases");
  }
}

Goals split_function(const Goal& goal, const SplitFunction& step) {
  if (step.function >= goal.functions.size()) throw mismatch("there is no such function");
  const FunctionValue& function = goal.functions[step.function];
  const auto symbol = the_symbol(function.value);
  if (!symbol || function.is_split) throw mismatch("this function needs no distinction");
  Goals after;
  for (const FunctionCase& each : function_cases(function)) {
    after.push_back(goal);
    after.back().functions[step.function].is_split = true;
    add_facts(after.back(), each.facts);
    if (each.value) define(after.back(), *symbol, *each.value);
  }
  return after;
}

Goals split_sign(const Goal& goal, const SplitSign& step) {
  require_known(goal.symbols, step.value);
  require_before_draw(goal, step.value);
  return by_sign(goal, step.value);
}

// Only runs with the considered result matter; what they need comes with the next step.
Goals assume_result(Goal after, const Expression& value, Obligations& obligations) {
  if (!after.result) throw mismatch("no result is looked at");
  const Polynomial first = evaluate(after, value, 0, obligations);
  if (!is_whole(after, first)) throw mismatch("PW-EQ needs whole results");
  add_fact(after, first - Polynomial::symbol(*after.result), Sign::kZero);
  after.result_is_assumed = true;
  return {after};
}

Goals emit(const Goal& goal, Obligations& obligations) {
  if (waiting_for(goal) != Waiting::kOutput) throw mismatch("there is no output here");
  Goal after = goal;
  const Frame& frame = goal.frames.back();
  const Expression& value = std::get<Output>(frame.block->at(frame.next).what).value;
  if (goal.result && !goal.result_is_assumed) return assume_result(after, value, obligations);
  for (const int run : {0, 1}) {
    if (frame.side != 0 && frame.side != run + 1) continue;
    after.unmatched.at(static_cast<std::size_t>(run))
        .push_back(evaluate(after, value, run, obligations));
  }
  auto& [first, second] = after.unmatched;
  while (!first.empty() && !second.empty()) {
    const Polynomial wanted = goal.result ? Polynomial::symbol(*goal.result) : first.front();
    oblige(after, second.front() - wanted, Sign::kZero, "the outputs are equal", obligations);
    first.erase(first.begin());
    second.erase(second.begin());
  }
  ++after.frames.back().next;
  advance(after, obligations);
  return {after};
}

Goals finish(const Goal& goal, Obligations& obligations) {
  if (waiting_for(goal) != Waiting::kEnd) throw mismatch("the program has not ended here");
  require_matched(goal);
  oblige(goal, goal.claimed_epsilon - goal.spent, Sign::kNonNegative,
         "the cost is at most the claimed epsilon", obligations);
  oblige(goal, goal.claimed_delta - goal.spent_delta, Sign::kNonNegative,
         "what was given up is at most the claimed delta", obligations);
  return {};
}

Goals pointwise(const Goal& goal) {
  const Block& body = goal.program->body;
  int outputs = 0;
  visit(body,
        [&](const Statement& s) { outputs += std::holds_alternative<Output>(s.what) ? 1 : 0; });
  if (goal.result || !goal.spent_delta.is_zero() || outputs != 1 ||
      !std::holds_alternative<Output>(body.back().what)) {
    throw mismatch("PW-EQ needs a program with one output, at its end, and delta = 0");
  }
  Goal after = goal;
  after.result = fresh(after, "result", true);
  return {after};
}

}  // namespace

Goals apply(const Goal& goal, const Step& step, Obligations& obligations) {
  if (std::holds_alternative<Absurd>(step)) {
    obligations.add({goal.symbols, goal.facts, absurd(), "this cannot happen"});
    return {};
  }
  if (goal.is_stuck) throw mismatch("the runs part ways here");
  if (const auto* s = std::get_if<Couple>(&step)) return couple(goal, *s, obligations);
  if (const auto* s = std::get_if<CoupleCoin>(&step)) return couple_coin(goal, *s, obligations);
  if (std::holds_alternative<GiveUp>(step)) return give_up(goal, obligations);
  if (const auto* s = std::get_if<IntroduceLaplace>(&step)) {
    return introduce_laplace(goal, *s, obligations);
  }
  if (const auto* s = std::get_if<UseInvariant>(&step)) return use_invariant(goal, *s, obligations);
  if (const auto* s = std::get_if<Repeat>(&step)) return repeat(goal, *s, obligations);
  if (const auto* s = std::get_if<Mention>(&step)) return mention(goal, *s, obligations);
  if (const auto* s = std::get_if<SplitOne>(&step)) return split_one(goal, *s);
  if (const auto* s = std::get_if<SplitFunction>(&step)) return split_function(goal, *s);
  if (const auto* s = std::get_if<SplitSign>(&step)) return split_sign(goal, *s);
  if (std::holds_alternative<Emit>(step)) return emit(goal, obligations);
  if (std::holds_alternative<Finish>(step)) return finish(goal, obligations);
  if (std::holds_alternative<Pointwise>(step)) return pointwise(goal);
  return branch(goal, obligations);
}

}  // namespace lastbit::verify
