#include "lastbit/verify/report/derivation.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/report/step_words.h"
#include "lastbit/verify/report/wording.h"

namespace lastbit::verify {
namespace {

std::string value_text(const Goal& goal, const std::string& name, const Polynomial& value,
                       const Names& names) {
  const auto is_bool = [&](const Parameter& p) { return p.name == name && p.type == Type::kBool; };
  if (std::ranges::any_of(goal.program->locals, is_bool)) {
    if (value == Polynomial(Rational(1))) return "true";
    if (value.is_zero()) return "false";
  }
  return print_polynomial(value, names);
}

std::string assignment_text(const Goal& goal, const std::string& name,
                            const std::array<Polynomial, 2>& values, const Names& names) {
  const std::string first = value_text(goal, name, values[0], names);
  if (values[0] == values[1]) return code(fmt::format("{} = {}", name, first));
  return code(fmt::format("{}.1 = {}", name, first)) + ", " +
         code(fmt::format("{}.2 = {}", name, value_text(goal, name, values[1], names)));
}

// assigned: what assignments did between a goal and one that a step left. Values that the step
// itself set are not among them: a draw, the head of a loop, a case that replaces a symbol.
std::vector<std::string> assigned(const Goal& before, const Step& step, const Goal& after,
                                  const Names& names) {
  const bool only_splits = std::holds_alternative<SplitOne>(step) ||
                           std::holds_alternative<SplitFunction>(step) ||
                           std::holds_alternative<SplitSign>(step);
  std::vector<std::string> texts;
  if (only_splits) return texts;
  std::set<Polynomial> heads;
  std::set<std::string> drawn;
  if (before.draw) drawn.insert(before.draw->name);
  if (std::holds_alternative<UseInvariant>(step)) {
    const LoopHead head = loop_head(before);
    heads.insert(Polynomial::symbol(head.counter));
    for (const auto& variable : head.variables) {
      heads.insert(Polynomial::symbol(variable.symbols[0]));
    }
  }
  for (const auto& [name, values] : after.values) {
    const auto old = before.values.find(name);
    if (old != before.values.end() && old->second == values) continue;
    if (drawn.contains(name) || heads.contains(values[0])) continue;
    texts.push_back(assignment_text(after, name, values, names));
  }
  return texts;
}

std::string part_text(const Obligation& obligation, const Term& term, const Names& names) {
  std::string text;
  const std::string factor = print_monomial(term.coefficient, term.factor, names);
  if (term.facts.empty() || factor != "1") text = code(factor);
  for (const std::size_t index : term.facts) {
    if (!text.empty()) text += " times ";
    text += fmt::format("({})", code(print_fact(obligation.facts.at(index), names)));
  }
  return text;
}

ShownObligation shown(const Obligation& obligation, const Reason& reason, const Names& names) {
  ShownObligation result{code(print_fact(obligation.goal, names)), obligation.why, {}};
  if (obligation.goal == absurd()) result.goal = "a contradiction";
  const bool is_known =
      std::ranges::find(obligation.facts, obligation.goal) != obligation.facts.end();
  if (is_known) return result;
  Polynomial remainder = obligation.goal.value;
  for (const Term& term : reason.terms) {
    result.parts.push_back(part_text(obligation, term, names));
    Polynomial part = Polynomial::term(term.coefficient, term.factor);
    for (const std::size_t index : term.facts) part = part * obligation.facts.at(index).value;
    remainder += -part;
  }
  if (!remainder.is_zero()) {
    result.parts.push_back(
        fmt::format("{}, positive by its form", code(print_polynomial(remainder, names))));
  }
  return result;
}

// names_for: names for the symbols of an obligation, which may be those of one of the goals that
// the step leaves, or of a scratch goal of which only the short names are left.
Names names_for(const Obligation& obligation, const std::vector<Goal>& after, const Names& before) {
  Names names = before;
  const auto agrees = [&](const Goal& goal) {
    const std::size_t size = std::min(goal.symbols.size(), obligation.symbols.size());
    for (std::size_t i = before.size(); i < size; ++i) {
      if (goal.symbols[i].name != obligation.symbols[i].name) return false;
    }
    return true;
  };
  const auto found = std::ranges::find_if(after, agrees);
  if (found != after.end()) names.learn(*found);
  names.learn(obligation.symbols);
  return names;
}

std::vector<ShownObligation> shown(const std::vector<Obligation>& obligations,
                                   const std::vector<Reason>& reasons,
                                   const std::vector<Goal>& after, const Names& before) {
  std::vector<ShownObligation> result;
  for (std::size_t i = 0; i < obligations.size(); ++i) {
    result.push_back(
        shown(obligations[i], reasons.at(i), names_for(obligations[i], after, before)));
  }
  return result;
}

class Replay {
 public:
  Replay(const PrintedProgram& program, std::set<Rule>& rules) : program_(program), rules_(rules) {}

  ShownProof run(const std::shared_ptr<const Program>& program, const Proof& proof,
                 const std::string& place) {
    Obligations obligations;
    const Goal goal = start(program, proof.swapped, obligations);
    names_.learn(goal);
    ShownProof result{proof.swapped, shown(obligations.kept, proof.reasons, {goal}, Names{}), {}};
    result.first.facts = code_of_facts(goal.facts, 0, names_);
    result.first.definitions = names_.definitions(0);
    for (const Parameter& local : program->locals) {
      const auto found = goal.values.find(local.name);
      if (found == goal.values.end()) continue;
      result.first.assignments.push_back(assignment_text(goal, local.name, found->second, names_));
    }
    visit(goal, proof.derivation, place, result.first);
    return result;
  }

 private:
  // visit: fills in the step of the derivation at the goal. What is new since the step above is
  // already there.
  void visit(const Goal& goal, const Derivation& derivation, const std::string& place,
             ShownStep& step) {
    Obligations obligations;
    const std::vector<Goal> after = apply(goal, derivation.step, obligations);
    const bool moves = is_shift(derivation.step);
    std::string old_name;
    if (moves) {
      const SymbolId symbol = draw_of(goal).symbol;
      old_name = names_.rename(symbol, names_[symbol] + ".1");
    }
    for (auto& need : shown(obligations.kept, derivation.reasons, after, names_)) {
      step.obligations.push_back(std::move(need));
    }
    if (std::holds_alternative<Mention>(derivation.step)) {
      // It says nothing by itself; what it reveals belongs to the next step.
      descend(goal, derivation, after, 0, place, step);
    } else {
      StepWords words = words_of(goal, derivation.step, after, names_, program_);
      fill(step, goal, derivation.step, place, words);
      for (std::size_t i = 0; i < after.size(); ++i) {
        ShownStep next;
        next.arrival = std::move(words.arrivals[i]);
        descend(goal, derivation, after, i, place, next);
        step.then.push_back(std::move(next));
      }
    }
    if (moves) names_.rename(draw_of(goal).symbol, std::move(old_name));
  }

  void descend(const Goal& goal, const Derivation& derivation, const std::vector<Goal>& after,
               std::size_t index, const std::string& place, ShownStep& step) {
    const std::size_t known = names_.size();
    names_.learn(after[index]);
    const auto append = [](std::vector<std::string>& to, std::vector<std::string> more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    append(step.assignments, assigned(goal, derivation.step, after[index], names_));
    append(step.facts, code_of_facts(after[index].facts, goal.facts.size(), names_));
    append(step.definitions, names_.definitions(known));
    const auto is_function = [](const FunctionValue& f) { return f.op != Operator::kDivide; };
    if (std::ranges::any_of(after[index].functions, is_function)) {
      rules_.insert(Rule::kPostProcess);
    }
    visit(after[index], derivation.then.at(index), fmt::format("{}.{}", place, index + 1), step);
    names_.forget(known);
  }

  void fill(ShownStep& step, const Goal& goal, const Step& what, const std::string& place,
            StepWords& words) {
    step.place = place;
    step.rule = rule_of(goal, what);
    step.line = words.line;
    step.statement = std::move(words.statement);
    step.action = std::move(words.action);
    step.notes = std::move(words.notes);
    step.spent = print_polynomial(goal.spent, names_);
    step.spent_delta = print_polynomial(goal.spent_delta, names_);
    if (step.rule == Rule::kAbsurd && !step.obligations.back().parts.empty()) {
      step.action = "this cannot happen: `0` would be positive, being " +
                    sum_text(step.obligations.back().parts);
    }
    rules_.insert(step.rule);
    if (!step.assignments.empty()) rules_.insert(Rule::kAssign);
  }

  // is_shift: the two runs draw different values, so the first needs a name of its own.
  static bool is_shift(const Step& step) {
    const auto* couple = std::get_if<Couple>(&step);
    return couple != nullptr &&
           (!couple->shift.by.is_zero() || (couple->otherwise && !couple->otherwise->by.is_zero()));
  }

  const PrintedProgram& program_;
  std::set<Rule>& rules_;
  Names names_;
};

}  // namespace

std::vector<std::string> known_goals(const std::vector<ShownObligation>& obligations) {
  std::vector<std::string> goals;
  for (const ShownObligation& one : obligations) {
    if (one.parts.empty() && std::ranges::find(goals, one.goal) == goals.end()) {
      goals.push_back(one.goal);
    }
  }
  return goals;
}

std::string sum_text(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    const bool negative = part.starts_with("`-");
    if (text.empty()) {
      text = part;
    } else {
      text += negative ? " - `" + part.substr(2) : " + " + part;
    }
  }
  return text;
}

Derived derive(const Certificate& certificate) {
  const Theorem theorem = check(certificate);
  Derived derived;
  derived.program = printed(certificate.program);
  derived.steps = theorem.steps;
  derived.obligations = theorem.obligations;
  // Positions are not part of a program, so the proof of one is a proof of the other.
  const auto program = std::make_shared<const Program>(derived.program.program);
  std::set<Rule> rules;
  for (std::size_t i = 0; i < certificate.proofs.size(); ++i) {
    derived.proofs.push_back(
        Replay(derived.program, rules).run(program, certificate.proofs[i], std::to_string(i + 1)));
  }
  // Steps follow one another, which is the rule COMP.
  if (derived.steps > derived.proofs.size()) rules.insert(Rule::kSequence);
  derived.rules.assign(rules.begin(), rules.end());
  return derived;
}

}  // namespace lastbit::verify
