#include "lastbit/core/measure.h"

#include <gtest/gtest.h>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/core/relation.h"

namespace lastbit {
namespace measure_test {

PrivacyLoss loss(const char* epsilon, const char* delta) {
  return {Distance(rational(epsilon)), rational(delta)};
}

TEST(PrivacyLossTest, IsBelowOnlyWhenBothPartsAre) {
  EXPECT_LE(loss("1", "0.1"), loss("1", "0.1"));
  EXPECT_LT(loss("1", "0"), loss("1", "0.1"));
  EXPECT_LT(loss("1", "0.1"), loss("2", "0.1"));
  EXPECT_GT(loss("2", "0.2"), loss("1", "0.1"));
  EXPECT_FALSE(loss("1", "0.2") <= loss("2", "0.1"));
  EXPECT_FALSE(loss("2", "0.1") <= loss("1", "0.2"));
}

TEST(PrivacyLossTest, RefusesADeltaThatIsNoProbability) {
  expect_code(ErrorCode::kBadParameter, [&] { loss("1", "-0.1"); });
  expect_code(ErrorCode::kBadParameter, [&] { loss("1", "1.1"); });
  expect_code(ErrorCode::kBadParameter, [&] { loss("-1", "0"); });
}

TEST(MeasureTest, LossesAddUp) {
  EXPECT_EQ(MaxDivergence::sum(rational("0.1"), rational("0.2")), Distance(rational("0.3")));
  EXPECT_EQ(ZeroConcentratedDivergence::sum(1, Distance::infinity()), Distance::infinity());
  EXPECT_EQ(SmoothedMaxDivergence::sum(loss("1", "0.75"), loss("2", "0.75")), loss("3", "1"));
  EXPECT_EQ(loss("1/3", "1e-6").to_string(), "(1/3, 0.000001)");
}

TEST(ConcentratedLossTest, IsAPairWhosePartsAddUp) {
  const ConcentratedLoss small(Distance(rational("1/2")), rational("1e-7"));
  const ConcentratedLoss large(Distance(1), rational("0.75"));
  EXPECT_LT(small, large);
  EXPECT_FALSE(ConcentratedLoss(2, 0) <= large);
  EXPECT_EQ(ApproximateConcentratedDivergence::sum(small, small),
            ConcentratedLoss(1, rational("2e-7")));
  EXPECT_EQ(ApproximateConcentratedDivergence::sum(large, large), ConcentratedLoss(2, 1));
  EXPECT_EQ(small.to_string(), "(0.5, 0.0000001)");
  expect_code(ErrorCode::kBadParameter, [] { ConcentratedLoss(1, 2); });
}

TEST(RelationTest, AgreesWithItsMap) {
  const auto relation = Relation<Distance, Distance>::from_map(
      [](const Distance& d_in) { return std::min(d_in, Distance(7)); });
  for (const char* d_in : {"0", "1/2", "7", "8"}) {
    const Distance least = relation.map(rational(d_in));
    EXPECT_TRUE(relation(rational(d_in), least));
    if (least > Distance(0)) {
      EXPECT_FALSE(relation(rational(d_in), least * rational("0.999")));
    }
  }
}

TEST(RelationTest, MayBeNonLinear) {
  const auto square = Relation<Distance, Distance>::from_test(
      [](const Distance& d_in, const Distance& d_out) { return d_out >= d_in * d_in; });
  EXPECT_TRUE(square(3, 9));
  EXPECT_FALSE(square(3, 8));
  EXPECT_FALSE(square.has_map());
  expect_code(ErrorCode::kNotSupported, [&] { (void)square.map(3); });
}

TEST(RelationTest, LinearKeepsInfinity) {
  const auto twice = Relation<Distance, Distance>::linear(2);
  EXPECT_EQ(twice.map(rational("3/2")), Distance(3));
  EXPECT_EQ(twice.map(Distance::infinity()), Distance::infinity());
  const auto constant = Relation<Distance, Distance>::linear(0);
  EXPECT_EQ(constant.map(Distance::infinity()), Distance(0));
  const auto root = Relation<Distance, Radical<2>>::linear(3);
  EXPECT_EQ(root.map(2), Radical<2>(6));
}

}  // namespace measure_test
}  // namespace lastbit
