#include "lastbit/verify/refute/paths.h"

#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/refute/law.h"
#include "lastbit/verify/refute/refute.h"

namespace lastbit::verify::refutation {
namespace paths_test {

constexpr int kPrecision = 128;

Program program_of(const std::string& body) {
  return parse_program(
      "mechanism m(f: real, q: real[n], k: int, b: bool, n: int, eps: real) requires eps > 0 "
      "adjacent |f.1 - f.2| <= 1 {" +
      body + "}");
}

const Instance& inputs() {
  static const Instance instance = {
      {"f", {rational("5/2")}}, {"q", {7, -2}}, {"k", {-7}}, {"b", {1}}, {"n", {2}}, {"eps", {1}}};
  return instance;
}

std::vector<Path> paths(const std::string& body) {
  return paths_of(program_of(body), inputs(), {}, Deadline(60));
}

// The probability of an event, given as text.
Ball probability_of(const std::string& body, const std::string& event) {
  Arithmetic<Ball> arithmetic(kPrecision);
  Ball total(0, kPrecision);
  for (const Cell& cell : parsed_event(event)) {
    const Mass<Ball> mass = mass_of(cell, paths(body), arithmetic, {Deadline(60)});
    EXPECT_LT((mass.high - mass.low).upper(), 0x1p-70);
    total = total + mass.low;
  }
  return total;
}

Ball real(const std::string& value) { return Ball(rational(value), kPrecision); }
Ball exp_of(const std::string& value) { return exp(real(value)); }

void expect_probability(const std::string& body, const std::string& event, const Ball& truth) {
  const Ball found = probability_of(body, event);
  EXPECT_LT(abs(found - truth).upper(), 0x1p-70) << body << " " << event << found.to_string();
}

TEST(PathsTest, OperatorsOnNumbersMeanWhatTheLanguageSays) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"f", "5/2"},
      {"f + 1/2 - 2 * 3 / 4", "3/2"},
      {"-f", "-5/2"},
      {"k % 4", "1"},
      {"abs(-f)", "5/2"},
      {"min(f, 2)", "2"},
      {"max(f, 3)", "3"},
      {"clamp(f, -1, 1)", "1"},
      {"clamp(-f, -1, 1)", "-1"},
      {"clamp(f, 0, 4)", "5/2"},
      {"clamp(f, 4, 3)", "3"},
      {"round(f, 1)", "3"},
      {"round(-f, 1)", "-2"},
      {"round_half_even(f, 1)", "2"},
      {"round_half_even(f + 1, 1)", "4"},
      {"round_half_even(-f, 1)", "-2"},
      {"round_toward_zero(f, 1)", "2"},
      {"round_toward_zero(-f, 1)", "-2"},
      {"round(f, 2)", "2"},
      {"floor(-f)", "-3"},
      {"ceil(-f)", "-2"},
      {"pow2ceil(f)", "4"},
      {"pow2ceil(f / 16)", "1/4"},
      {"q[0] + q[1]", "5"},
      {"q[2] + q[0 - 1]", "0"},
      {"exp(f - f)", "1"},
      {"ln(q[0] - 6)", "0"},
      {"logistic(f - f)", "1/2"},
  };
  for (const auto& [expression, value] : table) {
    const std::vector<Path> all = paths("return " + expression + ";");
    ASSERT_EQ(all.size(), 1U) << expression;
    EXPECT_TRUE(all[0].outputs.at(0).form.is_constant()) << expression;
    EXPECT_EQ(all[0].outputs[0].form.constant, rational(value)) << expression;
  }
}

TEST(PathsTest, TruthMeansWhatTheLanguageSays) {
  const std::vector<std::pair<std::string, bool>> table = {
      {"f < 5/2", false},
      {"f <= 5/2", true},
      {"f > 5/2", false},
      {"f >= 5/2", true},
      {"f == 5/2", true},
      {"f != 5/2", false},
      {"b and f < 0", false},
      {"b or f < 0", true},
      {"not b", false},
      {"ln(2) < 7/10", true},
      {"exp(1) > 2.718", true},
      {"logistic(1) == 1/2", false},
      {"ln(2) + 0 < 69/100", false},
  };
  for (const auto& [expression, value] : table) {
    const std::vector<Path> all = paths("return " + expression + ";");
    EXPECT_EQ(all.at(0).outputs.at(0).form.constant, Rational(value ? 1 : 0)) << expression;
    EXPECT_TRUE(all[0].outputs[0].is_truth) << expression;
  }
}

TEST(PathsTest, FunctionsOfNoiseHaveTheirLaws) {
  const std::string y = "y <- laplace(1); return ";
  const Ball upper_half = exp_of("-1/2") / real("2");  // Pr[y ≥ 1/2]
  expect_probability(y + "clamp(round(y, 1), -1, 1);", "output = [1]", upper_half);
  expect_probability(y + "clamp(round(y, 1), -1, 1);", "output = [-1]", upper_half);
  expect_probability(y + "clamp(y, -1/2, 1/2);", "output = [1/2]", upper_half);
  expect_probability(y + "round(y, 1);", "output = [0]", real("1") - exp_of("-1/2"));
  expect_probability(y + "round_half_even(y, 1);", "output = [0]", real("1") - exp_of("-1/2"));
  expect_probability(y + "round_toward_zero(y, 1);", "output = [0]", real("1") - exp_of("-1"));
  expect_probability(y + "round_toward_zero(y, 1);", "output = [-1]",
                     (exp_of("-1") - exp_of("-2")) / real("2"));
  expect_probability(y + "floor(y);", "output = [-1]", (real("1") - exp_of("-1")) / real("2"));
  expect_probability(y + "ceil(y);", "output = [-1]", (exp_of("-1") - exp_of("-2")) / real("2"));
  expect_probability(y + "floor(floor(3 * y) / 2);", "output = [1]",
                     (exp_of("-2/3") - exp_of("-4/3")) / real("2"));
  expect_probability(y + "abs(y);", "output = [_] with output[0] >= 2", exp_of("-2"));
  expect_probability(y + "max(y, 1);", "output = [1]", real("1") - exp_of("-1") / real("2"));
  expect_probability(y + "min(y, f);", "output = [5/2]", exp_of("-5/2") / real("2"));
  expect_probability(y + "y == 0 or y != 0 and not (y < 2);", "output = [true]",
                     exp_of("-2") / real("2"));
  expect_probability(y + "2 * y;", "output = [_] with output[0] in [2, 4]",
                     (exp_of("-1") - exp_of("-2")) / real("2"));
}

TEST(PathsTest, DrawsHaveTheirLaws) {
  expect_probability("s <- sign(); return s;", "output = [-1]", real("1/2"));
  expect_probability("c <- bernoulli(1/7); return c;", "output = [true]", real("1/7"));
  expect_probability("c <- bernoulli(logistic(2)); return c;", "output = [false]",
                     real("1") / (real("1") + exp_of("2")));
  expect_probability("c <- bernoulli(1); return c;", "output = [true]", real("1"));
  expect_probability("u <- uniform(0, 1); return 3 * u < 1;", "output = [true]", real("1/3"));
  expect_probability("u <- uniform(0, 1); return ln(u) < 0 - 2;", "output = [true]", exp_of("-2"));
  expect_probability("e <- exponential(2); return e;", "output = [_] with output[0] <= 1",
                     real("1") - exp_of("-1/2"));
  expect_probability("g <- geometric(1); return g == 2;", "output = [true]",
                     exp_of("-2") * (real("1") - exp_of("-1")));
  expect_probability("d <- discrete_laplace(1); return d;", "output = [-1]",
                     exp_of("-1") * (real("1") - exp_of("-1")) / (real("1") + exp_of("-1")));
  // A sign and a logarithm make Laplace noise, in either order.
  const Ball tail = exp_of("-3") / real("2");
  expect_probability("u <- uniform(0, 1); s <- sign(); return s * ln(u) > 3;", "output = [true]",
                     tail);
  expect_probability("u <- uniform(0, 1); y := ln(u); s <- sign(); return s * y < 0 - 3;",
                     "output = [true]", tail);
}

TEST(PathsTest, LoopsStopAtTheirGuardsAndBounds) {
  const std::string flips =
      "c := 0; for i in 0 .. 5 while c < 2 { h <- bernoulli(1/2); output i; "
      "if h { c := c + 1; } }";
  expect_probability(flips, "output = [0, 1]", real("1/4"));
  expect_probability(flips, "output = [0, 1, 2, 3, 4]", real("5/16"));
  expect_probability("for i in 3 .. 1 { output i; } return 9;", "output = [9]", real("1"));
}

TEST(PathsTest, EventsAboutDifferencesSeeSharedNoise) {
  const std::string body = "y <- laplace(1); output y; output y + f;";
  expect_probability(body, "output = [_, _] with output[1] - output[0] = 2.5", real("1"));
  expect_probability(body, "output = [_, _] with output[1] - output[0] >= 3", real("0"));
  expect_probability(body, "output = [_, _] with output[0] <= 0 and output[1] >= 1/2",
                     real("1/2") - exp_of("-2") / real("2"));
  expect_probability(body, "output = [0, _]", real("0"));
  expect_probability(body, "output = [_]", real("0"));
}

TEST(PathsTest, ImpossibleOperationsEndTheRunAfterItsOutputs) {
  for (const std::string body :
       {"x := 1 / (f - f);", "x := 1 / (ln(2) * (f - f));", "x := ln(0 - f) > 0;",
        "x := ln(1 - exp(1)) > 0;", "x := pow2ceil(f - f);", "x := round(f, 0 - 1);",
        "x := round_half_even(f, f - f);", "x := round_toward_zero(f, 0 - f);", "x := k % (n - 2);",
        "x := k % (0 - 3);", "x <- laplace(f - 3);", "x <- exponential(f - f);",
        "x <- geometric(0 - f);", "x <- discrete_laplace(f - f);", "x <- bernoulli(f);",
        "x <- bernoulli(0 - f);", "if b and 1 / (f - f) > 0 { output 3; }",
        "for i in 0 .. k % (n - n) { output 3; }"}) {
    for (const std::string y : {"y <- laplace(1);", "y := 0;"}) {
      const std::string whole = "output 7;" + y + body + "output y;";
      expect_probability(whole, "output = [7] then impossible", real("1"));
      expect_probability(whole, "output = [7]", real("0"));
      expect_probability(whole, "output = [7, _]", real("0"));
    }
  }
}

TEST(PathsTest, OperationsThatAreNotReachedAreNotImpossible) {
  for (const std::string body :
       {"return f < 0 and 1 / (f - f) > 0;", "return not (f > 0 or 1 / (f - f) > 0);",
        "if f < 0 { x := 1 / (f - f); } return false;",
        "for i in 3 .. 1 { x := ln(0 - f); } return false;"}) {
    expect_probability(body, "output = [false]", real("1"));
    expect_probability(body, "output = [false] then impossible", real("0"));
  }
}

TEST(PathsTest, ImpossibleEndsHaveTheProbabilityOfTheirBranches) {
  const std::string noisy = "y <- laplace(1); output y; if y > 2 { output 1 / (f - f); } return 5;";
  expect_probability(noisy, "output = [_] then impossible", exp_of("-2") / real("2"));
  expect_probability(noisy, "output = [_] then impossible with output[0] >= 3",
                     exp_of("-3") / real("2"));
  expect_probability(noisy, "output = [_, 5]", real("1") - exp_of("-2") / real("2"));
  const std::string coin =
      "c <- bernoulli(1/3); if c { x := ln(f - f); } d <- bernoulli(1/2); return d;";
  expect_probability(coin, "output = [] then impossible", real("1/3"));
  expect_probability(coin, "output = [true]", real("1/3"));
  expect_probability(coin, "output = [] then impossible or output = [false]", real("2/3"));
}

TEST(PathsTest, OperationsThatLeaveLinearFormsAreRefused) {
  for (const std::string body :
       {"y <- laplace(1); return 1 / y;", "y <- laplace(1); return exp(y);",
        "y <- laplace(1); return round(y, 1) + y > 0;",
        "d <- discrete_laplace(1); return round_half_even(d / 2, 1);",
        "y <- laplace(1); z <- laplace(y); return z;", "return ln(2);",
        "u <- uniform(0, 1); return ln(u + u) > 0;"}) {
    EXPECT_EQ(code_of([&] { paths(body); }), ErrorCode::kNotSupported) << body;
  }
}

// A mechanism around a body whose only input moves by at most 1.
Program scalar(const std::string& body, const std::string& claim = "eps") {
  return parse_program(
      "mechanism m(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1 claims " + claim +
      " {" + body + "}");
}

// The search ends with its first success; the limit is for slow builds.
const RefuteOptions kPatient{.seconds = 60};

TEST(ImpossibleRunTest, RunsThatCannotGoOnAreSeen) {
  const Program program = scalar("y <- laplace(1 / eps); x := 1 / f; return f + y;");
  const std::optional<Witness> division = refute(program, kPatient);
  ASSERT_TRUE(division);
  EXPECT_TRUE(check_witness(program, *division).holds);
  EXPECT_EQ(division->event, "output = [] then impossible");
  EXPECT_TRUE(division->infinite_loss);
  EXPECT_NE(explain(*division).find("divides by 0"), std::string::npos);
  for (const std::string body :
       {"y <- laplace(1 / eps); if f > 0 or 1 / f < 2 { output f + y; } else { output f + y; }",
        "y <- laplace(1 / eps); x := ln(f) > 0; return f + y;",
        "y <- laplace(1 / eps); output f + y; z <- exponential(f); return z;",
        "c <- bernoulli(f); return c;", "y <- laplace(1 / eps); return round(y, 3 - f);",
        "c <- bernoulli(1/1000); if c { x := 1 / f; } return c;"}) {
    EXPECT_TRUE(refute(scalar(body), kPatient)) << body;
  }
}

TEST(ImpossibleRunTest, RunsThatEndAlikeAreNotToldApart) {
  for (const std::string body :
       {"y <- laplace(0 - 1 / eps); return f + y;", "x := 1 / (f - f); return x;",
        "y <- laplace(1 / eps); v := f + y; output v; if v > 1 { x := ln(f - f); } return v;",
        "c <- bernoulli(1/3); if c { x := ln(f - f); } y <- laplace(1 / eps); return f + y;"}) {
    std::string why_not;
    EXPECT_FALSE(refute(scalar(body), {.seconds = 60, .pairs = 40}, &why_not)) << body;
    EXPECT_EQ(why_not, "40 pairs of runs were compared") << body;
  }
  // An ending of probability δ is what δ is for.
  const std::string rare = "c <- bernoulli(1/10); if c { x := 1 / f; } return c;";
  EXPECT_FALSE(refute(scalar(rare, "0, delta 1/10"), {.seconds = 60, .pairs = 40}));
  EXPECT_TRUE(refute(scalar(rare, "0, delta 9/100"), kPatient));
}

}  // namespace paths_test
}  // namespace lastbit::verify::refutation
