// Whole-number noise: its law in closed form, and tables of it for sums over two noises.
// Proof: proofs/refutation.md#whole
#pragma once

#include <cstdint>
#include <vector>

#include "lastbit/verify/refute/piecewise.h"

namespace lastbit::verify::refutation {

// tail: Pr[K ≥ m]. With q = e^(−1/scale) it is q^m for the geometric law (m ≥ 0), q^m/(1 + q) for
// the discrete Laplace law (m ≥ 0), and 1 − Pr[K ≥ 1 − m] for m < 0 of the latter.
template <class Number>
Number tail(const Noise& noise, const Integer& m, Arithmetic<Number>& arithmetic) {
  const Number one = arithmetic.number(Rational(1));
  const bool geometric = noise.law == Noise::Law::kGeometric;
  if (m.sign() < 0) {
    if (geometric) return one;
    return one - tail(noise, Integer(1) - m, arithmetic);
  }
  const Number power = arithmetic.exponential(Rational(-m) / noise.scale);
  if (geometric) return power;
  return power / (one + arithmetic.exponential(Rational(-1) / noise.scale));
}

// whole_mass: Pr[K lies in the interval], whose ends, if any, are whole and which is not empty.
template <class Number>
Number whole_mass(const Noise& noise, const Interval& interval, Arithmetic<Number>& arithmetic) {
  // The law is even, and differences of tails are sharp on the right-hand side.
  const bool mirrored =
      noise.law == Noise::Law::kDiscreteLaplace && interval.high && interval.high->sign() < 0;
  if (mirrored) {
    Interval mirror;
    mirror.low = -*interval.high;
    if (interval.low) mirror.high = -*interval.low;
    return whole_mass(noise, mirror, arithmetic);
  }
  const Number from = interval.low ? tail(noise, interval.low->numerator(), arithmetic)
                                   : arithmetic.number(Rational(1));
  if (!interval.high) return from;
  return from - tail(noise, interval.high->numerator() + 1, arithmetic);
}

// Masses at first, first + 1, …; 0 elsewhere.
template <class Number>
struct Table {
  std::int64_t first = 0;
  std::vector<Number> masses;
};

// table_radius: a table of the noise extends this far from 0; less than 2^−80 lies beyond.
std::int64_t table_radius(const Noise& noise);

template <class Number>
Table<Number> table_of(const Noise& noise, const Interval& interval,
                       Arithmetic<Number>& arithmetic) {
  const std::int64_t radius = table_radius(noise);
  const Interval range =
      intersection(whole_numbers(interval), {Rational(-radius), Rational(radius)});
  Table<Number> table;
  if (range.is_empty()) return table;
  table.first = known(range.low).numerator().to_int64();
  const std::int64_t last = known(range.high).numerator().to_int64();
  for (std::int64_t k = table.first; k <= last; ++k) {
    table.masses.push_back(whole_mass(noise, {Rational(k), Rational(k)}, arithmetic));
  }
  return table;
}

// Prefixes: sums over any run of a table.
template <class Number>
class Prefixes {
 public:
  Prefixes(const Table<Number>& table, Arithmetic<Number>& arithmetic)
      : first_(table.first), sums_{arithmetic.number(Rational(0))} {
    for (const Number& mass : table.masses) sums_.push_back(sums_.back() + mass);
  }

  std::int64_t first() const { return first_; }
  std::int64_t last() const { return first_ + static_cast<std::int64_t>(sums_.size()) - 2; }

  // within: the sum over the whole numbers of the interval; nothing when there are none.
  std::optional<Number> within(const Interval& interval) const {
    const Interval range =
        intersection(whole_numbers(interval), {Rational(first()), Rational(last())});
    if (range.is_empty()) return std::nullopt;
    const auto low = static_cast<std::size_t>(known(range.low).numerator().to_int64() - first_);
    const auto high = static_cast<std::size_t>(known(range.high).numerator().to_int64() - first_);
    return sums_[high + 1] - sums_[low];
  }

 private:
  std::int64_t first_;
  std::vector<Number> sums_;
};

// interval_at: where the other noise may lie, by the bounds at y.
inline Interval interval_at(const LinearBounds& bounds, const Rational& y) {
  Interval interval;
  for (const Line& line : bounds.lows) {
    interval = intersection(interval, {line.at(y), std::nullopt, line.closed, true});
  }
  for (const Line& line : bounds.highs) {
    interval = intersection(interval, {std::nullopt, line.at(y), true, line.closed});
  }
  return interval;
}

// marginal: y ↦ Σ of the table over the whole numbers that the bounds at y allow.
template <class Number>
Piecewise<Number> marginal(const Table<Number>& table, const LinearBounds& bounds,
                           Arithmetic<Number>& arithmetic) {
  const Prefixes<Number> prefixes(table, arithmetic);
  std::vector<Rational> levels;
  for (std::int64_t k = prefixes.first(); k <= prefixes.last(); ++k) levels.emplace_back(k);
  Piecewise<Number> result;
  for_each_gap(cuts(bounds, levels), [&](const auto& low, const auto& high, const Rational& y) {
    const std::optional<Number> sum = prefixes.within(interval_at(bounds, y));
    if (sum) result.push_back({low, high, {{0, Rational(0), *sum}}});
  });
  return result;
}

}  // namespace lastbit::verify::refutation
