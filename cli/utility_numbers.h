// Numbers on command lines and in tables: read exactly, written exactly where that is short, and
// rounded in the direction that stays true where it is not.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "lastbit/numerics/grid.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::cli {

// NumberOption: an option whose value is an exact number, 0.1 being 1/10. A text that is no number
// is a usage Failure.
class NumberOption {
 public:
  // Without a default the option may be missing.
  NumberOption(Arguments& parser, std::string name, const std::string& help,
               std::string initial = "");
  // value: the number; a missing one is a usage Failure.
  Rational value() const;
  std::optional<Rational> optional() const;
  const std::string& name() const { return name_; }

 private:
  const Arguments& parser_;
  std::string name_;
  std::string text_;
};

// require_positive, require_probability: usage Failures about options that are given.
void require_positive(const Arguments& parser, const NumberOption& option);
void require_probability(const Arguments& parser, const NumberOption& option);

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

}  // namespace lastbit::cli
