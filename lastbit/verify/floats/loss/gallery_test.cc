#include "lastbit/verify/floats/loss/gallery.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace lastbit::verify {
namespace gallery_test {

FloatGalleryEntry entry(std::string_view name) {
  for (FloatGalleryEntry& entry : gallery()) {
    if (entry.name == name) return std::move(entry);
  }
  ADD_FAILURE() << name << " is not in the gallery";
  return {};
}

// Published excesses in η for random inputs; a search can only find more.
const std::map<std::string, double, std::less<>>& published() {
  static const std::map<std::string, double, std::less<>> excesses = {
      {"grid-uniform-10", 6400}, {"double-354", 149},   {"double-360", 19850},
      {"fine-grid-4", 134},      {"fine-grid-8", 1820}, {"fine-grid-12", 38100}};
  return excesses;
}

// SLOW: GalleryTest.*
TEST(GalleryTest, EveryVerdictIsTheExpectedOne) {
  std::set<std::string> names;
  for (const FloatGalleryRow& row : judged_gallery()) {
    const std::string& name = row.entry.name;
    EXPECT_TRUE(names.insert(name).second) << "two entries are called " << name;
    EXPECT_TRUE(row.as_expected()) << name;
    EXPECT_GT(row.pairs, 0U) << name;
    EXPECT_EQ(row.worst.worst.infinite(), !row.excess_in_eta) << name;
    EXPECT_FALSE(row.entry.what.empty() || row.entry.claim_text.empty()) << name;
    if (!published().contains(name)) continue;
    if (!row.excess_in_eta) FAIL() << name << " has an infinite loss";
    EXPECT_GT(row.excess_in_eta->lower(), published().at(name)) << name;
  }
  for (const auto& [name, excess] : published()) EXPECT_TRUE(names.contains(name)) << name;
}

TEST(GalleryTest, InfiniteLossesAreInfiniteAndNotLarge) {
  for (const char* name : {"naive", "grid-uniform-64", "double-400", "large-bound-4",
                           "large-bound-6", "large-bound-7"}) {
    const FloatGalleryRow row = judged(entry(name));
    EXPECT_TRUE(row.worst.worst.infinite()) << name;
    EXPECT_FALSE(row.excess_in_eta) << name;
  }
  EXPECT_EQ(judged(entry("large-bound-4")).worst.worst.output, rational("-3.5"));
  EXPECT_EQ(judged(entry("large-bound-6")).worst.worst.output, Rational(8));
  EXPECT_EQ(judged(entry("large-bound-7")).worst.worst.output, Rational(16));
}

TEST(GalleryTest, SmallBoundsLoseTheirPublishedFractions) {
  const OutputLoss five = judged(entry("small-bound-5")).worst.worst;
  EXPECT_EQ(five.output, Rational(-4));
  EXPECT_EQ(five.first, Rational(13, 64));
  EXPECT_EQ(five.second, Rational(3, 16));
  EXPECT_NEAR(five.loss().lower(), 0.080043, 5e-7);
  const OutputLoss six = judged(entry("small-bound-6")).worst.worst;
  EXPECT_EQ(six.first, Rational(9, 32));
  EXPECT_EQ(six.second, Rational(17, 64));
  EXPECT_NEAR(six.loss().lower(), 0.057158, 5e-7);
}

TEST(GalleryTest, DoublesThatEndTooEarlyHaveTheirPublishedExcess) {
  const FloatGalleryRow row = judged(entry("double-360"));
  if (!row.excess_in_eta) FAIL() << "an infinite loss";
  EXPECT_NEAR(row.excess_in_eta->lower(), 19900, 50);
}

TEST(GalleryTest, ControlsAreAboutAnotherRoundingAndNothingElse) {
  for (const char* name :
       {"control-half-up", "control-half-even", "control-toward-zero", "control-half-added"}) {
    const FloatGalleryEntry control = entry(name);
    EXPECT_FALSE(control.refuted);
    EXPECT_EQ(control.model.half_width, Rational(64));
    EXPECT_FALSE(control.model.grid);
    EXPECT_EQ(control.model.uniform, UniformModel::kUnitFloat);
  }
}

}  // namespace gallery_test
}  // namespace lastbit::verify
