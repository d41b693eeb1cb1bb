// Expressions as text: in full parentheses, so that nobody has to know which operator binds first.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/functions.h"
#include "lastbit/release/expressions/limits.h"
#include "lastbit/release/expressions/values.h"

namespace lastbit {
namespace {

std::string in_quotes(std::string_view text, char quote) {
  std::string result(1, quote);
  for (const char c : text) {
    if (c == quote) result += quote;
    result += c;
  }
  return result + quote;
}

std::string type_word(FieldType type) {
  constexpr std::array<std::string_view, 9> kWords = {
      "INTEGER", "REAL", "TEXT", "BOOLEAN", "DATE", "TIMESTAMP", "TIME", "DECIMAL", "UNSIGNED"};
  if (type == FieldType::kDecimal) return fmt::format("DECIMAL(38, {})", type.decimals());
  if (&type.zone() != &TimeZone::utc()) {
    return fmt::format("TIMESTAMP({})", in_quotes(type.zone().name(), '\''));
  }
  return std::string(kWords.at(type.kind()));
}

// The shortest digits that read as the same double, with a point, so that they read as a double.
std::string real_text(double number) {
  std::string text = expression_internal::write_real(number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string constant_text(const RowExpression& e) {
  if (!e.constant) return fmt::format("CAST(NULL AS {})", type_word(e.type));
  if (const auto* whole = std::get_if<std::int64_t>(&*e.constant)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&*e.constant)) return real_text(*real);
  if (const auto* text = std::get_if<std::string>(&*e.constant)) return in_quotes(*text, '\'');
  if (const auto* truth = std::get_if<bool>(&*e.constant)) return *truth ? "TRUE" : "FALSE";
  if (const auto* day = std::get_if<Day>(&*e.constant)) {
    return fmt::format("DATE '{}'", expression_internal::write_day(*day));
  }
  if (const auto* time = std::get_if<TimeOfDay>(&*e.constant)) {
    return fmt::format("TIME '{}'", expression_internal::write_time(*time));
  }
  if (const auto* decimal = std::get_if<Decimal>(&*e.constant)) {
    return fmt::format("DECIMAL '{}'",
                       expression_internal::write_decimal(decimal->number, decimal->decimals));
  }
  // In UTC, where no time is skipped or repeated; the zone in brackets is that of its parts.
  const auto text =
      expression_internal::write_instant(std::get<Instant>(*e.constant), TimeZone::utc());
  return fmt::format("TIMESTAMP '{}Z[{}]'", text.value_or(""), e.type.zone().name());
}

// Numbers with a point that are compared with a decimal are read as decimals, unless this says that
// they are not.
bool has_wide(const RowExpression& e) {
  const bool compares = e.operation >= RowOperation::kEqual && e.operation <= RowOperation::kIn;
  return compares && std::ranges::any_of(e.operands, is_wide, &RowExpression::type);
}

// infix: the sign between two operands or more; nothing for other operations.
std::string_view infix(RowOperation operation) {
  switch (operation) {
    case RowOperation::kAnd:
      return "AND";
    case RowOperation::kOr:
      return "OR";
    case RowOperation::kEqual:
      return "=";
    case RowOperation::kNotEqual:
      return "<>";
    case RowOperation::kLess:
      return "<";
    case RowOperation::kLessEqual:
      return "<=";
    case RowOperation::kGreater:
      return ">";
    case RowOperation::kGreaterEqual:
      return ">=";
    case RowOperation::kAdd:
    case RowOperation::kAddDays:
      return "+";
    case RowOperation::kSubtract:
      return "-";
    case RowOperation::kMultiply:
      return "*";
    case RowOperation::kDivide:
      return "/";
    case RowOperation::kWholeDivide:
      return "//";
    case RowOperation::kModulo:
      return "%";
    case RowOperation::kConcatenate:
      return "||";
    default:
      return "";
  }
}

// Writer: appends to one text, so that the time is that of its length.
class ExpressionWriter {
 public:
  // Stops soon after `most` bytes.
  explicit ExpressionWriter(std::size_t most) : most_(most) {}

  const std::string& text() const { return text_; }

  void write(const RowExpression& e) {
    if (text_.size() > most_) return;
    const bool beside_wide = std::exchange(beside_wide_, has_wide(e));
    write_operation(e, beside_wide);
    beside_wide_ = beside_wide;
  }

 private:
  void write_operation(const RowExpression& e, bool beside_wide) {
    switch (e.operation) {
      case RowOperation::kColumn:
        return put(in_quotes(e.column, '"'));
      case RowOperation::kConstant:
        if (beside_wide && e.constant && e.type == FieldType::kReal) {
          return put(fmt::format("REAL '{}'", constant_text(e)));
        }
        return put(constant_text(e));
      case RowOperation::kNot:
        return around("(NOT ", e.operands[0], ")");
      case RowOperation::kIsMissing:
        return around("(", e.operands[0], " IS NULL)");
      case RowOperation::kIsTrue:
        return around("(", e.operands[0], " IS TRUE)");
      case RowOperation::kIsFalse:
        return around("(", e.operands[0], " IS FALSE)");
      case RowOperation::kNegate:
        beside_wide_ = beside_wide;
        return around("(- ", e.operands[0], ")");
      case RowOperation::kDaysBetween:
        around("(", e.operands[1], " - ");
        return around("", e.operands[0], ")");
      case RowOperation::kIn:
        around("(", e.operands[0], " IN (");
        list(std::span(e.operands).subspan(1), ", ");
        return put("))");
      case RowOperation::kLike:
        around("(", e.operands[0], " LIKE ");
        write(e.operands[1]);
        if (e.escape) put(" ESCAPE " + in_quotes(as_utf8(*e.escape), '\''));
        return put(")");
      case RowOperation::kCase:
        return cases(e);
      case RowOperation::kLookup:
        return around(fmt::format("lookup('{}', ", e.lookup.table->digest()), e.operands[0], ")");
      case RowOperation::kCast:
        return around("CAST(", e.operands[0], fmt::format(" AS {})", type_word(e.type)));
      default:
        break;
    }
    if (const std::string_view sign = infix(e.operation); !sign.empty()) {
      put("(");
      list(e.operands, fmt::format(" {} ", sign));
      return put(")");
    }
    call(e);
  }

  void put(std::string_view text) { text_ += text; }
  void around(std::string_view before, const RowExpression& e, std::string_view after) {
    put(before);
    write(e);
    put(after);
  }
  void list(std::span<const RowExpression> all, std::string_view between) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i > 0) put(between);
      write(all[i]);
    }
  }
  void cases(const RowExpression& e) {
    put("CASE");
    for (std::size_t i = 0; i + 1 < e.operands.size(); i += 2) {
      around(" WHEN ", e.operands[i], " THEN ");
      write(e.operands[i + 1]);
    }
    around(" ELSE ", e.operands.back(), " END");
  }
  void call(const RowExpression& e) {
    if (e.part) {
      const char* name = e.operation == RowOperation::kTruncateDate ? "date_trunc" : "date_part";
      put(fmt::format("{}('{}', ", name, expression_internal::name_of(*e.part)));
    } else {
      const auto functions = expression_internal::row_functions();
      const auto kind = std::ranges::find(functions, e.operation,
                                          &expression_internal::RowFunctionKind::operation);
      put(fmt::format("{}(", kind->name));
    }
    list(e.operands, ", ");
    put(")");
  }

  std::string text_;
  std::size_t most_;
  bool beside_wide_ = false;  // what is written next is compared with a decimal
};

}  // namespace

std::string canonical_text(const RowExpression& expression) {
  ExpressionWriter writer(std::string::npos);
  writer.write(expression);
  return writer.text();
}

std::size_t node_count(const RowExpression& expression) {
  std::size_t count = 1;
  for (const RowExpression& operand : expression.operands) count += node_count(operand);
  return count;
}

namespace expression_internal {

bool makes_text(RowOperation operation, FieldType type) {
  if (type != FieldType::kText) return false;
  return operation == RowOperation::kConcatenate || operation == RowOperation::kLower ||
         operation == RowOperation::kUpper || operation == RowOperation::kReplace ||
         operation == RowOperation::kCast;
}

ExpressionSize size_of(const RowExpression& expression) {
  ExpressionSize size = {1, 1, makes_text(expression.operation, expression.type) ? 1U : 0U};
  for (const RowExpression& operand : expression.operands) {
    const ExpressionSize part = size_of(operand);
    size = {size.nodes + part.nodes, std::max(size.depth, part.depth + 1), size.texts + part.texts};
  }
  return size;
}

bool within_limits(const RowExpression& expression) {
  const ExpressionSize size = size_of(expression);
  if (size.nodes > kMaxExpressionNodes || size.depth > kMaxExpressionDepth ||
      size.texts > kMaxTextOperations) {
    return false;
  }
  ExpressionWriter writer(kMaxExpressionBytes);
  writer.write(expression);
  return writer.text().size() <= kMaxExpressionBytes;
}

}  // namespace expression_internal

}  // namespace lastbit
