// The kernel on certificates that are nearly right.
#include "lastbit/verify/kernel/check.h"

#include <gtest/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/verify/lang/parser.h"
#include "tests/kernel/forge.h"

namespace lastbit::verify::testing {
namespace {

// Laplace noise, and a list whose entries must be adjacent outside of it: an obligation of the start.
Certificate good() {
  const Program program = parse_program(R"(
    mechanism m(f: real, q: real[n], n: int, D: real, eps: real)
      requires eps > 0, D >= 0
      adjacent |f.1 - f.2| <= 1, every |q.1 - q.2| <= D
    { eta <- laplace(1 / eps); output f + eta; if D < 1 { output 1; } else { output 2; } })");
  return forge(program, walk(align("f"))).certificate.value();
}

// place_of: the step that the kernel refuses.
std::string place_of(const Certificate& certificate) {
  try {
    (void)check(certificate);
  } catch (const Error& error) {
    return error.place();
  }
  return "accepted";
}

Derivation& root(Certificate& certificate) { return certificate.proofs[0].derivation; }

TEST(CheckTest, SaysWhatWasProved) {
  const Theorem theorem = check(good());
  EXPECT_EQ(theorem.program, good().program);
  EXPECT_EQ(theorem.steps, 7U);  // couple, emit, branch, and emit and finish in both cases
  EXPECT_EQ(theorem.obligations, 4U);
}

TEST(CheckTest, EveryReasonIsChecked) {
  Certificate certificate = good();
  const char* const refusal = "the reason given does not show that the cost of the shift";
  ASSERT_EQ(root(certificate).reasons.size(), 2U);
  root(certificate).reasons[1].terms.clear();
  EXPECT_EQ(problem_of(certificate), refusal);
  EXPECT_EQ(place_of(certificate), "step 1");
  std::swap(root(certificate).reasons[0], root(certificate).reasons[1]);
  EXPECT_EQ(problem_of(certificate), refusal);
  certificate = good();
  certificate.proofs[0].reasons[0].terms = {{Rational(1), {99}, {}}};
  EXPECT_EQ(problem_of(certificate),
            "the reason given does not show that entries outside of a list, which are 0, are "
            "adjacent");
  EXPECT_EQ(place_of(certificate), "certificate");
}

TEST(CheckTest, ThereIsOneReasonForEveryObligation) {
  Certificate certificate = good();
  root(certificate).reasons.pop_back();
  EXPECT_EQ(problem_of(certificate), "there are 2 obligations and reasons for 1");
  root(certificate).reasons.resize(3);
  EXPECT_EQ(problem_of(certificate), "there are 2 obligations and reasons for 3");
  certificate = good();
  certificate.proofs[0].reasons.clear();
  EXPECT_EQ(problem_of(certificate), "there are 2 obligations and reasons for 0");
}

TEST(CheckTest, EveryGoalIsTreated) {
  Certificate certificate = good();
  Derivation& branch = root(certificate).then[0].then[0];
  ASSERT_EQ(branch.then.size(), 2U);
  branch.then.pop_back();
  EXPECT_EQ(problem_of(certificate), "the step leaves 2 goals, and 1 are treated");
  EXPECT_EQ(place_of(certificate), "step 1.1.1");
  branch.then.resize(3, branch.then[0]);
  EXPECT_EQ(problem_of(certificate), "the step leaves 2 goals, and 3 are treated");
  certificate = good();
  root(certificate).then[0].then.clear();
  EXPECT_EQ(problem_of(certificate), "the step leaves 1 goals, and 0 are treated");
}

TEST(CheckTest, StepsThatDoNotFitAreNamed) {
  Certificate certificate = good();
  root(certificate).then[0].then[0].then[1].step = Finish{};
  EXPECT_EQ(problem_of(certificate), "the program has not ended here");
  EXPECT_EQ(place_of(certificate), "step 1.1.1.2");
}

TEST(CheckTest, DerivationsHaveALargestDepth) {
  Certificate certificate = good();
  const auto deep = [&](int mentions) {
    Certificate result = good();
    Derivation derivation = root(result);
    for (int i = 0; i < mentions; ++i) {
      const Mention floor{.op = Operator::kFloor, .arguments = {Polynomial(Rational(i))}};
      derivation = Derivation{floor, {}, {derivation}};
    }
    root(result) = derivation;
    return problem_of(result);
  };
  EXPECT_EQ(deep(Certificate::kMaxDepth - 10), "accepted");
  EXPECT_EQ(deep(Certificate::kMaxDepth + 10), "the derivation is too large");
}

TEST(CheckTest, ReasonsThatExplodeAreRefused) {
  Certificate certificate = good();
  // A reason whose coefficient is huge is refused like any other that is wrong.
  Term& term = root(certificate).reasons[0].terms.at(0);
  term.coefficient = pow(Rational(10), 40'000);
  EXPECT_EQ(problem_of(certificate), "an expression grows too large");
}

}  // namespace
}  // namespace lastbit::verify::testing
