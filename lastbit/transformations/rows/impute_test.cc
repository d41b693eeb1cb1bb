#include "lastbit/transformations/rows/impute.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"

namespace lastbit {
namespace impute_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTiny = std::numeric_limits<double>::denorm_min();
constexpr double kLargest = std::numeric_limits<double>::max();
constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
constexpr std::nullopt_t kNull = std::nullopt;

using OptionalIntegers = std::vector<std::optional<std::int64_t>>;
using OptionalDoubles = std::vector<std::optional<double>>;

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

auto optional_integers() { return vector_of(optional_of(integers())); }
auto optional_doubles() { return vector_of(optional_of(doubles())); }

TEST(ImputeConstantTest, ReplacesNullsOnly) {
  const auto impute = make_impute_constant(optional_integers(), SymmetricDistance{}, -7);
  EXPECT_EQ(impute({kNull, 0, kMin64, kNull}), (std::vector<std::int64_t>{-7, 0, kMin64, -7}));
  EXPECT_TRUE(impute({}).empty());
  EXPECT_EQ(impute.output_domain(), vector_of(integers()));
  EXPECT_EQ(impute.map(rational("3/2")), Distance(rational("3/2")));
  const auto words =
      make_impute_constant(vector_of(optional_of(strings()), 2), HammingDistance{}, "unknown");
  EXPECT_EQ(words({kNull, ""}), (std::vector<std::string>{"unknown", ""}));
}

TEST(ImputeConstantTest, ReplacesNanByItsBitsOnly) {
  const auto impute = make_impute_constant(vector_of(doubles_or_nan()), SymmetricDistance{}, 1);
  EXPECT_EQ(impute.output_domain(), vector_of(doubles()));
  const auto out = impute({kNan, -kNan, -0.0, kInfinity, kTiny});
  EXPECT_TRUE(identical(out, std::vector<double>{1, 1, -0.0, kInfinity, kTiny}));
}

TEST(ImputeConstantTest, RefusesAValueThatIsNoMember) {
  const SymmetricDistance metric;
  EXPECT_EQ(
      refused_parameter([&] { make_impute_constant(vector_of(doubles_or_nan()), metric, kNan); }),
      "value");
  EXPECT_EQ(refused_parameter([&] { make_impute_constant(optional_doubles(), metric, kNan); }),
            "value");
  const auto small = vector_of(optional_of(interval(0, 5)));
  EXPECT_EQ(refused_parameter([&] { make_impute_constant(small, metric, 6); }), "value");
  EXPECT_EQ(refused_parameter([&] { make_impute_constant(small, metric, 5); }), "");
}

TEST(ImputeConstantTest, StepFitsOptionalRowsAndDoubles) {
  const auto first =
      make_impute_constant(vector_of(optional_of(doubles_or_nan())), SymmetricDistance{}, kNan);
  const auto both = first >> make_impute_constant(0);
  EXPECT_EQ(both({kNull, kNan, 2.0}), (std::vector<double>{0, 0, 2}));
  using Words =
      decltype(make_impute_constant(vector_of(optional_of(strings())), SymmetricDistance{}, ""));
  static_assert(!Joins<Words, decltype(make_impute_constant(0))>);
}

TEST(DropNullTest, KeepsTheOthersInOrder) {
  const auto drop = make_drop_null(optional_integers(), InsertDeleteDistance{});
  EXPECT_EQ(drop({kNull, 2, 1, kNull, 2, kNull}), (std::vector<std::int64_t>{2, 1, 2}));
  EXPECT_TRUE(drop({kNull, kNull}).empty());
  EXPECT_EQ(drop.output_domain(), vector_of(integers()));
  EXPECT_EQ(drop.map(5), Distance(5));
  const auto flags = make_drop_null(vector_of(optional_of(booleans())), SymmetricDistance{});
  EXPECT_EQ(flags({false, kNull, true}), (std::vector<bool>{false, true}));
}

TEST(DropNullTest, DataOfAPublicSizeDoesNotCompile) {
  using Sized = decltype(make_impute_constant(vector_of(optional_of(optional_of(integers())), 2),
                                              SymmetricDistance{}, std::optional<std::int64_t>()));
  using Free = decltype(make_impute_constant(vector_of(optional_of(optional_of(integers()))),
                                             SymmetricDistance{}, std::optional<std::int64_t>()));
  static_assert(Joins<Free, decltype(make_drop_null())>);
  static_assert(!Joins<Sized, decltype(make_drop_null())>);
}

TEST(ImputeUniformTest, IntegersAreEquallyLikely) {
  const auto impute = make_impute_uniform(optional_integers(), SymmetricDistance{}, -1, 2);
  const auto law = testing::enumerate_tapes<std::vector<std::int64_t>>(
      [&](BitSource& bits) { return impute({kNull, 9, kNull}, bits); }, 4);
  EXPECT_EQ(law.undecided, Rational(0));
  EXPECT_EQ(law.probability.size(), 16u);
  for (const auto& [rows, probability] : law.probability) {
    EXPECT_EQ(probability, rational("1/16"));  // so the two draws are independent as well
    EXPECT_EQ(rows[1], 9);
    EXPECT_TRUE(-1 <= rows[0] && rows[0] <= 2 && -1 <= rows[2] && rows[2] <= 2);
  }
}

TEST(ImputeUniformTest, WholeRangeOfIntegersIsAllowed) {
  const auto impute = make_impute_uniform(optional_integers(), SymmetricDistance{}, kMin64, kMax64);
  auto zeros = testing::tape_of_words({0});
  EXPECT_EQ(impute({kNull}, zeros), std::vector<std::int64_t>{kMin64});
}

TEST(ImputeUniformTest, GridPointsAreEquallyLikelyDoubles) {
  const auto impute = make_impute_uniform(optional_doubles(), SymmetricDistance{}, rational("-0.3"),
                                          rational("0.6"), Grid(-2));
  const auto law = testing::enumerate_tapes<std::vector<double>, IdentityLess>(
      [&](BitSource& bits) { return impute({kNull, 7.5}, bits); }, 2);
  const std::vector<double> points{-0.25, 0.0, 0.25, 0.5};
  ASSERT_EQ(law.probability.size(), points.size());
  for (const double point : points) {
    EXPECT_EQ(law.probability.at({point, 7.5}), rational("1/4")) << point;
  }
}

TEST(ImputeUniformTest, RowsThatAreNotNullDrawNoBits) {
  auto empty = testing::tape_of_bits("");
  const auto impute = make_impute_uniform(optional_integers(), SymmetricDistance{}, 0, 9);
  EXPECT_EQ(impute({kMin64, 100}, empty), (std::vector<std::int64_t>{kMin64, 100}));
  expect_code(ErrorCode::kTapeEnded, [&] { (void)impute({kNull}, empty); });
}

TEST(ImputeUniformTest, DomainAndMapStay) {
  const auto impute =
      make_impute_uniform(vector_of(optional_of(interval(0, 9)), 4), HammingDistance{}, 3, 4);
  EXPECT_EQ(impute.output_domain(), vector_of(interval(0, 9), 4));
  EXPECT_EQ(impute.map(2), Distance(2));
  static_assert(decltype(impute)::kRandomised);
}

TEST(ImputeUniformTest, RefusesDrawsOutsideTheRowsDomain) {
  const auto small = vector_of(optional_of(interval(0, 5)));
  const SymmetricDistance metric;
  EXPECT_EQ(refused_parameter([&] { make_impute_uniform(small, metric, -1, 5); }), "lower");
  EXPECT_EQ(refused_parameter([&] { make_impute_uniform(small, metric, 0, 6); }), "lower");
  EXPECT_EQ(refused_parameter([&] { make_impute_uniform(small, metric, 3, 2); }), "lower");
  EXPECT_EQ(refused_parameter([&] { make_impute_uniform(small, metric, 0, 5); }), "");
  const auto unit = vector_of(optional_of(interval(0.0, 1.0)));
  EXPECT_EQ(refused_parameter([&] { make_impute_uniform(unit, metric, 0, 2, Grid(0)); }), "lower");
}

TEST(ImputeUniformTest, RefusesGridsWithoutPointsOrWithPointsThatAreNoDoubles) {
  const auto refused = [](const Rational& lower, const Rational& upper, int exponent) {
    return refused_parameter([&] {
      make_impute_uniform(optional_doubles(), SymmetricDistance{}, lower, upper, Grid(exponent));
    });
  };
  const Rational two53 = Rational::two_to(53);
  EXPECT_EQ(refused(rational("0.1"), rational("0.9"), 0), "grid");
  EXPECT_EQ(refused(1, 0, 0), "lower");
  EXPECT_EQ(refused(0, two53, 0), "");
  EXPECT_EQ(refused(0, two53 + 1, 0), "grid");
  EXPECT_EQ(refused(-two53, two53, 0), "");
  EXPECT_EQ(refused(two53 + 1, two53 + 1, 0), "grid");
  EXPECT_EQ(refused(two53 + 2, two53 + 2, 0), "");  // one point, and it is a double
  EXPECT_EQ(refused(0, Rational::two_to(-1074), -1074), "");
  EXPECT_EQ(refused(0, Rational::two_to(-1074), -1075), "grid");
  EXPECT_EQ(refused(0, 0, -1080), "");
  EXPECT_EQ(refused(0, Rational::exactly(kLargest), 971), "");
  EXPECT_EQ(refused(0, Rational::two_to(1024), 971), "grid");
  EXPECT_EQ(refused(0, Rational::two_to(1024), 1024), "grid");
  EXPECT_EQ(refused(0, 1, 1024), "");  // the point 0 alone
}

TEST(ImputeUniformTest, PointsAtTheEndsOfTheDoublesAreExact) {
  const auto extremes = [](const Rational& lower, const Rational& upper, int exponent) {
    const rows_internal::UniformGridPoint draw(lower, upper, Grid(exponent));
    return std::pair(draw.lowest(), draw.highest());
  };
  const Rational tiny = Rational::two_to(-1074);
  EXPECT_EQ(extremes(-tiny, tiny * 3, -1074), std::pair(-kTiny, 3 * kTiny));
  const Rational largest = Rational::exactly(kLargest);
  EXPECT_EQ(extremes(-largest, largest, 971), std::pair(-kLargest, kLargest));
  EXPECT_EQ(extremes(largest, largest, 0), std::pair(kLargest, kLargest));
  EXPECT_TRUE(identical(extremes(0, 1, 1024).first, 0.0));
}

TEST(ImputeUniformTest, StepsFitIntegersWithoutAndDoublesWithAGrid) {
  const auto numbers = make_impute_constant(vector_of(optional_of(optional_of(doubles()))),
                                            SymmetricDistance{}, kNull);
  const auto chain = numbers >> make_impute_uniform(0, 1, Grid(0));
  auto one = testing::tape_of_bits("1");
  EXPECT_EQ(chain({std::optional<double>(), 5.0}, one), (std::vector<double>{1, 5}));
  static_assert(!Joins<decltype(numbers), decltype(make_impute_uniform(0, 1))>);
  const auto whole = make_impute_constant(vector_of(optional_of(optional_of(integers()))),
                                          SymmetricDistance{}, kNull);
  static_assert(Joins<decltype(whole), decltype(make_impute_uniform(0, 1))>);
  static_assert(!Joins<decltype(whole), decltype(make_impute_uniform(0, 1, Grid(0)))>);
}

// The product in point() against exact arithmetic.
RC_GTEST_PROP(ImputeUniformTest, EveryDrawIsAGridPointInRange, (std::uint32_t seed)) {
  const Grid grid(*rc::gen::inRange(-1074, 960));
  const Integer first = *rc::gen::inRange<std::int64_t>(-(std::int64_t{1} << 53), 1000);
  const Integer last = first + *rc::gen::inRange<std::int64_t>(0, 1000);
  const rows_internal::UniformGridPoint draw(grid.point(first), grid.point(last), grid);
  auto bits = testing::seeded_tape(seed);
  for (int i = 0; i < 20; ++i) {
    const Rational value = Rational::exactly(draw(bits));
    RC_ASSERT(grid.split(value).fraction == Rational(0));
    RC_ASSERT(grid.point(first) <= value);
    RC_ASSERT(value <= grid.point(last));
  }
}

}  // namespace impute_test
}  // namespace lastbit
