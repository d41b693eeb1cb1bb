// Every aggregate against every pair of small datasets: no pair may exceed the map (otherwise it is
// wrong), and some pair must reach it (otherwise it wastes accuracy).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/covariance.h"
#include "lastbit/transformations/aggregates/histogram.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/aggregates/variance.h"

namespace lastbit {
namespace aggregates_stability_test {

template <class T>
std::vector<std::vector<T>> datasets_of(const std::vector<T>& atoms, std::size_t size) {
  std::vector<std::vector<T>> result = {{}};
  for (std::size_t i = 0; i < size; ++i) {
    std::vector<std::vector<T>> longer;
    for (const auto& rows : result) {
      for (const T& atom : atoms) {
        longer.push_back(rows);
        longer.back().push_back(atom);
      }
    }
    result = std::move(longer);
  }
  return result;
}

constexpr std::size_t kMaxSize = 3;

// All members of the domain over the atoms: of its size, or of up to kMaxSize rows.
template <class D, class T>
std::vector<std::vector<T>> members(const D& domain, const std::vector<T>& atoms) {
  if constexpr (SizedDomain<D>) {
    return datasets_of(atoms, domain.size());
  } else {
    std::vector<std::vector<T>> result;
    for (std::size_t size = 0; size <= kMaxSize; ++size) {
      for (auto& rows : datasets_of(atoms, size)) result.push_back(std::move(rows));
    }
    return result;
  }
}

enum class Reached { kEverywhere, kAtOneRow };

// expect_exact: for each whole d_in the farthest outputs of d_in-close inputs are within the map,
// and exactly as far as it says: for every d_in up to kMaxSize rows, or while one row changes.
template <class T>
void expect_exact(const T& transformation, const std::vector<RowOf<typename T::InputDomain>>& atoms,
                  Reached reached = Reached::kEverywhere) {
  const auto& domain = transformation.input_domain();
  const auto& metric = transformation.input_metric();
  const auto data = members(domain, atoms);
  std::vector<typename T::Output> outputs;
  for (const auto& rows : data) {
    ASSERT_TRUE(domain.contains(rows));
    outputs.push_back(transformation(rows));
    ASSERT_TRUE(transformation.output_domain().contains(outputs.back()));
  }
  std::map<Distance, typename T::DistanceOut> farthest;
  for (std::size_t i = 0; i < data.size(); ++i) {
    for (std::size_t j = i; j < data.size(); ++j) {
      auto& most = farthest[metric.distance(data[i], data[j])];
      most = std::max(most, transformation.output_metric().distance(outputs[i], outputs[j]));
    }
  }
  typename T::DistanceOut most;
  for (std::int64_t d_in = 0; d_in <= 8; ++d_in) {
    if (const auto found = farthest.find(Distance(d_in)); found != farthest.end()) {
      most = std::max(most, found->second);
    }
    const auto claimed = transformation.map(d_in);
    const std::string where = transformation.name() + " on " + domain.describe() + " under " +
                              std::string(metric.kName) + " at " + std::to_string(d_in);
    EXPECT_LE(most, claimed) << where << ": " << most.to_string() << " > " << claimed.to_string();
    const Distance changed = rows_changed(domain, metric, d_in);
    const Distance checked = reached == Reached::kEverywhere ? Distance(kMaxSize) : Distance(1);
    if (changed <= checked) {
      EXPECT_EQ(most, claimed) << where << ": only " << most.to_string() << " of "
                               << claimed.to_string();
    }
  }
}

// For each metric that goes with the domain.
template <class D, class F>
void for_each_metric(const D& domain, F check) {
  check(domain, SymmetricDistance{});
  check(domain, InsertDeleteDistance{});
  if constexpr (SizedDomain<D>) {
    check(domain, SubstituteDistance{});
    check(domain, HammingDistance{});
  }
}

// The vectors of any size, and those of 1, 2 and 3 rows.
template <class E, class F>
void for_each_space(const E& element, F check) {
  for_each_metric(vector_of(element), check);
  for (std::size_t size = 1; size <= kMaxSize; ++size) {
    for_each_metric(vector_of(element, size), check);
  }
}

TEST(AggregateStabilityTest, CountsAreExact) {
  for_each_space(integers(), [](const auto& domain, const auto& metric) {
    expect_exact(make_count(domain, metric), {1, 2, 3});
    expect_exact(make_count_distinct(domain, metric), {1, 2, 3, 4});
  });
}

TEST(AggregateStabilityTest, IntegerSumsAreExact) {
  for (const auto& rows : {interval(-2, 5), interval(-5, 2), interval(3, 4), interval(-4, -3)}) {
    for_each_space(rows, [&](const auto& domain, const auto& metric) {
      expect_exact(make_sum(domain, metric), {rows.lower(), rows.upper() - 1, rows.upper()});
    });
  }
}

TEST(AggregateStabilityTest, DoubleSumsAreExactOnCoarseAndFineGrids) {
  const auto rows = interval(-0.7, 2.5);
  for (const int exponent : {-40, -2, 0, 1, 3}) {
    for_each_space(rows, [&](const auto& domain, const auto& metric) {
      expect_exact(make_sum(domain, metric, Grid(exponent)), {-0.7, 0.1, 2.5});
    });
  }
}

TEST(AggregateStabilityTest, MeansAreExact) {
  for (std::size_t size = 1; size <= kMaxSize; ++size) {
    for_each_metric(vector_of(interval(-2, 5), size), [](const auto& domain, const auto& metric) {
      expect_exact(make_mean(domain, metric), {-2, 0, 5});
    });
    for_each_metric(vector_of(interval(0.1, 0.7), size),
                    [](const auto& domain, const auto& metric) {
                      expect_exact(make_mean(domain, metric, Grid(-3)), {0.1, 0.3, 0.7});
                      expect_exact(make_mean(domain, metric), {0.1, 0.3, 0.7});
                    });
  }
}

TEST(AggregateStabilityTest, VariancesAreExactForEveryNumberOfRows) {
  for (std::size_t size = 2; size <= kMaxSize; ++size) {
    for_each_metric(vector_of(interval(0, 2), size), [](const auto& domain, const auto& metric) {
      expect_exact(make_variance(domain, metric), {0, 1, 2});
      expect_exact(make_variance(domain, metric, 0), {0, 1, 2});
    });
  }
  expect_exact(make_variance(vector_of(interval(0, 2), 1), HammingDistance{}, 0), {0, 1, 2});
  expect_exact(make_variance(vector_of(interval(0, 2), 4), HammingDistance{}), {0, 1, 2});
  for (std::size_t size = 5; size <= 7; ++size) {
    expect_exact(make_variance(vector_of(interval(0, 2), size), HammingDistance{}), {0, 2});
  }
  expect_exact(make_variance(vector_of(interval(0.1, 0.6), 3), HammingDistance{}, Grid(-2)),
               {0.1, 0.3, 0.6});
}

TEST(AggregateStabilityTest, CovariancesAreSoundAndExactForOneRow) {
  const std::vector<std::pair<std::int64_t, double>> atoms = {
      {0, -1.0}, {0, 2.0}, {3, -1.0}, {3, 2.0}, {1, 0.5}};
  for (std::size_t size = 2; size <= kMaxSize; ++size) {
    for_each_metric(vector_of(pair_of(interval(0, 3), interval(-1.0, 2.0)), size),
                    [&](const auto& domain, const auto& metric) {
                      expect_exact(make_covariance(domain, metric), atoms, Reached::kAtOneRow);
                      expect_exact(make_covariance(domain, metric, Grid(0), Grid(0), 0), atoms,
                                   Reached::kAtOneRow);
                    });
  }
}

// With two rows, exchanging both moves the covariance from one end of its range to the other.
TEST(AggregateStabilityTest, CovarianceOfAllRowsReachesItsRange) {
  expect_exact(
      make_covariance(vector_of(pair_of(interval(0, 3), interval(0, 2)), 2), HammingDistance{}),
      {{0, 0}, {0, 2}, {3, 0}, {3, 2}});
}

template <unsigned P>
void expect_exact_histograms() {
  for_each_space(integers(), [](const auto& domain, const auto& metric) {
    expect_exact(make_histogram<P>(domain, metric, {1, 2}), {1, 2, 3});
    expect_exact(make_histogram<P>(domain, metric, {1, 2}, Other::kCounted), {1, 2, 3});
    expect_exact(make_histogram<P>(domain, metric, {1}), {1, 2, 3});
    expect_exact(make_histogram<P>(domain, metric, {1}, Other::kCounted), {1, 2, 3});
    expect_exact(make_histogram_by_key<P>(domain, metric), {1, 2, 3});
    expect_exact(make_bin_histogram<P>(domain, metric, {1, 2, 4}), {0, 1, 3});
    expect_exact(make_bin_histogram<P>(domain, metric, {1, 2}), {0, 1, 3});
  });
}

TEST(AggregateStabilityTest, HistogramsAreExactInL1) { expect_exact_histograms<1>(); }
TEST(AggregateStabilityTest, HistogramsAreExactInL2) { expect_exact_histograms<2>(); }
TEST(AggregateStabilityTest, HistogramsAreExactInL3) { expect_exact_histograms<3>(); }

TEST(AggregateStabilityTest, ZerosOfBothSignsAndNanAreDifferentRows) {
  const std::vector<double> atoms = {0.0, -0.0, std::numeric_limits<double>::quiet_NaN()};
  for_each_space(doubles_or_nan(), [&](const auto& domain, const auto& metric) {
    expect_exact(make_histogram_by_key<1>(domain, metric), atoms);
    expect_exact(make_histogram<2>(domain, metric, {0.0, -0.0}), atoms);
    // Bins treat both zeros as one number, so rows can differ that the bins cannot tell apart.
    expect_exact(make_bin_histogram<1>(domain, metric, {0, 1}), atoms);
  });
}

}  // namespace aggregates_stability_test
}  // namespace lastbit
