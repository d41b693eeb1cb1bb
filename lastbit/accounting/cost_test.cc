#include "lastbit/accounting/cost.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/accounting/record.h"
#include "lastbit/accounting/sha256.h"
#include "lastbit/base/test_support.h"
#include "lastbit/core/divergence.h"
#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace cost_test {

Rational small_loss() {
  const int numerator = *rc::gen::inRange(0, 40);
  return {numerator, *rc::gen::inRange(1, 60)};
}

TEST(CostTest, TextIsExactAndReadsBack) {
  EXPECT_EQ(Cost::pure(rational("1/3")).to_string(), "epsilon 1/3");
  EXPECT_EQ(Cost::approximate(1, rational("1e-6")).to_string(), "epsilon 1, delta 0.000001");
  EXPECT_EQ(Cost::concentrated(rational("0.125")).to_string(), "rho 0.125");
  EXPECT_EQ(Cost::concentrated(rational("0.125"), rational("1e-6")).to_string(),
            "rho 0.125, delta 0.000001");
  for (const Cost& cost :
       {Cost::pure(rational("1/3")), Cost::approximate(0, 0), Cost::approximate(1, rational("1/7")),
        Cost::concentrated(2), Cost::concentrated(2, rational("1/7"))}) {
    EXPECT_EQ(Cost::parse(cost.to_string()), cost);
  }
}

TEST(CostTest, OneCostHasOneText) {
  for (const char* text : {"", "epsilon", "epsilon ", "epsilon 2/6", "epsilon 0.50", "epsilon +1",
                           "Epsilon 1", "rho", "epsilon 1,delta 0", "epsilon 1 ", " epsilon 1",
                           "epsilon 1, delta 0, delta 0", "epsilon 1, delta ", "epsilon 1e0", "1",
                           "rho 1, delta 0", "rho 1,delta 0.1", "rho 1, delta 0.10"}) {
    SCOPED_TRACE(text);
    expect_code(ErrorCode::kBadText, [&] { Cost::parse(text); });
  }
  for (const char* text : {"epsilon 1, delta 1", "rho -1", "rho 1, delta 1"}) {
    SCOPED_TRACE(text);
    expect_code(ErrorCode::kBadParameter, [&] { Cost::parse(text); });
  }
}

TEST(CostTest, RefusesWhatIsNoLoss) {
  EXPECT_EQ(refused_parameter([] { Cost::pure(-1); }), "epsilon");
  EXPECT_EQ(refused_parameter([] { Cost::concentrated(rational("-1/9")); }), "rho");
  EXPECT_EQ(refused_parameter([] { Cost::approximate(1, 1); }), "delta");
  EXPECT_EQ(refused_parameter([] { Cost::approximate(1, rational("-1e-9")); }), "delta");
  EXPECT_EQ(refused_parameter([] { Cost::pure(Rational::two_to(-(1 << 16))); }), "epsilon");
  EXPECT_EQ(refused_parameter([] { Cost::pure(Rational::two_to(1 << 16)); }), "epsilon");
  EXPECT_EQ(code_of([] { Cost::pure(1).rho(); }), ErrorCode::kNotSupported);
  EXPECT_EQ(code_of([] { Cost::concentrated(1).epsilon(); }), ErrorCode::kNotSupported);
  EXPECT_EQ(refused_parameter([] { Cost::concentrated(1, 1); }), "delta");
  EXPECT_EQ(refused_parameter([] { Cost::concentrated(1, rational("-1e-9")); }), "delta");
}

TEST(CostTest, TakesThePriceOfAMeasure) {
  EXPECT_EQ(cost_of(MaxDivergence{}, Distance(3)), Cost::pure(3));
  EXPECT_EQ(cost_of(SmoothedMaxDivergence{}, PrivacyLoss(2, rational("0.1"))),
            Cost::approximate(2, rational("0.1")));
  EXPECT_EQ(cost_of(ZeroConcentratedDivergence{}, Distance(3)), Cost::concentrated(3));
  EXPECT_EQ(cost_of(ApproximateConcentratedDivergence{}, {3, rational("0.1")}),
            Cost::concentrated(3, rational("0.1")));
  EXPECT_EQ(refused_parameter([] { cost_of(MaxDivergence{}, Distance::infinity()); }), "epsilon");
  EXPECT_EQ(refused_parameter([] { cost_of(SmoothedMaxDivergence{}, PrivacyLoss(1, 1)); }),
            "delta");
}

TEST(BudgetTest, PricesWhatItCanCount) {
  const Budget pure(Cost::pure(1));
  const Budget approximate(Cost::approximate(1, rational("1e-6")));
  const Budget concentrated(Cost::concentrated(1));
  const Cost half = Cost::pure(rational("1/2"));
  EXPECT_EQ(pure.price(half), half);
  EXPECT_EQ(pure.price(Cost::approximate(1, 0)), Cost::pure(1));
  EXPECT_EQ(approximate.price(half), Cost::approximate(rational("1/2"), 0));
  EXPECT_EQ(concentrated.price(half), Cost::concentrated(rational("1/8")));
  EXPECT_EQ(concentrated.price(Cost::approximate(1, 0)), Cost::concentrated(rational("1/2")));
}

TEST(BudgetTest, RefusesWhatItCannotCount) {
  const auto refused = [](const Cost& cap, const Cost& cost) {
    return code_of([&] { Budget(cap).price(cost); }) == ErrorCode::kMismatch;
  };
  const Cost with_delta = Cost::approximate(1, rational("1e-9"));
  EXPECT_TRUE(refused(Cost::pure(9), with_delta));
  EXPECT_TRUE(refused(Cost::pure(9), Cost::concentrated(0)));
  EXPECT_TRUE(refused(Cost::approximate(9, 0), Cost::concentrated(1)));
  EXPECT_TRUE(refused(Cost::concentrated(9), with_delta));
  EXPECT_TRUE(refused(Cost::concentrated(9), Cost::concentrated(1, rational("1e-9"))));
  EXPECT_TRUE(refused(Cost::approximate(9, rational("0.1")), Cost::concentrated(1, 0)));
  EXPECT_EQ(code_of([&] { Budget(Cost::pure(1)).after(with_delta, Cost::pure(0)); }),
            ErrorCode::kMismatch);
  EXPECT_EQ(refused_parameter([] { Budget(Cost::pure(0)); }), "epsilon");
  EXPECT_EQ(refused_parameter([] { Budget(Cost::concentrated(0)); }), "rho");
}

TEST(BudgetTest, RhosAndDeltasAddUpSideBySide) {
  const Budget budget(Cost::concentrated(1, rational("1e-6")));
  const Cost found = Cost::concentrated(rational("0.25"), rational("4e-7"));
  EXPECT_EQ(budget.price(Cost::approximate(1, rational("1e-7"))),
            Cost::concentrated(rational("0.5"), rational("1e-7")));
  EXPECT_EQ(budget.price(Cost::pure(1)), Cost::concentrated(rational("0.5")));
  const auto one = budget.after(budget.none(), found);
  ASSERT_TRUE(one.has_value());
  const auto two = budget.after(*one, found);
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(*two, Cost::concentrated(rational("0.5"), rational("8e-7")));
  EXPECT_EQ(budget.left(*two), Cost::concentrated(rational("0.5"), rational("2e-7")));
  EXPECT_FALSE(budget.after(*two, found));                               // the delta is spent
  EXPECT_TRUE(budget.after(*two, Cost::concentrated(rational("0.5"))));  // the rho is not
  EXPECT_FALSE(budget.after(*two, Cost::concentrated(rational("0.51"))));
}

TEST(BudgetTest, TenThousandThirdsAreExactlyTheirSum) {
  const Budget budget(Cost::pure(Rational(10'000, 3)));
  Cost spent = budget.none();
  for (int i = 0; i < 10'000; ++i) {
    const auto next = budget.after(spent, Cost::pure(Rational(1, 3)));
    ASSERT_TRUE(next.has_value()) << i;
    spent = *next;
  }
  EXPECT_EQ(spent, budget.cap());
  EXPECT_EQ(budget.left(spent), budget.none());
  EXPECT_FALSE(budget.after(spent, Cost::pure(Rational::two_to(-1000))));
  EXPECT_TRUE(budget.after(spent, Cost::pure(0)));
}

TEST(BudgetTest, DeltaAloneCanExceedTheCap) {
  const Budget budget(Cost::approximate(10, rational("1/2")));
  EXPECT_TRUE(budget.after(budget.none(), Cost::approximate(1, rational("1/2"))));
  EXPECT_FALSE(budget.after(budget.none(), Cost::approximate(1, rational("0.9"))));
  const Cost spent = Cost::approximate(9, rational("1/3"));
  EXPECT_FALSE(budget.after(spent, Cost::approximate(0, rational("1/3"))));
  EXPECT_FALSE(budget.after(spent, Cost::approximate(rational("1.1"), 0)));
  EXPECT_EQ(budget.left(spent), Cost::approximate(1, rational("1/6")));
}

RC_GTEST_PROP(BudgetTest, SpentAndLeftAlwaysMakeTheCap, ()) {
  const Budget budget(Cost::concentrated(small_loss() + Rational(1)));
  Cost spent = budget.none();
  Rational sum;
  for (int i = 0; i < 8; ++i) {
    const Rational loss = small_loss();
    const bool pure = *rc::gen::arbitrary<bool>();
    const Rational added = pure ? loss * loss / Rational(2) : loss;
    const auto next = budget.after(spent, pure ? Cost::pure(loss) : Cost::concentrated(loss));
    RC_ASSERT(next.has_value() == (sum + added <= budget.cap().rho()));
    if (!next) continue;
    sum += added;
    spent = *next;
    RC_ASSERT(spent.rho() == sum);
    RC_ASSERT(budget.left(spent).rho() + sum == budget.cap().rho());
  }
}

// A pure loss of ε is a concentrated one of ε²/2, checked on pairs of laws with exactly that loss.
// The laws are (p, 1−p) and (q, 1−q) with ratios of at most r both ways, and ε is ln r from above.
RC_GTEST_PROP(PureToConcentratedTest, NoPairOfLawsExceedsHalfTheSquare, ()) {
  const Rational p(*rc::gen::inRange(1, 40), 40);
  const Rational q(*rc::gen::inRange(1, 40), 40);
  RC_PRE(p < Rational(1) && q < Rational(1));
  const Rational one(1);
  Rational ratio = one;
  for (const Rational& r : {p / q, q / p, (one - p) / (one - q), (one - q) / (one - p)}) {
    if (r > ratio) ratio = r;
  }
  const Rational epsilon = ln(Ball(ratio, 128)).upper_rational();
  const Rational rho = Budget(Cost::concentrated(1)).price(Cost::pure(epsilon)).rho();
  const std::vector<OutcomePair> pairs = {{p, q}, {one - p, one - q}};
  for (const unsigned order : {2U, 3U, 7U}) {
    RC_ASSERT(!certainly_exceeds(ZeroConcentratedDivergence{}, pairs, rho, order));
  }
}

// Game: someone asks about a secret bit again and again, and lets each answer decide what to ask
// next. A question is randomised response whose probabilities differ by the factor `ratio`, and
// which gives the bit away with probability `leak`. All answers are followed, so laws are exact.
class Game {
 public:
  Game(const Budget& budget, std::vector<Rational> leaks)
      : budget_(budget), leaks_(std::move(leaks)) {}

  // play: the probabilities of every run of at most `rounds` answers, for both bits. `history`
  // chooses the next question.
  void play(int rounds, unsigned history, const Cost& spent, const OutcomePair& reached) {
    const Rational ratio(static_cast<int>(3 + history % 5), 2);
    const Rational leak = leaks_[history % leaks_.size()];
    const auto total = budget_.after(spent, cost(ratio, leak));
    if (rounds == 0 || !total) {
      pairs.push_back(reached);
      return;
    }
    const Rational one(1);
    const Rational truth = (one - leak) * ratio / (ratio + one);
    const Rational lie = (one - leak) / (ratio + one);
    const std::vector<OutcomePair> answers = {{truth, lie}, {lie, truth}, {leak, 0}, {0, leak}};
    for (unsigned answer = 0; answer < 4; ++answer) {
      const OutcomePair& pair = answers[answer];
      const OutcomePair next{reached.y * pair.y, reached.z * pair.z};
      if (next.y.sign() == 0 && next.z.sign() == 0) continue;
      play(rounds - 1, history * 7 + answer + 1, *total, next);
    }
  }

  std::vector<OutcomePair> pairs;

 private:
  Cost cost(const Rational& ratio, const Rational& leak) const {
    const Rational epsilon = ln(Ball(ratio, 128)).upper_rational();
    return leak.sign() == 0 ? Cost::pure(epsilon) : Cost::approximate(epsilon, leak);
  }

  Budget budget_;
  std::vector<Rational> leaks_;
};

TEST(AdaptiveTest, PureLossesStayWithinTheCap) {
  for (const char* cap : {"1/2", "1", "2", "3"}) {
    const Budget budget(Cost::pure(rational(cap)));
    Game game(budget, {0});
    game.play(5, 0, budget.none(), {1, 1});
    EXPECT_TRUE(is_within(MaxDivergence{}, game.pairs, budget.cap().epsilon())) << cap;
  }
}

TEST(AdaptiveTest, PureLossesUseMostOfTheCap) {
  const Budget budget(Cost::pure(3));
  Game game(budget, {0});
  game.play(5, 0, budget.none(), {1, 1});
  EXPECT_FALSE(is_within(MaxDivergence{}, game.pairs, 2));
}

TEST(AdaptiveTest, LossesWithDeltaStayWithinTheCap) {
  for (const char* delta : {"0.02", "0.1", "0.25"}) {
    const Budget budget(Cost::approximate(2, rational(delta)));
    Game game(budget, {rational("0.01"), 0, rational("0.07"), rational("0.03")});
    game.play(4, 0, budget.none(), {1, 1});
    const PrivacyLoss cap(budget.cap().epsilon(), budget.cap().delta());
    EXPECT_TRUE(is_within(SmoothedMaxDivergence{}, game.pairs, cap)) << delta;
    EXPECT_FALSE(
        is_within(SmoothedMaxDivergence{}, game.pairs, {budget.cap().epsilon(), rational("0.001")}))
        << delta;
  }
}

TEST(AdaptiveTest, ConcentratedLossesStayWithinTheCap) {
  const Budget budget(Cost::concentrated(1));
  Game game(budget, {0});
  game.play(5, 0, budget.none(), {1, 1});
  for (const char* order : {"1.01", "1.5", "2", "5", "30"}) {
    EXPECT_FALSE(certainly_exceeds(ZeroConcentratedDivergence{}, game.pairs, budget.cap().rho(),
                                   rational(order)))
        << order;
  }
  // A third of the cap would be too little, so this can fail.
  EXPECT_TRUE(certainly_exceeds(ZeroConcentratedDivergence{}, game.pairs, rational("1/3"),
                                rational("1.01")));
}

// Costs in epsilon and delta, paid in rho and delta: what the cap means in epsilon and delta holds.
TEST(AdaptiveTest, RhosAndDeltasStayWithinTheCap) {
  for (const char* delta : {"0.02", "0.1", "0.25"}) {
    const Budget budget(Cost::concentrated(1, rational(delta)));
    Game game(budget, {rational("0.01"), 0, rational("0.07"), rational("0.03")});
    game.play(4, 0, budget.none(), {1, 1});
    for (const char* further : {"0.001", "0.01", "0.1"}) {
      const Cost cap = convert(budget.cap(), rational(further));
      EXPECT_TRUE(is_within(SmoothedMaxDivergence{}, game.pairs, {cap.epsilon(), cap.delta()}))
          << delta << ' ' << further;
      // Without the delta of the cap it does not.
      EXPECT_FALSE(
          is_within(SmoothedMaxDivergence{}, game.pairs, {cap.epsilon(), rational("0.001")}))
          << delta << ' ' << further;
    }
  }
}

double loose_epsilon(const Rational& rho, const Rational& delta) {
  const Ball r(rho, 128);
  return (r + Ball(2, 128) * sqrt(r * -ln(Ball(delta, 128)))).upper();
}

TEST(ConversionTest, IsNeverAboveTheSimpleFormula) {
  for (const char* rho : {"1e-300", "1e-6", "0.01", "0.5", "1", "7/3", "100", "1e9"}) {
    for (const char* delta : {"1e-300", "1e-9", "1e-6", "0.1", "0.9", "0.999999"}) {
      const double epsilon = approximate_epsilon(rational(rho), rational(delta)).up();
      EXPECT_LE(epsilon, loose_epsilon(rational(rho), rational(delta))) << rho << " " << delta;
      EXPECT_GE(epsilon, 0) << rho << " " << delta;
    }
  }
}

TEST(ConversionTest, KeepsTheDeltaOfACost) {
  const Rational delta = rational("1e-6");
  const Cost cost = convert(Cost::concentrated(rational("0.1"), rational("1e-7")), delta);
  EXPECT_EQ(cost.epsilon(), approximate_epsilon(rational("0.1"), delta));
  EXPECT_EQ(cost.delta(), rational("1.1e-6"));
  EXPECT_EQ(convert(Cost::pure(2), delta), Cost::approximate(2, 0));
  EXPECT_EQ(convert(Cost::concentrated(0, rational("1e-7")), delta),
            Cost::approximate(0, rational("1e-7")));
  EXPECT_EQ(refused_parameter([] { convert(Cost::concentrated(1), 0); }), "delta");
  EXPECT_EQ(
      refused_parameter([] { convert(Cost::concentrated(1, rational("0.5")), rational("0.5")); }),
      "delta");
}

TEST(ConversionTest, GainsOverTheSimpleFormula) {
  // More than 7 % at a common setting.
  const Rational epsilon = approximate_epsilon(rational("0.5"), rational("1e-6"));
  EXPECT_LT(epsilon.up(), 0.93 * loose_epsilon(rational("0.5"), rational("1e-6")));
}

// The Gaussian mechanism with mean shift m has rho = m²/2, and its exact delta is known. Doubles
// are enough here: the formula's slack is far above their error.
TEST(ConversionTest, CoversTheGaussianMechanism) {
  for (const double m : {0.01, 0.1, 1.0, 2.0, 5.0}) {
    for (const char* text : {"1e-9", "1e-6", "0.001", "0.1", "0.6"}) {
      const Rational shift = Rational::exactly(m);
      const double epsilon = approximate_epsilon(shift * shift / Rational(2), rational(text)).up();
      const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
      const double exact = phi(m / 2 - epsilon / m) - std::exp(epsilon) * phi(-m / 2 - epsilon / m);
      EXPECT_LE(exact, rational(text).up() * (1 + 1e-9)) << m << " " << text;
    }
  }
}

// A law that nearly reaches the bound, so the test above can fail.
TEST(ConversionTest, IsWithinAFewPercentOfTheGaussianMechanism) {
  const double epsilon = approximate_epsilon(rational("1/2"), rational("1e-6")).up();
  const double smaller = epsilon * 0.9;
  const auto phi = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  EXPECT_GT(phi(0.5 - smaller) - std::exp(smaller) * phi(-0.5 - smaller), 1e-6);
}

TEST(ConversionTest, RefusesWhatIsNoProbability) {
  EXPECT_EQ(refused_parameter([] { approximate_epsilon(1, 0); }), "delta");
  EXPECT_EQ(refused_parameter([] { approximate_epsilon(1, 1); }), "delta");
  EXPECT_EQ(refused_parameter([] { approximate_epsilon(-1, rational("0.1")); }), "rho");
  EXPECT_EQ(approximate_epsilon(0, rational("0.1")), Rational(0));
}

TEST(Sha256Test, KnownAnswers) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(PlainTextTest, TakesOneLineOfUtf8) {
  using accounting_internal::is_plain_text;
  EXPECT_TRUE(is_plain_text(""));
  EXPECT_TRUE(is_plain_text("Umfrage 2026, Köln – 調査 🙂"));
  EXPECT_TRUE(is_plain_text(std::string(2000, 'x')));
  EXPECT_FALSE(is_plain_text(std::string(2001, 'x')));
  for (const char* text : {"a\nb", "\t", "\x1b[31m", "\x7f", "\xc2\x9b", "\x80", "\xc0\x80", "\xc3",
                           "\xe0\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xf4\x90\x80\x80",
                           "\xe2\x80\xae", "\xe2\x80\xa8", "\xff"}) {
    EXPECT_FALSE(is_plain_text(text)) << text;
  }
  EXPECT_FALSE(is_plain_text(std::string_view("a\0b", 3)));
}

// No field can stand in for another: the hash tells all records apart.
RC_GTEST_PROP(RecordTest, HashDependsOnEveryField, (std::string text)) {
  accounting_internal::Record record;
  record.plan = text;
  const std::string hash = record.computed_hash();
  accounting_internal::Record other = record;
  other.plan.clear();
  other.data = text;
  RC_ASSERT(text.empty() == (hash == other.computed_hash()));
  other = record;
  other.plan += "\ndata 0:";
  RC_ASSERT(hash != other.computed_hash());
}

}  // namespace cost_test
}  // namespace lastbit
