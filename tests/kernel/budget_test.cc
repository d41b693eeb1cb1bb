// Certificates that would take much time or memory. Nothing here is timed: work is counted.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "lastbit/base/error.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/parser.h"
#include "tests/kernel/forge.h"

namespace lastbit::verify::testing {
namespace {

const char* const kTooMuchWork =
    "checking this far took all 20000000 units of work that a certificate may take";

// A mechanism with this body that returns nothing private, and parameters p0, p1, … beside f.
Program with_body(const std::string& body, int parameters = 0, const std::string& required = "") {
  std::string text = "mechanism m(f: real";
  for (int i = 0; i < parameters; ++i) text += ", p" + std::to_string(i) + ": real";
  text += ")" + required + " adjacent |f.1 - f.2| <= 1 claims 0 { " + body + " return 1; }";
  return parse_program(text);
}

std::string sum_of(int parameters) {
  std::string sum = "p0";
  for (int i = 1; i < parameters; ++i) sum += " + p" + std::to_string(i);
  return sum;
}

// Divisions by `count` different sums, each with an obligation and a fact.
std::string divisions(int count) {
  std::string body;
  for (int i = 1; i <= count; ++i) body += "y := 1 / (x + " + std::to_string(i) + ");";
  return body;
}

TEST(BudgetTest, ObligationsWithAllFactsAreNotKept) {
  // Kept together, with their facts, these would take gigabytes.
  const Program program = with_body("x := " + sum_of(8) + "; x := x * x;" + divisions(830), 8);
  EXPECT_EQ(problem_of({program, {{}}}), kTooMuchWork);
}

// SLOW: BudgetTest.ReasonsThatMultiplyLongFactsAreRefused
TEST(BudgetTest, ReasonsThatMultiplyLongFactsAreRefused) {
  const std::string sum = "(" + sum_of(13) + ")";
  const Program program = with_body(
      "y := 1 / f;", 13, " requires 77777777777777777773 * " + sum + " * " + sum + " > 0");
  const Reason reason{std::vector<Term>(13'500, Term{Rational(1), {0, 0}, {}})};
  EXPECT_EQ(problem_of({program, {{false, {reason, {}}, {}}}}), kTooMuchWork);
}

TEST(BudgetTest, ComparingLongExpressionsIsCounted) {
  std::string body = "x := " + sum_of(20) + "; x := x * x;";
  for (int i = 1; i <= 900; ++i) body += "y := floor(x + " + std::to_string(i) + " * f * f);";
  EXPECT_EQ(problem_of({with_body(body, 20), {{}}}), kTooMuchWork);
}

// SLOW: BudgetTest.LookingForKnownValuesIsCounted
TEST(BudgetTest, LookingForKnownValuesIsCounted) {
  // Every exp(f) is looked for among all the values of floor, which are not even compared.
  std::string sum = "exp(f)";
  for (int i = 1; i < 40; ++i) sum += " + exp(f)";
  Program program = with_body("x := floor(f + 1); y := " + sum + ";");
  const Statement floor = program.body[0];
  const Statement asked = program.body[1];
  for (int i = 2; i <= 1'000; ++i) {
    program.body.insert(program.body.begin(), floor);
    std::get<Assign>(program.body[0].what).value.operands[0].operands[1].number = Rational(i);
  }
  const auto end_of_floors = program.body.begin() + 1'000;
  program.body.insert(end_of_floors, 800, asked);
  EXPECT_EQ(problem_of({program, {{}}}), kTooMuchWork);
}

// SLOW: BudgetTest.StepsThatCopyLargeGoalsAreCounted
TEST(BudgetTest, StepsThatCopyLargeGoalsAreCounted) {
  // A tree of distinctions at a goal with many variables: every goal is a copy.
  std::string body;
  for (int i = 0; i < 900; ++i) body += "v" + std::to_string(i) + " := f;";
  const Program program = with_body(body);
  const auto f = Polynomial::symbol(0);
  Derivation tree{Emit{}, {}, {{Finish{}, {}, {}}}};
  for (int i = 0; i < 9; ++i) {
    tree = Derivation{SplitSign{f - Polynomial(Rational(i))}, {}, {tree, tree, tree}};
  }
  Proof proof;
  proof.derivation = tree;
  EXPECT_EQ(problem_of({program, {proof}}), kTooMuchWork);
}

TEST(BudgetTest, AGoalHasAtMostSoManyFacts) {
  std::string required = " requires p0 > 1";
  for (int i = 2; i <= 990; ++i) required += ", p0 > " + std::to_string(i);
  EXPECT_EQ(forge(with_body("", 1, required), walk(keep)).problem, "");
  for (int i = 991; i <= 1'010; ++i) required += ", p0 > " + std::to_string(i);
  EXPECT_EQ(problem_of({with_body("", 1, required), {{}}}), "there are too many facts");
}

TEST(BudgetTest, AConditionHasAtMostSoManyCases) {
  std::string condition = "f < 0";
  for (int i = 1; i < 70; ++i) condition += " or f == " + std::to_string(i);
  const Program program = with_body("if " + condition + " { y := 1; } else { y := 2; }");
  Proof proof;
  proof.derivation = {Branch{}, {}, {}};
  EXPECT_EQ(problem_of({program, {proof}}), "a condition falls into too many cases");
}

TEST(BudgetTest, NamesAreShort) {
  Program program = with_body("x := 1;");
  const std::string longest(64, 'x');
  for (const bool fits : {true, false}) {
    const std::string name = longest + (fits ? "" : "x");
    program.locals[0].name = name;
    std::get<Assign>(program.body[0].what).name = name;
    const auto forged = forge(program, walk(keep));
    EXPECT_EQ(forged.problem, fits ? "" : "a variable has an invalid name");
  }
}

TEST(BudgetTest, TheRefusalNamesPlaceAndRemedy) {
  const Program program = with_body("x := " + sum_of(8) + "; x := x * x;" + divisions(830), 8);
  try {
    (void)check({program, {{}}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_EQ(error.place(), "certificate");
    EXPECT_EQ(error.remedy(),
              "prove the mechanism in fewer or simpler steps; this has proved nothing");
  }
}

// read: a certificate that is kept in the repository.
Certificate read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return read_certificate(text.str());
}

TEST(BudgetTest, HonestCertificatesTakeASmallPartOfIt) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(LASTBIT_SOURCE_DIR) +
                                                              "/tests/verify/certificates")) {
    const Certificate certificate = read(file.path());
    const Theorem theorem = check(certificate);
    EXPECT_GT(theorem.work, 100U) << file.path();
    EXPECT_LT(theorem.work, Theorem::kMaxWork / 100) << file.path();
    EXPECT_EQ(theorem.work, check(certificate).work) << "work is counted the same way every time";
    ++count;
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace lastbit::verify::testing
