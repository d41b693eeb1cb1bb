#include "lastbit/core/metric.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"

namespace lastbit {
namespace metric_test {

using Rows = std::vector<std::int64_t>;
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

Rows small_rows(std::size_t most = 7) {
  return *rc::gen::resize(static_cast<int>(most),
                          rc::gen::container<Rows>(rc::gen::inRange<std::int64_t>(0, 4)));
}
Rows rows_of_size(std::size_t size) {
  return *rc::gen::container<Rows>(size, rc::gen::inRange<std::int64_t>(0, 4));
}

// The textbook recurrence, as an independent method.
std::int64_t by_longest_common_subsequence(const Rows& u, const Rows& v) {
  std::vector<Rows> length(u.size() + 1, Rows(v.size() + 1, 0));
  for (std::size_t i = 1; i <= u.size(); ++i) {
    for (std::size_t j = 1; j <= v.size(); ++j) {
      length[i][j] = u[i - 1] == v[j - 1] ? length[i - 1][j - 1] + 1
                                          : std::max(length[i - 1][j], length[i][j - 1]);
    }
  }
  return static_cast<std::int64_t>(u.size() + v.size()) - 2 * length[u.size()][v.size()];
}

TEST(SymmetricDistanceTest, CountsMultiplicities) {
  const SymmetricDistance metric;
  EXPECT_EQ(metric.distance(Rows{1, 2, 1}, Rows{1, 3}), Distance(3));
  EXPECT_EQ(metric.distance(Rows{}, Rows{5, 5}), Distance(2));
  EXPECT_EQ(metric.distance(Rows{1, 2}, Rows{2, 1}), Distance(0));
}

TEST(SymmetricDistanceTest, ComparesByIdentityNotByIeeeEquality) {
  const SymmetricDistance metric;
  using Doubles = std::vector<double>;
  EXPECT_EQ(metric.distance(Doubles{0.0}, Doubles{-0.0}), Distance(2));
  EXPECT_EQ(metric.distance(Doubles{kNan}, Doubles{kNan}), Distance(0));
  EXPECT_EQ(metric.distance(Doubles{kNan}, Doubles{-kNan}), Distance(2));
}

TEST(SubstituteDistanceTest, RefusesDifferentSizes) {
  EXPECT_EQ(SubstituteDistance{}.distance(Rows{1, 2, 3}, Rows{3, 4, 5}), Distance(2));
  expect_code(ErrorCode::kBadParameter,
              [&] { (void)SubstituteDistance{}.distance(Rows{1}, Rows{1, 2}); });
  expect_code(ErrorCode::kBadParameter,
              [&] { (void)HammingDistance{}.distance(Rows{1}, Rows{1, 2}); });
}

TEST(InsertDeleteDistanceTest, SeesOrder) {
  const InsertDeleteDistance metric;
  EXPECT_EQ(metric.distance(Rows{1, 2}, Rows{2, 1}), Distance(2));
  EXPECT_EQ(metric.distance(Rows{}, Rows{}), Distance(0));
  EXPECT_EQ(metric.distance(Rows{1, 2, 3}, Rows{}), Distance(3));
}

RC_GTEST_PROP(InsertDeleteDistanceTest, EqualsTheLongestCommonSubsequenceFormula, ()) {
  const Rows u = small_rows(12);
  const Rows v = small_rows(12);
  RC_ASSERT(InsertDeleteDistance{}.distance(u, v) == Distance(by_longest_common_subsequence(u, v)));
}

RC_GTEST_PROP(DatasetMetricsTest, OrderOfTheFour, ()) {
  const Rows u = rows_of_size(5);
  const Rows v = rows_of_size(5);
  const Distance symmetric = SymmetricDistance{}.distance(u, v);
  const Distance substitute = SubstituteDistance{}.distance(u, v);
  const Distance hamming = HammingDistance{}.distance(u, v);
  const Distance insert_delete = InsertDeleteDistance{}.distance(u, v);
  RC_ASSERT(symmetric == Distance(2) * substitute);
  RC_ASSERT(substitute <= hamming);
  RC_ASSERT(symmetric <= insert_delete);
  RC_ASSERT(insert_delete <= Distance(2) * hamming);
}

RC_GTEST_PROP(DatasetMetricsTest, TriangleInequalityAndSymmetry, ()) {
  const Rows u = rows_of_size(4);
  const Rows v = rows_of_size(4);
  const Rows w = rows_of_size(4);
  const auto check = [&](const auto& metric) {
    RC_ASSERT(metric.distance(u, w) <= metric.distance(u, v) + metric.distance(v, w));
    RC_ASSERT(metric.distance(u, v) == metric.distance(v, u));
    RC_ASSERT(metric.distance(u, u) == Distance(0));
  };
  check(SymmetricDistance{});
  check(SubstituteDistance{});
  check(InsertDeleteDistance{});
  check(HammingDistance{});
  check(L1Distance{});
}

RC_GTEST_PROP(DatasetMetricsTest, OrderedMetricsVanishOnEqualVectorsOnly, ()) {
  const Rows u = rows_of_size(4);
  const Rows v = rows_of_size(4);
  RC_ASSERT((InsertDeleteDistance{}.distance(u, v) == Distance(0)) == (u == v));
  RC_ASSERT((HammingDistance{}.distance(u, v) == Distance(0)) == (u == v));
  RC_ASSERT((SymmetricDistance{}.distance(u, v) == Distance(0)) ==
            (Multiset<std::int64_t>(u) == Multiset<std::int64_t>(v)));
}

TEST(AbsoluteDistanceTest, IsExactAtTheEndsOfTheTypes) {
  const AbsoluteDistance metric;
  constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(metric.distance(kMin, kMax), Distance(rational("18446744073709551615")));
  EXPECT_EQ(metric.distance(0.1, 0.0), Distance(Rational::exactly(0.1)));
  EXPECT_EQ(metric.distance(0x1p-1074, -0x1p-1074), Distance(Rational::two_to(-1073)));
  EXPECT_EQ(metric.distance(rational("1/3"), rational("1/2")), Distance(rational("1/6")));
}

TEST(AbsoluteDistanceTest, NanAndInfinityAreFarFromEverythingElse) {
  const AbsoluteDistance metric;
  EXPECT_EQ(metric.distance(kInf, kInf), Distance(0));
  EXPECT_EQ(metric.distance(kInf, -kInf), Distance::infinity());
  EXPECT_EQ(metric.distance(kNan, kNan), Distance(0));
  EXPECT_EQ(metric.distance(kNan, 1.0), Distance::infinity());
  EXPECT_EQ(metric.distance(0.0, -0.0), Distance(0));
}

TEST(LpDistanceTest, SumsEveryCoordinateAndNoMore) {
  const Rows u{1, 2, 3};
  const Rows v{4, 2, -1};
  EXPECT_EQ(L1Distance{}.distance(u, v), Distance(7));
  EXPECT_EQ(L2Distance{}.distance(u, v), Radical<2>(5));
  EXPECT_EQ(LpDistance<3>{}.distance(u, v), Radical<3>::root_of(27 + 64));
  EXPECT_EQ(L1Distance{}.distance(Rows{}, Rows{}), Distance(0));
  EXPECT_EQ(L1Distance{}.distance(Rows{1}, Rows{1, 1}), Distance::infinity());
}

TEST(LpDistanceTest, MissingKeysAreZero) {
  using Counts = std::map<std::string, std::int64_t, IdentityLess>;
  const Counts u{{"a", 3}, {"b", 1}};
  const Counts v{{"b", 1}, {"c", 4}};
  EXPECT_EQ(L1Distance{}.distance(u, v), Distance(7));
  EXPECT_EQ(L2Distance{}.distance(u, v), Radical<2>(5));
}

TEST(LInfinityDistanceTest, IsTheLargestCoordinate) {
  const LInfinityDistance metric;
  EXPECT_EQ(metric.distance(Rows{1, 2, 3}, Rows{4, 2, -1}), Distance(4));
  EXPECT_EQ(metric.distance(Rows{}, Rows{}), Distance(0));
  EXPECT_EQ(metric.distance(Rows{1}, Rows{1, 1}), Distance::infinity());
  using Doubles = std::vector<double>;
  EXPECT_EQ(metric.distance(Doubles{kInf, 0.0}, Doubles{kInf, -0.0}), Distance(0));
  EXPECT_EQ(metric.distance(Doubles{kInf, 0.0}, Doubles{1.0, 0.0}), Distance::infinity());
  using Counts = std::map<std::string, std::int64_t, IdentityLess>;
  EXPECT_EQ(metric.distance(Counts{{"a", 3}, {"b", 1}}, Counts{{"b", 1}, {"c", -4}}), Distance(4));
}

// By definition: the fewest steps, by trying all changes of at most `keys` keys by at most 1.
int fewest_steps(const std::vector<std::int64_t>& change, int keys) {
  if (std::ranges::all_of(change, [](std::int64_t x) { return x == 0; })) return 0;
  int best = 100;
  const std::size_t subsets = std::size_t{1} << change.size();
  for (std::size_t set = 1; set < subsets; ++set) {
    std::vector<std::int64_t> next = change;
    int changed = 0;
    for (std::size_t i = 0; i < change.size(); ++i) {
      if (((set >> i) & 1U) == 0 || next[i] == 0) continue;
      next[i] -= next[i] > 0 ? 1 : -1;
      ++changed;
    }
    if (changed > 0 && changed <= keys) best = std::min(best, 1 + fewest_steps(next, keys));
  }
  return best;
}

TEST(SpreadDistanceTest, IsTheFewestSteps) {
  using Counts = std::map<std::int64_t, std::int64_t, IdentityLess>;
  for (std::int64_t a = 0; a <= 2; ++a) {
    for (std::int64_t b = -2; b <= 2; ++b) {
      for (std::int64_t c = 0; c <= 2; ++c) {
        for (const int keys : {1, 2, 3}) {
          const Distance steps =
              SpreadDistance{keys}.distance(Counts{{0, 5}, {2, c}}, Counts{{0, 5 - a}, {1, b}});
          EXPECT_EQ(steps, Distance(fewest_steps({a, b, c}, keys))) << a << b << c << ' ' << keys;
        }
      }
    }
  }
}

TEST(RangeDistanceTest, IgnoresWhatIsAddedToAllScores) {
  const RangeDistance metric;
  EXPECT_EQ(metric.distance(Rows{1, 2, 3}, Rows{11, 12, 13}), Distance(0));
  EXPECT_EQ(metric.distance(Rows{0, 0, 0}, Rows{1, 0, 1}), Distance(1));
  EXPECT_EQ(metric.distance(Rows{0, 0}, Rows{1, -1}), Distance(2));
  EXPECT_EQ(metric.distance(Rows{7}, Rows{-7}), Distance(0));
  EXPECT_EQ(metric.distance(Rows{}, Rows{}), Distance(0));
  EXPECT_EQ(metric.distance(Rows{1}, Rows{1, 1}), Distance::infinity());
  using Doubles = std::vector<double>;
  EXPECT_EQ(metric.distance(Doubles{kInf, 0.0}, Doubles{kInf, 0.5}), Distance(rational("1/2")));
  EXPECT_EQ(metric.distance(Doubles{kNan, 0.0}, Doubles{1.0, 0.0}), Distance::infinity());
}

RC_GTEST_PROP(RangeDistanceTest, LiesBelowL1AndTwiceLInfinity, ()) {
  const Rows u = rows_of_size(4);
  const Rows v = rows_of_size(4);
  const Rows w = rows_of_size(4);
  const RangeDistance metric;
  RC_ASSERT(metric.distance(u, v) <= L1Distance{}.distance(u, v));
  RC_ASSERT(metric.distance(u, v) <= Distance(2) * LInfinityDistance{}.distance(u, v));
  RC_ASSERT(LInfinityDistance{}.distance(u, v) <= L1Distance{}.distance(u, v));
  RC_ASSERT(metric.distance(u, v) == metric.distance(v, u));
  RC_ASSERT(metric.distance(u, w) <= metric.distance(u, v) + metric.distance(v, w));
  RC_ASSERT(LInfinityDistance{}.distance(u, w) <=
            LInfinityDistance{}.distance(u, v) + LInfinityDistance{}.distance(v, w));
}

TEST(BlockDistanceTest, AddsUpTheDistancesOfBlocks) {
  using Blocks = std::vector<Rows>;
  const Blocks u{{1, 2, 3}, {0, 0, 0}, {5, 5, 5}};
  const Blocks v{{4, 2, -1}, {1, 0, -1}, {5, 5, 5}};
  EXPECT_EQ(BlockDistance<LInfinityDistance>{}.distance(u, v), Distance(4 + 1));
  EXPECT_EQ(BlockDistance<L1Distance>{}.distance(u, v), Distance(7 + 2));
  EXPECT_EQ(BlockDistance<RangeDistance>{}.distance(u, v), Distance(7 + 2));
  EXPECT_EQ(BlockDistance<L1Distance>{}.distance(Blocks{}, Blocks{}), Distance(0));
  // The root of 4² + 1², and of 7² + 2².
  using Root = Radical<2>;
  EXPECT_EQ((BlockDistance<LInfinityDistance, 2>{}.distance(u, v)), Root::root_of(17));
  EXPECT_EQ((BlockDistance<RangeDistance, 2>{}.distance(u, v)), Root::root_of(53));
  EXPECT_EQ((BlockDistance<L1Distance, 2>{}.distance(Blocks{}, Blocks{})), Root(0));
  EXPECT_TRUE((BlockDistance<L1Distance, 2>{}.distance(u, Blocks{})).is_infinite());
}

TEST(BlockDistanceTest, OtherShapesAreInfinitelyFar) {
  using Blocks = std::vector<Rows>;
  const BlockDistance<LInfinityDistance> metric;
  EXPECT_EQ(metric.distance(Blocks{{1}}, Blocks{{1}, {1}}), Distance::infinity());
  EXPECT_EQ(metric.distance(Blocks{{1}, {1}}, Blocks{{1}, {1, 1}}), Distance::infinity());
  EXPECT_EQ(metric.distance(Blocks{{}, {1}}, Blocks{{}, {2}}), Distance(1));
  using Doubles = std::vector<std::vector<double>>;
  EXPECT_EQ(metric.distance(Doubles{{0.0}, {kInf}}, Doubles{{0.5}, {kInf}}),
            Distance(rational("1/2")));
  EXPECT_EQ(metric.distance(Doubles{{0.0}, {kInf}}, Doubles{{0.5}, {kNan}}), Distance::infinity());
}

RC_GTEST_PROP(BlockDistanceTest, IsAPseudometricBetweenTheDistancesOfAllNumbers, ()) {
  const auto blocks = [] { return std::vector<Rows>{rows_of_size(3), rows_of_size(3)}; };
  const auto joined = [](const std::vector<Rows>& u) {
    Rows all = u[0];
    all.insert(all.end(), u[1].begin(), u[1].end());
    return all;
  };
  const std::vector<Rows> u = blocks();
  const std::vector<Rows> v = blocks();
  const std::vector<Rows> w = blocks();
  const auto check = [&](const auto& metric) {
    RC_ASSERT(metric.distance(u, w) <= metric.distance(u, v) + metric.distance(v, w));
    RC_ASSERT(metric.distance(u, v) == metric.distance(v, u));
    RC_ASSERT(metric.distance(u, u) == Distance(0));
  };
  check(BlockDistance<LInfinityDistance>{});
  check(BlockDistance<L1Distance>{});
  check(BlockDistance<RangeDistance>{});
  const Distance l1 = L1Distance{}.distance(joined(u), joined(v));
  const Distance largest = BlockDistance<LInfinityDistance>{}.distance(u, v);
  RC_ASSERT(BlockDistance<L1Distance>{}.distance(u, v) == l1);
  RC_ASSERT(LInfinityDistance{}.distance(joined(u), joined(v)) <= largest);
  RC_ASSERT(largest <= l1);
  RC_ASSERT(BlockDistance<RangeDistance>{}.distance(u, v) <= Distance(2) * largest);
}

TEST(DiscreteDistanceTest, AsksForIdentity) {
  const DiscreteDistance metric;
  EXPECT_EQ(metric.distance(true, true), Distance(0));
  EXPECT_EQ(metric.distance(true, false), Distance(1));
  EXPECT_EQ(metric.distance(0.0, -0.0), Distance(1));
  EXPECT_EQ(metric.distance(kNan, kNan), Distance(0));
  EXPECT_EQ(metric.distance(std::string("a"), std::string("b")), Distance(1));
}

TEST(CloseTest, IsDistanceAtMostK) {
  EXPECT_TRUE(close(SymmetricDistance{}, Rows{1}, Rows{2}, 2));
  EXPECT_FALSE(close(SymmetricDistance{}, Rows{1}, Rows{2}, rational("199/100")));
  EXPECT_TRUE(close(L2Distance{}, Rows{0, 0}, Rows{1, 1}, Radical<2>::root_of(2)));
  EXPECT_FALSE(close(L2Distance{}, Rows{0, 0}, Rows{1, 1}, rational("1.41421356237309504880")));
}

TEST(RowsChangedTest, HalvesOnSizedDataOnly) {
  const auto free = vector_of(integers());
  const auto sized = vector_of(integers(), 5);
  EXPECT_EQ(rows_changed(free, SymmetricDistance{}, 3), Distance(3));
  EXPECT_EQ(rows_changed(free, InsertDeleteDistance{}, rational("7/2")), Distance(3));
  EXPECT_EQ(rows_changed(sized, SymmetricDistance{}, 3), Distance(1));
  EXPECT_EQ(rows_changed(sized, InsertDeleteDistance{}, 4), Distance(2));
  EXPECT_EQ(rows_changed(sized, SubstituteDistance{}, 3), Distance(3));
  EXPECT_EQ(rows_changed(sized, HammingDistance{}, 100), Distance(5));
  EXPECT_EQ(rows_changed(sized, SymmetricDistance{}, Distance::infinity()), Distance(5));
  EXPECT_EQ(rows_changed(free, SymmetricDistance{}, Distance::infinity()), Distance::infinity());
}

TEST(MetricFitsTest, SubstituteAndHammingNeedASize) {
  using Free = VectorDomain<AllDomain<std::int64_t>>;
  using Sized = SizedVectorDomain<AllDomain<std::int64_t>>;
  static_assert(MetricOn<SymmetricDistance, Free> && MetricOn<SymmetricDistance, Sized>);
  static_assert(!MetricOn<SubstituteDistance, Free> && MetricOn<SubstituteDistance, Sized>);
  static_assert(!MetricOn<HammingDistance, Free> && MetricOn<HammingDistance, Sized>);
  static_assert(!MetricOn<AbsoluteDistance, Free>);
  static_assert(!MetricOn<SymmetricDistance, AllDomain<double>>);
  static_assert(!MetricOn<L1Distance, VectorDomain<AllDomain<std::string>>>);
  static_assert(MetricOn<LInfinityDistance, Free> && MetricOn<LInfinityDistance, Sized>);
  static_assert(MetricOn<RangeDistance, Free> && MetricOn<RangeDistance, Sized>);
  static_assert(!MetricOn<LInfinityDistance, VectorDomain<AllDomain<std::string>>>);
  static_assert(!MetricOn<RangeDistance, AllDomain<double>>);
  static_assert(MetricOn<DiscreteDistance, AllDomain<bool>>);
  static_assert(!MetricOn<DiscreteDistance, Free>);
}

TEST(MetricFitsTest, BlocksAreVectorsOfPublicNumbersOfNumbers) {
  using Block = SizedVectorDomain<AllDomain<std::int64_t>>;
  using Texts = SizedVectorDomain<AllDomain<std::string>>;
  using Each = BlockDistance<LInfinityDistance>;
  static_assert(MetricOn<Each, SizedVectorDomain<Block>>);
  static_assert(MetricOn<BlockDistance<L1Distance>, SizedVectorDomain<Block>>);
  static_assert(MetricOn<BlockDistance<RangeDistance>, SizedVectorDomain<Block>>);
  static_assert(!MetricOn<Each, Block>);
  static_assert(!MetricOn<Each, VectorDomain<Block>>);
  static_assert(!MetricOn<Each, SizedVectorDomain<VectorDomain<AllDomain<std::int64_t>>>>);
  static_assert(!MetricOn<Each, SizedVectorDomain<Texts>>);
  static_assert(!MetricOn<LInfinityDistance, SizedVectorDomain<Block>>);
}

}  // namespace metric_test
}  // namespace lastbit
