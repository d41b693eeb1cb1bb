#include "lastbit/transformations/rows/resize.h"

#include <gtest/gtest.h>

#include <limits>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lastbit {
namespace resize_test {

using Rows = std::vector<std::int64_t>;

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

TEST(ResizeTest, PadsShortDataWithoutDrawing) {
  const auto resize = make_resize(vector_of(integers()), SymmetricDistance{}, 3, 7);
  auto empty = testing::tape_of_bits("");
  EXPECT_EQ(resize({}, empty), (Rows{7, 7, 7}));
  EXPECT_EQ(resize({1, 2}, empty), (Rows{1, 2, 7}));
  EXPECT_EQ(resize({1, 2, 3}, empty), (Rows{1, 2, 3}));
  EXPECT_EQ(resize.output_domain(), vector_of(integers(), 3));
}

TEST(ResizeTest, EverySubsetOfLongDataIsEquallyLikely) {
  const auto resize = make_resize(vector_of(integers()), SymmetricDistance{}, 2, 7);
  const auto law = testing::enumerate_tapes<Rows>(
      [&](BitSource& bits) { return resize({1, 2, 3, 4}, bits); }, 16);
  EXPECT_EQ(law.probability.size(), 6u);
  for (const auto& [rows, probability] : law.probability) {
    EXPECT_LE(probability, rational("1/6"));
    EXPECT_LE(rational("1/6"), probability + law.undecided);
  }
  EXPECT_LT(law.undecided, rational("1/1000"));
}

TEST(ResizeTest, OrderedDataKeepsItsFirstRows) {
  const auto resize = make_resize(vector_of(strings()), InsertDeleteDistance{}, 2, "-");
  static_assert(!decltype(resize)::kRandomised);
  EXPECT_EQ(resize({"c", "a", "b"}), (std::vector<std::string>{"c", "a"}));
  EXPECT_EQ(resize({"c"}), (std::vector<std::string>{"c", "-"}));
  EXPECT_EQ(resize({}), (std::vector<std::string>{"-", "-"}));
  const auto flags = make_resize(vector_of(booleans()), InsertDeleteDistance{}, 2, true);
  EXPECT_EQ(flags({false}), (std::vector<bool>{false, true}));
}

TEST(ResizeTest, MapIsTwiceTheRowsUpToTwiceTheSize) {
  const auto check = [](const auto& resize) {
    EXPECT_EQ(resize.map(0), Distance(0));
    EXPECT_EQ(resize.map(rational("9/10")), Distance(0));
    EXPECT_EQ(resize.map(1), Distance(2));
    EXPECT_EQ(resize.map(rational("5/2")), Distance(4));
    EXPECT_EQ(resize.map(3), Distance(6));
    EXPECT_EQ(resize.map(4), Distance(6));
    EXPECT_EQ(resize.map(Distance::infinity()), Distance(6));
  };
  check(make_resize(vector_of(integers()), SymmetricDistance{}, 3, 0));
  check(make_resize(vector_of(integers()), InsertDeleteDistance{}, 3, 0));
}

TEST(ResizeTest, RefusesImpossibleSizes) {
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 40) + 1,
                                  std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_EQ(refused_parameter(
                  [&] { make_resize(vector_of(integers()), SymmetricDistance{}, size, 0); }),
              "size");
    EXPECT_EQ(refused_parameter(
                  [&] { make_resize(vector_of(integers()), InsertDeleteDistance{}, size, 0); }),
              "size");
  }
  EXPECT_EQ(refused_parameter([] {
              make_resize(vector_of(integers()), SymmetricDistance{}, std::size_t{1} << 40, 0);
            }),
            "");
}

TEST(ResizeTest, RefusesAPaddingThatIsNoMember) {
  const auto rows = vector_of(interval(1, 5));
  EXPECT_EQ(refused_parameter([&] { make_resize(rows, SymmetricDistance{}, 3, 0); }), "value");
  EXPECT_EQ(refused_parameter([&] { make_resize(rows, InsertDeleteDistance{}, 3, 6); }), "value");
  EXPECT_EQ(refused_parameter([&] { make_resize(rows, SymmetricDistance{}, 3, 5); }), "");
}

TEST(ResizeTest, StepFollowsTheMetricItMeets) {
  const auto chain = make_clamp(vector_of(interval(0.0, 9.0))) >> make_resize(2, 5);
  static_assert(decltype(chain)::kRandomised);
  auto empty = testing::tape_of_bits("");
  EXPECT_EQ(chain({99.0}, empty), (std::vector<double>{9, 5}));
  EXPECT_EQ(chain.map(1), Distance(2));
  const auto ordered =
      make_clamp(vector_of(integers()), InsertDeleteDistance{}, 0, 9) >> make_resize(1, 5);
  static_assert(!decltype(ordered)::kRandomised);
  EXPECT_EQ(ordered({3, 4}), Rows{3});
  static_assert(
      !Joins<decltype(chain), decltype(make_resize(2, 5))>);  // the size is public already
  const auto texts = make_row_transform(vector_of(integers()), SymmetricDistance{}, strings(),
                                        [](std::int64_t) { return std::string(); });
  static_assert(!Joins<decltype(texts), decltype(make_resize(2, 5))>);
}

// The two shortcuts that proofs/transformations-rows.md#resize rules out, refuted by the same pair.
TEST(ResizeTest, AFixedRuleAboutPlacesIsNotStable) {
  const Rows x{1, 2};
  const Rows permuted{2, 1};
  const SymmetricDistance metric;
  ASSERT_EQ(metric.distance(x, permuted), Distance(0));
  const auto first_row = [](const Rows& rows) { return Rows{rows[0]}; };
  EXPECT_EQ(metric.distance(first_row(x), first_row(permuted)), Distance(2));
  const auto seeded = [](Rows rows) {
    auto bits = testing::seeded_tape(1);
    shuffle(bits, std::span(rows));
    return Rows{rows[0]};
  };
  EXPECT_EQ(metric.distance(seeded(x), seeded(permuted)), Distance(2));
}

}  // namespace resize_test
}  // namespace lastbit
