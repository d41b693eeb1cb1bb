// The values of expressions in a symbolic run.
#include <algorithm>

#include "lastbit/verify/logic/calculus_internal.h"

namespace lastbit::verify {

using namespace calculus_internal;  // NOLINT(google-build-using-namespace): this module's own

namespace calculus_internal {

Error mismatch(std::string_view problem) {
  return Error(ErrorCode::kMismatch, "calculus", std::string(problem),
               "the proof must follow the program");
}

Error not_supported(Position at, std::string_view problem, std::string_view remedy) {
  return Error(ErrorCode::kNotSupported,
               "line " + std::to_string(at.line) + ", column " + std::to_string(at.column),
               std::string(problem), std::string(remedy));
}

SymbolId fresh(Goal& goal, std::string_view name, bool whole, bool positive) {
  if (goal.symbols.size() >= kMaxSymbols) throw mismatch("there are too many symbols");
  WorkLimit::spend(goal.symbols.size());
  const auto alike = std::ranges::count_if(goal.symbols, [&](const Symbol& symbol) {
    return symbol.name.starts_with(name) &&
           (symbol.name.size() == name.size() || symbol.name[name.size()] == '\'');
  });
  const std::string number = alike == 0 ? "" : "'" + std::to_string(alike + 1);
  goal.symbols.push_back({std::string(name) + number, whole, positive});
  return static_cast<SymbolId>(goal.symbols.size()) - 1;
}

void add_fact(Goal& goal, Polynomial value, Sign sign) {
  // A whole number that is > 0 is ≥ 1.
  if (sign == Sign::kPositive && is_whole(goal, value)) {
    value += Polynomial(Rational(-1));
    sign = Sign::kNonNegative;
  }
  const Fact fact{std::move(value), sign};
  if (holds(fact).value_or(false)) return;
  if (std::ranges::find(goal.facts, fact) != goal.facts.end()) return;
  if (goal.facts.size() >= kMaxFacts) throw mismatch("there are too many facts");
  goal.facts.push_back(fact);
}

void add_truth(Goal& goal, const std::array<Polynomial, 2>& values) {
  for (const Polynomial& value : values) {
    add_fact(goal, value, Sign::kNonNegative);
    add_fact(goal, Polynomial(Rational(1)) - value, Sign::kNonNegative);
  }
}

void add_facts(Goal& goal, const std::vector<Fact>& facts) {
  for (const Fact& fact : facts) add_fact(goal, fact.value, fact.sign);
}

void oblige(const Goal& goal, const Polynomial& value, Sign sign, std::string_view why,
            Obligations& obligations) {
  if (holds({value, sign}).value_or(false)) return;
  if (sign != Sign::kZero && is_positive(goal.symbols, value)) return;
  for (const Polynomial& wanted : {value, -value}) {
    WorkLimit::spend(goal.symbols.size() + goal.facts.size());
    const Fact fact{wanted, sign == Sign::kZero ? Sign::kNonNegative : sign};
    obligations.add({goal.symbols, goal.facts, fact, std::string(why)});
    if (sign != Sign::kZero) return;  // an equality is two inequalities
  }
}

void require_known(const std::vector<Symbol>& symbols, const Polynomial& value) {
  for (const auto& [monomial, coefficient] : value.terms()) {
    for (const auto& [symbol, exponent] : monomial.powers) {
      if (symbol < 0 || static_cast<std::size_t>(symbol) >= symbols.size()) {
        throw mismatch("an expression speaks of a symbol that does not exist");
      }
      const Symbol& known = symbols[static_cast<std::size_t>(symbol)];
      if (known.is_hidden) throw mismatch("an expression speaks of a draw that was replaced");
      if (exponent < 0 && !known.is_positive) {
        throw mismatch("an expression divides by what may be 0");
      }
    }
  }
}

void define(Goal& goal, SymbolId symbol, const Polynomial& value) {
  const auto put = [&](Polynomial& polynomial) {
    if (polynomial.mentions(symbol)) polynomial = polynomial.substitute({{symbol, value}});
  };
  for (Fact& fact : goal.facts) put(fact.value);
  for (auto& [name, sides] : goal.values) std::ranges::for_each(sides, put);
  for (FunctionValue& function : goal.functions) {
    std::ranges::for_each(function.arguments, put);
    put(function.value);
  }
  for (ListEntry& entry : goal.entries) {
    put(entry.index);
    std::ranges::for_each(entry.values, put);
  }
  for (auto& outputs : goal.unmatched) std::ranges::for_each(outputs, put);
  put(goal.spent);
  put(goal.spent_delta);
  if (goal.draw) {
    put(goal.draw->parameter);
    put(goal.draw->rate);
  }
  add_fact(goal, Polynomial::symbol(symbol) - value, Sign::kZero);
}

std::optional<SymbolId> the_symbol(const Polynomial& value) {
  if (value.terms().size() != 1) return std::nullopt;
  const auto& [monomial, coefficient] = *value.terms().begin();
  if (coefficient != Rational(1) || monomial.powers.size() != 1) return std::nullopt;
  if (monomial.powers.front().second != 1) return std::nullopt;
  return monomial.powers.front().first;
}

Polynomial one_over(Goal& goal, const Polynomial& value, Position at, Obligations& obligations) {
  if (value.is_zero()) throw not_supported(at, "this divides by 0", "divide by something else");
  if (value.terms().size() == 1) {
    const auto& [monomial, coefficient] = *value.terms().begin();
    if (is_positive(goal.symbols, monomial)) {
      return Polynomial::term(Rational(1) / coefficient, inverse(monomial));
    }
  }
  if (is_positive(goal.symbols, -value)) return -one_over(goal, -value, at, obligations);
  for (const FunctionValue& known : goal.functions) {
    if (known.op == Operator::kDivide && known.arguments.front() == value) return known.value;
  }
  oblige(goal, value, Sign::kPositive, "what is divided by is positive", obligations);
  const Polynomial result = Polynomial::symbol(fresh(goal, "1/d", false, true));
  goal.functions.push_back({Operator::kDivide, {value}, result, false});
  add_fact(goal, result * value - Polynomial(Rational(1)), Sign::kZero);
  return result;
}

const Parameter* find_parameter(const std::vector<Parameter>& list, const std::string& name) {
  WorkLimit::spend(list.size());
  const auto found = std::ranges::find_if(list, [&](const Parameter& p) { return p.name == name; });
  return found == list.end() ? nullptr : &*found;
}

const Parameter& declared(const Program& program, const std::string& name) {
  static const Parameter kOutput{std::string(kOutputName), Type::kBool, ""};
  if (name == kOutputName) return kOutput;
  for (const auto* list : {&program.parameters, &program.locals}) {
    if (const Parameter* found = find_parameter(*list, name)) return *found;
  }
  throw mismatch("the program speaks of a variable that it does not declare");
}

bool is_truth(Operator op) { return op >= Operator::kLess; }

Cases product(const Cases& a, const Cases& b) {
  if (a.size() * b.size() > kMaxCases) {
    throw Error(ErrorCode::kNotSupported, "calculus", "a condition falls into too many cases",
                "write it with fewer `or`s");
  }
  Cases result;
  for (const auto& left : a) {
    for (const auto& right : b) {
      result.push_back(left);
      result.back().insert(result.back().end(), right.begin(), right.end());
    }
  }
  return result;
}

// Whether the function is positive whatever its value, by the form of its arguments.
static bool is_positive_function(const Goal& goal, Operator op,
                                 const std::vector<Polynomial>& arguments) {
  const auto positive = [&](std::size_t i) { return is_positive(goal.symbols, arguments[i]); };
  switch (op) {
    case Operator::kExp:
    case Operator::kPow2Ceil:
    case Operator::kLogistic:
      return true;
    case Operator::kLn:
      return arguments[0].constant().value_or(Rational(0)) > Rational(1);
    case Operator::kMax:
      return positive(0) || positive(1);
    case Operator::kMin:
      return positive(0) && positive(1);
    case Operator::kClamp:
      return positive(1) && positive(2);
    default:
      return false;
  }
}

// The same symbol for the same arguments: the rule DET.
Polynomial function_value(Goal& goal, Operator op, std::vector<Polynomial> arguments, Position at,
                          Obligations& obligations) {
  if (op < Operator::kModulo || op > Operator::kLogistic ||
      static_cast<int>(arguments.size()) != argument_count(op)) {
    throw mismatch("this is not a function of its arguments");
  }
  for (const FunctionValue& known : goal.functions) {
    if (known.op == op && known.arguments == arguments) return known.value;
  }
  const auto must_be_positive = [&](const Polynomial& value) {
    oblige(goal, value, Sign::kPositive, "the function is defined there", obligations);
  };
  bool whole = op == Operator::kFloor || op == Operator::kCeil || op == Operator::kModulo;
  if (op == Operator::kLn || op == Operator::kPow2Ceil) must_be_positive(arguments[0]);
  if (op == Operator::kRound || op == Operator::kRoundHalfEven ||
      op == Operator::kRoundTowardZero || op == Operator::kModulo) {
    must_be_positive(arguments[1]);
  }
  if (op == Operator::kModulo && !(is_whole(goal, arguments[0]) && is_whole(goal, arguments[1]))) {
    throw not_supported(at, "% needs whole numbers", "use whole parameters");
  }
  if (op == Operator::kAbs || op == Operator::kMin || op == Operator::kMax ||
      op == Operator::kClamp) {
    whole = std::ranges::all_of(arguments, [&](const auto& a) { return is_whole(goal, a); });
  }
  const bool positive = is_positive_function(goal, op, arguments);
  const std::string name = op == Operator::kModulo ? "mod" : std::string(function_name(op));
  const Polynomial value = Polynomial::symbol(fresh(goal, name, whole, positive));
  goal.functions.push_back({op, std::move(arguments), value, false});
  return value;
}

const std::array<Polynomial, 2>& entry_values(Goal& goal, const std::string& name,
                                              const Polynomial& index, Position at) {
  for (const ListEntry& known : goal.entries) {
    if (known.list == name && known.index == index) return known.values;
  }
  const Parameter& list = declared(*goal.program, name);
  if (list.length.empty()) throw mismatch("a variable that is not a list is indexed");
  if (!is_whole(goal, index)) {
    throw not_supported(at, "a list is indexed by a number that may not be whole",
                        "use whole variables as indices");
  }
  const bool whole = list.type != Type::kReal;
  ListEntry entry{name, index, {}, false};
  const auto& all = goal.program->adjacent;
  const auto adjacency = std::ranges::find_if(
      all, [&](const Adjacency& a) { return a.reach != Reach::kValue && a.list == name; });
  if (adjacency == all.end()) {
    const auto shared = Polynomial::symbol(fresh(goal, name + "[]", whole));
    entry.values = {shared, shared};
  } else {
    entry.values = {Polynomial::symbol(fresh(goal, name + "[].1", whole)),
                    Polynomial::symbol(fresh(goal, name + "[].2", whole))};
    if (adjacency->reach == Reach::kEvery) {
      add_facts(goal, adjacency_facts(goal, *adjacency, entry.values));
    }
  }
  return goal.entries.emplace_back(entry).values;
}

}  // namespace calculus_internal

namespace {

// ln of a positive number, so that ln(3) and −ln(1/3) are one symbol.
Polynomial ln_of_constant(Goal& goal, const Rational& number, Position at,
                          Obligations& obligations) {
  if (number == Rational(1)) return {};
  if (number < Rational(1)) return -ln_of_constant(goal, Rational(1) / number, at, obligations);
  return function_value(goal, Operator::kLn, {Polynomial(number)}, at, obligations);
}

}  // namespace

bool is_whole(const Goal& goal, const Polynomial& value) {
  WorkLimit::spend(value.terms().size());
  return std::ranges::all_of(value.terms(), [&](const auto& term) {
    return term.second.is_integer() &&
           std::ranges::all_of(term.first.powers, [&](const auto& power) {
             return power.second > 0 &&
                    goal.symbols.at(static_cast<std::size_t>(power.first)).is_whole;
           });
  });
}

bool is_positive(const std::vector<Symbol>& symbols, const Monomial& value) {
  return std::ranges::all_of(value.powers, [&](const auto& power) {
    return symbols.at(static_cast<std::size_t>(power.first)).is_positive;
  });
}

bool is_positive(const std::vector<Symbol>& symbols, const Polynomial& value) {
  WorkLimit::spend(value.terms().size());
  return !value.is_zero() && std::ranges::all_of(value.terms(), [&](const auto& term) {
    return term.second.sign() > 0 && is_positive(symbols, term.first);
  });
}

Polynomial evaluate(Goal& goal, const Expression& expression, int side, Obligations& obligations) {
  // It may search the known function values and list entries, each of which takes far less than a
  // unit.
  WorkLimit::spend(1 + (goal.functions.size() + goal.entries.size()) / 16);
  if (is_truth(expression.op)) throw mismatch("a truth value stands where a number should");
  std::vector<Polynomial> operands;
  for (const Expression& operand : expression.operands) {
    operands.push_back(evaluate(goal, operand, side, obligations));
  }
  switch (expression.op) {
    case Operator::kNumber:
      return Polynomial(expression.number);
    case Operator::kBoolean:
      return Polynomial(Rational(expression.number.sign() != 0 ? 1 : 0));
    case Operator::kVariable: {
      const auto found = goal.values.find(expression.name);
      if (found == goal.values.end()) {
        throw not_supported(expression.at, "a variable may have no value here",
                            "assign it before, on every path");
      }
      // name.1 and name.2 occur in adjacencies only; start() has seen to that.
      const int run = expression.side == 0 ? side : (expression.side - 1) ^ (goal.swapped ? 1 : 0);
      return found->second.at(static_cast<std::size_t>(run));
    }
    case Operator::kEntry:
      return entry_values(goal, expression.name, operands[0], expression.at)
          .at(static_cast<std::size_t>(side));
    case Operator::kAdd:
      return operands[0] + operands[1];
    case Operator::kSubtract:
      return operands[0] - operands[1];
    case Operator::kMultiply:
      return operands[0] * operands[1];
    case Operator::kNegate:
      return -operands[0];
    case Operator::kDivide:
      return operands[0] * one_over(goal, operands[1], expression.at, obligations);
    case Operator::kLn:
      if (const auto number = operands[0].constant(); number && number->sign() > 0) {
        return ln_of_constant(goal, *number, expression.at, obligations);
      }
      return function_value(goal, expression.op, operands, expression.at, obligations);
    default:
      return function_value(goal, expression.op, operands, expression.at, obligations);
  }
}

namespace {

Cases comparison(Goal& goal, const Expression& expression, int side, bool truth,
                 Obligations& obligations) {
  const Polynomial a = evaluate(goal, expression.operands[0], side, obligations);
  const Polynomial b = evaluate(goal, expression.operands[1], side, obligations);
  const Operator op = expression.op;
  Cases cases;
  if (op == Operator::kEqual || op == Operator::kNotEqual) {
    if ((op == Operator::kEqual) == truth) {
      cases = {{Fact{a - b, Sign::kZero}}};
    } else {
      cases = {{Fact{a - b, Sign::kPositive}}, {Fact{b - a, Sign::kPositive}}};
    }
  } else {
    // a < b is b − a > 0, and where it is false a − b ≥ 0; the others are alike.
    const bool less = op == Operator::kLess || op == Operator::kLessEqual;
    const bool strict = op == Operator::kLess || op == Operator::kGreater;
    const Sign sign = strict == truth ? Sign::kPositive : Sign::kNonNegative;
    cases = {{Fact{less == truth ? b - a : a - b, sign}}};
  }
  std::erase_if(cases, [](const auto& c) { return holds(c.front()) == false; });
  for (auto& facts : cases) std::erase_if(facts, [](const Fact& f) { return holds(f) == true; });
  return cases;
}

}  // namespace

Cases conditions(Goal& goal, const Expression& expression, int side, bool truth,
                 Obligations& obligations) {
  switch (expression.op) {
    case Operator::kNot:
      return conditions(goal, expression.operands[0], side, !truth, obligations);
    case Operator::kAnd:
    case Operator::kOr: {
      const Cases a = conditions(goal, expression.operands[0], side, truth, obligations);
      Cases b = conditions(goal, expression.operands[1], side, truth, obligations);
      if ((expression.op == Operator::kAnd) == truth) return product(a, b);
      b.insert(b.begin(), a.begin(), a.end());
      return product(b, {{}});
    }
    case Operator::kBoolean:
      return (expression.number.sign() != 0) == truth ? Cases{{}} : Cases{};
    case Operator::kVariable: {
      if (declared(*goal.program, expression.name).type != Type::kBool) {
        throw mismatch("a number stands where a truth value should");
      }
      const Polynomial value = evaluate(goal, expression, side, obligations);
      const Fact fact{truth ? value - Polynomial(Rational(1)) : value, Sign::kZero};
      if (const auto known = holds(fact)) return *known ? Cases{{}} : Cases{};
      return {{fact}};
    }
    default:
      break;
  }
  if (!is_truth(expression.op)) throw mismatch("a number stands where a truth value should");
  return comparison(goal, expression, side, truth, obligations);
}

}  // namespace lastbit::verify
