// Loops: an invariant in place of any number of passes.
#include <algorithm>
#include <set>

#include "lastbit/verify/logic/calculus_internal.h"

namespace lastbit::verify {

using namespace calculus_internal;  // NOLINT(google-build-using-namespace): this module's own

namespace {

// The variables that a block assigns, in the order of the text.
std::vector<std::string> assigned_in(const Block& block) {
  std::vector<std::string> names;
  visit(block, [&](const Statement& statement) {
    WorkLimit::spend(1 + names.size());
    const std::string* name = nullptr;
    if (const auto* assigned = std::get_if<Assign>(&statement.what)) name = &assigned->name;
    if (const auto* sample = std::get_if<Sample>(&statement.what)) name = &sample->name;
    if (const auto* loop = std::get_if<Loop>(&statement.what)) name = &loop->counter;
    if (name && std::ranges::find(names, *name) == names.end()) names.push_back(*name);
  });
  return names;
}

const Loop& loop_at(const Goal& goal) {
  const Statement* statement = next_statement(goal);
  const Loop* loop = statement == nullptr ? nullptr : std::get_if<Loop>(&statement->what);
  if (loop == nullptr || goal.frames.back().side != 0) throw mismatch("there is no loop here");
  return *loop;
}

LoopHead make_head(Goal& goal, const Loop& loop) {
  const std::vector<std::string> assigned = assigned_in(loop.body);
  if (std::ranges::find(assigned, loop.counter) != assigned.end()) {
    throw mismatch("a loop assigns its own counter");
  }
  const auto& locals = goal.program->locals;
  if (std::ranges::find(locals, Parameter{loop.counter, Type::kInt, ""}) == locals.end()) {
    throw mismatch("the counter of a loop must be a whole variable of its own");
  }
  LoopHead head;
  head.counter = fresh(goal, loop.counter, true);
  for (const std::string& name : assigned) {
    if (!goal.values.contains(name)) {
      head.lost.push_back(name);
      continue;
    }
    const bool whole = declared(*goal.program, name).type != Type::kReal;
    head.variables.push_back(
        {name, {fresh(goal, name + ".1", whole), fresh(goal, name + ".2", whole)}});
  }
  return head;
}

// The values at the loop's head, put in the place of the head's symbols.
std::map<SymbolId, Polynomial> instance(const Goal& goal, const LoopHead& head,
                                        const Polynomial& counter) {
  std::map<SymbolId, Polynomial> by = {{head.counter, counter}};
  for (const LoopHead::Variable& variable : head.variables) {
    const auto found = goal.values.find(variable.name);
    if (found == goal.values.end()) throw mismatch("a variable of a loop has lost its value");
    for (const std::size_t side : {0U, 1U}) by[variable.symbols[side]] = found->second[side];
  }
  return by;
}

// The disjunct holds for the goal's values.
void oblige_disjunct(const Goal& goal, const LoopHead& head, const Disjunct& disjunct,
                     const Polynomial& counter, Obligations& obligations) {
  const auto by = instance(goal, head, counter);
  for (std::size_t i = 0; i < head.variables.size(); ++i) {
    const auto& offset = disjunct.offsets[i];
    if (!offset) continue;
    const auto& values = goal.values.at(head.variables[i].name);
    oblige(goal, values[1] - values[0] - offset->substitute(by), Sign::kZero,
           "the invariant: " + head.variables[i].name, obligations);
  }
  for (const Fact& fact : disjunct.facts) {
    oblige(goal, fact.value.substitute(by), fact.sign, "the invariant", obligations);
  }
  oblige(goal, disjunct.spent.substitute(by) - goal.spent, Sign::kNonNegative,
         "the cost stays within the invariant", obligations);
}

void check_disjunct(const std::vector<Symbol>& symbols, const LoopHead& head,
                    const Disjunct& disjunct) {
  if (disjunct.offsets.size() != head.variables.size()) {
    throw mismatch("an invariant does not fit its loop");
  }
  for (const auto& offset : disjunct.offsets) {
    if (offset) require_known(symbols, *offset);
  }
  for (const Fact& fact : disjunct.facts) require_known(symbols, fact.value);
  require_known(symbols, disjunct.spent);
}

// The goal at the head of any pass in which the disjunct holds.
Goal at_head(const Goal& before, const LoopContext& context, const Disjunct& disjunct,
             const Polynomial& from) {
  Goal goal = before;
  const Polynomial counter = Polynomial::symbol(context.head.counter);
  goal.values[context.loop->counter] = {counter, counter};
  for (const std::string& name : context.head.lost) goal.values.erase(name);
  for (std::size_t i = 0; i < context.head.variables.size(); ++i) {
    const auto& [name, symbols] = context.head.variables[i];
    const Polynomial first = Polynomial::symbol(symbols[0]);
    const auto& offset = disjunct.offsets[i];
    goal.values[name] = {first, offset ? first + *offset : Polynomial::symbol(symbols[1])};
    if (declared(*goal.program, name).type == Type::kBool) add_truth(goal, goal.values[name]);
  }
  add_fact(goal, counter - from, Sign::kNonNegative);
  add_facts(goal, disjunct.facts);
  goal.spent = disjunct.spent;
  return goal;
}

}  // namespace

LoopHead loop_head(const Goal& goal) {
  Goal scratch = goal;
  Obligations ignored;
  const Loop& loop = loop_at(scratch);
  for (const int side : {0, 1}) {
    for (const Expression* bound : {&loop.from, &loop.to}) evaluate(scratch, *bound, side, ignored);
  }
  return make_head(scratch, loop);
}

namespace calculus_internal {

Goals use_invariant(const Goal& goal, const UseInvariant& step, Obligations& obligations) {
  require_matched(goal);
  Goal before = goal;
  const Loop& loop = loop_at(before);
  const Position at = next_statement(before)->at;
  const Polynomial from = evaluate(before, loop.from, 0, obligations);
  const Polynomial to = evaluate(before, loop.to, 0, obligations);
  if (evaluate(before, loop.from, 1, obligations) != from ||
      evaluate(before, loop.to, 1, obligations) != to) {
    throw not_supported(at, "the two runs may repeat a loop differently often",
                        "make the bounds of loops public");
  }
  if (!is_whole(before, from) || !is_whole(before, to)) {
    throw not_supported(at, "a loop has bounds that may not be whole", "use whole bounds");
  }
  ++before.frames.back().next;
  auto context = std::make_shared<LoopContext>();
  context->loop = std::shared_ptr<const Loop>(before.program, &loop);
  context->disjuncts = step.disjuncts;
  const Goal entering = before;  // before the head's symbols hide the old values
  context->head = make_head(before, loop);
  if (step.entry >= step.disjuncts.size()) throw mismatch("an invariant does not fit its loop");
  for (const Disjunct& disjunct : step.disjuncts) {
    check_disjunct(before.symbols, context->head, disjunct);
  }
  oblige_disjunct(entering, context->head, step.disjuncts[step.entry], from, obligations);

  const auto body = std::shared_ptr<const Block>(before.program, &loop.body);
  const Polynomial counter = Polynomial::symbol(context->head.counter);
  Goals after;
  for (const Disjunct& disjunct : step.disjuncts) {
    const Goal head = at_head(before, *context, disjunct, from);
    after.push_back(head);  // the counter has reached its end
    add_fact(after.back(), counter - to, Sign::kNonNegative);
    Goal inside = head;
    add_fact(inside, to - counter, Sign::kPositive);
    std::vector<GuardCase> cases = {{true, true, {}}};
    if (loop.guard) cases = guard_cases(inside, *loop.guard, 0, obligations);
    for (const GuardCase& guard : cases) {
      after.push_back(inside);
      add_facts(after.back(), guard.facts);
      after.back().is_stuck = guard.first != guard.second;
      if (!guard.first || !guard.second) continue;
      after.back().frames.push_back({nullptr, 0, 0, context});
      after.back().frames.push_back({body, 0, 0, nullptr});
    }
  }
  for (Goal& each : after) advance(each, obligations);
  return after;
}

Goals repeat(const Goal& goal, const Repeat& step, Obligations& obligations) {
  if (waiting_for(goal) != Waiting::kRepeat) throw mismatch("there is no loop to repeat here");
  require_matched(goal);
  const LoopContext& context = *goal.frames.back().loop;
  if (step.disjunct >= context.disjuncts.size()) throw mismatch("an invariant has no such case");
  const Polynomial next = Polynomial::symbol(context.head.counter) + Polynomial(Rational(1));
  oblige_disjunct(goal, context.head, context.disjuncts[step.disjunct], next, obligations);
  return {};
}

}  // namespace calculus_internal
}  // namespace lastbit::verify
