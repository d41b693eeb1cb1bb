#include "lastbit/transformations/aggregates/histogram.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"

namespace lastbit {
namespace histogram_test {

using Counts = std::vector<std::int64_t>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(HistogramTest, CountsInTheOrderOfTheCategories) {
  const auto domain = vector_of(strings());
  const auto histogram = make_histogram<1>(domain, SymmetricDistance{}, {"north", "east"});
  EXPECT_EQ(histogram({"east", "west", "east", "north"}), (Counts{1, 2}));
  const auto with_others =
      make_histogram<1>(domain, SymmetricDistance{}, {"north", "east"}, Other::kCounted);
  EXPECT_EQ(with_others({"east", "west", "", "north"}), (Counts{1, 1, 2}));
  EXPECT_EQ(with_others.output_domain().size(), 3u);
  EXPECT_EQ(with_others({}), (Counts{0, 0, 0}));
}

TEST(HistogramTest, CategoriesAreComparedByIdentity) {
  const auto histogram =
      make_histogram<2>(vector_of(doubles_or_nan()), SymmetricDistance{}, {0.0, -0.0, kNan});
  EXPECT_EQ(histogram({-0.0, -0.0, 0.0, kNan, 1.0}), (Counts{1, 2, 1}));
  const auto of_booleans =
      make_histogram<1>(vector_of(booleans()), SymmetricDistance{}, {false, true});
  EXPECT_EQ(of_booleans({true, true, false}), (Counts{1, 2}));
  const auto of_nulls = make_histogram<1>(vector_of(optional_of(integers())), SymmetricDistance{},
                                          {std::nullopt, std::int64_t{3}});
  EXPECT_EQ(of_nulls({3, std::nullopt, 4, 3}), (Counts{1, 2}));
}

TEST(HistogramTest, NoOrRepeatedCategoriesAreRefusedByName) {
  const auto make = [](const std::vector<std::int64_t>& categories) {
    return refusal(
        [&] { make_histogram<1>(vector_of(integers()), SymmetricDistance{}, categories); });
  };
  EXPECT_NE(make({}).find("categories"), std::string::npos);
  EXPECT_NE(make({1, 2, 1}).find("categories"), std::string::npos);
  EXPECT_EQ(make({1}), "accepted");
}

TEST(HistogramTest, MapIsExactForEveryP) {
  const auto domain = vector_of(integers());
  EXPECT_EQ(make_histogram<1>(domain, SymmetricDistance{}, {1, 2}).map(3), Distance(3));
  EXPECT_EQ(make_histogram<2>(domain, SymmetricDistance{}, {1, 2}).map(3), Radical<2>(3));
  EXPECT_EQ(make_histogram<3>(domain, InsertDeleteDistance{}, {1, 2}).map(3), Radical<3>(3));
  EXPECT_EQ(make_histogram<2>(domain, SymmetricDistance{}, {1}).map(Distance::infinity()),
            Radical<2>::infinity());
  const auto sized = vector_of(integers(), 5);
  EXPECT_EQ(make_histogram<1>(sized, HammingDistance{}, {1, 2}).map(3), Distance(6));
  EXPECT_EQ(make_histogram<2>(sized, SymmetricDistance{}, {1, 2}).map(3), Radical<2>::root_of(2));
  EXPECT_EQ(make_histogram<2>(sized, HammingDistance{}, {1, 2}).map(3), Radical<2>::root_of(18));
  EXPECT_EQ(make_histogram<3>(sized, HammingDistance{}, {1, 2}).map(9), Radical<3>::root_of(250));
  // One cell: an exchanged row can only enter or leave it.
  EXPECT_EQ(make_histogram<1>(sized, HammingDistance{}, {1}).map(3), Distance(3));
  EXPECT_EQ(make_histogram<1>(sized, HammingDistance{}, {1}, Other::kCounted).map(3), Distance(6));
}

TEST(HistogramTest, StepFitsRowsOfTheCategoriesType) {
  const auto step = make_histogram<1>(std::vector<std::string>{"a"}, Other::kCounted);
  EXPECT_EQ(step.build(vector_of(strings()), SymmetricDistance{})({"b", "a", "c"}), (Counts{1, 2}));
  using Build = decltype(step.build);
  static_assert(!std::invocable<Build, VectorDomain<AllDomain<std::int64_t>>, SymmetricDistance>);
}

TEST(HistogramByKeyTest, HoldsTheKeysThatOccurAndNoOthers) {
  const auto histogram = make_histogram_by_key<1>(vector_of(strings()), SymmetricDistance{});
  const auto counts = histogram({"b", "a", "b"});
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts.at("b"), 2);
  EXPECT_EQ(counts.at("a"), 1);
  EXPECT_TRUE(histogram({}).empty());
  const auto signed_zeros = make_histogram_by_key<1>(vector_of(doubles()), SymmetricDistance{});
  EXPECT_EQ(signed_zeros({0.0, -0.0, kNan, kNan}).size(), 3u);
}

TEST(HistogramByKeyTest, MapsAreThoseOfKnownCategories) {
  const auto step = make_histogram_by_key<2>();
  EXPECT_EQ(step.build(vector_of(strings()), SymmetricDistance{}).map(4), Radical<2>(4));
  EXPECT_EQ(step.build(vector_of(strings(), 9), SubstituteDistance{}).map(4),
            Radical<2>::root_of(32));
}

TEST(BinHistogramTest, BinsAreHalfOpenAndTheLastIsClosed) {
  const std::vector<Rational> edges = {0, 1, rational("5/2")};
  const auto histogram =
      make_bin_histogram<1>(vector_of(doubles_or_nan()), SymmetricDistance{}, edges);
  EXPECT_EQ(histogram({0.0, -0.0, std::nextafter(1.0, 0.0), 1.0, 2.5}), (Counts{3, 2}));
  EXPECT_EQ(histogram({std::nextafter(2.5, 3.0), -5e-324, kNan, kInfinity, -kInfinity}),
            (Counts{0, 0}));
  const auto whole = make_bin_histogram<1>(vector_of(interval(-5, 5)), SymmetricDistance{}, edges);
  EXPECT_EQ(whole({-1, 0, 1, 2, 3}), (Counts{1, 2}));
}

TEST(BinHistogramTest, EdgesBetweenTwoDoublesAreNotRounded) {
  const Rational tenth(1, 10);  // between two doubles: below 0.1 itself
  ASSERT_LT(tenth, Rational::exactly(0.1));
  const auto histogram =
      make_bin_histogram<1>(vector_of(doubles()), SymmetricDistance{}, {0, tenth, Rational(1, 5)});
  EXPECT_EQ(histogram({std::nextafter(0.1, 0.0), 0.1}), (Counts{1, 1}));
  // 0.2 is above 1/5, so it lies outside.
  EXPECT_EQ(histogram({0.2, std::nextafter(0.2, 0.0)}), (Counts{0, 1}));
}

TEST(BinHistogramTest, EdgesBeyondTheTypeCutNothingOffAndLetNothingIn) {
  const Rational beyond = Rational::two_to(2000);
  const double most = std::numeric_limits<double>::max();
  const auto histogram = make_bin_histogram<1>(vector_of(doubles()), SymmetricDistance{},
                                               {-beyond * Rational(2), -beyond, 0, beyond});
  EXPECT_EQ(histogram({-most, -5e-324, 0.0, most, kInfinity, -kInfinity}), (Counts{0, 2, 2}));
  constexpr std::int64_t kMin64 = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t kMax64 = std::numeric_limits<std::int64_t>::max();
  const auto whole = make_bin_histogram<1>(vector_of(integers()), SymmetricDistance{},
                                           {-beyond, 0, beyond, beyond * Rational(2)});
  EXPECT_EQ(whole({kMin64, -1, 0, kMax64}), (Counts{2, 2, 0}));
}

TEST(BinHistogramTest, BadEdgesAreRefusedByName) {
  const auto make = [](const std::vector<Rational>& edges) {
    return refusal(
        [&] { make_bin_histogram<1>(vector_of(doubles()), SymmetricDistance{}, edges); });
  };
  EXPECT_NE(make({}).find("edges"), std::string::npos);
  EXPECT_NE(make({1}).find("edges"), std::string::npos);
  EXPECT_NE(make({0, 0}).find("edges"), std::string::npos);
  EXPECT_NE(make({0, 2, 1}).find("edges"), std::string::npos);
  EXPECT_EQ(make({0, 1}), "accepted");
}

TEST(BinHistogramTest, MapKnowsASingleBin) {
  const auto sized = vector_of(doubles(), 5);
  EXPECT_EQ(make_bin_histogram<1>(sized, HammingDistance{}, {0, 1}).map(2), Distance(2));
  EXPECT_EQ(make_bin_histogram<1>({0, 1, 2}).build(sized, HammingDistance{}).map(2), Distance(4));
  using Build = decltype(make_bin_histogram<1>({0, 1}).build);
  static_assert(!std::invocable<Build, VectorDomain<AllDomain<std::string>>, SymmetricDistance>);
}

RC_GTEST_PROP(BinHistogramTest, EqualsComparingWithTheRationalEdges,
              (std::vector<std::int16_t> numerators, const std::vector<std::int16_t>& parts)) {
  std::vector<Rational> edges;
  for (const auto numerator : numerators) edges.emplace_back(Rational(numerator) / Rational(300));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  RC_PRE(edges.size() >= 2);
  std::vector<double> rows;
  // Doubles near the edges: 1/300ths rounded to the nearest double, and small whole numbers.
  for (const auto part : parts) rows.insert(rows.end(), {part / 300.0, part / 4096.0});
  for (const Rational& edge : edges) rows.insert(rows.end(), {edge.down(), edge.up()});
  Counts expected(edges.size() - 1, 0);
  for (const double row : rows) {
    const Rational value = Rational::exactly(row);
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
      const bool last = i + 2 == edges.size();
      const bool below = last ? value <= edges[i + 1] : value < edges[i + 1];
      if (edges[i] <= value && below) ++expected[i];
    }
  }
  RC_ASSERT(make_bin_histogram<1>(vector_of(doubles()), SymmetricDistance{}, edges)(rows) ==
            expected);
}

RC_GTEST_PROP(HistogramTest, AgreesWithTheHistogramByKey,
              (const std::vector<std::int64_t>& seeds)) {
  std::vector<std::int64_t> rows;
  for (const auto seed : seeds) rows.push_back(seed & 7);
  const auto known = make_histogram<1>(vector_of(integers()), SymmetricDistance{}, {0, 1, 2, 3},
                                       Other::kCounted)(rows);
  auto by_key = make_histogram_by_key<1>(vector_of(integers()), SymmetricDistance{})(rows);
  std::int64_t others = 0;
  for (std::int64_t key = 0; key < 4; ++key) {
    RC_ASSERT(known[static_cast<std::size_t>(key)] == (by_key.contains(key) ? by_key[key] : 0));
  }
  for (const auto& [key, count] : by_key) others += key >= 4 ? count : 0;
  RC_ASSERT(known[4] == others);
}

}  // namespace histogram_test
}  // namespace lastbit
