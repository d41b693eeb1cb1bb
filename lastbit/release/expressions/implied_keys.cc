#include "lastbit/release/expressions/implied_keys.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/syntax.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace {

using expression_internal::Syntax;
using expression_internal::SyntaxKind;

std::optional<KeyValue> constant_key(const Syntax& syntax) {
  switch (syntax.kind) {
    case SyntaxKind::kText:
      return syntax.text;
    case SyntaxKind::kTrue:
      return true;
    case SyntaxKind::kFalse:
      return false;
    case SyntaxKind::kInteger:
      if (const auto number = read_integer(syntax.text)) return *number;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// is_null: also as canonical text writes it.
bool is_null(const Syntax& syntax) {
  return syntax.kind == SyntaxKind::kNull ||
         (syntax.kind == SyntaxKind::kCast && is_null(syntax.operands[0]));
}

std::optional<KeySet> keys_of_case(std::span<const Syntax> operands) {
  KeyList keys;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const bool is_condition = i % 2 == 0 && i + 1 < operands.size();
    if (is_condition || is_null(operands[i])) continue;
    const auto key = constant_key(operands[i]);
    if (!key || (!keys.empty() && keys.front().index() != key->index())) return std::nullopt;
    if (std::ranges::find(keys, *key) == keys.end()) keys.push_back(*key);
  }
  if (keys.empty()) return std::nullopt;
  return keys;
}

std::optional<KeySet> keys_of_part(std::string_view part) {
  using Named = std::pair<std::string_view, KeyRange>;
  static constexpr std::array<Named, 9> kParts = {{{"month", {1, 12}},
                                                   {"quarter", {1, 4}},
                                                   {"weekday", {1, 7}},
                                                   {"day", {1, 31}},
                                                   {"week", {1, 53}},
                                                   {"dayofyear", {1, 366}},
                                                   {"hour", {0, 23}},
                                                   {"minute", {0, 59}},
                                                   {"second", {0, 59}}}};
  const auto* const found = std::ranges::find(kParts, part, &Named::first);
  if (found == kParts.end()) return std::nullopt;
  return found->second;
}

std::optional<KeySet> keys_of(const Syntax& syntax) {
  static constexpr std::array<std::string_view, 15> kConditions = {
      "AND",  "OR", "NOT", "IS NULL", "IS TRUE", "IS FALSE", "IN", "BETWEEN",
      "LIKE", "=",  "<>",  "<",       "<=",      ">",        ">="};
  switch (syntax.kind) {
    case SyntaxKind::kCase:
      return keys_of_case(syntax.operands);
    case SyntaxKind::kCaseOf:
      return keys_of_case(std::span(syntax.operands).subspan(1));
    case SyntaxKind::kCall:
      if (syntax.text == "date_part" && syntax.operands.size() == 2) {
        return keys_of_part(syntax.operands[0].text);
      }
      return keys_of_part(syntax.text);
    case SyntaxKind::kOperator:
      if (std::ranges::find(kConditions, syntax.text) != kConditions.end()) {
        return KeyList{false, true};
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// key_of: a value as a key; nothing for values that cannot be keys.
std::optional<KeyValue> key_of(const CellValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return *whole;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* text = std::get_if<std::string>(&value)) {
    // As long as the keys that a release file may list.
    constexpr std::size_t kLongest = 200;
    if (text->size() <= kLongest) return *text;
  }
  if (const auto* day = std::get_if<Day>(&value)) {
    const Date date(std::chrono::sys_days(std::chrono::days(day->number)));
    if (date.year() >= std::chrono::year(1)) return date;
  }
  return std::nullopt;
}

CellValue value_of(const KeyValue& key) {
  if (const auto* date = std::get_if<Date>(&key)) {
    return Day{std::chrono::sys_days(*date).time_since_epoch().count()};
  }
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return *whole;
  if (const auto* truth = std::get_if<bool>(&key)) return *truth;
  return std::get<std::string>(key);
}

// image_of: the values that the expression has for the keys of its column, and where it is missing.
std::optional<KeySet> image_of(const RowExpression& expression, const KeySet& keys) {
  KeyList image;
  std::set<KeyValue> seen;
  const auto add_field = [&](const Cell& field) {
    const Cell value = evaluate(expression, [&](const std::string&) { return field; });
    if (!value) return true;
    const auto result = key_of(*value);
    if (result && seen.insert(*result).second) image.push_back(*result);
    return result.has_value();
  };
  const auto add = [&](const KeyValue& key) { return add_field(value_of(key)); };
  if (const auto* list = std::get_if<KeyList>(&keys)) {
    if (!std::ranges::all_of(*list, add)) return std::nullopt;
  } else {
    const auto& [first, last] = std::get<KeyRange>(keys);
    for (std::int64_t key = first; key <= last; ++key) {
      if (!add(key)) return std::nullopt;
    }
  }
  if (!add_field(std::nullopt) || image.empty()) return std::nullopt;
  return image;
}

// keys_by_column: of an expression of a single column, whose keys are known.
std::optional<ImpliedKeys> keys_by_column(std::string_view text,
                                          const std::vector<KeyedColumn>& columns,
                                          std::size_t& work) {
  std::vector<RowColumn> row;
  for (const KeyedColumn& column : columns) {
    const auto type = std::visit([](const auto& keys) { return type_of_keys(keys); }, *column.keys);
    if (type) row.push_back({column.name, *type});
  }
  const auto parsed = parse_expression(text, row);
  const auto* expression = std::get_if<RowExpression>(&parsed);
  if (expression == nullptr || expression->type == FieldType::kReal) return std::nullopt;
  const std::vector<RowColumn> used = columns_of(*expression);
  if (used.size() != 1) return std::nullopt;
  const auto column = std::ranges::find(columns, used.front().name, &KeyedColumn::name);
  const Integer steps =
      std::visit([](const auto& keys) { return Integer(keys.size()) + 1; }, *column->keys) *
      Integer(node_count(*expression));
  if (steps > Integer(work)) return std::nullopt;
  work -= static_cast<std::size_t>(steps.to_int64());
  auto image = image_of(*expression, *column->keys);
  if (!image) return std::nullopt;
  return ImpliedKeys{*std::move(image), used.front()};
}

// never_missing: whether it has a value in every row. It need not find all that do.
bool never_missing(const Syntax& syntax) {
  const auto has_values = [](std::span<const Syntax> operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_condition = i % 2 == 0 && i + 1 < operands.size();
      if (!is_condition && !constant_key(operands[i])) return false;
    }
    return true;
  };
  switch (syntax.kind) {
    case SyntaxKind::kCase:
      return has_values(syntax.operands);
    case SyntaxKind::kCaseOf:
      return has_values(std::span(syntax.operands).subspan(1));
    case SyntaxKind::kOperator:
      if (syntax.text == "IS NULL" || syntax.text == "IS TRUE" || syntax.text == "IS FALSE") {
        return true;
      }
      return (syntax.text == "NOT" || syntax.text == "AND" || syntax.text == "OR") &&
             std::ranges::all_of(syntax.operands, never_missing);
    default:
      return false;
  }
}

bool has_all_keys(const KeySet& keys, const KeySet& values) {
  const auto* wanted = std::get_if<KeyList>(&values);
  const auto* list = std::get_if<KeyList>(&keys);
  return wanted != nullptr && list != nullptr &&
         std::ranges::all_of(*wanted, [&](const KeyValue& value) {
           return std::ranges::find(*list, value) != list->end();
         });
}

}  // namespace

bool always_has_key(std::string_view text, const KeySet& keys) {
  try {
    const Syntax syntax = expression_internal::parse_syntax(text);
    if (!never_missing(syntax)) return false;
    const auto values = keys_of(syntax);
    return values && has_all_keys(keys, *values);
  } catch (const expression_internal::Refusal&) {
    return false;
  }
}

std::optional<ImpliedKeys> implied_keys(std::string_view text,
                                        const std::vector<KeyedColumn>& columns,
                                        std::size_t& work) {
  try {
    auto keys = keys_of(expression_internal::parse_syntax(text));
    if (keys) return ImpliedKeys{*std::move(keys), std::nullopt};
    return keys_by_column(text, columns, work);
  } catch (const expression_internal::Refusal&) {
    return std::nullopt;
  }
}

}  // namespace lastbit
