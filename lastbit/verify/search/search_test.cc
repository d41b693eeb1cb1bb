// The prover on small programs, and the reasons that its arithmetic finds.
#include <gtest/gtest.h>

#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/kernel/farkas.h"
#include "lastbit/verify/lang/parser.h"
#include "lastbit/verify/search/arithmetic.h"
#include "lastbit/verify/search/prove.h"

namespace lastbit::verify {
namespace search_test {

const std::vector<Symbol> kSymbols = {{"p", false, true}, {"x"}, {"y"}, {"z"}};
const Polynomial kOne{Rational(1)};
const Polynomial kP = Polynomial::symbol(0);
const Polynomial kX = Polynomial::symbol(1);
const Polynomial kY = Polynomial::symbol(2);
const Polynomial kZ = Polynomial::symbol(3);

// found: a reason is found, and the kernel agrees with it.
bool found(const std::vector<Fact>& facts, const Fact& goal) {
  Arithmetic arithmetic;
  arithmetic.set_deadline(10);
  const Obligation obligation{kSymbols, facts, goal, "this holds"};
  const auto reason = arithmetic.reason_for(obligation);
  EXPECT_TRUE(!reason || verify::follows(obligation, *reason));
  return reason.has_value();
}

TEST(ArithmeticTest, FindsReasonsThatTheKernelAccepts) {
  const Fact below{kY - kX, Sign::kNonNegative};
  const Fact far_below{kZ - kY - kOne, Sign::kNonNegative};
  EXPECT_TRUE(found({below, far_below}, {kZ - kX, Sign::kPositive}));
  EXPECT_TRUE(found({below, far_below}, {kZ - kX - kOne, Sign::kNonNegative}));
  EXPECT_TRUE(found({below}, {kP * kY - kP * kX, Sign::kNonNegative}));
  EXPECT_TRUE(found({{kX - kY, Sign::kZero}}, {kP * kY - kP * kX, Sign::kNonNegative}));
  EXPECT_TRUE(found({}, {kP * kP + kP, Sign::kPositive}));
  EXPECT_TRUE(found({below, {kX - kY, Sign::kPositive}}, absurd()));
  EXPECT_TRUE(found({{kX - kOne, Sign::kZero}, {kX + kX - kOne, Sign::kZero}}, absurd()));
}

TEST(ArithmeticTest, FindsNoReasonForWhatIsFalse) {
  const Fact below{kY - kX, Sign::kNonNegative};
  EXPECT_FALSE(found({}, absurd()));
  EXPECT_FALSE(found({below}, absurd()));
  EXPECT_FALSE(found({below}, {kY - kX, Sign::kPositive}));
  EXPECT_FALSE(found({below}, {kX - kY, Sign::kNonNegative}));
  EXPECT_FALSE(found({}, {kX, Sign::kNonNegative}));
  EXPECT_FALSE(found({}, {kP - kOne, Sign::kNonNegative}));
  EXPECT_FALSE(found({{kX, Sign::kZero}}, {kX + kY, Sign::kNonNegative}));
}

TEST(ArithmeticTest, FindsNothingAfterItsDeadline) {
  Arithmetic arithmetic;
  arithmetic.set_deadline(0);
  const std::vector<Fact> facts = {{kY - kX, Sign::kNonNegative}};
  const Fact goal{kP * kY - kP * kX, Sign::kNonNegative};
  const Obligation obligation{kSymbols, facts, goal, ""};
  EXPECT_FALSE(arithmetic.reason_for(obligation).has_value());
}

ProofAttempt attempt(const std::string& clauses, const std::string& body, double seconds = 20) {
  return find_proof(
      parse_program("mechanism m(f: real, g: real, k: int, eps: real) requires eps > 0 "
                    "adjacent |f.1 - f.2| <= 1 " +
                    clauses + " {" + body + "}"),
      {.seconds = seconds});
}

TEST(FindProofTest, ProvesSmallMechanismsAndSaysWhatTheyCost) {
  const auto factor = [](const std::string& clauses, const std::string& body) {
    const ProofAttempt found = attempt(clauses, body);
    EXPECT_TRUE(found.certificate.has_value()) << body << ": " << found.reason;
    if (!found.certificate) return std::string("none");
    EXPECT_NO_THROW((void)check(*found.certificate)) << body;
    EXPECT_FALSE(found.timed_out);
    return found.least_factor ? found.least_factor->to_string() : "none";
  };
  EXPECT_EQ(factor("", "y <- laplace(1 / eps); output f + y;"), "1");
  EXPECT_EQ(factor("", "y <- laplace(2 / eps); output f + y;"), "0.5");
  EXPECT_EQ(factor("claims 3 * eps", "y <- laplace(1 / eps); output f + y;"), "1/3");
  EXPECT_EQ(factor("", "y <- laplace(2 / eps); z <- laplace(2 / eps); output f + y; output f - z;"),
            "1");
  EXPECT_EQ(factor("claims 0", "output g;"), "none");
  EXPECT_EQ(factor("claims 0", "if g < 1 { output 1; } else { output 2; }"), "none");
  EXPECT_EQ(factor("", "y <- laplace(1 / eps); output f + y > 3;"), "1");
}

TEST(FindProofTest, SaysWhereItGotStuck) {
  const std::vector<std::string> unprovable = {"output f;",
                                               "y <- laplace(1 / (2 * eps)); output f + y;",
                                               "y <- exponential(1 / eps); output f + y;",
                                               "y <- laplace(1 / eps); output f + y; output f - y;",
                                               "y <- laplace(1 / eps); output f + y; output f;",
                                               "if f < 1 { output 1; } else { output 2; }",
                                               "u <- uniform(0, 1); output f + u;"};
  for (const std::string& body : unprovable) {
    const ProofAttempt none = attempt("", body);
    EXPECT_FALSE(none.certificate.has_value()) << body;
    EXPECT_FALSE(none.reason.empty()) << body;
  }
}

TEST(FindProofTest, NeedsBothDirections) {
  const std::string body = "y <- exponential(1 / eps); output f + y;";
  const auto proved = [&](const std::string& adjacency, const std::string& text) {
    return find_proof(parse_program("mechanism m(f: real, eps: real) requires eps > 0 adjacent " +
                                    adjacency + " {" + text + "}"))
        .certificate;
  };
  EXPECT_FALSE(proved("f.2 <= f.1 and f.1 <= f.2 + 1", body).has_value());
  const auto both = proved("f.2 <= f.1 and f.1 <= f.2 + 1", "y <- laplace(1 / eps); output f + y;");
  ASSERT_TRUE(both.has_value());
  EXPECT_EQ(both->proofs.size(), 2U);
}

TEST(FindProofTest, GivesUpWhenItsTimeIsOver) {
  const ProofAttempt none = attempt("", "y <- laplace(1 / eps); output f + y;", 0);
  EXPECT_FALSE(none.certificate.has_value());
  EXPECT_TRUE(none.timed_out);
  EXPECT_FALSE(none.reason.empty());
}

}  // namespace search_test
}  // namespace lastbit::verify
