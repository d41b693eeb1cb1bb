// Numbers that cannot be negative, such as counts, published so that none of them is and that they
// still add up. For this module only.
//
// All functions    take released numbers, so that they cost nothing, and give whole numbers that
//                  are at least 0. Proof: proofs/release.md#cut
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::release_internal {

// Partition: the block that each of several numbers belongs to.
struct Partition {
  std::vector<std::size_t> block_of;  // of each number: 0, 1, …, blocks − 1
  std::size_t blocks = 0;

  // sums: of the numbers in each block.
  std::vector<Rational> sums(const std::vector<Rational>& numbers) const;
};

// nearest_possible: the nearest whole number that is not negative; halves are rounded up.
Integer nearest_possible(const Rational& number);

// fit_to_total: numbers near the given ones that add up to `total`: all are moved by the same
// amount, but not below 0, which is the nearest point by least squares; then they are rounded.
// Requires  caller: at least one number; total ≥ 0.
// Ensures   whole numbers from 0 on that add up already stay as they are.
std::vector<Integer> fit_to_total(const std::vector<Rational>& numbers, const Integer& total);

// fit_to_rows: each block, fitted to its total.
// Requires  caller: totals ≥ 0, and no block without numbers.
std::vector<Integer> fit_to_rows(const std::vector<Rational>& numbers, const Partition& rows,
                                 const std::vector<Integer>& totals);

// fit_to_both: the same for rows and columns at once.
// Requires  caller: as fit_to_rows; both totals have the same sum.
// Ensures   rows add up to their totals; so do columns, if each row has a number in each column.
std::vector<Integer> fit_to_both(const std::vector<Rational>& numbers, const Partition& rows,
                                 const std::vector<Integer>& row_totals, const Partition& columns,
                                 const std::vector<Integer>& column_totals);

// fit_table: the numbers of a table with several dimensions. Each dimension is a partition of the
// numbers by one of the keys; together they tell all numbers apart.
// Ensures   the sum of all numbers is nearest_possible of the sum that was given. If each
//           combination of keys has a number, the sums by each single key are those that
//           fit_to_total gives for that sum, and likewise the sums by the first dimensions are
//           fitted before finer ones.
std::vector<Integer> fit_table(const std::vector<Rational>& numbers,
                               const std::vector<Partition>& dimensions);

}  // namespace lastbit::release_internal
