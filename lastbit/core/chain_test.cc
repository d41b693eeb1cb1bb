#include "lastbit/core/chain.h"

#include <gtest/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/core/compose.h"
#include "lastbit/random/bernoulli.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace chain_test {

using Rows = std::vector<std::int64_t>;
using Integers = IntervalDomain<std::int64_t>;

auto clamp_rows(std::int64_t lower, std::int64_t upper) {
  return Transformation<VectorDomain<AllDomain<std::int64_t>>, SymmetricDistance,
                        VectorDomain<Integers>, SymmetricDistance>(
      "clamp", vector_of(integers()), {}, vector_of(interval(lower, upper)), {},
      [lower, upper](const Rows& rows) {
        Rows clamped;
        for (const auto row : rows) clamped.push_back(std::clamp(row, lower, upper));
        return clamped;
      },
      Relation<Distance, Distance>::linear(1));
}

auto sum_rows(const VectorDomain<Integers>& domain) {
  return Transformation<VectorDomain<Integers>, SymmetricDistance, AllDomain<std::int64_t>,
                        AbsoluteDistance>(
      "sum", domain, {}, integers(), {},
      [](const Rows& rows) {
        std::int64_t sum = 0;
        for (const auto row : rows) sum += row;
        return sum;
      },
      Relation<Distance, Distance>::linear(domain.element().magnitude()));
}

// A measurement whose law the tests can enumerate: the parity of an integer, reported truthfully
// with probability 3/4. Its loss is ln 3 < 11/10 whenever inputs may differ at all.
auto noisy_parity() {
  return Measurement<AllDomain<std::int64_t>, AbsoluteDistance, bool, MaxDivergence>(
      "noisy parity", integers(), {}, {},
      [](const std::int64_t& value, BitSource& bits) {
        const bool truth = value % 2 != 0;
        return bernoulli(bits, rational("3/4")) ? truth : !truth;
      },
      Relation<Distance, Distance>::from_map([](const Distance& d_in) {
        return d_in < Distance(1) ? Distance(0) : Distance(rational("11/10"));
      }));
}

TEST(ChainTest, MapsAndFunctionsCompose) {
  const auto chain = clamp_rows(-3, 10) >> sum_rows(vector_of(interval(-3, 10)));
  EXPECT_EQ(chain({100, -100, 4}), 11);
  EXPECT_EQ(chain.map(2), Distance(20));
  EXPECT_TRUE(chain.relation(2, 20));
  EXPECT_FALSE(chain.relation(2, rational("199/10")));
  EXPECT_EQ(chain.name(), "clamp >> sum");
}

TEST(ChainTest, LeftMayGiveASubsetOfWhatRightTakes) {
  const auto chain = clamp_rows(0, 5) >> sum_rows(vector_of(interval(-3, 10)));
  EXPECT_EQ(chain.map(1), Distance(10));
}

TEST(ChainTest, RefusesALeftThatGivesMoreThanRightTakes) {
  try {
    (void)(clamp_rows(0, 11) >> sum_rows(vector_of(interval(0, 10))));
    FAIL() << "a chain that does not fit was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    EXPECT_NE(error.problem().find("[0, 11]"), std::string::npos) << error.what();
    EXPECT_NE(error.problem().find("[0, 10]"), std::string::npos) << error.what();
  }
}

// Two spread distances are of one type, but one step of the one is several of the other.
TEST(ChainTest, RefusesMetricsThatDiffer) {
  using Map = MapDomain<AllDomain<std::int64_t>, AllDomain<std::int64_t>>;
  using Same = Transformation<Map, SpreadDistance, Map, SpreadDistance>;
  const auto same = [](int keys) {
    return Same(
        "same", Map({}, {}), SpreadDistance{keys}, Map({}, {}), SpreadDistance{keys},
        [](const CarrierOf<Map>& counts) { return counts; }, Same::StabilityRelation::linear(1));
  };
  EXPECT_EQ((same(2) >> same(2)).map(3), Distance(3));
  expect_code(ErrorCode::kMismatch, [&] { (void)(same(5) >> same(2)); });
}

TEST(ChainTest, StepsTakeTheDomainTheyMeet) {
  const auto sum = Step{[](const VectorDomain<Integers>& domain, const SymmetricDistance&) {
    return sum_rows(domain);
  }};
  const auto chain = clamp_rows(-7, 2) >> sum;
  EXPECT_EQ(chain.map(1), Distance(7));
}

TEST(ChainTest, MeasurementAfterTransformationKeepsThePrice) {
  const auto release = clamp_rows(0, 1) >> sum_rows(vector_of(interval(0, 1))) >> noisy_parity();
  EXPECT_EQ(release.map(1), Distance(rational("1.1")));
  EXPECT_EQ(release.map(0), Distance(0));
  auto truth = testing::tape_of_bits("0");  // U < 1/2 < 3/4: the truth
  EXPECT_TRUE(release({1, 1, 5}, truth));
}

TEST(ChainTest, PostprocessingCostsNothing) {
  const auto spoken =
      noisy_parity() >> postprocess([](bool odd) { return std::string(odd ? "odd" : "even"); });
  EXPECT_EQ(spoken.map(1), noisy_parity().map(1));
  auto truth = testing::tape_of_bits("0");
  EXPECT_EQ(spoken(3, truth), "odd");
}

TEST(ChainTest, RelationWithoutMapIsTestedOnTheRight) {
  const Transformation<AllDomain<std::int64_t>, AbsoluteDistance, AllDomain<std::int64_t>,
                       AbsoluteDistance>
      square_ish(
          "no map", integers(), {}, integers(), {}, [](const std::int64_t& x) { return x; },
          Relation<Distance, Distance>::from_test(
              [](const Distance& d_in, const Distance& d_out) { return d_in <= d_out; }));
  expect_code(ErrorCode::kNotSupported, [&] { (void)square_ish.map(1); });
  const auto right = sum_rows(vector_of(interval(0, 2))) >> square_ish;
  EXPECT_FALSE(right.stability().has_map());
  EXPECT_TRUE(right.relation(3, 6));
  EXPECT_FALSE(right.relation(3, 5));
  expect_code(ErrorCode::kNotSupported, [&] { (void)(square_ish >> noisy_parity()); });
  const auto hinted = chain_through(square_ish, noisy_parity(),
                                    [](const Distance& d_in, const Distance&) { return d_in; });
  EXPECT_TRUE(hinted.relation(1, rational("1.1")));
  EXPECT_FALSE(hinted.relation(1, 1));
}

TEST(ComposeTest, LossesAddUpAndBitsAreFresh) {
  const auto both = compose(noisy_parity(), noisy_parity());
  EXPECT_EQ(both.map(1), Distance(rational("2.2")));
  auto bits = testing::tape_of_bits("011");  // first: truth; second: U ≥ 3/4, a lie
  EXPECT_EQ(both(1, bits), std::make_tuple(true, false));
}

TEST(ComposeTest, VectorOfMeasurements) {
  const auto three = compose(std::vector(3, noisy_parity()));
  EXPECT_EQ(three.map(1), Distance(rational("3.3")));
  auto bits = testing::tape_of_bits("0000");
  EXPECT_EQ(three(2, bits), (std::vector<bool>{false, false, false}));
  expect_code(ErrorCode::kBadParameter,
              [&] { (void)compose(std::vector<decltype(noisy_parity())>{}); });
}

TEST(ComposeTest, RefusesMeasurementsOfDifferentDomains) {
  const auto measure_sum = [](std::int64_t upper) {
    return sum_rows(vector_of(interval(0, upper))) >> noisy_parity();
  };
  expect_code(ErrorCode::kMismatch, [&] { (void)compose(measure_sum(1), measure_sum(2)); });
  EXPECT_NO_THROW((void)compose(measure_sum(1), measure_sum(1)));
}

TEST(MeasurementTest, EndOfTapeIsAnErrorNotAnAnswer) {
  auto empty = testing::tape_of_bits("");
  try {
    (void)noisy_parity()(1, empty);
    FAIL() << "an answer without bits";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kTapeEnded);
  }
}

TEST(TransformationTest, RequireMemberNamesTheDomainButNoValue) {
  try {
    require_member(vector_of(interval(0, 5)), Rows{1, 777});
    FAIL() << "a non-member passed";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    EXPECT_EQ(std::string(error.what()).find("777"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("[0, 5]"), std::string::npos);
  }
}

}  // namespace chain_test
}  // namespace lastbit
