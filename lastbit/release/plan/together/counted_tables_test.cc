// Tables of the same rows by different columns: they agree, exact numbers stay, and the noises that
// corrections name are those that are in the numbers.
#include "lastbit/release/plan/together/counted_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace lastbit {
namespace counted_tables_test {

using release_internal::CountedTable;
using release_internal::CountedTables;
using release_internal::RowEstimate;
using release_internal::TableFactor;

using Numbers = std::vector<Rational>;

LaplaceNoise laplace(const Rational& scale) { return {scale, Grid(0), true}; }

std::size_t cells_of(const std::vector<TableFactor>& factors, const CountedTable& table) {
  std::size_t cells = 1;
  for (const std::size_t i : table.factors) cells *= static_cast<std::size_t>(factors[i].keys);
  return cells;
}

// digits_of: the key of each factor of a table in one of its cells.
std::map<std::size_t, std::size_t> digits_of(const std::vector<TableFactor>& factors,
                                             const CountedTable& table, std::size_t cell) {
  std::map<std::size_t, std::size_t> digits;
  for (auto factor = table.factors.rbegin(); factor != table.factors.rend(); ++factor) {
    const auto keys = static_cast<std::size_t>(factors[*factor].keys);
    digits[*factor] = cell % keys;
    cell /= keys;
  }
  return digits;
}

// sums_by: the numbers of a table, added up over all factors but these, by the keys of these.
std::map<std::vector<std::size_t>, Rational> sums_by(const std::vector<TableFactor>& factors,
                                                     const CountedTable& table,
                                                     const Numbers& numbers,
                                                     const std::vector<std::size_t>& kept) {
  std::map<std::vector<std::size_t>, Rational> sums;
  for (std::size_t cell = 0; cell < numbers.size(); ++cell) {
    const auto digits = digits_of(factors, table, cell);
    std::vector<std::size_t> keys;
    for (const std::size_t factor : kept) keys.push_back(digits.at(factor));
    sums[keys] += numbers[cell];
  }
  return sums;
}

struct Case {
  std::vector<TableFactor> factors;
  std::vector<CountedTable> tables;
};

// Factors of 2, 3 and 1 keys and an incomplete one of 2; the first table has two statistics.
std::vector<Case> cases() {
  const RowEstimate count{laplace(2), {1}};
  const RowEstimate corners{laplace(5), {Rational(1, 5), Rational(1, 5)}};
  const RowEstimate cells{GaussianNoise{3, Grid(0)}, {1, 1, 1}};
  const std::vector<TableFactor> plain = {{2}, {3}};
  const std::vector<TableFactor> mixed = {{2, false}, {2}, {1}, {3}};
  return {{plain, {{{0, 1}, {count, corners}}, {{0}, {cells}}, {{1}, {count}}, {{}, {count}}}},
          {plain, {{{0}, {count}}, {{1}, {corners}}}},
          {plain, {{{0, 1}, {count}}, {{0, 1}, {corners}}, {{}, {cells}}}},
          {mixed, {{{0, 1, 3}, {count, cells}}, {{0, 2, 3}, {count}}, {{0}, {corners}}}}};
}

TEST(CountedTablesTest, ExactNumbersStayAndNoisyOnesAgree) {
  for (const auto& [factors, tables] : cases()) {
    const CountedTables counted(factors, tables);
    // One row in each combination of keys, and more of them for larger keys.
    std::vector<Numbers> exact;
    std::vector<Numbers> noisy;
    std::size_t all = 1;
    for (const TableFactor& factor : factors) all *= static_cast<std::size_t>(factor.keys);
    CountedTable whole;
    whole.factors.resize(factors.size());
    std::iota(whole.factors.begin(), whole.factors.end(), std::size_t{0});
    Numbers rows;
    for (std::size_t i = 0; i < all; ++i) rows.emplace_back(i * i + 1);
    for (const CountedTable& table : tables) {
      Numbers& numbers = exact.emplace_back();
      for (const auto& [keys, sum] : sums_by(factors, whole, rows, table.factors)) {
        numbers.push_back(sum);
      }
      noisy.push_back(numbers);
      for (std::size_t i = 0; i < noisy.back().size(); ++i) {
        noisy.back()[i] += Rational(7 * i + 3 * noisy.size(), 5);
      }
    }
    EXPECT_EQ(counted.combine(exact), exact);
    const auto agreed = counted.combine(noisy);
    EXPECT_NE(agreed, noisy);
    for (std::size_t a = 0; a < tables.size(); ++a) {
      for (std::size_t b = 0; b < tables.size(); ++b) {
        std::vector<std::size_t> both;
        std::ranges::set_intersection(tables[a].factors, tables[b].factors,
                                      std::back_inserter(both));
        EXPECT_EQ(sums_by(factors, tables[a], agreed[a], both),
                  sums_by(factors, tables[b], agreed[b], both));
      }
    }
  }
}

// Weights: by law, weight → how many noises have it.
using Weights = std::map<std::pair<std::string, Rational>, std::int64_t>;

void count_weight(Weights& weights, const NoiseLaw& law, const Rational& weight,
                  std::int64_t count) {
  if (weight.sign() == 0) return;
  const bool gaussian = std::holds_alternative<GaussianNoise>(law);
  weights[{(gaussian ? "g" : "l") + variance_of(law).to_string(), weight}] += count;
}

// The number of rows that all agree on is linear in the noises: those of each statistic are put in
// one by one, and what comes out is compared with what corrections say, also for sums over factors.
TEST(CountedTablesTest, CorrectionsSayWhichNoisesAreInTheNumbers) {
  for (const auto& [factors, tables] : cases()) {
    const CountedTables counted(factors, tables);
    for (std::size_t table = 0; table < tables.size(); ++table) {
      std::vector<std::vector<std::size_t>> all_kept = {{}};
      for (const std::size_t factor : tables[table].factors) {
        const auto before = all_kept;
        for (std::vector<std::size_t> kept : before) {
          kept.push_back(factor);
          all_kept.push_back(kept);
        }
      }
      for (const auto& kept : all_kept) {
        const std::vector<std::size_t> zeros(kept.size(), 0);
        Weights expected;
        std::int64_t terms = 0;
        for (std::size_t cell = 0; cell < cells_of(factors, tables[table]); ++cell) {
          const auto digits = digits_of(factors, tables[table], cell);
          const bool in =
              std::ranges::all_of(kept, [&](std::size_t factor) { return digits.at(factor) == 0; });
          terms += in ? 1 : 0;
        }
        for (std::size_t from = 0; from < tables.size(); ++from) {
          for (std::size_t cell = 0; cell < cells_of(factors, tables[from]); ++cell) {
            for (std::size_t k = 0; k < tables[from].estimates.size(); ++k) {
              const RowEstimate& estimate = tables[from].estimates[k];
              std::vector<Numbers> means;
              for (const CountedTable& one : tables) {
                means.emplace_back(cells_of(factors, one), Rational(0));
              }
              std::vector<Rational> each(tables[from].estimates.size(), Rational(0));
              each[k] = 1;
              means[from][cell] = counted.mean_of(from, each);
              const Rational share =
                  sums_by(factors, tables[table], counted.combine(means)[table], kept)[zeros];
              for (const Rational& weight : estimate.weights) {
                count_weight(expected, estimate.law, share * weight, 1);
              }
            }
          }
        }
        for (std::size_t k = 0; k < tables[table].estimates.size(); ++k) {
          const RowEstimate& estimate = tables[table].estimates[k];
          const NumberNoise noise{estimate.law, terms, counted.correction(table, k, kept)};
          // The number of rows itself: then all that is left of its own noise is its share.
          Weights stated;
          for (const auto& [law, weight, count] : noise.of(estimate.weights)) {
            count_weight(stated, law, weight, count);
          }
          EXPECT_EQ(stated, expected);
        }
      }
    }
  }
}

Rational variance_of_noise(const std::vector<WeightedNoise>& noises) {
  Rational sum = 0;
  for (const auto& [law, weight, count] : noises) {
    sum += weight * weight * Rational(count) * variance_of(law);
  }
  return sum;
}

// For two tables, the best variances are known in closed form.
TEST(CountedTablesTest, WeightsAreTheBest) {
  const auto estimate = [](const Rational& variance) {
    return RowEstimate{GaussianNoise{variance, Grid(0)}, {1}};
  };
  // A table of 4 groups and their total, all of variance 1. Of the total: 1 and 4 give 4/5. Of a
  // group: 1 less the gain of the total, (4 − 4/5)/16.
  const CountedTables two({{4}}, {{{0}, {estimate(1)}}, {{}, {estimate(1)}}});
  const Rational slightly = Rational(1) + Rational::two_to(-14);
  const auto variance = [&](const CountedTables& counted, std::size_t table) {
    const std::vector<Rational> one = {1};
    const RowEstimate& own = counted.tables()[table].estimates.front();
    return variance_of_noise(
        NumberNoise{own.law, 1, counted.correction(table, 0, counted.tables()[table].factors)}.of(
            one));
  };
  EXPECT_GE(variance(two, 1), Rational(4, 5));
  EXPECT_LE(variance(two, 1), Rational(4, 5) * slightly);
  EXPECT_GE(variance(two, 0), Rational(4, 5));
  EXPECT_LE(variance(two, 0), Rational(4, 5) * slightly);
  // Two tables of 2 and 5 groups: the other one says the total with variances 3·5 and 2·2.
  const CountedTables sides({{2}, {5}}, {{{0}, {estimate(2)}}, {{1}, {estimate(3)}}});
  const Rational total = Rational(1) / (Rational(1, 4) + Rational(1, 15));
  const Rational first = Rational(2) - (Rational(4) - total) / Rational(4);
  const Rational second = Rational(3) - (Rational(15) - total) / Rational(25);
  EXPECT_GE(variance(sides, 0), first);
  EXPECT_LE(variance(sides, 0), first * slightly);
  EXPECT_GE(variance(sides, 1), second);
  EXPECT_LE(variance(sides, 1), second * slightly);
}

TEST(CountedTablesTest, VariancesDoNotRise) {
  const Rational slightly = Rational(1) + Rational::two_to(-13);
  for (const auto& [factors, tables] : cases()) {
    const CountedTables counted(factors, tables);
    for (std::size_t table = 0; table < tables.size(); ++table) {
      for (std::size_t k = 0; k < tables[table].estimates.size(); ++k) {
        const RowEstimate& own = tables[table].estimates[k];
        const auto correction = counted.correction(table, k, tables[table].factors);
        for (std::size_t i = 0; i < own.weights.size(); ++i) {
          std::vector<Rational> one(own.weights.size(), Rational(0));
          one[i] = 1;
          EXPECT_LE(variance_of_noise(NumberNoise{own.law, 1, correction}.of(one)),
                    variance_of_noise(NumberNoise{own.law}.of(one)) * slightly);
        }
      }
    }
  }
}

}  // namespace counted_tables_test
}  // namespace lastbit
