// Starting points: where the private inputs of a candidate lie and how they move, simple ones first.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify::refutation {

// Numbers for the entries of a list: where they start, or how far they move.
struct Pattern {
  Rational one;
  Rational other;
  enum { kHalves, kFirst, kLast, kAlternating, kRamp, kOnly } shape = kHalves;
  std::size_t index = 0;  // for kOnly: the entry that has `one`

  Rational at(std::size_t i, std::size_t size) const;
};

// changes: moves, in multiples of how far an entry may move in that direction.
const std::vector<Pattern>& changes();
// changes_of_one: moves of one entry only, each of the first `most`.
std::vector<Pattern> changes_of_one(std::size_t most);
// bases: starts that are tried for every program.
const std::vector<Pattern>& bases();

// for_each_part: calls `visit` with the expression and everything in it.
void for_each_part(const Expression& expression,
                   const std::function<void(const Expression&)>& visit);
// mentions: whether a name in the expression meets the condition.
bool mentions(const Expression& expression, const std::function<bool(const std::string&)>& is);

// literals_of: numbers in the body that something private may be compared with, at most
// kMostNumbers / 2 of them, the largest in magnitude first, since bases has small ones. Numbers
// that concern only public parameters, such as those in the scale of a draw, are left out.
inline constexpr std::size_t kMostNumbers = 24;
std::vector<Rational> literals_of(const Program& program,
                                  const std::set<std::string>& private_names);

// landmarks: where a mechanism with these numbers may change its behaviour: the numbers themselves,
// then numbers 1/2 or 1 away from them, then what two of them give by arithmetic. There are at most
// kMostLandmarks; small whole numbers, which bases has, are left out. The time grows with the
// square of how many numbers there are, so pass at most kMostNumbers.
inline constexpr std::size_t kMostLandmarks = 60;
std::vector<Rational> landmarks(const std::vector<Rational>& numbers);

}  // namespace lastbit::verify::refutation
