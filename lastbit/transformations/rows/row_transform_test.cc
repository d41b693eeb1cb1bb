#include "lastbit/transformations/rows/row_transform.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "lastbit/base/test_support.h"
#include "lastbit/transformations/rows/is_equal.h"

namespace lastbit {
namespace row_transform_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();

double nan_with(std::uint64_t payload) {
  return std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'0000} | payload);
}

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

auto lengths(const auto& domain, const auto& metric) {
  return make_row_transform(domain, metric, integers(), [](const std::string& text) {
    return static_cast<std::int64_t>(text.size());
  });
}

TEST(RowTransformTest, AppliesTheFunctionToEveryRowInOrder) {
  const auto transform = lengths(vector_of(strings()), SymmetricDistance{});
  EXPECT_EQ(transform({"aa", "", "b", "aa"}), (std::vector<std::int64_t>{2, 0, 1, 2}));
  EXPECT_TRUE(transform({}).empty());
  EXPECT_EQ(transform.name(), "row transform");
}

TEST(RowTransformTest, MapIsTheIdentityForAllFourMetrics) {
  const auto expect_identity = [](const auto& transform) {
    for (const Distance& d : {Distance(0), Distance(1), Distance(rational("7/2")), Distance(kMax64),
                              Distance::infinity()}) {
      EXPECT_EQ(transform.map(d), d);
    }
  };
  expect_identity(lengths(vector_of(strings()), SymmetricDistance{}));
  expect_identity(lengths(vector_of(strings()), InsertDeleteDistance{}));
  expect_identity(lengths(vector_of(strings(), 2), SymmetricDistance{}));
  expect_identity(lengths(vector_of(strings(), 2), InsertDeleteDistance{}));
  expect_identity(lengths(vector_of(strings(), 2), SubstituteDistance{}));
  expect_identity(lengths(vector_of(strings(), 2), HammingDistance{}));
}

TEST(RowTransformTest, KeepsThePublicSize) {
  const auto transform = lengths(vector_of(strings(), 7), HammingDistance{});
  EXPECT_EQ(transform.output_domain(), vector_of(integers(), 7));
}

TEST(RowTransformTest, VectorsOfBooleansGoInAndOut) {
  const auto negate = make_row_transform(vector_of(booleans()), SymmetricDistance{}, booleans(),
                                         [](bool row) { return !row; });
  EXPECT_EQ(negate({true, false, true}), (std::vector<bool>{false, true, false}));
}

TEST(RowTransformTest, StepFitsTheRowsItMeetsAndNoOthers) {
  const auto step = make_row_transform(booleans(), [](const std::int64_t& row) { return row > 1; });
  const auto chain = lengths(vector_of(strings()), SymmetricDistance{}) >> step;
  EXPECT_EQ(chain({"", "aaa"}), (std::vector<bool>{false, true}));
  using Negations =
      decltype(chain >> make_row_transform(booleans(), [](bool row) { return !row; }));
  using TextStep =
      decltype(make_row_transform(booleans(), [](const std::string& row) { return row.empty(); }));
  static_assert(!Joins<Negations, TextStep>);
}

// The lemma is about identity: a function that tells −0.0 from 0.0 is still 1-stable.
TEST(RowTransformTest, ZerosOfDifferentSignAreDifferentRows) {
  const auto reciprocal = make_row_transform(vector_of(doubles()), SymmetricDistance{}, doubles(),
                                             [](double row) { return 1 / row; });
  const SymmetricDistance metric;
  EXPECT_EQ(metric.distance(std::vector{0.0}, std::vector{-0.0}), Distance(2));
  EXPECT_EQ(metric.distance(reciprocal({0.0}), reciprocal({-0.0})), Distance(2));
}

TEST(IsEqualTest, ComparesByIdentity) {
  const auto zero = make_is_equal(vector_of(doubles_or_nan()), SymmetricDistance{}, 0.0);
  EXPECT_EQ(zero({0.0, -0.0, 1.0, nan_with(0), kInfinity}),
            (std::vector<bool>{true, false, false, false, false}));
  const auto nan = make_is_equal(vector_of(doubles_or_nan()), SymmetricDistance{}, nan_with(1));
  EXPECT_EQ(nan({nan_with(1), nan_with(2), 0.0, nan_with(1)}),
            (std::vector<bool>{true, false, false, true}));
}

TEST(IsEqualTest, LiteralsStandForEveryTypeOfRow) {
  const SymmetricDistance metric;
  EXPECT_EQ(make_is_equal(vector_of(strings()), metric, "north")({"north", "North", ""}),
            (std::vector<bool>{true, false, false}));
  EXPECT_EQ(make_is_equal(vector_of(integers()), metric, 5)({5, -5}),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(make_is_equal(vector_of(doubles()), metric, rational("1/4"))({0.25, 0.5}),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(make_is_equal(vector_of(booleans()), metric, true)({true, false}),
            (std::vector<bool>{true, false}));
  const auto texts = vector_of(optional_of(strings()));
  EXPECT_EQ(make_is_equal(texts, metric, std::nullopt)({std::nullopt, ""}),
            (std::vector<bool>{true, false}));
  EXPECT_EQ(make_is_equal(texts, metric, "")({std::nullopt, ""}), (std::vector<bool>{false, true}));
}

TEST(IsEqualTest, RefusesAValueOutsideTheRowsDomain) {
  const SymmetricDistance metric;
  EXPECT_EQ(refused_parameter([&] { make_is_equal(vector_of(interval(0, 9)), metric, 10); }),
            "value");
  EXPECT_EQ(refused_parameter([&] { make_is_equal(vector_of(doubles()), metric, nan_with(0)); }),
            "value");
  EXPECT_EQ(refused_parameter([&] { make_is_equal(vector_of(interval(0, 9)), metric, 9); }), "");
}

TEST(IsEqualTest, RefusesANumberThatTheRowsTypeDoesNotHave) {
  const SymmetricDistance metric;
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(refused_parameter([&] { make_is_equal(vector_of(doubles()), metric, odd); }), "value");
  EXPECT_EQ(refused_parameter([&] { make_is_equal(vector_of(doubles()), metric, odd - 1); }), "");
  EXPECT_EQ(
      refused_parameter([&] { make_is_equal(vector_of(doubles()), metric, rational("0.1")); }),
      "value");
  EXPECT_EQ(
      refused_parameter([&] { make_is_equal(vector_of(integers()), metric, ~std::uint64_t{0}); }),
      "value");
  EXPECT_EQ(
      refused_parameter([&] { make_is_equal(vector_of(integers()), metric, rational("1/2")); }),
      "value");
}

TEST(IsEqualTest, StepTakesTextThatNoLongerExists) {
  const auto step = [] {
    const std::string text = "a text too long for the short string optimisation";
    return make_is_equal(std::string_view(text));
  }();
  const auto chain = make_row_transform(vector_of(integers()), SymmetricDistance{}, strings(),
                                        [](std::int64_t row) {
                                          return row == 1 ? "a text too long for the short string "
                                                            "optimisation"
                                                          : "";
                                        }) >>
                     step;
  EXPECT_EQ(chain({1, 0}), (std::vector<bool>{true, false}));
  static_assert(!Joins<decltype(chain), decltype(step)>);  // text is not a boolean
}

RC_GTEST_PROP(IsEqualTest, AgreesWithComparingBits, (std::uint64_t a, std::uint64_t b, bool same)) {
  const auto x = std::bit_cast<double>(a);
  const auto y = std::bit_cast<double>(same ? a : b);
  const auto is_x = make_is_equal(vector_of(doubles_or_nan()), SymmetricDistance{}, x);
  RC_ASSERT(is_x({y})[0] == (std::bit_cast<std::uint64_t>(y) == a));
}

}  // namespace row_transform_test
}  // namespace lastbit
