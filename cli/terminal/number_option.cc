#include "cli/terminal/number_option.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::cli {

using report::short_text;

NumberOption::NumberOption(Arguments& parser, std::string name, const std::string& help,
                           std::string initial)
    : parser_(parser), name_(std::move(name)), text_(std::move(initial)) {
  parser.add_option(name_, text_, text_.empty() ? help : fmt::format("{} ({})", help, text_), "X");
}

std::optional<Rational> NumberOption::optional() const {
  if (text_.empty()) return std::nullopt;
  try {
    return Rational::parse(text_);
  } catch (const Error&) {
    const bool comma = text_.find(',') != std::string::npos;
    throw parser_.wrong(
        fmt::format("{} cannot be the value of {}", lastbit::quote(text_), name_),
        comma ? "write a decimal point, as in 0.5" : "give a number such as 2, 0.1, 1/3 or 1e-3");
  }
}

Rational NumberOption::value() const {
  if (const auto given = optional()) return *given;
  throw parser_.wrong(name_ + " is missing", fmt::format("give {} a number", name_));
}

void require_positive(const Arguments& parser, const NumberOption& option) {
  const auto value = option.optional();
  if (!value || value->sign() > 0) return;
  throw parser.wrong(fmt::format("{} ({}) is not positive", option.name(), short_text(*value)),
                     "give a number above 0");
}

void require_probability(const Arguments& parser, const NumberOption& option) {
  const auto value = option.optional();
  if (!value || (value->sign() > 0 && *value < Rational(1))) return;
  throw parser.wrong(
      fmt::format("{} ({}) is not between 0 and 1", option.name(), short_text(*value)),
      "give a probability such as 0.05");
}

}  // namespace lastbit::cli
