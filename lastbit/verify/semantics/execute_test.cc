#include "lastbit/verify/semantics/execute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/semantics/lifting.h"
#include "lastbit/verify/semantics/program_test_support.h"
#include "lastbit/verify/semantics/value.h"

namespace lastbit::verify {
namespace execute_test {

using namespace testing;

const auto kEqual = [](const auto& a, const auto& b) { return a == b; };

// The law of a program that computes one expression of x.
Execution computed(const Expression& expression, const Rational& x) {
  return execute(program({"x"}, {}, {output(expression)}), {.numbers = {{"x", x}}});
}
Rational value_at(const Expression& expression, const Rational& x) {
  const Execution execution = computed(expression, x);
  EXPECT_EQ(execution.outputs.masses().size(), 1U);
  return execution.outputs.masses().begin()->first.at(0);
}

Program geometric_mechanism() {
  return program({"f", "eps"}, {"z"},
                 {draw("z", Sampler::kDiscreteLaplace, {over(number(1), variable("eps"))}),
                  output(plus(variable("f"), variable("z")))});
}

TEST(ExecuteTest, GeometricMechanismHasItsClosedForm) {
  const auto law = [](int f) {
    return execute(geometric_mechanism(),
                   {.numbers = {{"f", f}}, .logarithms = {{"eps", 2}}, .base = 3}, {.radius = 6});
  };
  const Execution at_zero = law(0);
  for (int k = -6; k <= 6; ++k) {
    const Rational alpha = rational("1/9");
    EXPECT_EQ(at_zero.outputs.mass({k}), (Rational(1) - alpha) / (Rational(1) + alpha) *
                                             pow(alpha, static_cast<unsigned>(std::abs(k))));
  }
  EXPECT_EQ(at_zero.outputs.total() + at_zero.missing(), Rational(1));
  EXPECT_EQ(at_zero.missing(), at_zero.truncated);
  // ε-private: what is cut off on the right may be worth e^ε times its mass.
  const Execution at_one = law(1);
  for (const int r : {9, 8}) {
    const auto lifting = lift(at_zero.outputs, at_one.outputs, kEqual, r);
    EXPECT_EQ(lifting.holds(Rational(r) * at_one.missing()), r == 9);
  }
}

TEST(ExecuteTest, RandomizedResponseIsExact) {
  const Program response =
      program({"secret", "eps"}, {"y"},
              {draw("y", Sampler::kBernoulli, {make(Operator::kLogistic, {variable("eps")})}),
               says(If{variable("y"),
                       {output(variable("secret"))},
                       {output(make(Operator::kNot, {variable("secret")}))}})});
  const auto law = [&](int secret) {
    return execute(response, {.numbers = {{"secret", secret}}, .logarithms = {{"eps", 1}}});
  };
  EXPECT_EQ(law(1).outputs.mass({1}), rational("2/3"));
  EXPECT_EQ(law(1).missing(), Rational(0));
  EXPECT_TRUE(lift(law(0).outputs, law(1).outputs, kEqual, 2).holds());
  EXPECT_FALSE(lift(law(0).outputs, law(1).outputs, kEqual, rational("199/100")).holds());
}

// Report noisy max of n queries, each with noise discrete_laplace(2/eps).
Program noisy_max(bool returns_value) {
  Block body;
  body.push_back(let("best", number(0)));
  body.push_back(let("top", number(-1000)));
  Block pass;
  pass.push_back(draw("z", Sampler::kDiscreteLaplace, {over(number(2), variable("eps"))}));
  pass.push_back(let("z", plus(variable("z"), entry("q", variable("i")))));
  pass.push_back(says(If{make(Operator::kGreater, {variable("z"), variable("top")}),
                         {let("top", variable("z")), let("best", variable("i"))},
                         {}}));
  pass.push_back(let("z", number(0)));
  body.push_back(says(Loop{"i", number(0), variable("n"), std::nullopt, pass}));
  body.push_back(output(variable(returns_value ? "top" : "best")));
  return program({"n", "q", "eps"}, {"best", "top", "z", "i"}, body);
}

TEST(ExecuteTest, NoisyMaxOfDiscreteNoiseIsPrivateInItsIndexOnly) {
  const auto law = [](bool returns_value, const std::vector<Rational>& q) {
    return execute(noisy_max(returns_value),
                   {.numbers = {{"n", 3}}, .lists = {{"q", q}}, .logarithms = {{"eps", 2}}},
                   {.radius = 9});
  };
  const Rational r = 4;  // e^eps for eps = 2·ln 2
  const Execution left = law(false, {0, 1, 1});
  const Execution right = law(false, {1, 0, 0});
  EXPECT_EQ(left.outputs.total() + left.missing(), Rational(1));
  EXPECT_TRUE(lift(left.outputs, right.outputs, kEqual, r).holds(right.missing() * r));
  const Execution low = law(true, {0, 0, 0});
  const Execution high = law(true, {1, 1, 1});
  EXPECT_FALSE(lift(low.outputs, high.outputs, kEqual, r).holds(high.missing() * r));
}

TEST(ExecuteTest, FunctionsAgreeWithTheirDefinitions) {
  const Expression x = variable("x");
  const Expression grid = number(rational("1/2"));
  for (int i = -24; i <= 24; ++i) {
    const Rational at = Rational(i, 8);
    const auto on_grid = [&](Operator op) { return value_at(make(op, {x, grid}), at); };
    const Rational down = on_grid(Operator::kRound);
    EXPECT_EQ(Rational(2) * down, Rational((Rational(2) * at + rational("1/2")).floor()));
    EXPECT_LE(abs(on_grid(Operator::kRoundHalfEven) - at), rational("1/4"));
    if (floor_mod(i, 4) == Integer(2)) {
      EXPECT_TRUE(on_grid(Operator::kRoundHalfEven).is_integer()) << "tie at " << at.to_string();
    }
    EXPECT_LE(abs(on_grid(Operator::kRoundTowardZero)), abs(at));
    EXPECT_LT(abs(on_grid(Operator::kRoundTowardZero) - at), rational("1/2"));
    EXPECT_EQ(value_at(make(Operator::kFloor, {x}), at), Rational(at.floor()));
    EXPECT_EQ(value_at(make(Operator::kCeil, {x}), at), Rational(at.ceil()));
    EXPECT_EQ(value_at(make(Operator::kAbs, {x}), at), abs(at));
    EXPECT_EQ(value_at(make(Operator::kClamp, {x, number(-1), number(2)}), at),
              std::clamp(at, Rational(-1), Rational(2)));
    EXPECT_EQ(value_at(make(Operator::kModulo, {x, number(3)}), i), Rational(floor_mod(i, 3)));
    if (i <= 0) continue;
    const Rational power = value_at(make(Operator::kPow2Ceil, {x}), at);
    EXPECT_GE(power, at);
    EXPECT_LT(power, at + at);
    EXPECT_EQ(power, Rational::two_to(static_cast<std::int64_t>(
                         power > Rational(1) ? power.numerator().bit_length() - 1
                                             : 0 - (power.denominator().bit_length() - 1))));
  }
}

TEST(ExecuteTest, LogarithmAndExponentialUndoEachOther) {
  const Expression there_and_back = make(Operator::kExp, {make(Operator::kLn, {variable("x")})});
  for (const char* x : {"1", "2", "1/1024", "4096"}) {
    EXPECT_EQ(value_at(there_and_back, rational(x)), rational(x));
  }
  EXPECT_EQ(code_of([&] { (void)computed(there_and_back, 3); }), ErrorCode::kNotSupported);
}

TEST(ExecuteTest, ImpossibleOperationsAreCountedNotReported) {
  const Expression y = variable("y");
  const std::vector<Expression> impossible{
      over(number(1), y), make(Operator::kLn, {y}), make(Operator::kRound, {number(1), y}),
      make(Operator::kPow2Ceil, {y}), make(Operator::kModulo, {number(1), y})};
  for (const Expression& expression : impossible) {
    const Execution execution = execute(
        program({}, {"y"},
                {draw("y", Sampler::kBernoulli, {number(rational("3/4"))}), output(expression)}),
        {});
    EXPECT_EQ(execution.impossible, rational("1/4"));
    EXPECT_EQ(execution.outputs.total(), rational("3/4"));
  }
  for (const char* p : {"-1/2", "3/2"}) {
    const Execution execution =
        execute(program({}, {"y"}, {draw("y", Sampler::kBernoulli, {number(rational(p))})}), {});
    EXPECT_EQ(execution.impossible, Rational(1));
  }
}

TEST(ExecuteTest, OperandsThatDoNotMatterAreNotLookedAt) {
  const Expression absurd = make(Operator::kEqual, {over(number(1), number(0)), number(1)});
  const Expression yes = make(Operator::kEqual, {number(1), number(1)});
  EXPECT_EQ(computed(make(Operator::kOr, {yes, absurd}), 0).missing(), Rational(0));
  EXPECT_EQ(computed(make(Operator::kAnd, {make(Operator::kNot, {yes}), absurd}), 0).missing(),
            Rational(0));
  EXPECT_EQ(computed(make(Operator::kAnd, {yes, absurd}), 0).impossible, Rational(1));
}

// for i in 0 .. n while y { y <- bernoulli(1/2); }  output i;
Program coin_loop() {
  return program({"n"}, {"y", "i"},
                 {let("y", number(1)),
                  says(Loop{"i",
                            number(0),
                            variable("n"),
                            variable("y"),
                            {draw("y", Sampler::kBernoulli, {number(rational("1/2"))})}}),
                  output(variable("i"))});
}

TEST(ExecuteTest, GuardedLoopsStopWhereTheirGuardFails) {
  const Execution execution = execute(coin_loop(), {.numbers = {{"n", 5}}});
  for (int i = 1; i < 5; ++i) EXPECT_EQ(execution.outputs.mass({i}), Rational::two_to(-i));
  EXPECT_EQ(execution.outputs.mass({5}), Rational::two_to(-4));
  EXPECT_EQ(execution.outputs.total(), Rational(1));
}

TEST(ExecuteTest, LoopsBeyondTheLimitAreLeftUnfinished) {
  const Execution execution = execute(coin_loop(), {.numbers = {{"n", 100}}}, {.passes = 3});
  EXPECT_EQ(execution.unfinished, rational("1/8"));
  EXPECT_EQ(execution.outputs.total(), rational("7/8"));
  EXPECT_EQ(code_of([] { (void)execute(coin_loop(), {.numbers = {{"n", 9}}}, {.steps = 10}); }),
            ErrorCode::kNotSupported);
}

TEST(ExecuteTest, RangesAreEvaluatedOnceAndMayBeEmpty) {
  const auto loop = [](Expression from, Expression to) {
    return program(
        {}, {"n", "i", "sum"},
        {let("n", number(3)),
         says(Loop{"i",
                   std::move(from),
                   std::move(to),
                   std::nullopt,
                   {let("n", number(0)), let("sum", plus(variable("sum"), variable("i")))}}),
         output(variable("sum")), output(variable("i"))});
  };
  EXPECT_EQ(execute(loop(number(0), variable("n")), {}).outputs.mass({3, 3}), Rational(1));
  EXPECT_EQ(execute(loop(number(5), variable("n")), {}).outputs.mass({0, 5}), Rational(1));
}

TEST(ExecuteTest, EntriesOutsideAListAreZero) {
  const Program sum = program({"n", "q"}, {},
                              {output(entry("q", number(0))), output(entry("q", number(2))),
                               output(entry("q", number(-1)))});
  EXPECT_EQ(execute(sum, {.numbers = {{"n", 2}}, .lists = {{"q", {7, 8}}}}).outputs.mass({7, 0, 0}),
            Rational(1));
}

TEST(ExecuteTest, NamesWhatItCannotDo) {
  for (const Sampler sampler : {Sampler::kUniform, Sampler::kLaplace, Sampler::kExponential}) {
    std::vector<Expression> arguments;
    if (argument_count(sampler) == 1) arguments.push_back(number(1));
    const Program continuous = program({}, {"y"}, {draw("y", sampler, arguments)});
    try {
      (void)execute(continuous, {});
      ADD_FAILURE() << "a continuous sampler was executed";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
      EXPECT_NE(error.problem().find(sampler_name(sampler)), std::string::npos);
    }
  }
  const auto with_eps = [](Expression expression) {
    const Program one = program({"eps"}, {}, {output(std::move(expression))});
    return code_of([&] { (void)execute(one, {.logarithms = {{"eps", 1}}}); });
  };
  const Expression eps = variable("eps");
  EXPECT_EQ(with_eps(eps), ErrorCode::kNotSupported);
  EXPECT_EQ(with_eps(plus(eps, number(1))), ErrorCode::kNotSupported);
  EXPECT_EQ(with_eps(make(Operator::kLess, {eps, number(1)})), ErrorCode::kNotSupported);
  EXPECT_EQ(with_eps(make(Operator::kExp, {over(eps, number(2))})), ErrorCode::kNotSupported);
  EXPECT_EQ(with_eps(make(Operator::kFloor, {eps})), ErrorCode::kNotSupported);
}

TEST(ExecuteTest, EpsilonMayMeetZeroAndItself) {
  const Expression eps = variable("eps");
  const Program one = program(
      {"eps"}, {},
      {output(make(Operator::kGreater, {eps, number(0)})),
       output(make(Operator::kLess, {eps, plus(eps, eps)})), output(over(plus(eps, eps), eps))});
  EXPECT_EQ(execute(one, {.logarithms = {{"eps", 1}}}).outputs.mass({1, 1, 2}), Rational(1));
}

TEST(ExecuteTest, RefusesInputsThatDoNotFit) {
  const Program mechanism = geometric_mechanism();
  EXPECT_EQ(refused_parameter([&] { (void)execute(mechanism, {.logarithms = {{"eps", 1}}}); }),
            "f");
  EXPECT_EQ(refused_parameter([&] {
              (void)execute(mechanism,
                            {.numbers = {{"f", 0}}, .logarithms = {{"eps", 1}}, .base = 1});
            }),
            "base");
  EXPECT_EQ(refused_parameter([&] {
              (void)execute(
                  noisy_max(false),
                  {.numbers = {{"n", 2}}, .lists = {{"q", {1}}}, .logarithms = {{"eps", 2}}});
            }),
            "q");
  EXPECT_EQ(code_of([] { (void)computed(variable("nobody"), 0); }), ErrorCode::kMismatch);
  EXPECT_EQ(code_of([] { (void)computed(make(Operator::kAdd, {number(1)}), 0); }),
            ErrorCode::kMismatch);
}

}  // namespace execute_test
}  // namespace lastbit::verify
