#include "lastbit/mechanisms/randomized_response.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/core/compose.h"
#include "lastbit/core/divergence.h"
#include "lastbit/numerics/float.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace randomized_response_test {

using testing::enumerate_tapes;

// The exact law of a measurement that draws at most 12 bits, by running it on every tape.
template <class M>
auto law_of(const M& measurement, const typename M::Input& input) {
  const auto law = enumerate_tapes<typename M::Output, IdentityLess>(
      [&](BitSource& bits) { return measurement(input, bits); }, 12);
  EXPECT_EQ(law.undecided, Rational(0));
  return FiniteDistribution<typename M::Output>(law.probability);
}

TEST(RandomizedResponseTest, LawOfABooleanByEveryTape) {
  const auto response = make_randomized_response(booleans(), DiscreteDistance{}, rational("11/16"));
  EXPECT_EQ(law_of(response, true).at(true), rational("11/16"));
  EXPECT_EQ(law_of(response, true).at(false), rational("5/16"));
  EXPECT_EQ(law_of(response, false).at(false), rational("11/16"));
}

TEST(RandomizedResponseTest, LawOfCategoriesByEveryTape) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e"};  // 4 others: 2 bits
  const auto response =
      make_randomized_response(strings(), DiscreteDistance{}, names, rational("5/8"));
  for (const std::string& truth : names) {
    const auto law = law_of(response, truth);
    ASSERT_EQ(law.size(), 5u);
    for (const std::string& answer : names) {
      EXPECT_EQ(law.at(answer), rational(answer == truth ? "5/8" : "3/32")) << truth << answer;
    }
  }
}

TEST(RandomizedResponseTest, UnlistedAnswersCountAsTheFirst) {
  const auto response =
      make_randomized_response(integers(), DiscreteDistance{}, {7, 8, 9}, rational("3/4"));
  EXPECT_EQ(law_of(response, 1234), law_of(response, 7));
}

// The exact laws are as far apart as the map says, and no smaller bound holds, both ways.
TEST(RandomizedResponseTest, MapIsSoundAndTight) {
  for (const char* truth : {"1/2", "11/16", "3/16", "1/16", "255/256"}) {
    const auto response =
        make_randomized_response(integers(), DiscreteDistance{}, {1, 2, 3}, rational(truth));
    const auto here = law_of(response, 1);
    const auto there = law_of(response, 2);
    const Distance loss = response.map(1);
    EXPECT_TRUE(is_within(MaxDivergence{}, outcome_pairs(here, there), loss)) << truth;
    EXPECT_TRUE(is_within(MaxDivergence{}, outcome_pairs(there, here), loss)) << truth;
    const Distance less = loss.value() * (Rational(1) - Rational::two_to(-62));
    EXPECT_FALSE(is_within(MaxDivergence{}, outcome_pairs(here, there), less) &&
                 is_within(MaxDivergence{}, outcome_pairs(there, here), less))
        << truth;
  }
}

TEST(RandomizedResponseTest, EqualProbabilitiesRevealNothing) {
  const auto response =
      make_randomized_response(integers(), DiscreteDistance{}, {1, 2, 3}, rational("1/3"));
  EXPECT_EQ(response.map(1), Distance(0));
  EXPECT_EQ(make_randomized_response(booleans(), DiscreteDistance{}, rational("1/2")).map(1),
            Distance(0));
}

TEST(RandomizedResponseTest, CertainAnswersHideNothing) {
  for (const char* truth : {"0", "1"}) {
    const auto response = make_randomized_response(booleans(), DiscreteDistance{}, rational(truth));
    EXPECT_EQ(response.map(1), Distance::infinity());
    EXPECT_EQ(response.map(0), Distance(0));
    EXPECT_TRUE(law_of(response, true).contains(rational(truth) == Rational(1)));
  }
}

TEST(RandomizedResponseTest, ManyAnswersAddUp) {
  const auto one = make_randomized_response(booleans(), DiscreteDistance{}, rational("3/4"));
  const auto many =
      make_randomized_response(vector_of(booleans(), 3), HammingDistance{}, rational("3/4"));
  EXPECT_EQ(many.map(0), Distance(0));
  EXPECT_EQ(many.map(2), Distance(2) * one.map(1));
  EXPECT_EQ(many.map(100), Distance(3) * one.map(1));
  EXPECT_EQ(one.map(100), one.map(1));
  EXPECT_EQ(one.map(rational("1/2")), Distance(0));
  const std::vector<bool> here = {true, true, false};
  const std::vector<bool> there = {false, true, true};
  const auto pairs = outcome_pairs(law_of(many, here), law_of(many, there));
  EXPECT_EQ(max_ratio(pairs), Distance(9));
  EXPECT_TRUE(is_within(MaxDivergence{}, pairs, many.map(2)));
  EXPECT_FALSE(is_within(MaxDivergence{}, pairs, many.map(1)));
  EXPECT_EQ(compose(one, one).map(1), Distance(2) * one.map(1));
}

TEST(RandomizedResponseTest, DrawsACategoryWhetherNeededOrNot) {
  const RandomizedResponse response(5, rational("1/2"));
  for (const char* tape : {"001", "101"}) {  // the coin, then two bits for the other category
    BitSource bits = testing::tape_of_bits(tape);
    response.respond(3, bits);
    EXPECT_EQ(testing::bits_used(bits), 3u) << tape;
  }
}

TEST(RandomizedResponseTest, StepsFitTheirAnswersOnly) {
  const auto of_booleans = make_randomized_response(rational("3/4"));
  EXPECT_EQ(of_booleans.build(vector_of(booleans(), 4), HammingDistance{}).map(1).value(),
            ln_up(3, 64));
  using Build = decltype(of_booleans.build);
  static_assert(!std::invocable<Build, AllDomain<std::string>, DiscreteDistance>);
  static_assert(!std::invocable<Build, SizedVectorDomain<AllDomain<bool>>, SymmetricDistance>);
  static_assert(!std::invocable<Build, VectorDomain<AllDomain<bool>>, InsertDeleteDistance>);
  const auto of_strings = make_randomized_response(std::vector<std::string>{"a", "b"}, 1);
  EXPECT_EQ(of_strings.build(strings(), DiscreteDistance{}).map(1), Distance::infinity());
}

TEST(RandomizedResponseTest, ImpossibleParametersAreRefusedByName) {
  const auto make = [](const std::vector<std::int64_t>& categories, const char* truth) {
    return refusal([&] {
      make_randomized_response(integers(), DiscreteDistance{}, categories, rational(truth));
    });
  };
  EXPECT_NE(make({}, "1/2").find("categories"), std::string::npos);
  EXPECT_NE(make({1}, "1/2").find("categories"), std::string::npos);
  EXPECT_NE(make({1, 2, 1}, "1/2").find("categories"), std::string::npos);
  EXPECT_NE(make({1, 2}, "-1/100").find("truth"), std::string::npos);
  EXPECT_NE(make({1, 2}, "1.01").find("truth"), std::string::npos);
  EXPECT_EQ(make({1, 2}, "1"), "accepted");
}

RC_GTEST_PROP(RandomizedResponseTest, LossIsTheLogarithmOfTheRatioRoundedUp, ()) {
  const auto denominator = *rc::gen::inRange<std::int64_t>(2, 10'000);
  const auto numerator = *rc::gen::inRange<std::int64_t>(1, denominator);
  const auto categories = *rc::gen::inRange<std::size_t>(2, 50);
  const RandomizedResponse response(categories, Rational(numerator, denominator));
  RC_ASSERT(is_at_most_exp(response.ratio(), response.loss()));
  if (response.loss() == Distance(0)) {
    RC_ASSERT(response.ratio() == Distance(1));
  } else {
    const Rational less = response.loss().value() * (Rational(1) - Rational::two_to(-62));
    RC_ASSERT(!is_at_most_exp(response.ratio(), less));
  }
}

}  // namespace randomized_response_test
}  // namespace lastbit
