#include "lastbit/statistics/estimate.h"

#include <algorithm>
#include <initializer_list>

namespace lastbit {
namespace {

Rational cut(const Rational& value, const Range& range) {
  return std::clamp(value, range.lower, range.upper);
}

Estimate cut(const Estimate& estimate, const Range& range) {
  return {cut(estimate.answer, range), cut(estimate.lower, range), cut(estimate.upper, range)};
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

// second_moment: (raw − correction/n)/(n − 1) over all n that agree, with its value at the nearest.
Estimate second_moment(const Counts& counts, const Measured& raw, const Range& correction,
                       const Rational& noisy_correction) {
  const Range inverse{Rational(1) / counts.most, Rational(1) / counts.fewest};
  const Range shift = products_of(correction, inverse);
  const Range deviations{raw.lower() - shift.upper, raw.upper() - shift.lower};
  const Range degrees{Rational(1) / (counts.most - Rational(1)),
                      Rational(1) / (counts.fewest - Rational(1))};
  const Range interval = products_of(deviations, degrees);
  const Rational answer =
      (raw.value - noisy_correction / counts.nearest) / (counts.nearest - Rational(1));
  return {answer, interval.lower, interval.upper};
}

Estimate scaled(const Estimate& estimate, const Rational& unit) {
  return {estimate.answer * unit, estimate.lower * unit, estimate.upper * unit};
}

}  // namespace

Estimate estimate_number(const Measured& number, const std::optional<Range>& range) {
  const Estimate estimate{number.value, number.lower(), number.upper()};
  return range ? cut(estimate, *range) : estimate;
}

Estimate estimate_mean(const CentredColumn& column, const Measured& count, const Measured& sum) {
  const Range& offsets = column.offsets;
  const auto placed = [&](const Estimate& estimate) -> Estimate {
    const Estimate within = scaled(cut(estimate, offsets), column.unit);
    return {column.middle + within.answer, column.middle + within.lower,
            column.middle + within.upper};
  };
  const auto counts = counts_of(count, 1);
  if (!counts) return placed(everything(offsets));
  const Range inverse{Rational(1) / counts->most, Rational(1) / counts->fewest};
  const Range interval = products_of(range_of(sum), inverse);
  return placed({sum.value / counts->nearest, interval.lower, interval.upper});
}

Rational mean_error(const CentredColumn& column, const Integer& rows, const Rational& count_error,
                    const Rational& sum_error) {
  const Rational width = (column.offsets.upper - column.offsets.lower) * column.unit;
  const Rational fewest = Rational(rows) - count_error;
  if (fewest < Rational(1)) return width;
  const Rational error = (sum_error + column.offsets.magnitude() * count_error) / fewest;
  return std::min(error * column.unit, width);
}

Estimate estimate_variance(const CentredColumn& column, const Measured& count, const Measured& sum,
                           const Measured& squares) {
  const Range possible{0, largest_covariance(column, column)};
  const auto counts = counts_of(count, 2);
  if (!counts) return everything(possible);
  Range correction = products_of(range_of(sum), range_of(sum));
  // A square is not negative; if the sum may be 0, so may the square; otherwise its ends bound it.
  const bool zero = sum.lower().sign() <= 0 && sum.upper().sign() >= 0;
  correction.lower = zero ? Rational(0) : std::min(pow(sum.lower(), 2), pow(sum.upper(), 2));
  const Estimate estimate = second_moment(*counts, squares, correction, pow(sum.value, 2));
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
