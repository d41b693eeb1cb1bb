#include "lastbit/verify/stability/check.h"

#include <gtest/gtest.h>

#include <limits>

#include "lastbit/random/tape.h"
#include "lastbit/verify/stability/enumerate.h"
#include "lastbit/verify/stability/walk.h"
#include "lastbit/verify/stability/wrong_transformations.h"

namespace lastbit::verify {
namespace check_test {

using Line = AllDomain<std::int64_t>;
using OnLine = Transformation<Line, AbsoluteDistance, Line, AbsoluteDistance>;
using Claim = Relation<Distance, Distance>;

OnLine on_line(std::function<std::int64_t(std::int64_t)> f, Claim claim) {
  return {"f",
          integers(),
          {},
          integers(),
          {},
          [f](const std::int64_t& x) { return f(x); },
          std::move(claim)};
}

TEST(CheckAllPairsTest, LeastStableConstantPassesAndLessFails) {
  const std::vector<std::int64_t> points{-2, 0, 1, 5};
  const auto triple = [](std::int64_t x) { return 3 * x; };
  EXPECT_TRUE(check_all_pairs(on_line(triple, Claim::linear(3)), points).holds());
  const auto report = check_all_pairs(on_line(triple, Claim::linear(rational("2.999"))), points);
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(report.violation->d_in, "1");  // the smallest d_in that shows it
  EXPECT_EQ(report.violation->d_out, "3");
  EXPECT_EQ(report.pairs, 10U);
}

TEST(CheckAllPairsTest, RelationWithoutMapIsProbedBelowTheDistance) {
  const auto same = [](std::int64_t x) { return x; };
  const auto accepts_from = [](const char* share) {
    return Claim::from_test([c = rational(share)](const Distance& d_in, const Distance& d_out) {
      return d_out >= d_in * c;
    });
  };
  const std::vector<std::int64_t> points{0, 1, 7};
  EXPECT_TRUE(check_all_pairs(on_line(same, accepts_from("1")), points).holds());
  EXPECT_FALSE(check_all_pairs(on_line(same, accepts_from("0.999999")), points).holds());
}

TEST(CheckAllPairsTest, NonLinearSquareRelationHoldsWhereItIsTrue) {
  // d_out ≥ d_in² is sound for the identity on the integers, where d ≤ d² for whole d.
  const auto same = [](std::int64_t x) { return x; };
  const auto square = Claim::from_test(
      [](const Distance& d_in, const Distance& d_out) { return d_out >= d_in * d_in; });
  EXPECT_TRUE(check_all_pairs(on_line(same, square), {0, 1, 2, 3}).holds());
  // The relation written the other way round, d_out ≤ d_in², accepts d_out = 0 and is unsound.
  const auto reversed = Claim::from_test(
      [](const Distance& d_in, const Distance& d_out) { return d_out <= d_in * d_in; });
  EXPECT_FALSE(check_all_pairs(on_line(same, reversed), {0, 1, 2, 3}).holds());
}

TEST(CheckAllPairsTest, OutputOutsideItsDomainIsAViolation) {
  const Transformation<Line, AbsoluteDistance, IntervalDomain<std::int64_t>, AbsoluteDistance> t(
      "escapes", integers(), {}, interval(0, 1), {}, [](const std::int64_t& x) { return x; },
      Claim::linear(1));
  const auto report = check_all_pairs(t, {0, 1, 2});
  ASSERT_FALSE(report.holds());
  EXPECT_NE(report.violation->kind.find("[0, 1]"), std::string::npos);
}

TEST(CheckAllPairsTest, DecreasingMapIsAViolation) {
  const auto zero = [](std::int64_t) { return std::int64_t{0}; };
  const auto decreasing = Claim::from_map(
      [](const Distance& d_in) { return d_in > Distance(1) ? Distance(1) : Distance(2); });
  const auto report = check_all_pairs(on_line(zero, decreasing), {0, 1, 3});
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(report.violation->kind, "the map decreases");
}

// The symmetric distance as it would be if rows were compared with ==.
struct IeeeSymmetricDistance {
  using Value = Distance;
  Distance distance(const std::vector<double>& u, const std::vector<double>& v) const {
    std::vector<double> unmatched = v;
    std::int64_t missing = 0;
    for (const double row : u) {
      const auto partner = std::ranges::find(unmatched, row);
      if (partner == unmatched.end()) {
        ++missing;
      } else {
        unmatched.erase(partner);
      }
    }
    return missing + static_cast<std::int64_t>(unmatched.size());
  }
};

}  // namespace check_test
}  // namespace lastbit::verify

template <>
inline constexpr bool lastbit::metric_fits<lastbit::verify::check_test::IeeeSymmetricDistance,
                                           lastbit::VectorDomain<lastbit::AllDomain<double>>> =
    true;

namespace lastbit::verify {
namespace check_test {

TEST(RowTransformLemmaTest, FailsWhenRowsAreComparedByIeeeEquality) {
  // Under == the rows 0.0 and −0.0 are one value, and their reciprocals are not.
  const auto domain = vector_of(doubles());
  const Transformation<VectorDomain<AllDomain<double>>, IeeeSymmetricDistance,
                       VectorDomain<AllDomain<double>>, IeeeSymmetricDistance>
      reciprocal(
          "reciprocal", domain, {}, domain, {},
          [](const std::vector<double>& rows) {
            std::vector<double> results;
            for (const double row : rows) results.push_back(1 / row);
            return results;
          },
          Claim::linear(1));
  const auto report = check_all_pairs(reciprocal, {{0.0}, {-0.0}});
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(report.violation->d_in, "0");
  EXPECT_EQ(report.violation->d_out, "2");
}

TEST(IeeeSymmetricDistanceTest, IsNotEvenAPseudometricWhereNanOccurs) {
  const std::vector<double> nan{std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(IeeeSymmetricDistance{}.distance(nan, nan), Distance(2));
  EXPECT_EQ(SymmetricDistance{}.distance(nan, nan), Distance(0));
}

TEST(CheckAllPairsTest, SizedDataAtDistanceOneHasNoPairs) {
  // ⌊d/2⌋ = 0 for d_in = 1 is sound because no two sized vectors are 1 apart.
  const Transformation<SizedVectorDomain<Line>, SymmetricDistance, SizedVectorDomain<Line>,
                       SubstituteDistance>
      halve(
          "halve", vector_of(integers(), 2), {}, vector_of(integers(), 2), {},
          [](const std::vector<std::int64_t>& rows) { return rows; },
          Claim::from_map([](const Distance& d_in) { return (d_in / Rational(2)).floor(); }));
  EXPECT_EQ(halve.map(1), Distance(0));
  EXPECT_TRUE(check_all_pairs(halve, members(halve.input_domain(), {})).holds());
}

TEST(CheckWalksTest, FindsAndShrinksWhatOnlyLongDataShows) {
  // Wrong only from ten rows on: enumerating short vectors cannot show it.
  const auto domain = vector_of(interval(0, 1));
  const Transformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance, Line,
                       AbsoluteDistance>
      leap(
          "leaps at ten rows", domain, {}, integers(), {},
          [](const std::vector<std::int64_t>& rows) {
            return static_cast<std::int64_t>(rows.size() < 10 ? 0 : 2);
          },
          Claim::linear(1));
  EXPECT_TRUE(check_all_pairs(leap, members(domain, {})).holds());
  BitSource bits = testing::seeded_tape(1);
  const auto report = check_walks(leap, bits);
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(report.violation->d_in, "1");
  // Shrunk to the pair of nine and ten rows: nothing smaller violates.
  const auto commas = [](const std::string& text) { return std::ranges::count(text, ','); };
  EXPECT_EQ(commas(report.violation->x) + commas(report.violation->x_prime), 8 + 9);
}

TEST(CheckWalksTest, PermutesUnderUnorderedMetricsOnly) {
  const auto domain = vector_of(interval(0, 3));
  BitSource bits = testing::seeded_tape(2);
  EXPECT_FALSE(check_walks(wrong::unordered_as_ordered(domain), bits).holds());
  const Transformation<VectorDomain<IntervalDomain<std::int64_t>>, InsertDeleteDistance,
                       VectorDomain<IntervalDomain<std::int64_t>>, InsertDeleteDistance>
      same(
          "identity", domain, {}, domain, {},
          [](const std::vector<std::int64_t>& rows) { return rows; }, Claim::linear(1));
  EXPECT_TRUE(check_walks(same, bits).holds());
}

TEST(CheckWalksTest, SizedDataStaysSized) {
  const auto domain = vector_of(interval(0, 3), 4);
  BitSource bits = testing::seeded_tape(3);
  EXPECT_FALSE(check_walks(wrong::sorted_substitution(domain), bits).holds());
  EXPECT_FALSE(check_walks(wrong::first_row(domain), bits).holds());
}

TEST(EnumerateTest, HasEveryVectorOnceShortestFirst) {
  const auto all = members(vector_of(interval(0, 1)), {.atoms = 2, .rows = 2});
  const std::vector<std::vector<std::int64_t>> expected{{},     {0},    {1},   {0, 0},
                                                        {0, 1}, {1, 0}, {1, 1}};
  EXPECT_EQ(all, expected);
  EXPECT_EQ(members(vector_of(interval(0, 1), 3), {.atoms = 2}).size(), 8U);
  EXPECT_EQ(members(doubles(), {.atoms = 3}).size(), 3U);
}

TEST(AtomsTest, AreDistinctMembersWithTheTroubleMakersAmongThem) {
  const auto with_nan = atoms(doubles_or_nan());
  const auto nans = std::ranges::count_if(with_nan, [](double x) { return std::isnan(x); });
  EXPECT_EQ(nans, 2);
  EXPECT_EQ(std::ranges::count_if(atoms(doubles()), [](double x) { return std::isnan(x); }), 0);
  const auto has_integer = [](std::int64_t value) {
    return std::ranges::count(atoms(integers()), value) == 1;
  };
  EXPECT_TRUE(has_integer(std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(has_integer(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(has_integer((std::int64_t{1} << 53) + 1));
  const auto point = atoms(interval(4, 4));
  EXPECT_EQ(point, std::vector<std::int64_t>{4});
  EXPECT_EQ(atoms(optional_of(booleans())).front(), std::nullopt);
  EXPECT_EQ(atoms(interval<Rational>(0, 1)).size(), 4U);
  EXPECT_EQ(atoms(rationals()).size(), 5U);
}

TEST(RandomMemberTest, NeverLeavesTheDomain) {
  BitSource bits = testing::seeded_tape(4);
  const auto stays_inside = [&](const auto& domain) {
    for (int i = 0; i < 500; ++i) {
      ASSERT_TRUE(domain.contains(random_member(domain, bits))) << domain.describe();
    }
  };
  stays_inside(doubles());
  stays_inside(interval(-0x1.fffffffffffffp1023, 0x1.fffffffffffffp1023));
  stays_inside(interval(-0x1p-1074, 0x1p-1074));
  stays_inside(interval(-3, 5));
  stays_inside(optional_of(pair_of(strings(), booleans())));
  stays_inside(integers());
}

TEST(ShowTest, TellsIdentitiesApart) {
  EXPECT_EQ(show(-0.0), "-0");
  EXPECT_EQ(show(0.0), "0");
  EXPECT_EQ(show(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(show(-std::numeric_limits<double>::quiet_NaN()), "NaN(0xfff8000000000000)");
  EXPECT_EQ(show(std::optional<bool>()), "null");
  EXPECT_EQ(show(std::vector<std::pair<std::int64_t, bool>>{{1, true}}), "[(1, true)]");
  EXPECT_EQ(show(std::vector<std::string>{"a", "\x01"}), "['a', '\\x01']");
  EXPECT_EQ(show(std::map<bool, Rational, IdentityLess>{{false, 1}, {true, rational("1/3")}}),
            "{false: 1, true: 1/3}");
}

}  // namespace check_test
}  // namespace lastbit::verify
