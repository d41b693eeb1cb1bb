#include "lastbit/statistics/estimate.h"

#include <algorithm>
#include <initializer_list>

#include "lastbit/numerics/ball.h"

namespace lastbit {
namespace {

Rational cut(const Rational& value, const Range& range) {
  return std::clamp(value, range.lower, range.upper);
}

// Where noise has left nothing that is possible, nothing is known: the interval is the range.
Estimate cut(const Estimate& estimate, const Range& range) {
  const Rational answer = cut(estimate.answer, range);
  if (estimate.upper < range.lower || estimate.lower > range.upper) {
    return {answer, range.lower, range.upper};
  }
  return {answer, cut(estimate.lower, range), cut(estimate.upper, range)};
}

// Counts: the numbers of rows that agree with the noisy count and are at least `least`; nothing
// when there are none.
struct Counts {
  Rational fewest;
  Rational most;
  Rational nearest;  // to the noisy count
};
std::optional<Counts> counts_of(const Measured& count, const Rational& least) {
  const Rational most = count.upper().floor();
  if (most < least) return std::nullopt;
  const Rational fewest = std::max(Rational(count.lower().ceil()), least);
  return Counts{fewest, most, std::max(count.value, least)};
}

// products_of: the range of a·b.
Range products_of(const Range& a, const Range& b) {
  const auto [least, most] =
      std::minmax({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
  return {least, most};
}

Range range_of(const Measured& measured) { return {measured.lower(), measured.upper()}; }

// Everything: if no count agrees, only the range of the statistic itself is known.
Estimate everything(const Range& range) {
  return {(range.lower + range.upper) / Rational(2), range.lower, range.upper};
}

// squares_of: the range of s². It is not negative; if s may be 0, so may the square; otherwise its
// ends bound it.
Range squares_of(const Measured& s) {
  Range squares = products_of(range_of(s), range_of(s));
  const bool zero = s.lower().sign() <= 0 && s.upper().sign() >= 0;
  squares.lower = zero ? Rational(0) : std::min(pow(s.lower(), 2), pow(s.upper(), 2));
  return squares;
}

// deviations_of: raw − correction/n over all n that agree, with its value at the nearest.
Estimate deviations_of(const Counts& counts, const Measured& raw, const Range& correction,
                       const Rational& noisy_correction) {
  const Range inverse{Rational(1) / counts.most, Rational(1) / counts.fewest};
  const Range shift = products_of(correction, inverse);
  return {raw.value - noisy_correction / counts.nearest, raw.lower() - shift.upper,
          raw.upper() - shift.lower};
}

// second_moment: the same divided by n − 1.
Estimate second_moment(const Counts& counts, const Measured& raw, const Range& correction,
                       const Rational& noisy_correction) {
  const Estimate deviations = deviations_of(counts, raw, correction, noisy_correction);
  const Range degrees{Rational(1) / (counts.most - Rational(1)),
                      Rational(1) / (counts.fewest - Rational(1))};
  const Range interval = products_of({deviations.lower, deviations.upper}, degrees);
  return {deviations.answer / (counts.nearest - Rational(1)), interval.lower, interval.upper};
}

// root_quotient: numerator/√square, with its sign and rounded as `root` does, at most 1.
template <class Root>
Rational root_quotient(const Rational& numerator, const Rational& square, Root root) {
  const Rational size = root(std::min(pow(numerator, 2) / square, Rational(1)));
  return numerator.sign() < 0 ? -size : size;
}

constexpr int kRootBits = 64;

Estimate scaled(const Estimate& estimate, const Rational& unit) {
  return {estimate.answer * unit, estimate.lower * unit, estimate.upper * unit};
}

}  // namespace

Estimate estimate_number(const Measured& number, const std::optional<Range>& range) {
  const Estimate estimate{number.value, number.lower(), number.upper()};
  return range ? cut(estimate, *range) : estimate;
}

Estimate estimate_variance(const CentredColumn& column, const Measured& count, const Measured& sum,
                           const Measured& squares) {
  const Range possible{0, largest_covariance(column, column)};
  const auto counts = counts_of(count, 2);
  if (!counts) return everything(possible);
  const Estimate estimate = second_moment(*counts, squares, squares_of(sum), pow(sum.value, 2));
  return cut(scaled(estimate, pow(column.unit, 2)), possible);
}

Estimate estimate_covariance(const CentredColumn& first, const CentredColumn& second,
                             const Measured& count, const Measured& first_sum,
                             const Measured& second_sum, const Measured& products) {
  const Rational most = largest_covariance(first, second);
  const Range possible{-most, most};
  const auto counts = counts_of(count, 2);
  if (!counts) return everything(possible);
  const Range correction = products_of(range_of(first_sum), range_of(second_sum));
  const Estimate estimate =
      second_moment(*counts, products, correction, first_sum.value * second_sum.value);
  return cut(scaled(estimate, first.unit * second.unit), possible);
}

Estimate estimate_correlation(const PairMoments& moments) {
  const auto& [count, first_sum, second_sum, products, first_squares, second_squares] = moments;
  const auto counts = counts_of(count, 2);
  if (!counts) return everything({-1, 1});
  const Estimate both =
      deviations_of(*counts, products, products_of(range_of(first_sum), range_of(second_sum)),
                    first_sum.value * second_sum.value);
  const Estimate first =
      deviations_of(*counts, first_squares, squares_of(first_sum), pow(first_sum.value, 2));
  const Estimate second =
      deviations_of(*counts, second_squares, squares_of(second_sum), pow(second_sum.value, 2));
  // No such columns vary.
  if (first.upper.sign() <= 0 || second.upper.sign() <= 0) return everything({-1, 1});
  const Rational most = first.upper * second.upper;
  const Rational least = std::max(first.lower, Rational(0)) * std::max(second.lower, Rational(0));
  Range interval{-1, 1};
  if (both.lower.sign() >= 0) {
    interval.lower = root_quotient(both.lower, most, root_down);
  } else if (least.sign() > 0) {
    interval.lower = root_quotient(both.lower, least, root_up);
  }
  if (both.upper.sign() <= 0) {
    interval.upper = root_quotient(both.upper, most, root_down);
  } else if (least.sign() > 0) {
    interval.upper = root_quotient(both.upper, least, root_up);
  }
  const bool varies = first.answer.sign() > 0 && second.answer.sign() > 0;
  const Rational answer =
      varies ? root_quotient(both.answer, first.answer * second.answer, root_down) : Rational(0);
  return {cut(answer, interval), interval.lower, interval.upper};
}

Rational root_down(const Rational& square) {
  return square.sign() == 0 ? Rational(0) : sqrt(Ball(square, kRootBits)).lower_rational();
}

Rational root_up(const Rational& square) {
  return square.sign() == 0 ? Rational(0) : sqrt(Ball(square, kRootBits)).upper_rational();
}

// ⌊n²/4⌋/(n(n − 1)) is at most ½, for n = 2.
Rational largest_covariance(const CentredColumn& first, const CentredColumn& second) {
  const Rational widths =
      (first.offsets.upper - first.offsets.lower) * (second.offsets.upper - second.offsets.lower);
  return widths * first.unit * second.unit / Rational(2);
}

Rational covariance_error(const CentredColumn& first, const CentredColumn& second,
                          const Integer& rows, const CovarianceErrors& errors) {
  const Rational width = Rational(2) * largest_covariance(first, second);
  const Rational n(rows);
  const Rational fewest = n - errors.count;
  if (fewest < Rational(2)) return width;
  const Rational a = first.offsets.magnitude();
  const Rational b = second.offsets.magnitude();
  const Rational correction = n * (a * errors.second_sum + b * errors.first_sum) +
                              errors.first_sum * errors.second_sum + n * a * b * errors.count;
  const Rational deviations = errors.products + correction / fewest;
  const Rational count = n * a * b * errors.count / (n - Rational(1));
  const Rational error = (deviations + count) / (fewest - Rational(1));
  return std::min(error * first.unit * second.unit, width);
}

}  // namespace lastbit
