// Decisions from the library, without a file.
#include "lastbit/verify/decide.h"

#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/lang/parser.h"

namespace lastbit::verify {
namespace decide_test {

const char* const kLaplace = R"(
  mechanism m(f: real, eps: real) requires eps > 0 adjacent |f.1 - f.2| <= 1
  { y <- laplace(1 / eps); return f + y; })";

std::string with(const std::string& conditions, const std::string& body) {
  return "mechanism m(f: real, N: int, eps: real) requires eps > 0, " + conditions + " { " + body +
         " }";
}

TEST(DecideTest, AProofComesWithACertificateThatAnybodyCanCheck) {
  const Decision decision = decide_text(kLaplace);
  ASSERT_EQ(decision.verdict, Verdict::kProved) << decision.reason;
  const Theorem theorem = check(read_certificate(decision.certificate));
  EXPECT_EQ(theorem.program, parse_program(kLaplace));
  EXPECT_EQ(theorem.steps, decision.theorem.steps);
  EXPECT_EQ(decision.least_factor, Rational(1));
  EXPECT_EQ(decision.least_epsilon, "eps");
  EXPECT_FALSE(decision.witness);
  EXPECT_EQ(decision.reason, "");
}

TEST(DecideTest, AViolationComesWithAWitnessThatHolds) {
  Program program = parse_program(kLaplace);
  program.claimed_epsilon = {.op = Operator::kDivide,
                             .operands = {program.claimed_epsilon, {.number = Rational(2)}}};
  const Decision decision = decide(program);
  ASSERT_EQ(decision.verdict, Verdict::kRefuted) << decision.reason;
  ASSERT_TRUE(decision.witness);
  EXPECT_TRUE(check_witness(program, *decision.witness).holds);
  EXPECT_EQ(decision.supported_epsilon, "eps");
  EXPECT_EQ(decision.certificate, "");
}

TEST(DecideTest, WhatIsNeitherHasAReason) {
  // The claim says nothing: no inputs are that close. The data is returned unchanged.
  for (const char* conditions :
       {"N >= 1, N < 1 adjacent |f.1 - f.2| <= 1", "N >= 1 adjacent |f.1 - f.2| <= -1"}) {
    const Decision decision = decide_text(with(conditions, "return f;"), {.seconds = 1});
    EXPECT_EQ(decision.verdict, Verdict::kUnknown) << conditions;
    EXPECT_NE(decision.reason.find("no adjacent inputs were found that differ in f"),
              std::string::npos)
        << decision.reason;
  }
}

TEST(DecideTest, TextThatIsNoProgramIsAnError) {
  EXPECT_EQ(code_of([] { (void)decide_text("mechanism m("); }), ErrorCode::kBadText);
}

TEST(DecideTest, VerdictsHaveNames) {
  EXPECT_EQ(verdict_name(Verdict::kProved), "proved");
  EXPECT_EQ(verdict_name(Verdict::kRefuted), "refuted");
  EXPECT_EQ(verdict_name(Verdict::kUnknown), "unknown");
}

}  // namespace decide_test
}  // namespace lastbit::verify
