#include "lastbit/release/expressions/constants.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::expression_internal {
namespace {

const TimeZone& zone_named(std::string_view name, std::size_t offset) {
  auto found = TimeZone::find(name);
  if (auto* problem = std::get_if<ZoneProblem>(&found)) {
    refuse(offset, std::move(problem->problem), std::move(problem->remedy));
  }
  return *std::get<const TimeZone*>(found);
}

// decimal_constant: with as many decimals as are written; nothing if there are too many.
std::optional<RowExpression> decimal_constant(const std::string& text) {
  if (text.find_first_of("eE") != std::string::npos) return std::nullopt;
  const std::size_t point = text.find('.');
  const std::size_t after = point == std::string::npos ? 0 : text.size() - point - 1;
  if (after > static_cast<std::size_t>(FieldType::kMostDecimals)) return std::nullopt;
  const int decimals = static_cast<int>(after);
  const auto number = read_decimal(text, decimals);
  if (!number) return std::nullopt;
  return constant_of(FieldType::decimal(decimals), CellValue(Decimal{*number, decimals}));
}

// is_decimal_literal: a number with a point, as it is written. It is real, unless it stands
// beside a decimal.
bool is_decimal_literal(const Syntax& syntax) {
  if (syntax.kind == SyntaxKind::kDecimal) return true;
  return syntax.kind == SyntaxKind::kOperator && syntax.text == "neg" &&
         syntax.operands[0].kind == SyntaxKind::kDecimal;
}
// Zoned: of 2026-03-01T10:00Z[Europe/Berlin], what stands before and in the brackets.
struct Zoned {
  std::string_view text;
  std::optional<std::string_view> zone;
};
Zoned zoned(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return {text, std::nullopt};
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2)};
}

}  // namespace

std::optional<FieldType> type_named(std::string_view name, std::size_t offset) {
  static constexpr std::array<std::pair<std::string_view, FieldType>, 18> kNames = {{
      {"integer", FieldType::kInteger},
      {"int", FieldType::kInteger},
      {"bigint", FieldType::kInteger},
      {"smallint", FieldType::kInteger},
      {"real", FieldType::kReal},
      {"double", FieldType::kReal},
      {"float", FieldType::kReal},
      {"numeric", FieldType::kReal},
      {"text", FieldType::kText},
      {"varchar", FieldType::kText},
      {"string", FieldType::kText},
      {"boolean", FieldType::kBoolean},
      {"bool", FieldType::kBoolean},
      {"date", FieldType::kDate},
      {"timestamp", FieldType::kTimestamp},
      {"time", FieldType::kTime},
      {"unsigned", FieldType::kUnsigned},
      {"ubigint", FieldType::kUnsigned},
  }};
  const std::size_t open = name.find('(');
  if (open != std::string_view::npos) {
    const std::string_view inside = name.substr(open + 1, name.size() - open - 2);
    if (name.starts_with("timestamp(")) return FieldType::timestamp(zone_named(inside, offset));
    const auto decimals = read_integer(inside);
    if (!decimals || *decimals > FieldType::kMostDecimals) {
      refuse(offset, "a decimal has too many decimals",
             fmt::format("write at most {}", FieldType::kMostDecimals));
    }
    return FieldType::decimal(static_cast<int>(*decimals));
  }
  const auto* const found =
      std::ranges::find(kNames, name, [](const auto& one) { return one.first; });
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

RowExpression constant_of(FieldType type, Cell value) {
  RowExpression result;
  result.type = type;
  result.constant = std::move(value);
  return result;
}

RowExpression whole_constant(const Syntax& syntax, bool negative) {
  std::int64_t number = 0;
  const std::string text = (negative ? "-" : "") + syntax.text;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec == std::errc()) return constant_of(FieldType::kInteger, CellValue(number));
  const auto wide = read_decimal(text, 0);
  if (!wide) {
    refuse(syntax.offset, "this whole number has more than 38 digits",
           "write it with a decimal point if a real number is meant");
  }
  return constant_of(FieldType::decimal(0), CellValue(Decimal{*wide, 0}));
}
CellValue real_constant(const Syntax& syntax) {
  const auto number = read_finite(syntax.text);
  if (!number) refuse(syntax.offset, "this number is too large", "write a number below 1.7e308");
  return *number;
}
RowExpression exact_decimal_constant(const Syntax& syntax) {
  auto result = decimal_constant(syntax.text);
  if (!result) {
    refuse(syntax.offset, fmt::format("{} is not a decimal", quote(syntax.text)),
           "write digits, at most 18 of them after the point: DECIMAL '9.99'");
  }
  return *std::move(result);
}
RowExpression timestamp_constant(const Syntax& syntax, const TimeZone& around) {
  const auto [text, name] = zoned(syntax.text);
  const TimeZone& zone = name ? zone_named(*name, syntax.offset) : around;
  const auto micros = read_timestamp(text, zone);
  if (!micros) {
    refuse(syntax.offset, fmt::format("{} is not a valid timestamp", quote(syntax.text)),
           "write it as TIMESTAMP '2026-03-01 10:00:00'");
  }
  return constant_of(FieldType::timestamp(zone), CellValue(Instant{*micros}));
}
RowExpression time_constant(const Syntax& syntax) {
  const auto micros = read_time(syntax.text);
  if (!micros) {
    refuse(syntax.offset, fmt::format("{} is not a valid time", quote(syntax.text)),
           "write it as TIME '10:00:00'");
  }
  return constant_of(FieldType::kTime, CellValue(TimeOfDay{*micros}));
}
RowExpression date_constant(const Syntax& syntax) {
  const auto day = read_date(syntax.text);
  if (!day) {
    refuse(syntax.offset, fmt::format("{} is not a valid date", quote(syntax.text)),
           "write it as DATE '2026-03-01'");
  }
  return constant_of(FieldType::kDate, CellValue(Day{*day}));
}

std::string_view words_for(FieldType type) {
  switch (type) {
    case FieldType::kInteger:
      return "a whole number";
    case FieldType::kReal:
      return "a real number";
    case FieldType::kText:
      return "a text";
    case FieldType::kBoolean:
      return "a condition";
    case FieldType::kDate:
      return "a date";
    case FieldType::kTimestamp:
      return "a timestamp";
    case FieldType::kTime:
      return "a time";
    case FieldType::kDecimal:
      return "a decimal";
    case FieldType::kUnsigned:
      return "an unsigned number";
  }
  return "";
}

void adapt_constants(const std::vector<const Syntax*>& all,
                     std::vector<std::optional<RowExpression>>& checked) {
  bool wide = false;
  bool real = false;
  std::optional<FieldType> moment;
  bool fixed = false;  // the zone of the moment is not that of a constant without one
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<RowExpression>& one = checked[i];
    if (!one) continue;
    const FieldType type = one->type;
    wide = wide || is_wide(type);
    real = real || (type == FieldType::kReal && !is_decimal_literal(*all[i]));
    const bool has_zone = all[i]->kind != SyntaxKind::kTimestamp || zoned(all[i]->text).zone;
    const bool is_moment =
        type == FieldType::kDate || type == FieldType::kTimestamp || type == FieldType::kTime;
    if (!is_moment || (moment && (fixed || !has_zone))) continue;
    moment = type;
    fixed = has_zone;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Syntax& syntax = *all[i];
    if (wide && !real && is_decimal_literal(syntax)) {
      const bool negative = syntax.kind == SyntaxKind::kOperator;
      auto exact = decimal_constant(negative ? "-" + syntax.operands[0].text : syntax.text);
      if (exact) checked[i] = *std::move(exact);
    }
    if (!moment) continue;
    const bool is_text = syntax.kind == SyntaxKind::kText;
    const bool stamp = is_text || syntax.kind == SyntaxKind::kTimestamp;
    if (*moment == FieldType::kTimestamp && stamp)
      checked[i] = timestamp_constant(syntax, moment->zone());
    if (*moment == FieldType::kDate && is_text) checked[i] = date_constant(syntax);
    if (*moment == FieldType::kTime && is_text) checked[i] = time_constant(syntax);
  }
}

FieldType joined_type(FieldType a, FieldType b) {
  if (a == b) return a;
  if (a == FieldType::kReal || b == FieldType::kReal) return FieldType::kReal;
  return FieldType::decimal(std::max(a.decimals(), b.decimals()));
}

}  // namespace lastbit::expression_internal
