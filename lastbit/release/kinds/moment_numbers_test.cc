#include "lastbit/release/kinds/moment_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "lastbit/release/plan/table.h"

namespace lastbit {
namespace moment_numbers_test {

using release_internal::MomentNumbers;

SteppedField field_of(std::int64_t lower, std::int64_t upper, std::int64_t offset, int exponent) {
  SteppedField field;
  field.field = {"x", exponent == 0 ? FieldType(FieldType::kInteger) : FieldType(FieldType::kReal)};
  field.lower = Rational(lower) * Rational::two_to(exponent);
  field.upper = Rational(upper) * Rational::two_to(exponent);
  field.grid_exponent = exponent;
  field.offset = offset;
  return field;
}

// What one row with these steps from the lower bounds adds to the entries of a measure.
std::vector<Integer> square_entries(std::int64_t y) { return {1, y, y * y}; }
std::vector<Integer> pair_entries(std::int64_t y, std::int64_t z) {
  return {1, y, z, y * z, y * y, z * z};
}

// numbers_of: in units in which the norms of a row are about 1.
std::vector<Rational> numbers_of(const MomentNumbers& numbers,
                                 const std::vector<Integer>& entries) {
  std::vector<Rational> values;
  for (const std::vector<Integer>& weights : numbers.joint.weights) {
    Rational value = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) value += Rational(weights[i] * entries[i]);
    values.push_back(value * Rational::two_to(numbers.joint.step_exponent) / numbers.unit);
  }
  return values;
}
Rational l1_of(const std::vector<Rational>& values) {
  Rational sum = 0;
  for (const Rational& value : values) sum += abs(value);
  return sum;
}

Aggregation aggregation_with(const Tally& measure) {
  Aggregation aggregation;
  aggregation.unit = UnitColumn{"id", FieldType::kInteger, 3, 1};
  aggregation.measures = {measure};
  return aggregation;
}

TEST(MomentNumbersTest, AreTheTermsOfTheProofs) {
  const SteppedField x = field_of(-3, 7, 2, 0);
  const SteppedField y = field_of(0, 16, 0, -2);
  for (std::int64_t s = 0; s <= 10; ++s) {
    const Rational u(s, 10);
    const Rational u1 = Rational(1) - u;
    // Steps are counted from the offset: −5 at the lower bound.
    const auto bernstein = release_internal::square_numbers(x, SquareBasis::kBernstein);
    EXPECT_EQ(numbers_of(bernstein, square_entries(s - 5)),
              (std::vector<Rational>{u1 * u1, Rational(2) * u * u1, u * u}));
    const auto nodes = release_internal::square_numbers(x, SquareBasis::kNodes);
    EXPECT_EQ(numbers_of(nodes, square_entries(s - 5)),
              (std::vector<Rational>{u1 * (u1 - u), Rational(4) * u * u1, u * (u - u1)}));
    for (std::int64_t t = 0; t <= 16; ++t) {
      const Rational v(t, 16);
      const Rational v1 = Rational(1) - v;
      const std::vector<Rational> corners = {u1 * v1, u1 * v, u * v1, u * v};
      std::vector<Integer> entries = pair_entries(s - 5, t);
      const auto six = release_internal::correlation_numbers(x, y, 2);
      std::vector<Rational> all = corners;
      all.push_back(Rational(2) * u * u1);
      all.push_back(Rational(2) * v * v1);
      EXPECT_EQ(numbers_of(six, entries), all);
      entries.resize(4);
      EXPECT_EQ(numbers_of(release_internal::corner_numbers(x, y), entries), corners);
    }
  }
}

// Three rows of a unit, which is as far as it reaches in a group.
TEST(MomentNumbersTest, MapsAreAttained) {
  const SteppedField x = field_of(-3, 7, 2, 0);
  const SteppedField y = field_of(0, 16, 0, 0);
  const auto reach = [](const Tally& measure, const MomentNumbers& numbers) {
    const Aggregation aggregation = aggregation_with(measure);
    return make_group_combinations<L1Distance>(aggregation, {0, numbers.joint.weights})
               .map(1)
               .value() /
           numbers.unit;
  };
  const auto squares = release_internal::square_numbers(x, SquareBasis::kBernstein);
  EXPECT_EQ(reach(SquareSum{x}, squares), Rational(3));
  EXPECT_EQ(Rational(3) * l1_of(numbers_of(squares, square_entries(1))), Rational(3));
  const auto corners = release_internal::corner_numbers(x, y);
  EXPECT_EQ(reach(ProductSum{x, y}, corners), Rational(3));
  const auto six = release_internal::correlation_numbers(x, y, 1);
  EXPECT_EQ(reach(ProductSum{x, y, true}, six), Rational(9, 2));
  EXPECT_EQ(Rational(3) * l1_of(numbers_of(six, pair_entries(0, 8))), Rational(9, 2));
}

// In L2, the hull of what a row adds is hardly larger than what it can add.
TEST(MomentNumbersTest, GaussianNoiseIsThatOfOneNumber) {
  const SteppedField x = field_of(-3, 7, 2, 0);
  const auto squared = [](const Tally& measure, const MomentNumbers& numbers) {
    return row_reach(measure, {0, numbers.joint.weights}).l2_squared / pow(numbers.unit, 2);
  };
  EXPECT_EQ(squared(SquareSum{x}, release_internal::square_numbers(x, SquareBasis::kNodes)),
            Rational(129, 128));
  const auto six = release_internal::correlation_numbers(x, field_of(0, 16, 0, 0), 2);
  EXPECT_EQ(squared(ProductSum{x, field_of(0, 16, 0, 0), true}, six), Rational(1));
}

}  // namespace moment_numbers_test
}  // namespace lastbit
