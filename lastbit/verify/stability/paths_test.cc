#include "lastbit/verify/stability/paths.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lastbit/base/test_support.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/coupling.h"
#include "lastbit/verify/stability/enumerate.h"
#include "lastbit/verify/stability/wrong_transformations.h"

namespace lastbit::verify {
namespace paths_test {

using Rows = std::vector<std::int64_t>;
using Claim = Relation<Distance, Distance>;
const SymmetricDistance kSymmetric;

Rows rows_of_size(std::size_t size) {
  return *rc::gen::container<Rows>(size, rc::gen::inRange<std::int64_t>(0, 4));
}

RC_GTEST_PROP(ExchangePathTest, HasKPlusOneVectorsTwoApartThatEndInTheTarget, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(0, 8);
  const Rows v = rows_of_size(size);
  const Rows w = rows_of_size(size);
  const auto path = exchange_path(v, w);
  RC_ASSERT(path.front() == v);
  RC_ASSERT(Multiset<std::int64_t>(path.back()) == Multiset<std::int64_t>(w));
  RC_ASSERT(Distance(2 * (path.size() - 1)) == kSymmetric.distance(v, w));
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    RC_ASSERT(kSymmetric.distance(path[i], path[i + 1]) == Distance(2));
  }
}

TEST(ExchangePathTest, EqualVectorsHaveAPathOfOnePoint) {
  // Deleting matched rows while indexing them would leave [2] and [2] of [1, 2] and [1, 2], and
  // claim a distance of 2.
  EXPECT_EQ(exchange_path(Rows{1, 2}, Rows{1, 2}).size(), 1U);
  EXPECT_TRUE(unmatched_rows(Rows{1, 2}, Rows{1, 2}).empty());
}

TEST(ExchangePathTest, EndsInTheTargetAsAMultisetOnly) {
  const auto path = exchange_path(Rows{1, 2}, Rows{2, 1});
  EXPECT_EQ(path.size(), 1U);
  EXPECT_NE(path.back(), (Rows{2, 1}));
}

TEST(ExchangePathTest, RefusesDifferentSizes) {
  expect_code(ErrorCode::kBadParameter, [&] { (void)exchange_path(Rows{1}, Rows{}); });
}

RC_GTEST_PROP(SizedDistanceTest, IsEven, ()) {
  const Distance distance = kSymmetric.distance(rows_of_size(5), rows_of_size(5));
  RC_ASSERT((distance / Rational(2)).floor() * Distance(2) == distance);
}

RC_GTEST_PROP(SizedDistanceTest, IsTwoExactlyWhenOneRowWasExchangedForAnother, ()) {
  const Rows v = rows_of_size(4);
  const Rows w = rows_of_size(4);
  bool one_exchange = false;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::int64_t value = 0; value < 4; ++value) {
      if (value == v[i]) continue;  // the new value must differ, or the distance is 0
      Rows changed = v;
      changed[i] = value;
      one_exchange |= Multiset<std::int64_t>(changed) == Multiset<std::int64_t>(w);
    }
  }
  RC_ASSERT(one_exchange == (kSymmetric.distance(v, w) == Distance(2)));
}

Distance largest_ratio(const auto& t, const auto& inputs) {
  Distance largest;
  for (const auto& x : inputs) {
    for (const auto& y : inputs) {
      const Distance d_in = t.input_metric().distance(x, y);
      if (d_in == Distance(0)) continue;
      largest = std::max(largest, t.output_metric().distance(t(x), t(y)) / d_in.value());
    }
  }
  return largest;
}

TEST(PathsTest, NeighboursDecideOnSizedVectors) {
  const auto domain = vector_of(interval(0, 3), 3);
  const Transformation<SizedVectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                       AllDomain<Rational>, AbsoluteDistance>
      sum("sum", domain, {}, rationals(), {}, wrong::exact_total, Claim::linear(2));
  const auto inputs = members(domain, {});
  const PathArgument argument = stability_by_paths(sum, inputs, 2);
  EXPECT_EQ(argument.failed, "");
  EXPECT_EQ(argument.constant, Distance(rational("3/2")));
  EXPECT_EQ(argument.constant, largest_ratio(sum, inputs));
}

TEST(PathsTest, FirstRowFailsTheConditionAtDistanceZero) {
  const auto domain = vector_of(interval(1, 2), 2);
  const PathArgument argument =
      stability_by_paths(wrong::first_row(domain), members(domain, {}), 2);
  EXPECT_NE(argument.failed.find("distance 0"), std::string::npos) << argument.failed;
  EXPECT_EQ(argument.constant, Distance::infinity());
}

TEST(PathsTest, SmallestDistanceAloneDoesNotMakeASpaceGeodesic) {
  // D = {0, 1, 3}: the smallest distance is 1, but no steps of length 1 lead to 3, and
  // f(0) = f(1) = 0, f(3) = 100 is not 0-stable although it is constant on all neighbours.
  using Three = Transformation<AllDomain<std::int64_t>, AbsoluteDistance, AllDomain<std::int64_t>,
                               AbsoluteDistance>;
  const Three leap(
      "leap", integers(), {}, integers(), {},
      [](const std::int64_t& x) { return x == 3 ? std::int64_t{100} : 0; }, Claim::linear(0));
  const PathArgument argument = stability_by_paths(leap, {0, 1, 3}, 1);
  EXPECT_NE(argument.failed.find("no path"), std::string::npos);
  EXPECT_FALSE(check_all_pairs(leap, {0, 1, 3}).holds());
  EXPECT_EQ(stability_by_paths(leap, {0, 1, 2, 3}, 1).constant, Distance(100));
}

TEST(PathsTest, GeodesicSpacesOfTheDatasetMetrics) {
  const auto free = members(vector_of(interval(0, 1)), {.atoms = 2, .rows = 3});
  const auto sized = members(vector_of(interval(0, 2), 3), {.atoms = 3});
  EXPECT_EQ(geodesic_failure(distance_matrix(SymmetricDistance{}, free), 1), std::nullopt);
  EXPECT_EQ(geodesic_failure(distance_matrix(InsertDeleteDistance{}, free), 1), std::nullopt);
  EXPECT_EQ(geodesic_failure(distance_matrix(SymmetricDistance{}, sized), 2), std::nullopt);
  EXPECT_EQ(geodesic_failure(distance_matrix(SubstituteDistance{}, sized), 1), std::nullopt);
  EXPECT_EQ(geodesic_failure(distance_matrix(HammingDistance{}, sized), 1), std::nullopt);
  EXPECT_TRUE(geodesic_failure(distance_matrix(SymmetricDistance{}, sized), 1).has_value());
  expect_code(ErrorCode::kBadParameter, [&] { (void)geodesic_failure({}, 0); });
}

Law<bool> law_of(const char* truth) {
  return {{{true, rational(truth)}, {false, Rational(1) - rational(truth)}}, Rational(0)};
}

TEST(CouplingTest, SharedMassIsOneMinusTotalVariation) {
  const std::vector<std::vector<bool>> equal_only{{true, false}, {false, true}};
  EXPECT_EQ(greatest_shared_mass({rational("3/4"), rational("1/4")},
                                 {rational("1/3"), rational("2/3")}, equal_only),
            rational("7/12"));
}

TEST(CouplingTest, ExistsExactlyWhenNoEventOutweighsItsNeighbourhood) {
  const auto same = [](bool x, bool y) { return x == y; };
  const auto any = [](bool, bool) { return true; };
  EXPECT_TRUE(is_coupled(law_of("1/3"), law_of("1/3"), same));
  EXPECT_FALSE(is_coupled(law_of("1/3"), law_of("1/2"), same));
  EXPECT_TRUE(is_coupled(law_of("1/3"), law_of("1/2"), any));
  const auto one_way = [](bool x, bool y) { return !x || y; };  // true may only go to true
  EXPECT_TRUE(is_coupled(law_of("1/3"), law_of("1/2"), one_way));
  EXPECT_FALSE(is_coupled(law_of("1/2"), law_of("1/3"), one_way));
}

TEST(CouplingTest, CommonSeedIsMoreThanACouplingNeeds) {
  // f_r(x) = x xor r under the discrete metric. With one seed for both runs different inputs stay
  // different; the coupling r' = r xor x xor x' makes the outputs equal.
  struct Discrete {
    Distance distance(bool x, bool y) const { return x == y ? 0 : 1; }
  };
  const auto masked = [](bool x, BitSource& bits) { return x != bits.bit(); };
  const auto law = [&](bool x) {
    return testing::enumerate_tapes<bool, IdentityLess>(
        [&](BitSource& bits) { return masked(x, bits); }, 1);
  };
  const Discrete metric;
  EXPECT_TRUE(is_coupled(law(false), law(true),
                         [&](bool x, bool y) { return metric.distance(x, y) <= Distance(0); }));
  for (const char* seed : {"0", "1"}) {
    BitSource first = testing::tape_of_bits(seed);
    BitSource second = testing::tape_of_bits(seed);
    EXPECT_EQ(metric.distance(masked(false, first), masked(true, second)), Distance(1));
  }
}

TEST(CouplingTest, UndecidedMassIsGrantedToTheClaim) {
  const auto same = [](bool x, bool y) { return x == y; };
  Law<bool> partly{{{true, rational("1/2")}}, rational("1/2")};
  EXPECT_TRUE(is_coupled(partly, law_of("3/4"), same));
  EXPECT_FALSE(is_coupled(partly, law_of("1/4"), same));
}

}  // namespace paths_test
}  // namespace lastbit::verify
