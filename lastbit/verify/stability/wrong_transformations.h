// Transformations that are wrong on purpose. Each makes a mistake that people have really made; the
// stability checker must catch every one of them. They are kept apart from the library's own
// transformations so that nobody chains them by accident.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "lastbit/core/transformation.h"
#include "lastbit/random/uniform.h"

namespace lastbit::verify::wrong {

using Claim = Relation<Distance, Distance>;

// float_sum: adds doubles in row order and claims the sensitivity of exact addition. Rounding makes
// the sum depend on the order, so permutations of one multiset have different sums.
inline auto float_sum(const VectorDomain<IntervalDomain<double>>& domain) {
  return Transformation<VectorDomain<IntervalDomain<double>>, SymmetricDistance, AllDomain<double>,
                        AbsoluteDistance>(
      "float sum in row order", domain, {}, doubles(), {},
      [](const std::vector<double>& rows) {
        return std::accumulate(rows.begin(), rows.end(), 0.0);
      },
      Claim::linear(domain.element().magnitude()));
}

// wrapping_sum: adds integers modulo 2^64 and claims the sensitivity of exact addition. One more
// row can wrap from one end of the range to the other.
inline auto wrapping_sum(const VectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        AllDomain<std::int64_t>, AbsoluteDistance>(
      "integer sum that wraps around", domain, {}, integers(), {},
      [](const std::vector<std::int64_t>& rows) {
        std::uint64_t sum = 0;
        for (const std::int64_t row : rows) sum += static_cast<std::uint64_t>(row);
        return static_cast<std::int64_t>(sum);
      },
      Claim::linear(domain.element().magnitude()));
}

inline Rational exact_total(const std::vector<std::int64_t>& rows) {
  Integer total;
  for (const std::int64_t row : rows) total += row;
  return Rational(total);
}

// width_sum: claims that one more row moves a sum by at most upper − lower. That is what exchanging
// a row does; adding one moves it by up to max(|lower|, |upper|).
inline auto width_sum(const VectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        AllDomain<Rational>, AbsoluteDistance>(
      "sum priced by the width of the interval", domain, {}, rationals(), {}, exact_total,
      Claim::linear(domain.element().width()));
}

// mean_with_wrong_size: divides by one less than the size it promises.
inline auto mean_with_wrong_size(const SizedVectorDomain<IntervalDomain<std::int64_t>>& domain) {
  const auto size = static_cast<std::int64_t>(domain.size());
  return Transformation<SizedVectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        AllDomain<Rational>, AbsoluteDistance>(
      "mean with the wrong n", domain, {}, rationals(), {},
      [size](const std::vector<std::int64_t>& rows) {
        return exact_total(rows) / Rational(size - 1);
      },
      Claim::linear(domain.element().width() / Rational(2 * size)));
}

// first_row: keeps only the first row. Vectors that differ in one row have outputs at most 2 apart,
// from which it concludes "1-stable", although permutations are at distance 0 and get different
// outputs.
inline auto first_row(const SizedVectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<SizedVectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance>(
      "first row, f(v) = [v0]", domain, {}, vector_of(domain.element()), {},
      [](const std::vector<std::int64_t>& rows) {
        return std::vector<std::int64_t>(rows.begin(), rows.begin() + (rows.empty() ? 0 : 1));
      },
      Claim::linear(1));
}

// shuffling_resize: permutes positions by a fixed pattern, then cuts to `size` or pads with the
// lower bound. Which rows survive depends on where they were, and on how many there were.
inline auto shuffling_resize(const VectorDomain<IntervalDomain<std::int64_t>>& domain,
                             std::size_t size) {
  return Transformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        SizedVectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance>(
      "resize that shuffles", domain, {}, vector_of(domain.element(), size), {},
      [size, pad = domain.element().lower()](std::vector<std::int64_t> rows) {
        for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[(5 * i + 3) % i]);
        rows.resize(size, pad);
        return rows;
      },
      Claim::linear(2));
}

// unordered_as_ordered: claims that what is close as a multiset is close as a list.
inline auto unordered_as_ordered(const VectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        VectorDomain<IntervalDomain<std::int64_t>>, InsertDeleteDistance>(
      "multiset taken for a list", domain, {}, domain, {},
      [](const std::vector<std::int64_t>& rows) { return rows; }, Claim::linear(1));
}

// sorted_substitution: claims that sorting turns one exchanged row into one changed position. The
// new row may land elsewhere and shift all rows in between.
inline auto sorted_substitution(const SizedVectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<SizedVectorDomain<IntervalDomain<std::int64_t>>, SubstituteDistance,
                        SizedVectorDomain<IntervalDomain<std::int64_t>>, HammingDistance>(
      "sorting taken for position-wise", domain, {}, domain, {},
      [](std::vector<std::int64_t> rows) {
        std::ranges::sort(rows);
        return rows;
      },
      Claim::linear(1));
}

// quarter_variance: promises that a sample variance moves by at most a quarter of the squared width,
// the usual figure for odd n. Three rows reach a third of it.
inline auto quarter_variance(const SizedVectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return Transformation<SizedVectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                        AllDomain<Rational>, AbsoluteDistance>(
      "variance priced at a quarter of the squared width", domain, {}, rationals(), {},
      [](const std::vector<std::int64_t>& rows) {
        const Rational size(rows.size());
        const Rational mean = exact_total(rows) / size;
        Rational squares;
        for (const std::int64_t row : rows) squares += pow(Rational(row) - mean, 2);
        return squares / (size - Rational(1));
      },
      Claim::from_map([width = domain.element().width()](const Distance& d_in) {
        return d_in < Distance(2) ? Distance(0) : Distance(width * width / Rational(4));
      }));
}

// keep_one_at_random: keeps one row drawn uniformly and claims that one more row makes a difference
// of at most 1. A kept row that has no counterpart costs 2: one row leaves, another arrives.
inline auto keep_one_at_random(const VectorDomain<IntervalDomain<std::int64_t>>& domain) {
  return RandomTransformation<VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance,
                              VectorDomain<IntervalDomain<std::int64_t>>, SymmetricDistance>(
      "random row priced at one", domain, {}, domain, {},
      [](const std::vector<std::int64_t>& rows, BitSource& bits) {
        if (rows.empty()) return rows;
        return std::vector<std::int64_t>{rows[uniform_below(bits, rows.size())]};
      },
      Claim::linear(1));
}

}  // namespace lastbit::verify::wrong
