#include "lastbit/release/expressions/implied_keys.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "lastbit/release/expressions/syntax.h"
#include "lastbit/release/file/field_text.h"

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
  static constexpr std::array<Named, 6> kParts = {{{"month", {1, 12}},
                                                   {"quarter", {1, 4}},
                                                   {"weekday", {1, 7}},
                                                   {"day", {1, 31}},
                                                   {"week", {1, 53}},
                                                   {"dayofyear", {1, 366}}}};
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

}  // namespace

std::optional<KeySet> implied_keys(std::string_view text) {
  try {
    return keys_of(expression_internal::parse_syntax(text));
  } catch (const expression_internal::Refusal&) {
    return std::nullopt;
  }
}

}  // namespace lastbit
