// Numbers as people read them: exact if that is short, otherwise rounded in the direction that
// keeps the statement true.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::report {

// exact_text: every digit of a binary fraction with at most 60 decimals; otherwise as
// Rational::to_string.
std::string exact_text(const Rational& value);
// short_text: exact if that takes at most 12 characters, otherwise the six leading digits.
std::string short_text(const Rational& value);
// at_most_text, at_least_text: the closest numbers of six digits that are not below, and not above,
// `value`.
std::string at_most_text(double value);
std::string at_least_text(double value);
// signed_text: six digits, for numbers that bound nothing.
std::string signed_text(double value);
std::string grid_text(const Grid& grid);
// binary_text: a fraction whose denominator is a power of two: 13/64 or, if that is long, the first
// digits and the power: "0.183939720585 (a multiple of 2^-54)".
std::string binary_text(const Rational& value);

// with_commas: the digits before the point in groups of three, 40000.25 as 40,000.25.
std::string with_commas(std::string number);
// grouped: a whole number with commas, 40000 as 40,000.
std::string grouped(std::uint64_t number);
// duration: a time in words, as in "12 ms" or "3.4 s".
std::string duration(double seconds);

// json_of: null for nothing.
nlohmann::ordered_json json_of(const std::optional<Rational>& value);

}  // namespace lastbit::report
