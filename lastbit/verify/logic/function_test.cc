// Values of functions and entries of lists: what is known about them, and in which cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/logic/small_mechanism_test_support.h"

namespace lastbit::verify {
namespace function_test {

Goal begin_text(const std::string& text, bool swapped = false) {
  Obligations obligations;
  return start(std::make_shared<const Program>(parse_program(text)), swapped, obligations);
}
Goal begin(const std::string& body) { return begin_text(mechanism(body)); }

TEST(MentionTest, OneFunctionOfEqualArgumentsHasOneValue) {
  const Goal goal = begin("x := floor(g); y := floor(g); z := floor(t); output x;");
  EXPECT_EQ(values_of(goal, "x"), (Texts{"floor", "floor"}));
  EXPECT_EQ(values_of(goal, "y"), values_of(goal, "x"));
  EXPECT_EQ(values_of(goal, "z"), (Texts{"floor'2", "floor'2"}));
  const Goal before = begin("output floor(f);");
  const Goal named = after(before, Mention{.op = Operator::kFloor, .arguments = {of(before, "f")}});
  EXPECT_EQ(applied(named, Emit{}).owed().front(), "-floor + floor'2 >= 0");
}

TEST(MentionTest, FunctionsOweThatTheyAreDefined) {
  const Goal goal = begin("output 1;");
  const Polynomial g = of(goal, "g");
  const auto owed = [&](Operator op, std::vector<Polynomial> arguments) {
    return applied(goal, Mention{.op = op, .arguments = std::move(arguments)}).owed();
  };
  EXPECT_EQ(owed(Operator::kLn, {g}), (Texts{"g > 0"}));
  EXPECT_EQ(owed(Operator::kPow2Ceil, {g}), (Texts{"g > 0"}));
  EXPECT_EQ(owed(Operator::kRound, {of(goal, "f"), g}), (Texts{"g > 0"}));
  EXPECT_EQ(owed(Operator::kRoundHalfEven, {of(goal, "f"), g}), (Texts{"g > 0"}));
  EXPECT_EQ(owed(Operator::kRoundTowardZero, {of(goal, "f"), g}), (Texts{"g > 0"}));
  EXPECT_EQ(owed(Operator::kModulo, {of(goal, "k"), of(goal, "n")}), (Texts{"n > 0"}));
  EXPECT_EQ(owed(Operator::kLn, {of(goal, "eps")}), Texts{});
  EXPECT_EQ(owed(Operator::kExp, {g}), Texts{});
  EXPECT_EQ(code_of([] { begin("x := 1 / (g - g); output x;"); }), ErrorCode::kNotSupported);
}

TEST(MentionTest, FunctionsArePositiveOrWholeByTheirForm) {
  const Goal goal = begin("output 1;");
  const Polynomial g = of(goal, "g");
  const Polynomial n = of(goal, "n");
  const Polynomial eps = of(goal, "eps");
  const auto form = [&](Operator op, std::vector<Polynomial> arguments) {
    const Goal named = after(goal, Mention{.op = op, .arguments = std::move(arguments)});
    const Symbol& symbol = named.symbols.back();
    return std::string(symbol.is_positive ? "+" : "") + (symbol.is_whole ? "whole" : "");
  };
  using enum Operator;
  EXPECT_EQ(form(kExp, {g}) + form(kLogistic, {g}) + form(kPow2Ceil, {g}), "+++");
  EXPECT_EQ(form(kLn, {Polynomial(Rational(2))}), "+");
  EXPECT_EQ(form(kLn, {kOne}) + form(kLn, {Polynomial(rational("1/2"))}) + form(kLn, {eps}), "");
  EXPECT_EQ(form(kRound, {g, g}) + form(kRoundHalfEven, {g, g}) + form(kRoundTowardZero, {g, g}),
            "");
  EXPECT_EQ(form(kFloor, {eps}), "whole");
  EXPECT_EQ(form(kCeil, {eps}), "whole");
  EXPECT_EQ(form(kModulo, {n, n}), "whole");
  EXPECT_EQ(form(kAbs, {g}) + form(kMin, {g, eps}) + form(kClamp, {eps, g, eps}), "");
  EXPECT_EQ(form(kAbs, {n}), "whole");
  EXPECT_EQ(form(kMin, {n, g}) + form(kMax, {n, g}) + form(kClamp, {n, n, g}), "");
  EXPECT_EQ(form(kMin, {eps, eps}) + form(kMax, {g, eps}) + form(kMax, {eps, g}), "+++");
  EXPECT_EQ(form(kClamp, {g, eps, eps}), "+");
  EXPECT_EQ(form(kClamp, {g, eps, g}), "");
}

TEST(MentionTest, RefusesWhatIsNoFunction) {
  const Goal goal = begin("output 1;");
  const Polynomial g = of(goal, "g");
  const char* const refusal = "this is not a function of its arguments";
  for (const Operator op : {Operator::kNumber, Operator::kVariable, Operator::kAdd,
                            Operator::kDivide, Operator::kLess, Operator::kNot}) {
    for (const std::size_t count : {0U, 1U, 2U}) {
      const Mention step{.op = op, .arguments = std::vector<Polynomial>(count, g)};
      EXPECT_EQ(problem(goal, step), refusal);
    }
  }
  EXPECT_EQ(problem(goal, Mention{.op = Operator::kFloor, .arguments = {g, g}}), refusal);
  EXPECT_EQ(problem(goal, Mention{.op = Operator::kClamp, .arguments = {g, g}}), refusal);
  EXPECT_EQ(problem(goal, Mention{.op = Operator::kModulo, .arguments = {g, g}}),
            "% needs whole numbers");
  const auto entry = [&](const std::string& list, std::vector<Polynomial> index) {
    return problem(goal, Mention{Operator::kEntry, list, std::move(index)});
  };
  EXPECT_EQ(entry("q", {}), "a list has one index");
  EXPECT_EQ(entry("q", {kOne, kOne}), "a list has one index");
  EXPECT_EQ(entry("q", {g}), "a list is indexed by a number that may not be whole");
  EXPECT_EQ(entry("g", {kOne}), "a variable that is not a list is indexed");
  EXPECT_EQ(entry("z", {kOne}), "the program speaks of a variable that it does not declare");
  EXPECT_EQ(entry("q", {of(goal, "k")}), "accepted");
}

TEST(EntryTest, EntriesAreAsTheAdjacencySays) {
  const Goal goal = begin("output q[0] + r[0];");
  const auto mention = [](const std::string& list) {
    return Mention{.op = Operator::kEntry, .list = list, .arguments = {Polynomial()}};
  };
  const Goal every = after(goal, mention("q"));
  EXPECT_EQ(show(every.symbols, every.entries[0].values[1]), "q[].2");
  EXPECT_EQ(facts_of(every).back(), "1 + q[].1 - q[].2 >= 0");
  const Goal open = after(goal, mention("r"));
  EXPECT_EQ(open.entries[0].values[0], open.entries[0].values[1]);
  const Goal one = after(goal, mention("c"));
  EXPECT_EQ(facts_of(one), facts_of(goal));
  const Applied split = applied(one, SplitOne{0});
  ASSERT_EQ(split.goals.size(), 3U);
  EXPECT_EQ(show(split.goals[0].symbols, split.goals[0].entries[0].values[1]), "c[].1");
  EXPECT_EQ(show(split.goals[1].symbols, split.goals[1].entries[0].values[1]), "c[].2");
  EXPECT_EQ(facts_of(split.goals[1]).back(), "1 + c[].1 - c[].2 >= 0");
  EXPECT_EQ(show(split.goals[2].symbols, split.goals[2].entries[0].values[1]), "c[].1");
  const char* const refusal = "this entry needs no distinction";
  EXPECT_EQ(problem(split.goals[1], SplitOne{0}), refusal);
  EXPECT_EQ(problem(every, SplitOne{0}), refusal);
  EXPECT_EQ(problem(one, SplitOne{1}), "there is no such entry");
}

// split_by_cases: at these arguments exactly one case holds, and its value is `value`.
void expect_one_case(Operator op, const std::vector<Rational>& arguments, const Rational& value) {
  Goal goal = begin("output 1;");
  std::vector<Polynomial> symbols;
  std::map<SymbolId, Polynomial> at;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto name = std::array{"f", "g", "t"}.at(i);
    symbols.push_back(of(goal, name));
    at[symbols.back().terms().begin()->first.powers.front().first] = arguments[i];
  }
  goal = after(goal, Mention{.op = op, .arguments = symbols});
  const std::size_t old_facts = goal.facts.size();
  at[goal.functions.back().value.terms().begin()->first.powers.front().first] = value;
  int count = 0;
  for (const Goal& each : applied(goal, SplitFunction{goal.functions.size() - 1}).goals) {
    bool all = true;
    for (std::size_t i = old_facts; i < each.facts.size(); ++i) {
      const Fact& fact = each.facts[i];
      all = all && holds({fact.value.substitute(at), fact.sign}).value_or(false);
    }
    if (!all) continue;
    ++count;
    EXPECT_EQ(each.functions.back().value.substitute(at).constant(), value);
  }
  EXPECT_EQ(count, 1) << "operator " << static_cast<int>(op) << " gives " << value.to_string();
}

TEST(SplitFunctionTest, ExactlyOneCaseHoldsAndGivesTheValue) {
  std::vector<Rational> numbers;
  for (int i = -6; i <= 6; ++i) numbers.push_back(Rational(i) / Rational(4));
  for (const Rational& x : numbers) {
    expect_one_case(Operator::kAbs, {x}, abs(x));
    expect_one_case(Operator::kFloor, {x}, Rational(x.floor()));
    expect_one_case(Operator::kCeil, {x}, Rational(x.ceil()));
    if (x.sign() > 0) {
      Rational power = rational("1/8");
      while (power < x) power *= Rational(2);
      expect_one_case(Operator::kPow2Ceil, {x}, power);
    }
    for (const Rational& y : {rational("-1"), rational("0"), rational("1/4"), rational("1")}) {
      expect_one_case(Operator::kMin, {x, y}, std::min(x, y));
      expect_one_case(Operator::kMax, {x, y}, std::max(x, y));
      for (const Rational& z : {rational("-1"), rational("1/4"), rational("5/4")}) {
        expect_one_case(Operator::kClamp, {x, y, z}, std::min(std::max(x, y), z));
      }
      if (y.sign() <= 0) continue;
      const Rational nearest = Rational((x / y + rational("1/2")).floor()) * y;
      expect_one_case(Operator::kRound, {x, y}, nearest);
    }
  }
}

TEST(SplitFunctionTest, RefusesFunctionsWithoutCases) {
  const Goal goal = begin("x := exp(g); y := floor(g); z := 1 / (g * g + 1); output x;");
  EXPECT_EQ(problem(goal, SplitFunction{0}), "this function has no definition by cases");
  EXPECT_EQ(problem(goal, SplitFunction{2}), "this function has no definition by cases");
  EXPECT_EQ(problem(goal, SplitFunction{3}), "there is no such function");
  const Goal split = after(goal, SplitFunction{1});
  EXPECT_EQ(problem(split, SplitFunction{1}), "this function needs no distinction");
}

}  // namespace function_test
}  // namespace lastbit::verify
