#include "lastbit/statistics/quotients.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

namespace lastbit {
namespace {

std::vector<PivotWeight> corner_weights() { return {{1, 0}, {0, -1}}; }

// ratio_weights: of p and q, such that the pivot is 2xy(S − r·T), or 2xy(S/r − T).
std::vector<PivotWeight> ratio_weights(const RatioTerms& ranges, const Range& range, bool inverse) {
  const Rational x = ranges.first.magnitude();
  const Rational y = ranges.second.magnitude();
  const auto of_p = [&](const Rational& m) { return inverse ? x * m - y : x - m * y; };
  const auto of_q = [&](const Rational& m) { return inverse ? x * m + y : x + m * y; };
  return {{of_p(range.lower), of_p(range.upper)}, {of_q(range.lower), of_q(range.upper)}};
}

Estimate all_of(const Range& range) {
  return {(range.lower + range.upper) / Rational(2), range.lower, range.upper};
}

Rational place_in(const Range& range, const Rational& m) {
  return range.lower + (range.upper - range.lower) * m;
}

// with_answer: the interval, and the answer moved into what is possible; if it is not in the
// interval, the interval grows.
Estimate with_answer(const Rational& answer, const Range& interval) {
  return {answer, std::min(interval.lower, answer), std::max(interval.upper, answer)};
}

// error_of_quotient: by how much `divisor` times the error of a quotient is exceeded with
// probability at most alpha, if the noise of the divisor is the sum (or the difference) of that of
// both numbers; nothing if the noise may hide its sign. Proof: proofs/statistics.md#corner-error
std::optional<Rational> error_of_quotient(const PivotNoise& noise, const Rational& divisor,
                                          const Rational& alpha) {
  const std::array<Rational, 2> both = {1, 1};
  for (const std::int64_t part : {512, 16, 1}) {
    const Rational hidden = alpha / Rational(part);
    if (noise.numbers.error(both, hidden) >= divisor) continue;
    return largest_pivot_noise(noise, alpha - hidden / Rational(2));
  }
  return std::nullopt;
}

bool has_one_sign(const Range& range) { return range.lower.sign() >= 0 || range.upper.sign() <= 0; }

// sign_of: of sums of such terms; 0 if they can have both.
int sign_of(const Range& range) {
  if (!has_one_sign(range)) return 0;
  return range.upper.sign() > 0 ? 1 : -1;
}

}  // namespace

CornerMean::CornerMean(const NumberNoise& noise, const Range& bounds, const Rational& alpha)
    : bounds_(bounds), pivot_({noise, corner_weights()}, alpha) {}

Estimate CornerMean::estimate(const Rational& from_lower, const Rational& from_upper) {
  const Rational rows = from_lower + from_upper;
  if (rows.sign() <= 0) return all_of(bounds_);
  const Rational answer = std::clamp(from_lower / rows, Rational(0), Rational(1));
  const std::array<Rational, 2> numbers = {from_lower, from_upper};
  const Range interval = pivot_.accepted(numbers).value_or(Range{0, 1});
  const Estimate placed = with_answer(answer, interval);
  return {place_in(bounds_, placed.answer), place_in(bounds_, placed.lower),
          place_in(bounds_, placed.upper)};
}

Rational corner_mean_error(const NumberNoise& noise, const Range& bounds, const Integer& rows,
                           const Rational& alpha) {
  const Rational width = bounds.upper - bounds.lower;
  const auto error = error_of_quotient({noise, corner_weights()}, Rational(rows) * width, alpha);
  return error ? std::min(*error / Rational(rows), width) : width;
}

std::optional<Range> RatioTerms::possible() const {
  if (second.lower.sign() <= 0 && second.upper.sign() >= 0) return std::nullopt;
  const auto [least, most] = std::minmax({first.lower / second.lower, first.lower / second.upper,
                                          first.upper / second.lower, first.upper / second.upper});
  return Range{least, most};
}

RatioEstimator::RatioEstimator(const NoiseLaw& law, std::int64_t terms, const RatioTerms& ranges,
                               const Rational& alpha)
    : ranges_(ranges) {
  if (const auto possible = ranges.possible()) {
    add_chart(law, terms, *possible, false, alpha);
    return;
  }
  // Ratios near 0 as they are, others by their inverses, each sign for itself.
  const int sign = sign_of(ranges.first) * sign_of(ranges.second);
  const Rational most = ranges.first.magnitude() / ranges.second.magnitude();
  const Rational inverse = Rational(1) / most;
  add_chart(law, terms, {sign > 0 ? Rational(0) : -most, sign < 0 ? Rational(0) : most}, false,
            alpha);
  if (sign >= 0) add_chart(law, terms, {0, inverse}, true, alpha);
  if (sign <= 0) add_chart(law, terms, {-inverse, 0}, true, alpha);
}

void RatioEstimator::add_chart(const NoiseLaw& law, std::int64_t terms, const Range& range,
                               bool inverse, const Rational& alpha) {
  charts_.push_back(
      {range, inverse, Pivot({{law, terms}, ratio_weights(ranges_, range, inverse)}, alpha)});
}

// accepted: the hull of all ratios that agree; nothing if there is none, or no bound.
std::optional<Range> RatioEstimator::accepted(const Rational& p, const Rational& q) {
  const std::array<Rational, 2> numbers = {p, q};
  std::optional<Range> all;
  for (Chart& chart : charts_) {
    const auto part = chart.pivot.accepted(numbers);
    if (!part) continue;
    Range ratios{place_in(chart.range, part->lower), place_in(chart.range, part->upper)};
    if (chart.inverse) {
      if (ratios.lower.sign() == 0 || ratios.upper.sign() == 0) return std::nullopt;
      ratios = {Rational(1) / ratios.upper, Rational(1) / ratios.lower};
    }
    all = all ? Range{std::min(all->lower, ratios.lower), std::max(all->upper, ratios.upper)}
              : ratios;
  }
  return all;
}

std::optional<Estimate> RatioEstimator::estimate(const Rational& p, const Rational& q) {
  const Rational first = (p + q) / ranges_.second.magnitude();  // twice the noisy sums
  const Rational second = (p - q) / ranges_.first.magnitude();
  const auto possible = ranges_.possible();
  const int sign = sign_of(ranges_.second);
  if (second.sign() == 0 || second.sign() == -sign) {
    return possible ? std::optional(all_of(*possible)) : std::nullopt;
  }
  const auto interval = accepted(p, q);
  if (!possible) {
    if (!interval) return std::nullopt;
    return Estimate{std::clamp(first / second, interval->lower, interval->upper), interval->lower,
                    interval->upper};
  }
  return with_answer(std::clamp(first / second, possible->lower, possible->upper),
                     interval.value_or(*possible));
}

std::optional<Rational> ratio_error(const NoiseLaw& law, std::int64_t terms,
                                    const RatioTerms& ranges, const Integer& rows,
                                    const Rational& alpha) {
  const auto possible = ranges.possible();
  if (!possible) return std::nullopt;
  const Rational width = possible->upper - possible->lower;
  const Rational least = std::min(abs(ranges.second.lower), abs(ranges.second.upper));
  const Rational divisor = Rational(2 * ranges.first.magnitude()) * Rational(rows) * least;
  const auto error =
      error_of_quotient({{law, terms}, ratio_weights(ranges, *possible, false)}, divisor, alpha);
  return error ? std::min(*error / (divisor * ranges.second.magnitude()), width) : width;
}

}  // namespace lastbit
