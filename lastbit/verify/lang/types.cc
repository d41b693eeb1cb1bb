#include "lastbit/verify/lang/types.h"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/verify/lang/expression_types.h"
#include "lastbit/verify/lang/symbols.h"
#include "lastbit/verify/lang/words.h"

namespace lastbit::verify {
namespace {

Type drawn_type(Sampler sampler) {
  switch (sampler) {
    case Sampler::kBernoulli:
      return Type::kBool;
    case Sampler::kSign:
    case Sampler::kGeometric:
    case Sampler::kDiscreteLaplace:
      return Type::kInt;
    default:
      return Type::kReal;
  }
}

class Checker {
 public:
  Checker(Program& program, const Source& source)
      : program_(program),
        source_(source),
        symbols_(program, source),
        assigned_(symbols_.local_count(), false),
        makes_real_(symbols_.local_count()),
        types_(symbols_, source, assigned_) {}

  void run() {
    for (Adjacency& clause : program_.adjacent) find_private(clause);
    check_header();
    check(program_.body);
    spread_real();
    types_.check_whole();
    for (const NameInfo* local : symbols_.locals()) {
      program_.locals.push_back({.name = local->name, .type = local->type, .length = ""});
    }
  }

 private:
  void find_private(Adjacency& clause);
  std::size_t mark_sides(const Expression& expression, Adjacency& clause);
  void mark_private(const Expression& variable, Adjacency& clause);
  void check_header();
  void check(const Block& block);
  void check(const Statement& statement);
  void check_branches(const If& branch);
  void check_loop(const Loop& loop, Position at);
  void check_sample(const Sample& sample, Position at);
  NameInfo& assign(const std::string& name, Kind kind, Position at);
  void spread_real();

  Program& program_;
  const Source& source_;
  Symbols symbols_;
  std::vector<bool> assigned_;                        // by the statements that were checked so far
  std::vector<std::vector<std::size_t>> makes_real_;  // locals that are real if this one is
  ExpressionTypes types_;
};

// Finds the names with a side, which are the private inputs, and the list of the clause.
void Checker::find_private(Adjacency& clause) {
  for (const Expression& condition : clause.conditions) {
    if (mark_sides(condition, clause) > 0) continue;
    throw source_.error(condition.at, "a condition of the adjacency names neither run",
                        "write x.1 and x.2 for the two values of x; what is public belongs to "
                        "`requires`");
  }
}

std::size_t Checker::mark_sides(const Expression& expression, Adjacency& clause) {
  std::size_t count = 0;
  if (expression.side != 0) {
    mark_private(expression, clause);
    ++count;
  }
  for (const Expression& operand : expression.operands) count += mark_sides(operand, clause);
  return count;
}

void Checker::mark_private(const Expression& variable, Adjacency& clause) {
  NameInfo* symbol = symbols_.find(variable.name);
  const std::string name = quote(variable.name);
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw source_.error(variable.at, problem, remedy);
  };
  if (symbol == nullptr || !symbol->is_parameter) {
    refuse(fmt::format("{} is not a parameter", name),
           did_you_mean(variable.name, symbols_.names(), "declare it between the parentheses"));
  }
  if (symbol->is_length) {
    refuse(fmt::format("{} is the length of a list and cannot be private", name),
           "lengths are public: the same in both runs");
  }
  if (clause.reach == Reach::kValue) {
    if (symbol->is_list) {
      refuse(fmt::format("{} is a list", name),
             "say which entries differ: `every |q.1 - q.2| <= 1` or `one |q.1 - q.2| <= 1`");
    }
  } else if (!symbol->is_list) {
    refuse(fmt::format("{} is a single value", name),
           "`every` and `one` speak about the entries of a list; remove the word");
  } else if (clause.list.empty()) {
    if (symbol->is_private) {
      refuse(fmt::format("a second adjacency is about the list {}", name),
             "join its conditions with `and`");
    }
    clause.list = variable.name;
  } else if (clause.list != variable.name) {
    refuse(fmt::format("one adjacency is about two lists, {} and {}", quote(clause.list), name),
           "write one clause for each list");
  }
  symbol->is_private = true;
}

void Checker::check_header() {
  for (const Adjacency& clause : program_.adjacent) {
    for (const Expression& condition : clause.conditions) {
      types_.check(condition, Place::kAdjacency);
    }
  }
  for (const Expression& requirement : program_.requirements) {
    types_.check(requirement, Place::kPublic);
  }
  const Expression& epsilon = program_.claimed_epsilon;
  const Expression& delta = program_.claimed_delta;
  types_.expect(Kind::kNumber, epsilon, Place::kPublic);
  types_.expect(Kind::kNumber, delta, Place::kPublic);
  if (epsilon.op == Operator::kNumber && epsilon.number.sign() < 0) {
    throw source_.error(epsilon.at, "the claimed loss is negative", "claim a loss of at least 0");
  }
  if (delta.op == Operator::kNumber && (delta.number.sign() < 0 || delta.number > Rational(1))) {
    throw source_.error(delta.at, "the claimed delta is not a probability", "claim one in [0, 1]");
  }
}

void Checker::check(const Block& block) {
  for (const Statement& statement : block) check(statement);
}

void Checker::check(const Statement& statement) {
  if (const auto* set = std::get_if<Assign>(&statement.what)) {
    const Kind kind = types_.check(set->value, Place::kBody);
    NameInfo& target = assign(set->name, kind, statement.at);
    if (kind == Kind::kTruth) return;
    std::vector<std::size_t> on;
    if (types_.depends(set->value, on)) target.type = Type::kReal;
    for (const std::size_t local : on) makes_real_[local].push_back(target.local);
  } else if (const auto* sample = std::get_if<Sample>(&statement.what)) {
    check_sample(*sample, statement.at);
  } else if (const auto* branch = std::get_if<If>(&statement.what)) {
    check_branches(*branch);
  } else if (const auto* loop = std::get_if<Loop>(&statement.what)) {
    check_loop(*loop, statement.at);
  } else {
    types_.check(std::get<Output>(statement.what).value, Place::kBody);
  }
}

NameInfo& Checker::assign(const std::string& name, Kind kind, Position at) {
  NameInfo& symbol = *symbols_.find(name);
  if (!std::exchange(symbol.is_typed, true)) {
    symbol.type = kind == Kind::kTruth ? Type::kBool : Type::kInt;
  }
  if (symbol.kind() != kind) {
    throw source_.error(at, fmt::format("{} is given both truth values and numbers", quote(name)),
                        "use two variables");
  }
  assigned_[symbol.local] = true;
  return symbol;
}

void Checker::check_sample(const Sample& sample, Position at) {
  const std::string_view name = sampler_name(sample.sampler);
  for (const Expression& argument : sample.arguments) {
    types_.expect(Kind::kNumber, argument, Place::kBody);
    if (argument.op != Operator::kNumber) continue;
    if (sample.sampler == Sampler::kBernoulli) {
      if (argument.number.sign() >= 0 && argument.number <= Rational(1)) continue;
      throw source_.error(argument.at, "the probability of `bernoulli` is not in [0, 1]",
                          "use a number from 0 to 1");
    }
    if (argument.number.sign() <= 0) {
      throw source_.error(argument.at, fmt::format("the scale of `{}` is not > 0", name),
                          "use a positive scale");
    }
  }
  const Type type = drawn_type(sample.sampler);
  NameInfo& target = assign(sample.name, type == Type::kBool ? Kind::kTruth : Kind::kNumber, at);
  if (type == Type::kReal) target.type = Type::kReal;
}

void Checker::check_branches(const If& branch) {
  types_.expect(Kind::kTruth, branch.condition, Place::kBody);
  const std::vector<bool> before = assigned_;
  check(branch.then_block);
  const std::vector<bool> after_then = std::exchange(assigned_, before);
  check(branch.else_block);
  for (std::size_t i = 0; i < assigned_.size(); ++i) {
    assigned_[i] = assigned_[i] && after_then[i];
  }
}

void Checker::check_loop(const Loop& loop, Position at) {
  types_.expect_whole(loop.from, Place::kBody, "the first value of a counter");
  types_.expect_whole(loop.to, Place::kBody, "the bound of a loop");
  const std::vector<bool> before = assigned_;
  const std::size_t counter = symbols_.find(loop.counter)->local;
  if (assigned_[counter]) {
    throw source_.error(
        at, fmt::format("a loop inside another has the same counter {}", quote(loop.counter)),
        "give each its own counter");
  }
  assigned_[counter] = true;
  if (loop.guard) types_.expect(Kind::kTruth, *loop.guard, Place::kBody);
  check(loop.body);
  assigned_ = before;  // There may be no pass at all.
}

void Checker::spread_real() {
  std::vector<std::size_t> waiting;
  for (const NameInfo* local : symbols_.locals()) {
    if (local->type == Type::kReal) waiting.push_back(local->local);
  }
  while (!waiting.empty()) {
    const std::size_t real = waiting.back();
    waiting.pop_back();
    for (const std::size_t next : makes_real_[real]) {
      if (std::exchange(symbols_.locals()[next]->type, Type::kReal) != Type::kReal) {
        waiting.push_back(next);
      }
    }
  }
}

}  // namespace

void check_program(Program& program, const Source& source) { Checker(program, source).run(); }

}  // namespace lastbit::verify
