#include "lastbit/core/domain.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/core/multiset.h"

namespace lastbit {
namespace domain_test {

const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

TEST(AllDomainTest, NanIsAMemberOnlyWhenAskedFor) {
  EXPECT_FALSE(doubles().contains(kNan));
  EXPECT_TRUE(doubles().contains(kInf));
  EXPECT_TRUE(doubles().contains(-0.0));
  EXPECT_TRUE(doubles_or_nan().contains(kNan));
  EXPECT_TRUE(doubles_or_nan().includes(doubles()));
  EXPECT_FALSE(doubles().includes(doubles_or_nan()));
  EXPECT_NE(doubles(), doubles_or_nan());
}

TEST(IntervalDomainTest, HoldsItsEndsAndNothingBeyond) {
  const auto domain = interval(-1.5, 2.0);
  EXPECT_TRUE(domain.contains(-1.5));
  EXPECT_TRUE(domain.contains(2.0));
  EXPECT_FALSE(domain.contains(std::nextafter(2.0, 3.0)));
  EXPECT_FALSE(domain.contains(kNan));
  EXPECT_FALSE(domain.contains(kInf));
  EXPECT_EQ(domain.width(), rational("3.5"));
  EXPECT_EQ(domain.magnitude(), Rational(2));
}

TEST(IntervalDomainTest, RationalBoundsAreNarrowedToTheType) {
  const auto tenth = interval<double>(0, rational("1/10"));
  EXPECT_LE(Rational::exactly(tenth.upper()), rational("1/10"));
  EXPECT_GT(Rational::exactly(std::nextafter(tenth.upper(), 1.0)), rational("1/10"));
  EXPECT_EQ(tenth, interval(0.0, tenth.upper()));
  const auto whole = interval<std::int64_t>(rational("-5/2"), rational("5/2"));
  EXPECT_EQ(whole, interval(-2, 2));
}

TEST(IntervalDomainTest, RefusesImpossibleBoundsByName) {
  EXPECT_NE(refusal([] { (void)interval(2, 1); }).find("`lower`"), std::string::npos);
  EXPECT_NE(refusal([] { (void)interval(0.0, kNan); }).find("`upper`"), std::string::npos);
  EXPECT_NE(refusal([] { (void)interval(-kInf, 0.0); }).find("`lower`"), std::string::npos);
  EXPECT_NE(refusal([] {
              (void)interval<std::int64_t>(rational("1/3"), rational("2/3"));
            }).find("none of the integers"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              (void)interval<std::int64_t>(rational("1e30"), rational("1e31"));
            }).find("none of the integers"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              (void)interval<double>(rational("1e400"), rational("1e401"));
            }).find("none of the doubles"),
            std::string::npos);
}

TEST(IntervalDomainTest, BoundsBeyondTheTypeCutNothingOff) {
  const auto all = interval<std::int64_t>(rational("-1e30"), rational("1e30"));
  EXPECT_EQ(all.lower(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(all.upper(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(interval<double>(rational("-1e400"), 0).lower(), std::numeric_limits<double>::lowest());
}

TEST(IntervalDomainTest, ZeroBoundIsPlusZero) {
  EXPECT_FALSE(std::signbit(interval<double>(rational("-1e-400"), 1).lower()));
  EXPECT_FALSE(std::signbit(interval(-0.0, 1.0).lower()));
}

TEST(GridDomainTest, HoldsTheMultiplesAndCoarserGrids) {
  const GridDomain quarters(Grid(-2));
  EXPECT_TRUE(quarters.contains(rational("-7/4")));
  EXPECT_FALSE(quarters.contains(rational("1/8")));
  EXPECT_FALSE(quarters.contains(rational("1/3")));
  EXPECT_TRUE(quarters.includes(GridDomain(Grid(0))));
  EXPECT_FALSE(GridDomain(Grid(0)).includes(quarters));
  EXPECT_EQ(quarters.describe(), "multiples of 2^-2");
}

TEST(OptionalDomainTest, NullIsAMember) {
  const auto domain = optional_of(interval(0, 9));
  EXPECT_TRUE(domain.contains(std::nullopt));
  EXPECT_TRUE(domain.contains(9));
  EXPECT_FALSE(domain.contains(10));
}

TEST(VectorDomainTest, EveryRowMustBeAMember) {
  const auto domain = vector_of(interval(0, 9));
  EXPECT_TRUE(domain.contains({}));
  EXPECT_TRUE(domain.contains({0, 9, 9}));
  EXPECT_FALSE(domain.contains({0, -1}));
  const auto sized = vector_of(interval(0, 9), 2);
  EXPECT_FALSE(sized.contains({}));
  EXPECT_TRUE(sized.contains({1, 1}));
  EXPECT_FALSE(sized.contains({1, 1, 1}));
}

TEST(VectorDomainTest, IncludesComparesRowsAndSizes) {
  EXPECT_TRUE(vector_of(interval(0, 9)).includes(vector_of(interval(1, 2))));
  EXPECT_FALSE(vector_of(interval(1, 2)).includes(vector_of(interval(0, 9))));
  EXPECT_FALSE(vector_of(interval(0, 9), 2).includes(vector_of(interval(0, 9), 3)));
  EXPECT_EQ(vector_of(interval(0, 9), 2).describe(), "vectors of exactly 2 integers in [0, 9]");
}

TEST(PairAndMapDomainTest, CheckBothParts) {
  const auto pairs = pair_of(interval(0, 1), strings());
  EXPECT_TRUE(pairs.contains({1, "x"}));
  EXPECT_FALSE(pairs.contains({2, "x"}));
  EXPECT_TRUE(pairs.includes(pair_of(interval(1, 1), strings())));
  const MapDomain counts(interval(0, 3), integers());
  EXPECT_TRUE(counts.contains({{3, 100}}));
  EXPECT_FALSE(counts.contains({{4, 100}}));
  EXPECT_FALSE(MapDomain(interval(0, 2), integers()).includes(counts));
}

TEST(DomainTest, DescriptionsAreSentencesForPeople) {
  EXPECT_EQ(vector_of(optional_of(doubles_or_nan())).describe(),
            "vectors of doubles or NaN or null");
  EXPECT_EQ(pair_of(booleans(), rationals()).describe(), "pairs of (booleans) and (rationals)");
  EXPECT_EQ(MapDomain(strings(), integers()).describe(), "maps from strings to integers");
}

TEST(IdentityTest, TellsApartWhatIeeeConfuses) {
  const double other_nan = std::bit_cast<double>(std::uint64_t{0x7ff8000000000001});
  EXPECT_FALSE(identical(0.0, -0.0));
  EXPECT_TRUE(identical(kNan, kNan));
  EXPECT_FALSE(identical(kNan, other_nan));
  EXPECT_TRUE(identical(std::optional<double>(kNan), std::optional<double>(kNan)));
  EXPECT_FALSE(identical(std::optional<double>(), std::optional<double>(0.0)));
  EXPECT_TRUE(identical(std::vector<bool>{true}, std::vector<bool>{true}));
  EXPECT_FALSE(identical(std::vector<double>{0.0, 1.0}, std::vector<double>{0.0}));
  EXPECT_TRUE(identity_order(std::pair{1.0, -0.0}, std::pair{1.0, 0.0}) < 0);
}

TEST(MultisetTest, CountsAndBack) {
  const std::vector<std::int64_t> rows{5, 2, 3, 5, 3, 5};
  const Multiset<std::int64_t> multiset(rows);
  EXPECT_EQ(multiset.multiplicity(2), 1);
  EXPECT_EQ(multiset.multiplicity(3), 2);
  EXPECT_EQ(multiset.multiplicity(5), 3);
  EXPECT_EQ(multiset.multiplicity(4), 0);
  EXPECT_EQ(multiset.size(), 6);
  EXPECT_EQ(multiset.distinct(), (std::vector<std::int64_t>{2, 3, 5}));
  EXPECT_EQ(Multiset<std::int64_t>::from_histogram(multiset.histogram()), multiset);
  EXPECT_EQ(Multiset<std::int64_t>(multiset.elements()), multiset);
  expect_code(ErrorCode::kBadParameter,
              [&] { (void)Multiset<std::int64_t>::from_histogram({{1, -1}}); });
}

TEST(MultisetTest, SymmetricDifferenceHasDifferencesOfMultiplicities) {
  const Multiset<std::int64_t> a(std::vector<std::int64_t>{1, 2, 1});
  const Multiset<std::int64_t> b(std::vector<std::int64_t>{1, 3});
  EXPECT_EQ(symmetric_difference(a, b), Multiset<std::int64_t>(std::vector<std::int64_t>{1, 3, 2}));
}

TEST(MultisetTest, ZeroCountsAreNotInTheSupport) {
  const auto multiset = Multiset<bool>::from_histogram({{true, 0}, {false, 2}});
  EXPECT_EQ(multiset.distinct().size(), 1U);
}

}  // namespace domain_test
}  // namespace lastbit
