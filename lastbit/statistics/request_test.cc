#include "lastbit/statistics/request.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/statistics/count.h"
#include "lastbit/statistics/covariance.h"
#include "lastbit/statistics/histogram.h"
#include "lastbit/statistics/mean.h"
#include "lastbit/statistics/sum.h"
#include "lastbit/statistics/variance.h"

namespace lastbit {
namespace request_test {

// refused: the parameter that the refusal names; the problem begins with it.
std::string refused(const std::function<void()>& plan) {
  try {
    plan();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadParameter);
    EXPECT_FALSE(error.remedy().empty());
    return error.what();
  }
  return "accepted";
}

ColumnRequest good() { return {.lower = 0, .upper = 10, .epsilon = 1}; }

TEST(RequestTest, LossThatIsNotPositiveIsRefusedByName) {
  for (const Rational& epsilon : {Rational(0), Rational(-1)}) {
    ColumnRequest request = good();
    request.epsilon = epsilon;
    for (const std::string& text : {
             refused([&] { plan_sum(request); }),
             refused([&] { plan_mean(request); }),
             refused([&] { plan_variance(request); }),
             refused([&] { plan_count({.epsilon = epsilon}); }),
             refused(
                 [&] { plan_covariance({.first = {0, 1}, .second = {0, 1}, .epsilon = epsilon}); }),
             refused([&] { plan_histogram({.categories = {"a"}, .epsilon = epsilon}); }),
             refused([&] { plan_bins({.edges = {0, 1}, .epsilon = epsilon}); }),
         }) {
      EXPECT_NE(text.find("epsilon"), std::string::npos) << text;
    }
  }
}

TEST(RequestTest, ConfidenceOutsideTheOpenUnitIntervalIsRefusedByName) {
  for (const char* confidence : {"0", "1", "-0.5", "95"}) {
    ColumnRequest request = good();
    request.confidence = rational(confidence);
    const std::string text = refused([&] { plan_mean(request); });
    EXPECT_NE(text.find("confidence"), std::string::npos) << text;
  }
}

TEST(RequestTest, BoundsOutOfOrderAreRefusedByName) {
  for (const int upper : {0, -1}) {
    ColumnRequest request = good();
    request.upper = upper;
    for (const std::string& text :
         {refused([&] { plan_sum(request); }), refused([&] { plan_mean(request); }),
          refused([&] { plan_variance(request); }), refused([&] {
            plan_covariance({.first = {0, 1}, .second = {0, upper}, .epsilon = 1});
          })}) {
      EXPECT_NE(text.find("lower"), std::string::npos) << text;
    }
  }
}

TEST(RequestTest, BoundsAroundOneIntegerAreRefused) {
  ColumnRequest request = good();
  request.lower = rational("0.5");
  request.upper = rational("1.5");
  EXPECT_NE(refused([&] { plan_mean<std::int64_t>(request); }).find("one value"),
            std::string::npos);
  EXPECT_EQ(refused([&] { plan_mean<double>(request); }), "accepted");
}

TEST(RequestTest, ImpossiblePublicSizesAreRefusedByName) {
  ColumnRequest request = good();
  for (const Integer& rows : {Integer(0), Integer(-3), Integer::two_to(41)}) {
    request.rows = PublicSize{rows};
    EXPECT_NE(refused([&] { plan_mean(request); }).find("rows"), std::string::npos);
  }
  request.rows = PublicSize{1};
  EXPECT_EQ(refused([&] { plan_mean(request); }), "accepted");
  EXPECT_NE(refused([&] { plan_variance(request); }).find("rows"), std::string::npos);
}

TEST(RequestTest, ImputedNumbersOutsideTheBoundsOrTheTypeAreRefusedByName) {
  ColumnRequest request = good();
  request.nulls = Nulls::imputed(11);
  EXPECT_NE(refused([&] { plan_mean(request); }).find("nulls"), std::string::npos);
  request.nulls = Nulls::imputed(rational("1/3"));
  EXPECT_EQ(refused([&] { plan_mean<double>(request); }), "accepted");
  EXPECT_NE(refused([&] { plan_mean<std::int64_t>(request); }).find("nulls"), std::string::npos);
}

TEST(RequestTest, EmptyAndRepeatedCellsAreRefusedByName) {
  EXPECT_NE(refused([] { plan_histogram({.categories = {}, .epsilon = 1}); }).find("categories"),
            std::string::npos);
  EXPECT_NE(refused([] { plan_histogram({.categories = {"a", "a"}, .epsilon = 1}); }).find("twice"),
            std::string::npos);
  EXPECT_NE(refused([] { plan_bins({.edges = {1, 1}, .epsilon = 1}); }).find("edges"),
            std::string::npos);
}

}  // namespace request_test
}  // namespace lastbit
