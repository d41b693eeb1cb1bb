// Linear forms in noise, and what a run has learned about them.
//
// A number that a program computes from given inputs is a constant plus multiples of its draws. A
// branch that was taken is a half-line in which such a form lies. Conditions on one form, up to a
// factor, are kept as one interval, so that contradictions show at once.
// Proof: proofs/refutation.md#paths
#pragma once

#include <map>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::verify::refutation {

// Multiples of noises by index, in increasing order, none zero.
using NoiseTerms = std::vector<std::pair<int, Rational>>;

struct LinearForm {
  Rational constant;
  NoiseTerms terms;

  bool is_constant() const { return terms.empty(); }
};

LinearForm operator+(const LinearForm& a, const LinearForm& b);
LinearForm operator-(const LinearForm& a, const LinearForm& b);
LinearForm operator*(const Rational& factor, const LinearForm& a);

// An interval; an absent end is infinite.
struct Interval {
  std::optional<Rational> low;
  std::optional<Rational> high;
  bool low_closed = true;
  bool high_closed = true;

  bool contains(const Rational& value) const;
  // is_empty: it holds no number.
  bool is_empty() const;
  // is_null: it holds at most one number.
  bool is_null() const;
  friend bool operator==(const Interval&, const Interval&) = default;
};
// known: the end of an interval that has one.
inline const Rational& known(const std::optional<Rational>& end) {
  if (!end) broken_invariant("an interval has that end", std::source_location::current());
  return *end;
}
Interval intersection(const Interval& a, const Interval& b);
// whole_numbers: the closed interval with the same whole numbers.
Interval whole_numbers(const Interval& a);

struct Noise {
  enum class Law { kLaplace, kExponential, kUniform, kGeometric, kDiscreteLaplace, kStep };
  Law law = Law::kLaplace;
  Rational scale = 1;     // of the first five
  LinearForm under = {};  // kStep: this noise is ⌊under⌋
  int twin = -1;          // kUniform and the kExponential that is −ln of it name each other

  // is_whole: it takes only whole values.
  bool is_whole() const { return law >= Law::kGeometric; }
  Interval support() const;
};

// is_whole: whether every noise in the form is whole; otherwise the form has a density.
bool is_whole(const NoiseTerms& terms, const std::vector<Noise>& noises);

// has_room: whether a form can lie in the interval with positive probability, as far as the
// interval alone shows.
bool has_room(const Interval& interval, const NoiseTerms& terms, const std::vector<Noise>& noises);

// form ≤ 0, or form < 0 if `strict`.
struct HalfSpace {
  LinearForm form;
  bool strict = false;

  HalfSpace complement() const { return {Rational(-1) * form, !strict}; }
};

// System: intervals that linear forms lie in. Every form has leading coefficient 1 and constant 0;
// steps are replaced by conditions on what is under them.
class System {
 public:
  // Adds a condition and returns whether the form still has somewhere to lie with positive
  // probability. A true answer promises nothing about several forms together. A condition that
  // combines a step with other noise is a kNotSupported Error.
  bool require(HalfSpace condition, const std::vector<Noise>& noises);
  // require_in: the form lies in the interval.
  bool require_in(const LinearForm& form, const Interval& interval,
                  const std::vector<Noise>& noises);
  // allows: what require would answer, without adding anything.
  bool allows(const HalfSpace& condition, const std::vector<Noise>& noises) const;

  const std::map<NoiseTerms, Interval>& intervals() const { return intervals_; }

 private:
  std::map<NoiseTerms, Interval> intervals_;
};

}  // namespace lastbit::verify::refutation
