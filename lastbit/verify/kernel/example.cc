#include "lastbit/verify/kernel/example.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "lastbit/base/error.h"
#include "lastbit/base/work_limit.h"
#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify {
namespace {

// The work that the search for one example may take.
constexpr std::uint64_t kMaxWork = 1'000'000;

// put: the polynomial where the symbol has the value, which is not 0 where it is divided by.
Polynomial put(const Polynomial& polynomial, SymbolId symbol, const Rational& value) {
  Polynomial result;
  for (const auto& [monomial, coefficient] : polynomial.terms()) {
    Monomial rest = monomial;
    Rational factor = coefficient;
    std::erase_if(rest.powers, [&](const auto& power) {
      if (power.first != symbol) return false;
      const Rational base = power.second > 0 ? value : Rational(1) / value;
      factor *= pow(base, static_cast<unsigned>(std::abs(power.second)));
      return true;
    });
    result += Polynomial::term(factor, rest);
  }
  return result;
}

// values_to_try: the symbol about which the facts say most by themselves, with the places where a
// fact a·x + b changes its sign, points between two such places, and points around them.
std::pair<SymbolId, std::set<Rational>> values_to_try(const std::vector<Fact>& facts) {
  std::map<SymbolId, std::set<Rational>> places;
  for (const Fact& fact : facts) {
    const auto& terms = fact.value.terms();
    for (const auto& [monomial, coefficient] : terms) {
      for (const auto& power : monomial.powers) places[power.first].insert(Rational(0));
    }
    const auto& [last, a] = *terms.rbegin();
    const Polynomial b = fact.value - Polynomial::term(a, last);
    const std::optional<Rational> constant = b.constant();
    if (!constant || last.powers.size() != 1 || last.powers[0].second != 1) continue;
    places[last.powers[0].first].insert(-*constant / a);
  }
  const auto size = [](const auto& entry) { return entry.second.size(); };
  const auto& [symbol, chosen] = *std::ranges::max_element(places, {}, size);
  std::set<Rational> values;
  Rational before = *chosen.begin();
  for (const Rational& place : chosen) {
    values.insert((before + place) / Rational(2));
    before = place;
    for (const Rational& by : {Rational(0), Rational(1) / Rational(1024), Rational(1024)}) {
      for (const Rational& value : {place + by, place - by}) {
        values.merge(std::set{value, Rational(value.floor()), Rational(value.ceil())});
        values.merge(std::set{value + Rational(1), value - Rational(1)});
      }
    }
  }
  WorkLimit::spend(values.size());
  return {symbol, values};
}

// have_example: values of the symbols were found that make the facts true.
bool have_example(std::vector<Fact> facts, const std::vector<Symbol>& symbols) {
  WorkLimit::spend(1 + facts.size());
  for (const Fact& fact : facts) {
    if (holds(fact) == false) return false;
  }
  std::erase_if(facts, [](const Fact& fact) { return holds(fact) == true; });
  if (facts.empty()) return true;
  const auto [symbol, values] = values_to_try(facts);
  const Symbol& known = symbols.at(static_cast<std::size_t>(symbol));
  for (const Rational& value : values) {
    if (known.is_whole && !value.is_integer()) continue;
    if (known.is_positive && value.sign() <= 0) continue;
    std::vector<Fact> rest = facts;
    for (Fact& fact : rest) {
      if (fact.value.mentions(symbol)) fact.value = put(fact.value, symbol, value);
    }
    if (have_example(std::move(rest), symbols)) return true;
  }
  return false;
}

// are_possible: an example of the goal's facts and of `more` was found. Functions are replaced by
// the cases of their definitions, if these are complete.
bool are_possible(const std::vector<Fact>& more, const Goal& goal, std::size_t function = 0) {
  if (function == goal.functions.size()) {
    std::vector<Fact> facts = goal.facts;
    facts.insert(facts.end(), more.begin(), more.end());
    return have_example(std::move(facts), goal.symbols);
  }
  const Operator op = goal.functions[function].op;
  if (op == Operator::kDivide) return are_possible(more, goal, function + 1);
  const auto whole = {Operator::kAbs,   Operator::kMin,   Operator::kMax,
                      Operator::kClamp, Operator::kFloor, Operator::kCeil};
  if (std::ranges::find(whole, op) == whole.end()) return false;
  Obligations none;
  return std::ranges::any_of(apply(goal, SplitFunction{function}, none), [&](const Goal& one) {
    return are_possible(more, one, function + 1);
  });
}

// can_differ: an example was found in which none of these is 0, and all have one sign.
bool can_differ(const Goal& goal, const std::vector<Polynomial>& differences) {
  for (const bool more : {true, false}) {
    std::vector<Fact> facts;
    for (const Polynomial& d : differences) facts.push_back({more ? d : -d, Sign::kPositive});
    try {
      const WorkLimit limit(kMaxWork);
      if (are_possible(facts, goal)) return true;
    } catch (const WorkLimit::Exceeded&) {
      continue;
    }
  }
  return false;
}

// differences: what is not 0 where a private input differs. The goal learns the first entry of each
// private list, which is the one that differs; those after it may be like it, or equal.
std::map<std::string, Polynomial> differences(const Program& program, Goal& goal) {
  std::map<std::string, Polynomial> result;
  for (const auto& [name, values] : goal.values) result[name] = values[0] - values[1];
  for (const Adjacency& adjacency : program.adjacent) {
    if (adjacency.reach == Reach::kValue) continue;
    Obligations none;
    goal = apply(goal, Mention{.list = adjacency.list, .arguments = {Polynomial()}}, none).front();
    const std::size_t entry = goal.entries.size() - 1;
    if (adjacency.reach == Reach::kOne) goal = apply(goal, SplitOne{entry}, none).at(1);
    result[adjacency.list] = goal.entries[entry].values[0] - goal.entries[entry].values[1];
    const auto list = std::ranges::find(program.parameters, adjacency.list, &Parameter::name);
    const Polynomial length = goal.values.at(list->length)[0];
    goal.facts.push_back({length - Polynomial(Rational(1)), Sign::kNonNegative});
  }
  std::erase_if(result, [](const auto& entry) { return entry.second.is_zero(); });
  return result;
}

Error no_example(const std::string& problem) {
  return Error(
      ErrorCode::kNotSupported, "adjacency", problem,
      "write requirements and an adjacency that different inputs meet, in plain arithmetic");
}

}  // namespace

void require_examples(const Program& program) {
  auto inputs = std::make_shared<Program>(program);
  inputs->body.clear();
  inputs->claimed_epsilon = inputs->claimed_delta = Expression{};
  Obligations ignored{.see = [](const Obligation&) {}};
  Goal goal = start(inputs, false, ignored);
  if (!goal.entries.empty()) throw no_example("the requirements speak of entries of lists");
  const auto by_name = differences(program, goal);
  if (by_name.empty()) throw no_example("no input is private: the claim says nothing");
  std::vector<Polynomial> all;
  for (const auto& [name, difference] : by_name) all.push_back(difference);
  if (can_differ(goal, all)) return;
  for (const auto& [name, difference] : by_name) {
    if (can_differ(goal, {difference})) continue;
    throw no_example("no adjacent inputs were found that differ in " + name +
                     " and meet the requirements: the claim may say nothing");
  }
}

}  // namespace lastbit::verify
