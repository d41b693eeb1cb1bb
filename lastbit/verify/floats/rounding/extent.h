// Extents: where a formula lies while its variables run through ranges. This decides the sign cases
// of the rules.
//
// Guarantee      if every variable lies in its range, the formula lies in its extent: exact rational
//                ends, rounded outward, possibly infinite. Proof: proofs/rounding.md#extents
// Not promised   the smallest such interval: variables that occur twice are treated as two.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "lastbit/numerics/float.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/verify/floats/rounding/formula.h"

namespace lastbit::verify {

// ExtentEnd: a number, or −∞ or +∞ (infinite is −1 or 1); open when the number itself is excluded.
struct ExtentEnd {
  int infinite = 0;
  Rational value = {};
  bool open = false;

  int sign() const { return infinite != 0 ? infinite : value.sign(); }
  friend bool operator==(const ExtentEnd&, const ExtentEnd&) = default;
};

struct Extent {
  ExtentEnd low;
  ExtentEnd high;

  // between: all numbers from low to high, both included; low > high is a kBadParameter Error.
  static Extent between(const Rational& low, const Rational& high);
  static Extent point(const Rational& value) { return between(value, value); }
  static Extent at_least(const Rational& low);
  static Extent at_most(const Rational& high);
  static Extent all();
  // unit: the open interval (0, 1).
  static Extent unit();

  // What holds for every number of the extent.
  bool is_nonnegative() const { return low.sign() >= 0; }
  bool is_nonpositive() const { return high.sign() <= 0; }
  bool is_positive() const { return low.sign() > 0 || (low.sign() == 0 && low.open); }
  bool is_negative() const { return high.sign() < 0 || (high.sign() == 0 && high.open); }
  bool is_finite() const { return low.infinite == 0 && high.infinite == 0; }
  bool contains(const Rational& number) const;
  // to_string: [-1, 1], (0, 1), (-inf, 3].
  std::string to_string() const;

  friend bool operator==(const Extent&, const Extent&) = default;
};

// Ranges: where each variable lies, by name. U lies in (0, 1) unless said otherwise.
using Ranges = std::map<std::string, Extent>;

// Extents: the extents of formulas, each computed once.
class Extents {
 public:
  // Requires  checked: an unbounded format (its precision gives η), and a range of U within (0, 1);
  //           else kBadParameter.
  Extents(Ranges ranges, const FloatFormat& format);

  // of: Fails on a variable without a range (kBadParameter), a division by an extent that reaches 0
  // and ln of one that reaches 0 (kNotSupported, naming the part of the formula).
  const Extent& of(const Formula& formula);

  const Ranges& ranges() const { return ranges_; }
  const FloatFormat& format() const { return format_; }

 private:
  Extent found(const Formula& formula);
  Extent of_variable(const std::string& name) const;

  Ranges ranges_;
  FloatFormat format_;
  Rational error_factor_;  // 1 + η
  Rational grain_factor_;  // 1 + 2η
  // The formula is kept beside its extent, so that no two formulas ever share an address.
  std::unordered_map<const Formula::Node*, std::pair<Formula, Extent>> known_;
};

// signed_power: base^exponent for exponents of either sign; base is not 0.
Rational signed_power(const Rational& base, int exponent);

}  // namespace lastbit::verify
