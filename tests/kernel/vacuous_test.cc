// Claims that are true because nothing meets their conditions. They say nothing, and are not proved.
#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/kernel/example.h"
#include "lastbit/verify/lang/parser.h"
#include "tests/kernel/forge.h"

namespace lastbit::verify::testing {
namespace {

// A mechanism that returns the data as it is, under these conditions.
Program revealing(const std::string& parameters, const std::string& conditions) {
  return parse_program("mechanism m(" + parameters + ") " + conditions + " claims 0 { return 1; }");
}

// unchanged: the input for which no example is found; "none" where all have one.
std::string unchanged(const Program& program) {
  try {
    require_examples(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotSupported) << error.what();
    const std::string before = "no adjacent inputs were found that differ in ";
    if (!error.problem().starts_with(before)) return error.problem();
    return error.problem().substr(before.size(),
                                  error.problem().find(' ', before.size()) - before.size());
  }
  return "none";
}

TEST(VacuousTest, TheKernelRefusesWhatEveryRuleAllows) {
  for (const char* conditions : {"requires N >= 1, N < 1 adjacent |f.1 - f.2| <= 1",
                                 "requires N >= 1 adjacent |f.1 - f.2| <= -1"}) {
    const Program program = parse_program("mechanism m(f: real, N: int) " +
                                          std::string(conditions) + " claims 0 { return f; }");
    const Forgery forgery = forge(program, [](const Goal&) { return Absurd{}; });
    ASSERT_TRUE(forgery.certificate) << forgery.problem;
    EXPECT_EQ(problem_of(*forgery.certificate),
              "no adjacent inputs were found that differ in f and meet the requirements: the claim "
              "may say nothing");
  }
}

// SLOW: VacuousTest.RequirementsThatNothingMeets
TEST(VacuousTest, RequirementsThatNothingMeets) {
  const std::string adjacent = " adjacent |f.1 - f.2| <= 1";
  for (const char* required :
       {"a > 0, a < 0", "a >= 1, a < 1", "a == 1, a == 2", "a * a < 0", "a * a == -1",
        "a > 0, b < 0, a * b > 0", "a > 0, b > 0, a * b < 0", "a > b, b > a", "a - b > 1, b > a",
        "a > 0, 1 / a < 0", "|a| < 0", "max(a, b) < a", "floor(a) > a", "clamp(a, 0, 1) > 1",
        "a > 0, b > 0, a + b < 0", "2 * k == 1", "k > 0, k < 1", "k * k == 2", "exp(a) < 0"}) {
    EXPECT_EQ(unchanged(revealing("f: real, a: real, b: real, k: int",
                                  std::string("requires ") + required + adjacent)),
              "f")
        << required;
  }
}

TEST(VacuousTest, AdjacenciesThatOnlyEqualInputsMeet) {
  for (const char* adjacent :
       {"|f.1 - f.2| <= 0", "|f.1 - f.2| < 0", "|f.1 - f.2| <= -1", "f.1 == f.2",
        "f.1 <= f.2, f.2 <= f.1", "f.1 - f.2 == 1, f.2 - f.1 == 1", "|f.1 - f.2| <= D",
        "E * f.1 <= E * f.2, E * f.2 <= E * f.1"}) {
    EXPECT_EQ(
        unchanged(revealing("f: real, D: real, E: real",
                            std::string("requires D >= 0, D <= 0, E > 0 adjacent ") + adjacent)),
        "f")
        << adjacent;
  }
  EXPECT_EQ(unchanged(revealing("f: int", "adjacent |f.1 - f.2| < 1")), "f");
  EXPECT_EQ(unchanged(revealing("f: real", "adjacent |f.1 - f.2| < 1")), "none");
}

TEST(VacuousTest, ListsThatAreEmptyOrEqual) {
  const auto list = [](const std::string& required, const std::string& adjacent) {
    return unchanged(
        revealing("q: real[n], n: int", "requires " + required + " adjacent " + adjacent));
  };
  for (const std::string reach : {"every", "one"}) {
    EXPECT_EQ(list("n == 0", reach + " |q.1 - q.2| <= 1"), "q");
    EXPECT_EQ(list("n < 1", reach + " |q.1 - q.2| <= 1"), "q");
    EXPECT_EQ(list("n <= -3", reach + " |q.1 - q.2| <= 1"), "q");
    EXPECT_EQ(list("n >= 1", reach + " |q.1 - q.2| <= 0"), "q");
    EXPECT_EQ(list("n >= 1", reach + " |q.1 - q.2| <= -1"), "q");
    EXPECT_EQ(list("n >= 0", reach + " |q.1 - q.2| <= 1"), "none");
    EXPECT_EQ(list("n >= 1000000", reach + " 0 <= q.1 - q.2 <= 1/1000000"), "none");
  }
}

TEST(VacuousTest, EveryInputThatIsCalledPrivateCanDiffer) {
  const std::string inputs = "f: real, g: real, q: real[n], n: int";
  EXPECT_EQ(unchanged(revealing(inputs, "adjacent |f.1 - f.2| <= 0, |g.1 - g.2| <= 1")), "f");
  EXPECT_EQ(unchanged(revealing(inputs, "adjacent |f.1 - f.2| <= 1, every |q.1 - q.2| <= 0")), "q");
  EXPECT_EQ(unchanged(revealing(inputs, "adjacent |f.1 - f.2| + |g.1 - g.2| <= 1")), "none");
  EXPECT_EQ(unchanged(revealing(inputs, "adjacent |f.1 - f.2| <= 1, one |q.1 - q.2| <= 1")),
            "none");
}

TEST(VacuousTest, AClaimWithoutPrivateInputsSaysNothing) {
  Program program = revealing("f: real", "adjacent |f.1 - f.2| <= 1");
  program.adjacent.clear();
  EXPECT_EQ(unchanged(program), "no input is private: the claim says nothing");
}

TEST(VacuousTest, ConditionsThatSomethingMeets) {
  for (const char* required :
       {"a > 0", "a >= 0, a <= 0", "a > 0, a < 1/1000000000000", "a > 10000000000",
        "a < b, b < 1e-9, a > 0", "a >= 2, b >= 3, a * b == 6", "a > 0, b >= 1 / a",
        "a > 0, a * a < 1/100", "floor(a) == 7", "|a| > 3, a < 0", "min(a, b) > 2",
        "clamp(a, 0, 1) == 1", "ceil(a) == k, k >= 12", "k > 0, 3 * k == 21",
        "a > 0, b > a, b < a + 1/1000, D > b", "D >= 1, D <= 1"}) {
    EXPECT_EQ(unchanged(revealing(
                  "f: real, a: real, b: real, D: real, k: int",
                  std::string("requires D > 0, ") + required + " adjacent |f.1 - f.2| <= D")),
              "none")
        << required;
  }
}

// It uses up the work that a search may take, in code that the tests above run too.
// SLOW: VacuousTest.TheSearchForExamplesEnds
TEST(VacuousTest, TheSearchForExamplesEnds) {
  // Contradictions between many parameters: as many combinations as there could be are not tried.
  std::string parameters = "f: real";
  std::string required = "p0 > 0";
  for (int i = 0; i < 30; ++i) parameters += ", p" + std::to_string(i) + ": real";
  for (int i = 1; i < 30; ++i) {
    required += ", p" + std::to_string(i) + " * p" + std::to_string(i - 1) + " > 0";
  }
  EXPECT_EQ(unchanged(revealing(parameters, "requires " + required + " adjacent |f.1 - f.2| <= 1")),
            "none");
  EXPECT_EQ(unchanged(revealing(parameters,
                                "requires " + required + ", p29 < 0 adjacent |f.1 - f.2| <= 1")),
            "f");
}

}  // namespace
}  // namespace lastbit::verify::testing
