// The first goal of a proof: parameters become symbols, requirements and adjacency become facts.
#include <algorithm>
#include <functional>
#include <set>

#include "lastbit/verify/logic/calculus_internal.h"

namespace lastbit::verify {

using namespace calculus_internal;  // NOLINT(google-build-using-namespace): this module's own

namespace {

using Visitor = std::function<void(const Expression&)>;

void visit(const Expression& expression, const Visitor& see) {
  see(expression);
  for (const Expression& operand : expression.operands) visit(operand, see);
}

// A draw has the arguments of its sampler, and the type of its variable.
void check_sample(const Sample& sample, Type type) {
  if (static_cast<int>(sample.arguments.size()) != argument_count(sample.sampler)) {
    throw mismatch("a sampler has the wrong number of arguments");
  }
  const bool whole = sample.sampler == Sampler::kSign || sample.sampler == Sampler::kGeometric ||
                     sample.sampler == Sampler::kDiscreteLaplace;
  if ((type == Type::kBool) != (sample.sampler == Sampler::kBernoulli) ||
      (type == Type::kInt && !whole)) {
    throw mismatch("a draw has another type than its variable");
  }
}

// In a statement, inputs keep their values, and `return` comes last.
void check_statement(const Program& program, const Statement& statement, const Visitor& see) {
  const auto assigned = [&](const std::string& name) {
    if (find_parameter(program.locals, name) == nullptr) {
      throw mismatch("a program assigns what is not a variable of its own");
    }
  };
  if (const auto* assign_to = std::get_if<Assign>(&statement.what)) {
    assigned(assign_to->name);
    visit(assign_to->value, see);
  } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
    assigned(sample->name);
    check_sample(*sample, declared(program, sample->name).type);
    for (const Expression& argument : sample->arguments) visit(argument, see);
  } else if (const auto* branch = std::get_if<If>(&statement.what)) {
    visit(branch->condition, see);
  } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
    assigned(loop->counter);
    visit(loop->from, see);
    visit(loop->to, see);
    if (loop->guard) visit(*loop->guard, see);
  } else {
    const Output& output = std::get<Output>(statement.what);
    visit(output.value, see);
    if (output.is_return && &statement != &program.body.back()) {
      throw mismatch("return is not the last statement");
    }
  }
}

bool is_name(const std::string& text) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return text.size() <= kMaxNameLength && letters.find(text[0]) != std::string::npos &&
         text.find_first_not_of(letters + "0123456789") == std::string::npos;
}

// Every name is valid, and is declared once. Lists are inputs, with a valid length.
void check_declarations(const Program& program) {
  std::set<std::string> names;
  for (const auto* list : {&program.parameters, &program.locals}) {
    for (const Parameter& parameter : *list) {
      if (!is_name(parameter.name)) throw mismatch("a variable has an invalid name");
      if (!names.insert(parameter.name).second) throw mismatch("a variable is declared twice");
      if (parameter.length.empty()) continue;
      const Parameter* length = find_parameter(program.parameters, parameter.length);
      if (list == &program.locals || length == nullptr || length->type != Type::kInt ||
          !length->length.empty()) {
        throw mismatch("the length of a list is not a whole parameter");
      }
    }
  }
}

// check_form: the program could have been written as text. Certificates hold programs that no
// parser has seen, and the rules rely on what a parser ensures.
void check_form(const Program& program) {
  check_declarations(program);
  const auto see = [](int most_side) {
    return [=](const Expression& e) {
      if (static_cast<int>(e.operands.size()) != argument_count(e.op)) {
        throw mismatch("an operator has the wrong number of operands");
      }
      if (e.side < 0 || e.side > most_side) {
        throw mismatch("name.1 and name.2 belong into adjacencies");
      }
    };
  };
  visit(program.body, [&](const Statement& s) { check_statement(program, s, see(0)); });
  for (const Expression& requirement : program.requirements) visit(requirement, see(0));
  visit(program.claimed_epsilon, see(0));
  visit(program.claimed_delta, see(0));
  std::set<std::string> lists;
  for (const Adjacency& adjacency : program.adjacent) {
    for (const Expression& condition : adjacency.conditions) visit(condition, see(2));
    if (adjacency.reach == Reach::kValue) continue;
    if (!lists.insert(adjacency.list).second) throw mismatch("a list has two adjacencies");
    const Parameter* list = find_parameter(program.parameters, adjacency.list);
    if (list == nullptr || list->length.empty()) {
      throw mismatch("an adjacency speaks of the entries of what is not a list");
    }
  }
}

std::set<std::string> private_scalars(const Program& program) {
  std::set<std::string> names;
  for (const Adjacency& adjacency : program.adjacent) {
    for (const Expression& condition : adjacency.conditions) {
      visit(condition, [&](const Expression& e) {
        if (e.op == Operator::kVariable && e.side != 0) names.insert(e.name);
      });
    }
    if (adjacency.reach != Reach::kValue) names.erase(adjacency.list);
  }
  return names;
}

// check_private: what is private in one place is private everywhere: the two runs have lists of
// equal lengths, and adjacencies say which run they refer to.
void check_private(const Program& program, const std::set<std::string>& privates) {
  for (const Parameter& parameter : program.parameters) {
    if (privates.contains(parameter.length)) throw mismatch("the length of a list is private");
  }
  for (const Adjacency& adjacency : program.adjacent) {
    for (const Expression& condition : adjacency.conditions) {
      visit(condition, [&](const Expression& e) {
        const bool is_entry = adjacency.reach != Reach::kValue && e.name == adjacency.list;
        if (e.op == Operator::kVariable && e.side == 0 && (is_entry || privates.contains(e.name))) {
          throw mismatch("an adjacency does not say which of the two runs it speaks of");
        }
      });
    }
  }
}

void add_parameter(Goal& goal, const Parameter& parameter, bool is_private) {
  if (!parameter.length.empty()) return;  // entries become symbols when they are read
  const bool whole = parameter.type != Type::kReal;
  std::array<Polynomial, 2> values;
  if (is_private) {
    values = {Polynomial::symbol(fresh(goal, parameter.name + ".1", whole)),
              Polynomial::symbol(fresh(goal, parameter.name + ".2", whole))};
  } else {
    values[0] = values[1] = Polynomial::symbol(fresh(goal, parameter.name, whole));
  }
  if (parameter.type == Type::kBool) add_truth(goal, values);
  goal.values[parameter.name] = values;
}

// The symbol that a fact of the form a·p + b ≥ 0 shows to be positive, if any.
std::optional<SymbolId> shown_positive(const Fact& fact) {
  const auto constant = fact.value.terms().find(Monomial{});
  const Rational b = constant == fact.value.terms().end() ? Rational(0) : constant->second;
  const Polynomial rest = fact.value - Polynomial(b);
  if (rest.terms().size() != 1 || fact.sign == Sign::kZero) return std::nullopt;
  const auto& [monomial, a] = *rest.terms().begin();
  if (monomial.powers.size() != 1 || monomial.powers.front().second != 1) return std::nullopt;
  const bool positive =
      a.sign() > 0 && (fact.sign == Sign::kPositive ? b.sign() <= 0 : b.sign() < 0);
  return positive ? std::optional(monomial.powers.front().first) : std::nullopt;
}

std::vector<Fact> sole_case(Goal& goal, const Expression& condition, Obligations& obligations) {
  const Cases cases = conditions(goal, condition, 0, true, obligations);
  if (cases.size() != 1) {
    throw not_supported(condition.at, "a requirement or adjacency must be one comparison",
                        "use <, <=, >, >= or ==");
  }
  return cases.front();
}

void add_requirements(Goal& goal, Obligations& obligations) {
  const Program& program = *goal.program;
  for (const Expression& requirement : program.requirements) {
    // Divisions in requirements need the positivity that earlier requirements have shown.
    for (const Fact& fact : sole_case(goal, requirement, obligations)) {
      add_fact(goal, fact.value, fact.sign);
      if (const auto symbol = shown_positive(fact)) {
        goal.symbols[static_cast<std::size_t>(*symbol)].is_positive = true;
      }
    }
  }
}

// A sum of which some terms are absolute values is at most b exactly if it is for every choice of
// their signs: the sums for those choices.
std::vector<Polynomial> without_bars(Goal& goal, const Expression& sum, Obligations& obligations) {
  if (sum.op == Operator::kAbs) {
    const Polynomial value = evaluate(goal, sum.operands[0], 0, obligations);
    return {value, -value};
  }
  if (sum.op != Operator::kAdd) return {evaluate(goal, sum, 0, obligations)};
  std::vector<Polynomial> result;
  for (const Polynomial& left : without_bars(goal, sum.operands[0], obligations)) {
    for (const Polynomial& right : without_bars(goal, sum.operands[1], obligations)) {
      result.push_back(left + right);
      if (result.size() > kMaxCases) throw mismatch("an adjacency has too many absolute values");
    }
  }
  return result;
}

}  // namespace

namespace calculus_internal {

std::vector<Fact> adjacency_facts(const Goal& goal, const Adjacency& adjacency,
                                  const std::array<Polynomial, 2>& entries) {
  Goal scratch = goal;
  if (adjacency.reach != Reach::kValue) scratch.values[adjacency.list] = entries;
  Obligations obligations;
  std::vector<Fact> facts;
  for (const Expression& condition : adjacency.conditions) {
    if (condition.op == Operator::kLess || condition.op == Operator::kLessEqual) {
      const Polynomial b = evaluate(scratch, condition.operands[1], 0, obligations);
      for (const Polynomial& a : without_bars(scratch, condition.operands[0], obligations)) {
        facts.push_back(
            {b - a, condition.op == Operator::kLess ? Sign::kPositive : Sign::kNonNegative});
      }
      continue;
    }
    const auto more = sole_case(scratch, condition, obligations);
    facts.insert(facts.end(), more.begin(), more.end());
  }
  if (!obligations.kept.empty() || scratch.symbols.size() != goal.symbols.size()) {
    throw not_supported(adjacency.conditions.front().at,
                        "an adjacency may compare sums and products, and bound sums of |x|",
                        "write it with +, -, *, |x| <= … and comparisons");
  }
  return facts;
}

}  // namespace calculus_internal

namespace {

// Facts about every entry are used at any index, and entries outside of a list are 0 in both runs:
// the conditions must hold of (0, 0).
void oblige_outside_of_lists(const Goal& goal, Obligations& obligations) {
  for (const Adjacency& adjacency : goal.program->adjacent) {
    if (adjacency.reach != Reach::kEvery) continue;
    for (const Fact& fact : adjacency_facts(goal, adjacency, {})) {
      oblige(goal, fact.value, fact.sign, "entries outside of a list, which are 0, are adjacent",
             obligations);
    }
  }
}

// The inputs, and their requirements.
Goal inputs_of(std::shared_ptr<const Program> program, bool swapped, Obligations& obligations) {
  check_form(*program);
  const std::set<std::string> privates = private_scalars(*program);
  check_private(*program, privates);
  Goal goal;
  goal.swapped = swapped;
  for (const Parameter& parameter : program->parameters) {
    add_parameter(goal, parameter, privates.contains(parameter.name));
  }
  goal.program = std::move(program);
  add_requirements(goal, obligations);
  return goal;
}

}  // namespace

Goal start(std::shared_ptr<const Program> program, bool swapped, Obligations& obligations) {
  Goal goal = inputs_of(program, swapped, obligations);
  for (const Adjacency& adjacency : program->adjacent) {
    if (adjacency.reach == Reach::kValue) {
      add_facts(goal, adjacency_facts(goal, adjacency, {}));
    } else if (adjacency.reach == Reach::kOne) {
      // Indices are 0 or more, and where no entry differs any index will do.
      const SymbolId changed = fresh(goal, "J", true);
      add_fact(goal, Polynomial::symbol(changed), Sign::kNonNegative);
      goal.changed_index[adjacency.list] = changed;
    }
  }
  oblige_outside_of_lists(goal, obligations);
  goal.claimed_epsilon = evaluate(goal, program->claimed_epsilon, 0, obligations);
  goal.claimed_delta = evaluate(goal, program->claimed_delta, 0, obligations);
  if (evaluate(goal, program->claimed_epsilon, 1, obligations) != goal.claimed_epsilon ||
      evaluate(goal, program->claimed_delta, 1, obligations) != goal.claimed_delta) {
    throw mismatch("the claim depends on a private input");
  }
  goal.frames.push_back({std::shared_ptr<const Block>(program, &program->body), 0, 0, nullptr});
  advance(goal, obligations);
  return goal;
}

bool is_symmetric(const Program& program) {
  const auto facts_of = [shared = std::make_shared<const Program>(program)](bool swapped) {
    Obligations ignored{.see = [](const Obligation&) {}};
    Goal goal = inputs_of(shared, swapped, ignored);
    const std::array<Polynomial, 2> entries = {Polynomial::symbol(fresh(goal, "entry.1")),
                                               Polynomial::symbol(fresh(goal, "entry.2"))};
    std::set<std::pair<std::size_t, std::pair<Polynomial, Sign>>> facts;
    for (std::size_t i = 0; i < shared->adjacent.size(); ++i) {
      for (const Fact& fact : adjacency_facts(goal, shared->adjacent[i], entries)) {
        facts.insert({i, {fact.value, fact.sign}});
      }
    }
    return facts;
  };
  return facts_of(false) == facts_of(true);
}

}  // namespace lastbit::verify
