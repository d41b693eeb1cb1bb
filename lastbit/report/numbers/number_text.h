// Numbers as people read them: exact where that is short, and rounded in the direction that stays
// true where it is not.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::report {

// exact_text: every digit of a binary fraction of at most 60 decimals; else as Rational::to_string.
std::string exact_text(const Rational& value);
// short_text: exact in at most 12 characters, else the six leading digits.
std::string short_text(const Rational& value);
// at_most_text, at_least_text: the closest numbers of six digits that are not below, and not above,
// `value`.
std::string at_most_text(double value);
std::string at_least_text(double value);
// signed_text: six digits, for numbers that bound nothing.
std::string signed_text(double value);
std::string grid_text(const Grid& grid);

// json_of: null for nothing.
nlohmann::ordered_json json_of(const std::optional<Rational>& value);

}  // namespace lastbit::report
