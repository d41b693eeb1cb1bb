// Small random models for the tests of this module. For tests only; not installed.
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/verify/semantics/finite_distribution.h"

namespace lastbit::verify::testing {

// Dice: a recorded sequence of small numbers, so that every run tries the same instances. The
// quality of the numbers matters little: every instance is checked exactly.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  // below: a whole number in [0, bound).
  int below(int bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<int>((state_ >> 33) % static_cast<std::uint64_t>(bound));
  }
  bool coin() { return below(2) == 1; }

 private:
  std::uint64_t state_;
};

// some_law: a law on {0, …, size − 1} whose masses have a small denominator; often with zeros, and
// with mass missing when `may_miss`.
inline FiniteDistribution<int> some_law(Dice& dice, int size, bool may_miss = false) {
  std::vector<int> weights;
  int total = 0;
  for (int value = 0; value < size; ++value) {
    weights.push_back(dice.coin() ? 0 : dice.below(5));
    total += weights.back();
  }
  if (may_miss) total += dice.below(3);
  if (total == 0) return FiniteDistribution<int>::point(dice.below(size));
  FiniteDistribution<int> law;
  for (int value = 0; value < size; ++value) {
    law.add(value, Rational(weights[static_cast<std::size_t>(value)], total));
  }
  return law;
}

// Table: a relation on {0, …, size − 1}, pair by pair.
class Table {
 public:
  Table(int size, bool value)
      : size_(size), entries_(static_cast<std::size_t>(size * size), value) {}
  // some: every pair in it with probability about density/8.
  static Table some(Dice& dice, int size, int density) {
    Table table(size, false);
    for (auto&& entry : table.entries_) entry = dice.below(8) < density;
    return table;
  }
  bool operator()(int a, int b) const { return entries_[index(a, b)]; }
  void set(int a, int b, bool value) { entries_[index(a, b)] = value; }
  int size() const { return size_; }

 private:
  std::size_t index(int a, int b) const { return static_cast<std::size_t>(a * size_ + b); }

  int size_;
  std::vector<bool> entries_;
};

}  // namespace lastbit::verify::testing
