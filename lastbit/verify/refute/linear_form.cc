#include "lastbit/verify/refute/linear_form.h"

#include <algorithm>

#include "lastbit/verify/refute/real.h"

namespace lastbit::verify::refutation {
namespace {

// a + factor·b.
LinearForm combined(const LinearForm& a, const Rational& factor, const LinearForm& b) {
  LinearForm result{bounded(a.constant + factor * b.constant), {}};
  auto left = a.terms.begin();
  auto right = b.terms.begin();
  while (left != a.terms.end() || right != b.terms.end()) {
    if (right == b.terms.end() || (left != a.terms.end() && left->first < right->first)) {
      result.terms.push_back(*left++);
      continue;
    }
    Rational coefficient = factor * right->second;
    const int noise = right->first;
    ++right;
    if (left != a.terms.end() && left->first == noise) coefficient += (left++)->second;
    if (coefficient.sign() != 0) result.terms.emplace_back(noise, bounded(coefficient));
  }
  return result;
}

// A condition on a form as an interval for the form with leading coefficient 1 and constant 0.
std::pair<NoiseTerms, Interval> normalised(const HalfSpace& condition) {
  const Rational leading = condition.form.terms.front().second;
  NoiseTerms terms = condition.form.terms;
  for (auto& [noise, coefficient] : terms) coefficient /= leading;
  const Rational bound = -condition.form.constant / leading;
  Interval interval;
  if (leading.sign() > 0) {
    interval.high = bound;
    interval.high_closed = !condition.strict;
  } else {
    interval.low = bound;
    interval.low_closed = !condition.strict;
  }
  return {std::move(terms), std::move(interval)};
}

// A condition on ⌊under⌋ as one on `under`: ⌊t⌋ ≥ m is t ≥ m, and ⌊t⌋ ≤ m is t < m + 1.
HalfSpace below_step(const Interval& step, const LinearForm& under) {
  const Interval whole = whole_numbers(step);
  if (whole.low) return {LinearForm{*whole.low, {}} - under, false};
  return {under - LinearForm{known(whole.high) + 1, {}}, true};
}

bool is_step(const Noise& noise) { return noise.law == Noise::Law::kStep; }

// The interval that a form must lie in before anything is known.
Interval initial_interval(const NoiseTerms& terms, const std::vector<Noise>& noises) {
  if (terms.size() > 1) return {};
  return noises[static_cast<std::size_t>(terms.front().first)].support();
}

struct Reduced {
  bool constant = false;  // the condition has no noise in it
  bool holds = false;     // … and this is its truth
  NoiseTerms terms;
  Interval interval;
};

Reduced reduced(HalfSpace condition, const std::vector<Noise>& noises) {
  for (;;) {
    if (condition.form.is_constant()) {
      const int sign = condition.form.constant.sign();
      return {true, sign < 0 || (sign == 0 && !condition.strict), {}, {}};
    }
    auto [terms, interval] = normalised(condition);
    const auto step = std::ranges::find_if(terms, [&](const auto& term) {
      return is_step(noises[static_cast<std::size_t>(term.first)]);
    });
    if (step == terms.end()) return {false, false, std::move(terms), std::move(interval)};
    if (terms.size() > 1) throw not_supported("a rounded number is mixed with other noise");
    condition = below_step(interval, noises[static_cast<std::size_t>(step->first)].under);
  }
}

}  // namespace

LinearForm operator+(const LinearForm& a, const LinearForm& b) { return combined(a, 1, b); }
LinearForm operator-(const LinearForm& a, const LinearForm& b) { return combined(a, -1, b); }
LinearForm operator*(const Rational& factor, const LinearForm& a) {
  return combined({}, factor, a);
}

bool Interval::contains(const Rational& value) const {
  if (low && (value < *low || (value == *low && !low_closed))) return false;
  return !high || value < *high || (value == *high && high_closed);
}

bool Interval::is_empty() const {
  if (!low || !high) return false;
  return *low > *high || (*low == *high && !(low_closed && high_closed));
}

bool Interval::is_null() const { return low && high && *low >= *high; }

Interval intersection(const Interval& a, const Interval& b) {
  Interval result = a;
  if (b.low && (!a.low || *b.low >= *a.low)) {
    result.low_closed = b.low_closed && (!a.low || *b.low > *a.low || a.low_closed);
    result.low = b.low;
  }
  if (b.high && (!a.high || *b.high <= *a.high)) {
    result.high_closed = b.high_closed && (!a.high || *b.high < *a.high || a.high_closed);
    result.high = b.high;
  }
  return result;
}

Interval whole_numbers(const Interval& a) {
  Interval result;
  if (a.low) result.low = a.low_closed ? a.low->ceil() : a.low->floor() + 1;
  if (a.high) result.high = a.high_closed ? a.high->floor() : a.high->ceil() - 1;
  return result;
}

Interval Noise::support() const {
  Interval result;
  if (law == Law::kExponential || law == Law::kUniform || law == Law::kGeometric) result.low = 0;
  if (law == Law::kUniform) result.high = 1;
  return result;
}

bool is_whole(const NoiseTerms& terms, const std::vector<Noise>& noises) {
  return std::ranges::all_of(terms, [&](const auto& term) {
    return noises[static_cast<std::size_t>(term.first)].is_whole();
  });
}

bool has_room(const Interval& interval, const NoiseTerms& terms, const std::vector<Noise>& noises) {
  return is_whole(terms, noises) ? !interval.is_empty() : !interval.is_null();
}

bool System::require(HalfSpace condition, const std::vector<Noise>& noises) {
  const Reduced known = reduced(std::move(condition), noises);
  if (known.constant) return known.holds;
  auto [entry, is_new] = intervals_.try_emplace(known.terms);
  if (is_new) entry->second = initial_interval(known.terms, noises);
  entry->second = intersection(entry->second, known.interval);
  if (known.terms.size() == 1 && is_whole(known.terms, noises)) {
    entry->second = whole_numbers(entry->second);
  }
  return has_room(entry->second, known.terms, noises);
}

bool System::require_in(const LinearForm& form, const Interval& interval,
                        const std::vector<Noise>& noises) {
  bool room = true;
  if (interval.low) {
    room = require({LinearForm{*interval.low, {}} - form, !interval.low_closed}, noises) && room;
  }
  if (interval.high) {
    room = require({form - LinearForm{*interval.high, {}}, !interval.high_closed}, noises) && room;
  }
  return room;
}

bool System::allows(const HalfSpace& condition, const std::vector<Noise>& noises) const {
  const Reduced known = reduced(condition, noises);
  if (known.constant) return known.holds;
  const auto entry = intervals_.find(known.terms);
  Interval interval =
      entry == intervals_.end() ? initial_interval(known.terms, noises) : entry->second;
  interval = intersection(interval, known.interval);
  if (known.terms.size() == 1 && is_whole(known.terms, noises)) interval = whole_numbers(interval);
  return has_room(interval, known.terms, noises);
}

}  // namespace lastbit::verify::refutation
