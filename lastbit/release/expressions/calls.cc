#include "lastbit/release/expressions/calls.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>

#include "lastbit/base/text.h"
#include "lastbit/release/expressions/constants.h"
#include "lastbit/release/expressions/other_words.h"

namespace lastbit::expression_internal {
namespace {

constexpr std::array<std::string_view, 7> kWordsOfTime = {
    "current_date",   "current_time", "current_timestamp", "localtime",
    "localtimestamp", "current_user", "session_user"};

// Functions that SQL has and that are not functions of one row.
std::optional<std::string_view> why_not_of_a_row(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kAggregates = {
      "count",  "sum",      "avg",        "min",       "max",   "stddev", "variance",
      "median", "quantile", "string_agg", "array_agg", "first", "last",   "mode"};
  static constexpr std::array<std::string_view, 9> kChanging = {
      "random", "rand", "now", "today", "uuid", "gen_random_uuid", "setseed", "nextval", "getenv"};
  static constexpr std::array<std::string_view, 8> kWindows = {
      "row_number", "rank", "dense_rank", "lag", "lead", "ntile", "first_value", "last_value"};
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (among(kAggregates) || among(kWindows)) return "looks at more than one row";
  if (among(kChanging) || among(kWordsOfTime)) return "does not depend on the row alone";
  return std::nullopt;
}

}  // namespace

bool is_word_of_time(std::string_view word) {
  return std::ranges::find(kWordsOfTime, word) != kWordsOfTime.end();
}

void refuse_word(std::size_t offset, std::string_view word) {
  const auto why = why_not_of_a_row(word);
  if (!why) return;
  refuse(offset, fmt::format("{} {}", word, *why),
         "an expression is a function of the columns of one row");
}

FieldType result_type(const RowFunctionKind& kind, const std::vector<RowExpression>& operands) {
  switch (kind.gives) {
    case Given::kOfFirst:
      return operands.front().type;
    case Given::kInteger:
      return FieldType::kInteger;
    case Given::kReal:
      return FieldType::kReal;
    case Given::kText:
      return FieldType::kText;
    case Given::kBoolean:
      return FieldType::kBoolean;
    case Given::kDate:
      return FieldType::kDate;
  }
  return FieldType::kText;
}

void require_part(const RowExpression& value, const Syntax& syntax, std::optional<DatePart> part) {
  if (!part || has_part(value.type, *part)) return;
  refuse(syntax.offset, fmt::format("{} has no {}", words_for(value.type), name_of(*part)),
         "use a timestamp, or another part");
}

DatePart constant_part(const Syntax& syntax, bool truncation) {
  const auto part = syntax.kind == SyntaxKind::kText ? date_part_named(syntax.text) : std::nullopt;
  const bool fits =
      part && (!truncation || (*part != DatePart::kWeekday && *part != DatePart::kDayOfYear));
  if (fits) return *part;
  refuse(syntax.offset, "this does not name a part of a date",
         truncation
             ? "write 'day', 'week', 'month', 'quarter' or 'year'; of a timestamp also 'hour', "
               "'minute' or 'second'"
             : "write 'day', 'week', 'month', 'quarter', 'year', 'weekday' or 'dayofyear'; of a "
               "time 'hour', 'minute' or 'second'");
}

void refuse_function(const Syntax& syntax) {
  refuse_word(syntax.offset, syntax.text);
  std::vector<std::string> names;
  for (const RowFunctionKind& kind : row_functions()) names.emplace_back(kind.name);
  auto meant = release_internal::other_word(syntax.text, names);
  if (!meant) meant = nearest_name(syntax.text, names);
  const bool choice = syntax.text == "if" || syntax.text == "iif" || syntax.text == "decode";
  refuse(syntax.offset, fmt::format("there is no function {}", quote(syntax.text)),
         choice  ? "write CASE WHEN age < 18 THEN 'minor' ELSE 'adult' END"
         : meant ? fmt::format("did you mean {}?", quote(*meant))
                 : "docs/expressions.md lists the functions");
}

}  // namespace lastbit::expression_internal
