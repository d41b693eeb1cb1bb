#include "lastbit/verify/stability/gallery.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/wrong_transformations.h"

namespace lastbit::verify {
namespace gallery_test {

// SLOW: GalleryTest.*
TEST(GalleryTest, EveryTransformationOfTheLibraryKeepsItsPromise) {
  for (const GalleryEntry& entry : right_transformations()) {
    const StabilityReport report = entry.check();
    EXPECT_TRUE(report.holds()) << entry.name << "\n" << explain(report);
    EXPECT_GT(report.pairs, 0U) << entry.name;
  }
}

TEST(GalleryTest, CouplingsAreDecidedUpToASmallMass) {
  for (const GalleryEntry& entry : right_transformations()) {
    EXPECT_LE(entry.check().undecided, rational("1/16")) << entry.name;
  }
}

class WrongTransformationTest : public ::testing::TestWithParam<GalleryEntry> {};

TEST_P(WrongTransformationTest, IsCaughtWithAPair) {
  const StabilityReport report = GetParam().check();
  ASSERT_FALSE(report.holds()) << explain(report);
  const std::string text = explain(report);
  EXPECT_NE(text.find("VIOLATION"), std::string::npos);
  EXPECT_NE(text.find("x'    = " + report.violation->x_prime), std::string::npos);
}

std::string test_name(const ::testing::TestParamInfo<GalleryEntry>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Gallery, WrongTransformationTest,
                         ::testing::ValuesIn(wrong_transformations()), test_name);

StabilityReport report_on(const std::string& name) {
  for (const GalleryEntry& entry : wrong_transformations()) {
    if (entry.name == name) return entry.check();
  }
  ADD_FAILURE() << "no such entry: " << name;
  return {};
}

TEST(MinimalPairTest, FloatSumIsRefutedByThreeRowsOrFewer) {
  const auto violation = *report_on("float sum in row order").violation;
  EXPECT_LE(std::ranges::count(violation.x, ',') + std::ranges::count(violation.x_prime, ','), 4);
}

TEST(FloatSumTest, DependsOnTheOrderOfItsRows) {
  const auto sum = wrong::float_sum(vector_of(interval(0.0, 0x1p53)));
  const auto report = check_all_pairs(sum, {{1, 1, 0x1p53}, {0x1p53, 1, 1}});
  ASSERT_FALSE(report.holds());
  EXPECT_EQ(report.violation->d_in, "0");
  EXPECT_EQ(report.violation->d_out, "2");
  EXPECT_EQ(report.violation->promised, "0");
}

TEST(MinimalPairTest, FirstRowIsNotStableUnderPermutation) {
  const auto violation = *report_on("first row, f(v) = [v0]").violation;
  EXPECT_EQ(violation.x, "[1, 2]");
  EXPECT_EQ(violation.x_prime, "[2, 1]");
  EXPECT_EQ(violation.d_in, "0");
  EXPECT_EQ(violation.d_out, "2");
}

TEST(MinimalPairTest, WidthSumIsRefutedByOneRow) {
  const auto violation = *report_on("sum priced by the width of the interval").violation;
  EXPECT_EQ(violation.x, "[]");
  EXPECT_EQ(violation.x_prime, "[5]");
  EXPECT_EQ(violation.promised, "1");
}

TEST(MinimalPairTest, ThreeRowsHaveAVarianceOfAThird) {
  const auto violation = *report_on("variance priced at a quarter of the squared width").violation;
  EXPECT_EQ(violation.d_out, "1/3");
  EXPECT_EQ(violation.promised, "0.25");
}

TEST(MinimalPairTest, RandomRowHasNoCoupling) {
  const auto violation = *report_on("random row priced at one").violation;
  EXPECT_EQ(violation.kind, "no coupling keeps the outputs as close as promised");
  EXPECT_EQ(violation.d_in, "1");
}

}  // namespace gallery_test
}  // namespace lastbit::verify
