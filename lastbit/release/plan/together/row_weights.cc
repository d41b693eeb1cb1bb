#include "lastbit/release/plan/together/row_weights.h"

#include <cstddef>
#include <utility>

namespace lastbit::release_internal {
namespace {

// solve: x with matrix·x = right, by elimination; nothing if the matrix is singular.
std::vector<Rational> solve(std::vector<std::vector<Rational>> matrix,
                            std::vector<Rational> right) {
  const std::size_t size = right.size();
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    while (pivot < size && matrix[pivot][column].sign() == 0) ++pivot;
    if (pivot == size) return {};
    std::swap(matrix[pivot], matrix[column]);
    std::swap(right[pivot], right[column]);
    for (std::size_t row = 0; row < size; ++row) {
      if (row == column) continue;
      const Rational factor = matrix[row][column] / matrix[column][column];
      for (std::size_t i = column; i < size; ++i) matrix[row][i] -= factor * matrix[column][i];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = 0; row < size; ++row) right[row] /= matrix[row][row];
  return right;
}

}  // namespace

// The weights c of least squares with Wᵀ·c = (1, 0, …) are W·y for WᵀW·y = (1, 0, …).
std::vector<Rational> row_weights(const std::vector<std::vector<Integer>>& combinations,
                                  int step_exponent) {
  const std::size_t entries = combinations.front().size();
  std::vector<std::vector<Rational>> products(entries, std::vector<Rational>(entries, Rational(0)));
  for (const std::vector<Integer>& one : combinations) {
    for (std::size_t i = 0; i < entries; ++i) {
      for (std::size_t j = 0; j < entries; ++j) products[i][j] += Rational(one[i] * one[j]);
    }
  }
  std::vector<Rational> right(entries, Rational(0));
  right.front() = Rational::two_to(-step_exponent);
  const std::vector<Rational> solution = solve(std::move(products), std::move(right));
  std::vector<Rational> weights;
  if (solution.empty()) return weights;
  for (const std::vector<Integer>& one : combinations) {
    Rational& weight = weights.emplace_back(0);
    for (std::size_t i = 0; i < entries; ++i) weight += Rational(one[i]) * solution[i];
  }
  return weights;
}

}  // namespace lastbit::release_internal
