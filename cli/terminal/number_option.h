// Exact numbers on command lines.
#pragma once

#include <optional>
#include <string>

#include "cli/terminal/arguments.h"
#include "lastbit/numerics/rational.h"

namespace lastbit::cli {

// NumberOption: an option whose value is an exact number: 0.1 is 1/10. A text that is not a number
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

}  // namespace lastbit::cli
