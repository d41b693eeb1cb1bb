#include "lastbit/release/sql/aggregates.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/expressions/functions.h"
#include "lastbit/release/file/problems.h"

namespace lastbit::sql_internal {
namespace {

using expression_internal::lower_case;
using expression_internal::row_functions;
using expression_internal::RowFunctionKind;

// Form: what stands between the parentheses of an aggregate.
enum class Form { kCount, kValue, kLevelLast, kLevelFirst, kPair };

struct AggregateName {
  std::string_view name;
  std::string_view kind;  // of the statistic
  Form form = Form::kValue;
};
constexpr std::array<AggregateName, 17> kAggregates = {{
    {"avg", "mean"},
    {"corr", "correlation", Form::kPair},
    {"count", "count", Form::kCount},
    {"covar_samp", "covariance", Form::kPair},
    {"max", "max"},
    {"mean", "mean"},
    {"median", "quantiles"},
    {"min", "min"},
    {"percentile_cont", "quantiles", Form::kLevelFirst},
    {"percentile_disc", "quantiles", Form::kLevelFirst},
    {"quantile", "quantiles", Form::kLevelLast},
    {"quantile_cont", "quantiles", Form::kLevelLast},
    {"stddev", "standard_deviation"},
    {"stddev_samp", "standard_deviation"},
    {"sum", "sum"},
    {"var_samp", "variance"},
    {"variance", "variance"},
}};

// Aggregates of other systems that have no private answer, or have it under another name. In a
// remedy, {} stands for the argument.
struct RefusedAggregate {
  std::string_view name;
  std::string_view problem;
  std::string_view remedy;
};
constexpr std::string_view kOneRow = "it shows what single rows hold";
constexpr std::string_view kOnePerson = "one person can decide the answer";
constexpr std::string_view kCountRows =
    "count the rows for which it holds: add WHERE, or GROUP BY {}";
constexpr std::string_view kCountValues = "count rows by value: count(*) with GROUP BY {}";
constexpr std::string_view kOnlySamples = "only the form with denominator n - 1 is released";
constexpr std::array<RefusedAggregate, 23> kRefused = {{
    {"any_value", kOneRow, kCountValues},
    {"approx_count_distinct", "it has another name here", "write count(DISTINCT {})"},
    {"approx_quantile", "it has another name here", "write quantile({}, 0.5)"},
    {"arg_max", kOneRow, kCountValues},
    {"arg_min", kOneRow, kCountValues},
    {"array_agg", kOneRow, kCountValues},
    {"bool_and", kOnePerson, kCountRows},
    {"bool_or", kOnePerson, kCountRows},
    {"count_if", "it has another form here", kCountRows},
    {"covar_pop", kOnlySamples, "write covar_samp"},
    {"every", kOnePerson, kCountRows},
    {"first", kOneRow, kCountValues},
    {"group_concat", kOneRow, kCountValues},
    {"last", kOneRow, kCountValues},
    {"list", kOneRow, kCountValues},
    {"listagg", kOneRow, kCountValues},
    {"mode", "it is computed from other answers", "count rows by value, and take the largest"},
    {"row_number", "rows have no order", kCountValues},
    {"stddev_pop", kOnlySamples, "write stddev_samp"},
    {"std", "it has another name here", "write stddev({})"},
    {"string_agg", kOneRow, kCountValues},
    {"var", "it has another name here", "write variance({})"},
    {"var_pop", kOnlySamples, "write var_samp"},
}};

template <class Names>
auto* named_in(const Names& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, [](const auto& one) { return one.name; });
  return found == names.end() ? nullptr : &*found;
}

bool is_row_function(const std::string& name) {
  return std::ranges::find(row_functions(), name, &RowFunctionKind::name) !=
             row_functions().end() ||
         name == "extract" || name == "clamp";
}

// The first call of an aggregate, or the end.
std::size_t find_aggregate(TokenSpan part) {
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    if (!is_call(part.subspan(i))) continue;
    const std::string name = lower_case(part[i].text);
    if (is_row_function(name)) continue;
    if (named_in(kAggregates, name) != nullptr || named_in(kRefused, name) != nullptr) return i;
  }
  return part.size();
}

// AggregateReader: one call, from its name to the end of the part.
class AggregateReader {
 public:
  AggregateReader(const StatementText& text, TokenSpan part, const AggregateName& name)
      : text_(text), part_(part), close_(closing(part, 1)), name_(name) {
    inner_ = part.subspan(2, close_ - 2);
    rest_ = part.subspan(close_ + 1);
  }

  AggregateCall read() {
    call_.function = name_.name;
    call_.kind = name_.kind;
    read_filter();
    if (is_ratio()) {
      refuse_half_a_filter();
      read_ratio();
      return call_;
    }
    if (name_.form == Form::kLevelFirst) {
      read_within_group();
      return call_;
    }
    if (!rest_.empty()) refuse_rest();
    if (name_.form == Form::kCount) {
      read_count();
      return call_;
    }
    const std::vector<TokenSpan> parts = arguments(name_.form == Form::kValue ? 1 : 2);
    call_.arguments.push_back(argument(parts[0]));
    if (name_.form == Form::kPair) {
      call_.arguments.push_back(argument(parts[1]));
      require_two_columns();
    }
    if (name_.form == Form::kLevelLast) call_.level = level_in(parts[1]);
    if (name_.name == "median") call_.level = {"0.5", text_.position(part_.front().offset)};
    return call_;
  }

 private:
  std::string usage() const {
    switch (name_.form) {
      case Form::kCount:
        return "write count(*), count(column) or count(DISTINCT column)";
      case Form::kValue:
        return fmt::format("write {}(income)", name_.name);
      case Form::kLevelLast:
        return fmt::format("write {}(income, 0.25)", name_.name);
      case Form::kLevelFirst:
        return fmt::format("write {}(0.25) WITHIN GROUP (ORDER BY income)", name_.name);
      case Form::kPair:
        break;
    }
    return fmt::format("write {}(age, income)", name_.name);
  }

  std::vector<TokenSpan> arguments(std::size_t count) const {
    refuse_distinct();
    if (!inner_.empty()) {
      std::vector<TokenSpan> parts = text_.split(inner_, "an argument");
      if (parts.size() == count) return parts;
    }
    text_.refuse(part_.front(),
                 fmt::format("{} takes {} argument{}", quote(part_.front().written), count,
                             count == 1 ? "" : "s"),
                 usage());
  }

  void refuse_distinct() const {
    if (inner_.empty() || !is_word(inner_.front(), "DISTINCT")) return;
    text_.refuse(inner_.front(), "only count takes DISTINCT: one person can have many values",
                 "leave DISTINCT out");
  }

  // count(DISTINCT a, b)
  void refuse_distinct_list() const {
    const std::vector<TokenSpan> parts = text_.split(inner_.subspan(1), "a column");
    if (parts.size() == 1) return;
    std::vector<std::string> columns;
    for (const TokenSpan part : parts) columns.push_back(text_.in_one_line(part));
    text_.refuse(parts[1].front(), "count(DISTINCT …) takes one column",
                 fmt::format("join the columns into one text: count(DISTINCT {})",
                             shown_text(joined(columns, " || ' ' || "))));
  }

  // FILTER (WHERE condition) at the end.
  void read_filter() {
    std::size_t place = 0;
    while (place < rest_.size() && !is_word(rest_[place], "FILTER")) ++place;
    if (place == rest_.size()) return;
    const TokenSpan filter = rest_.subspan(place);
    refuse_filtered_ratio(filter);
    const bool whole = filter.size() > 4 && is_sign(filter[1], "(") &&
                       is_word(filter[2], "WHERE") && closing(filter, 1) == filter.size() - 1;
    if (!whole) {
      text_.refuse(filter.front(), "FILTER is not followed by its condition",
                   "write it at the end: count(*) FILTER (WHERE age >= 18)");
    }
    const TokenSpan condition = filter.subspan(3, filter.size() - 4);
    refuse_aggregates(text_, condition, "FILTER looks at one row, and an aggregate at many",
                      "compare with a column or a number");
    call_.filter = text_.row_value(condition).text;
    rest_ = rest_.first(place);
  }

  // sum(x) FILTER (…) / …
  void refuse_filtered_ratio(TokenSpan filter) const {
    if (filter.size() < 2 || !is_sign(filter[1], "(")) return;
    const std::size_t close = closing(filter, 1);
    if (close + 1 >= filter.size() || !is_sign(filter[close + 1], "/")) return;
    text_.refuse(filter.front(), "FILTER before / is about the first sum alone",
                 "write the condition after WHERE, where it is about both sums");
  }

  // In SQL the filter behind a ratio is that of the second sum alone.
  void refuse_half_a_filter() const {
    if (!call_.filter) return;
    text_.refuse(text_.after(part_.first(close_ + 1)),
                 "FILTER after a ratio is about its second sum alone",
                 "write the condition after WHERE, where it is about both sums");
  }

  // sum(x) / sum(y)
  bool is_ratio() const {
    return name_.name == "sum" && rest_.size() > 3 && is_sign(rest_[0], "/") &&
           is_word(rest_[1], "SUM") && is_sign(rest_[2], "(") &&
           closing(rest_, 2) == rest_.size() - 1;
  }
  void read_ratio() {
    call_.kind = "ratio";
    call_.arguments.push_back(argument(arguments(1)[0]));
    inner_ = rest_.subspan(3, rest_.size() - 4);
    call_.arguments.push_back(argument(arguments(1)[0]));
    require_two_columns();
  }

  void require_two_columns() const {
    if (call_.arguments[0].value.line != call_.arguments[1].value.line) return;
    text_.refuse(part_.front(), "this takes two different columns, and both are the same",
                 "name another one");
  }

  [[noreturn]] void refuse_rest() const {
    if (rest_.front().kind == TokenKind::kSign) {
      text_.refuse(rest_.front(), "the statement computes with an aggregate",
                   "select each aggregate by itself; computing with the answers costs nothing");
    }
    text_.refuse(rest_.front(),
                 fmt::format("{} is not expected after the aggregate", shown_token(rest_.front())),
                 "remove it, or put a comma before it");
  }

  static bool is_one(const Token& token) {
    return token.kind == TokenKind::kInteger && token.text == "1";
  }
  void read_count() {
    const bool one = inner_.size() == 1 && (is_sign(inner_[0], "*") || is_one(inner_[0]));
    if (one) return;
    if (!inner_.empty() && is_word(inner_[0], "DISTINCT")) {
      call_.kind = "count_distinct";
      if (inner_.size() == 1) text_.refuse(part_.front(), "DISTINCT has no column", usage());
      refuse_distinct_list();
      call_.arguments.push_back({text_.row_value(inner_.subspan(1)), {}, {}});
      return;
    }
    call_.arguments.push_back(argument(arguments(1)[0]));
  }

  void read_within_group() {
    const TokenSpan level = arguments(1)[0];
    call_.level = level_in(level);
    const bool whole = rest_.size() > 5 && is_word(rest_[0], "WITHIN") &&
                       is_word(rest_[1], "GROUP") && is_sign(rest_[2], "(") &&
                       is_word(rest_[3], "ORDER") && is_word(rest_[4], "BY") &&
                       closing(rest_, 2) == rest_.size() - 1;
    if (!whole)
      text_.refuse(text_.after(part_.first(close_ + 1)), "the column is missing", usage());
    const TokenSpan column = rest_.subspan(5, rest_.size() - 6);
    if (column.empty()) text_.refuse(rest_[4], "the column is missing", usage());
    if (is_word(column.back(), "DESC")) {
      text_.refuse(column.back(), "levels count from the smallest value",
                   "leave DESC out, and take 1 minus the level");
    }
    call_.arguments.push_back(argument(column));
  }

  // A value, or clamp(value, lower, upper).
  AggregateArgument argument(TokenSpan part) const {
    refuse_aggregates(text_, part, "an aggregate of an aggregate has no answer",
                      "ask for one of them");
    const bool clamps =
        is_call(part) && is_word(part[0], "CLAMP") && closing(part, 1) == part.size() - 1;
    if (!clamps) return {text_.row_value(part), {}, {}};
    const TokenSpan inner = part.subspan(2, part.size() - 3);
    const auto parts = inner.empty() ? std::vector<TokenSpan>() : text_.split(inner, "an argument");
    if (parts.size() != 3) {
      text_.refuse(part[0], "'clamp' takes 3 arguments",
                   "write clamp(income, 0, 100000): a value, its lower and its upper bound");
    }
    return {text_.row_value(parts[0]), number(parts[1], "a number"), number(parts[2], "a number")};
  }

  // The level of a quantile. Whoever writes 90 means 90 %.
  Located<std::string> level_in(TokenSpan part) const {
    Located<std::string> level = number(part, "a level from 0 to 1");
    std::optional<Rational> value;
    try {
      value = Rational::parse(level.value);
    } catch (const Error&) {  // far too large or too small
    }
    if (!value) {
      text_.refuse(part.front(), "a level is a number from 0 to 1 with at most six decimals",
                   "write 0.5 for the median");
    }
    if (value->sign() >= 0 && *value <= Rational(1)) return level;
    std::string remedy = "write 0.5 for the median";
    if (*value > Rational(1) && *value <= Rational(100)) {
      remedy = fmt::format("write {} for {} %, and 0.5 for the median",
                           (*value / Rational(100)).to_string(), level.value);
    }
    text_.refuse(part.front(),
                 fmt::format("the level {} is not between 0 and 1", shown_text(level.value)),
                 remedy);
  }

  Located<std::string> number(TokenSpan part, std::string_view what) const {
    const bool negative = part.size() == 2 && is_sign(part[0], "-");
    const Token& digits = part.back();
    const bool written = digits.kind == TokenKind::kInteger || digits.kind == TokenKind::kDecimal;
    if (!written || part.size() != (negative ? 2U : 1U)) {
      text_.refuse(part.front(), fmt::format("this is not {}", what),
                   "write a number; it must be known without the data");
    }
    return {(negative ? "-" : "") + digits.text, text_.position(part.front().offset)};
  }

  const StatementText& text_;
  TokenSpan part_;
  std::size_t close_;
  AggregateName name_;
  TokenSpan inner_;  // between the parentheses
  TokenSpan rest_;   // behind them
  AggregateCall call_;
};

[[noreturn]] void refuse_named(const StatementText& text, TokenSpan part,
                               const RefusedAggregate& refused) {
  const TokenSpan inner = part.subspan(2, closing(part, 1) - 2);
  std::string argument = inner.empty() ? "income" : shown_text(text.in_one_line(inner));
  // More than a name would make the remedy hard to read.
  if (inner.size() != 1 || argument == "*") argument = "x";
  std::string remedy(refused.remedy);
  const std::size_t place = remedy.find("{}");
  if (place != std::string::npos) remedy.replace(place, 2, argument);
  text.refuse(
      part.front(),
      fmt::format("{} cannot be answered: {}", quote(part.front().written), refused.problem),
      remedy);
}

void require_known_function(const StatementText& text, TokenSpan part) {
  const std::string name = lower_case(part.front().text);
  if (is_row_function(name)) return;
  std::vector<std::string> known;
  for (const AggregateName& one : kAggregates) known.emplace_back(one.name);
  for (const RowFunctionKind& one : row_functions()) known.emplace_back(one.name);
  const auto meant = release_internal::meant_name(name, known);
  const bool choice = name == "if" || name == "iif" || name == "decode";
  text.refuse(part.front(), fmt::format("there is no function {}", quote(part.front().written)),
              choice ? "write CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END"
              : meant
                  ? fmt::format("did you mean {}?", *meant)
                  : "use count, sum, avg, min, max, median, quantile, variance, stddev, covar_samp "
                    "or corr");
}

}  // namespace

std::optional<AggregateCall> read_aggregate(const StatementText& text, TokenSpan part) {
  if (is_call(part)) {
    const std::string name = lower_case(part.front().text);
    if (const auto* aggregate = named_in(kAggregates, name)) {
      return AggregateReader(text, part, *aggregate).read();
    }
    if (const auto* refused = named_in(kRefused, name)) refuse_named(text, part, *refused);
    require_known_function(text, part);
  }
  refuse_aggregates(text, part, "the statement computes with an aggregate",
                    "select each aggregate by itself; computing with the answers costs nothing");
  return std::nullopt;
}

void refuse_aggregates(const StatementText& text, TokenSpan part, std::string_view problem,
                       std::string_view remedy) {
  const std::size_t found = find_aggregate(part);
  if (found == part.size()) return;
  text.refuse(part[found], std::string(problem), std::string(remedy));
}

}  // namespace lastbit::sql_internal
