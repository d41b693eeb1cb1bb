#include "lastbit/accuracy/ranges.h"

#include <gtest/gtest.h>

#include <vector>

#include "lastbit/accuracy/ideal_snapping.h"
#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/verify/floats/loss/exact_law.h"

namespace lastbit {
namespace ranges_test {

using Rows = std::vector<Rational>;

// Every vector of n rows from `values`.
template <class Visit>
void for_each_vector(const Rows& values, std::size_t n, Visit visit) {
  std::vector<std::size_t> digits(n, 0);
  for (;;) {
    Rows rows;
    for (const std::size_t digit : digits) rows.push_back(values[digit]);
    visit(rows);
    std::size_t place = 0;
    while (place < n && ++digits[place] == values.size()) digits[place++] = 0;
    if (place == n) return;
  }
}

Rational sum_of(const Rows& rows) {
  Rational sum;
  for (const Rational& row : rows) sum += row;
  return sum;
}

// Σ(x − mean)(y − mean)/(n − 1).
Rational covariance(const Rows& x, const Rows& y) {
  const Rational n(x.size());
  Rational sum;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return (sum - sum_of(x) * sum_of(y) / n) / (n - 1);
}

TEST(RangesTest, VarianceRangeIsAttainedForOddAndEvenSizes) {
  for (std::size_t n = 2; n <= 7; ++n) {
    Rational largest;
    for_each_vector({-1, 1, 2}, n,
                    [&](const Rows& rows) { largest = std::max(largest, covariance(rows, rows)); });
    EXPECT_EQ(variance_range(n, -1, 2), (Range{0, largest})) << n;
  }
  // A middle row for odd n gives less: a quarter of the squared width and no more.
  EXPECT_EQ(variance_range(3, 0, 1).upper, rational("1/3"));
  EXPECT_EQ(variance_range(5, 0, 1).upper, rational("3/10"));
  EXPECT_EQ(variance_range(7, 0, 1).upper, rational("2/7"));
}

TEST(RangesTest, CovarianceRangeIsAttainedOnBothSides) {
  for (std::size_t n = 2; n <= 5; ++n) {
    Rational largest;
    Rational least;
    for_each_vector({0, 2}, n, [&](const Rows& x) {
      for_each_vector({-1, 0, 2}, n, [&](const Rows& y) {
        const Rational value = covariance(x, y);
        largest = std::max(largest, value);
        least = std::min(least, value);
      });
    });
    EXPECT_EQ(covariance_range(n, 0, 2, -1, 2), (Range{least, largest})) << n;
  }
}

TEST(RangesTest, SumMeanCountAndHistogramRangesAreTheirExtremes) {
  Rational largest = -100;
  Rational least = 100;
  for_each_vector({-2, 0, 3}, 4, [&](const Rows& rows) {
    largest = std::max(largest, sum_of(rows));
    least = std::min(least, sum_of(rows));
  });
  EXPECT_EQ(sum_range(4, -2, 3), (Range{least, largest}));
  EXPECT_EQ(mean_range(-2, 3), (Range{-2, 3}));
  EXPECT_EQ(mean_range(-5, 3).magnitude(), Rational(5));
  EXPECT_EQ(count_range(9), (Range{0, 9}));
  EXPECT_EQ(histogram_range(9), (Range{0, 9}));
}

TEST(RangesTest, ImpossibleParametersAreRefusedByName) {
  EXPECT_EQ(refused_parameter([] { count_range(0); }), "n");
  EXPECT_EQ(refused_parameter([] { histogram_range(-1); }), "n");
  EXPECT_EQ(refused_parameter([] { sum_range(0, 0, 1); }), "n");
  EXPECT_EQ(refused_parameter([] { sum_range(1, 1, 1); }), "lower");
  EXPECT_EQ(refused_parameter([] { mean_range(2, 1); }), "lower");
  EXPECT_EQ(refused_parameter([] { variance_range(1, 0, 1); }), "n");
  EXPECT_EQ(refused_parameter([] { covariance_range(1, 0, 1, 0, 1); }), "n");
  EXPECT_EQ(refused_parameter([] { covariance_range(2, 1, 1, 0, 1); }), "lower_x");
  EXPECT_EQ(refused_parameter([] { covariance_range(2, 0, 1, 1, 0); }), "lower_y");
  for (const char* gamma : {"0", "-1", "1.01"}) {
    EXPECT_EQ(refused_parameter([&] { non_binding_range({0, 1}, rational(gamma), 1, Grid(0)); }),
              "gamma");
  }
  EXPECT_EQ(refused_parameter([] { non_binding_range({1, 0}, 1, 1, Grid(0)); }), "statistic");
  EXPECT_EQ(refused_parameter([] { non_binding_range({0, 1}, 1, 0, Grid(0)); }), "scale");
  EXPECT_EQ(refused_parameter([] { non_binding_parameters({0, 1}, 1, {.epsilon = 0}); }),
            "epsilon");
  EXPECT_EQ(refused_parameter(
                [] { non_binding_parameters({0, 1}, 1, {.epsilon = Rational::two_to(-60)}); }),
            "precision");
}

TEST(NonBindingTest, BoundsBindWithProbabilityGammaAtMost) {
  for (const char* scale : {"1", "1.9", "0.3", "25"}) {
    for (const int exponent : {-8, -1, 0, 2, 5}) {
      for (const char* gamma : {"1", "0.7", "0.05", "0.0001"}) {
        for (const char* upper : {"0", "0.5", "6", "100"}) {
          const Range statistic{-2, rational(upper)};
          const Range bounds =
              non_binding_range(statistic, rational(gamma), rational(scale), Grid(exponent));
          const IdealSnapping snapping(rational(scale), Grid(exponent), bounds.lower, bounds.upper);
          for (int i = 0; i <= 4; ++i) {
            const Rational guess =
                statistic.lower + (statistic.upper - statistic.lower) * Rational(i) / Rational(4);
            EXPECT_FALSE(
                certainly_less(Ball(rational(gamma), 128), snapping.binding_probability(guess)))
                << scale << " 2^" << exponent << " " << gamma << " " << upper;
          }
        }
      }
    }
  }
}

// A check that the test above can fail: with bounds at the range itself they bind half the time.
TEST(NonBindingTest, BoundsAtTheRangeBindOften) {
  const IdealSnapping snapping(1, Grid(-8), 0, 100);
  EXPECT_TRUE(certainly_less(Ball(rational("0.49"), 128), snapping.binding_probability(100)));
}

TEST(NonBindingTest, FloatingPointBoundsBindWithProbabilityGammaAtMost) {
  for (const int precision : {11, 12, 14}) {
    for (const char* epsilon : {"0.8", "1", "1.6"}) {
      for (const char* gamma : {"0.5", "0.1"}) {
        const Range statistic{0, 3};
        const Snapping snapping(non_binding_parameters(
            statistic, rational(gamma), {.epsilon = rational(epsilon), .precision = precision}));
        EXPECT_EQ(snapping.midpoint(), rational("1.5"));
        for (int i = 0; i <= 6; ++i) {
          const auto law = verify::output_law(verify::FloatMechanism(snapping.function()),
                                              Rational(i) / Rational(2) - snapping.midpoint());
          Rational binding;
          for (const auto& [output, mass] : law) {
            if (abs(output) == snapping.half_width()) binding += mass;
          }
          EXPECT_LE(binding, rational(gamma));
        }
      }
    }
  }
}

TEST(NonBindingTest, TooFewBitsAreRefusedWithAPrecisionThatWorks) {
  SnappingParameters wanted{.epsilon = rational("0.001"), .precision = 12};
  try {
    non_binding_parameters({0, 3}, rational("0.05"), wanted);
    FAIL() << "12 bits cost more than 0.001";
  } catch (const Error& error) {
    const std::string& remedy = error.remedy();
    const auto start = remedy.find("precision ") + 10;
    wanted.precision = std::stoi(remedy.substr(start));
  }
  EXPECT_EQ(refused_parameter([&] { non_binding_parameters({0, 3}, rational("0.05"), wanted); }),
            "");
  wanted.precision -= 1;
  EXPECT_EQ(refused_parameter([&] { non_binding_parameters({0, 3}, rational("0.05"), wanted); }),
            "precision");
}

}  // namespace ranges_test
}  // namespace lastbit
