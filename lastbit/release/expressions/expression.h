// RowExpression: a function of one row, written in a part of SQL: `age >= 18 AND region = 'north'`.
//
// Guarantee      it is total: whatever the row holds, there is a value of the expression's type, or
//                none (missing), and never an error. It depends on the row's fields alone, not on
//                other rows, the order of rows, time, locale or engine. Whether a text is an
//                expression, and its type, are known before any row is read.
//                Conditions have three values, as in SQL (ISO/IEC 9075-2).
//                Definition: docs/expressions.md. Proof: proofs/expressions.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/lookup.h"
#include "lastbit/release/fields/field.h"

namespace lastbit {

// Day: a date, in days after 1970-01-01; from 0000-01-01 to 9999-12-31.
struct Day {
  std::int64_t number = 0;
  friend auto operator<=>(const Day&, const Day&) = default;
};

// CellValue: a value of a FieldType, in the order of FieldType; an unsigned number is a Decimal.
// Doubles are never NaN.
using CellValue =
    std::variant<std::int64_t, double, std::string, bool, Day, Instant, TimeOfDay, Decimal>;
// Cell: a value, or nothing where it is missing.
using Cell = std::optional<CellValue>;
// type_of: of a constant with this value; instants are in UTC.
FieldType type_of(const CellValue& value);

// RowOperation: what a node computes from its operands. Each is defined in docs/expressions.md.
enum class RowOperation {
  kColumn,
  kConstant,
  // Truth, with three values.
  kNot,
  kAnd,
  kOr,
  kIsMissing,
  kIsTrue,
  kIsFalse,
  // Comparisons of two values of one type, or of two numbers.
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,    // operands: value, and the values that it may equal
  kLike,  // operands: text, constant pattern; the escape character is in `escape`
  // Numbers.
  kNegate,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kWholeDivide,
  kModulo,
  kAbsolute,
  kFloor,
  kCeiling,
  kRound,  // operands: number, constant number of places
  kLeast,
  kGreatest,
  // Texts.
  kConcatenate,
  kLength,
  kLower,
  kUpper,
  kTrim,
  kTrimStart,
  kTrimEnd,
  kSubstring,
  kReplace,
  // Dates, and times.
  kTruncateDate,  // to the start of the hour, day, week, …
  kDatePart,
  kAddDays,
  kDaysBetween,
  // Choices.
  kCase,      // operands: condition, value, condition, value, …, and the value otherwise
  kCoalesce,  // the first operand that is not missing
  kCast,      // to the node's type
  kLookup,    // operand: a key of `lookup`
};

// DatePart: what kTruncateDate and kDatePart take of a date or a time.
enum class DatePart {
  kDay,
  kWeek,
  kMonth,
  kQuarter,
  kYear,
  kWeekday,
  kDayOfYear,
  kHour,
  kMinute,
  kSecond,
};

struct RowExpression {
  RowOperation operation = RowOperation::kConstant;
  FieldType type = FieldType::kBoolean;
  std::vector<RowExpression> operands = {};
  std::string column = {};                        // of kColumn
  Cell constant = std::nullopt;                   // of kConstant; nothing is NULL
  std::optional<char32_t> escape = std::nullopt;  // of kLike
  std::optional<DatePart> part = std::nullopt;    // of kTruncateDate and kDatePart
  LookupReference lookup = {};                    // of kLookup
  friend bool operator==(const RowExpression&, const RowExpression&) = default;
};

// DerivedColumn: a name for the value of an expression.
struct DerivedColumn {
  std::string name;
  RowExpression expression;
  friend bool operator==(const DerivedColumn&, const DerivedColumn&) = default;
};

// RowColumn: a column that an expression may name.
struct RowColumn {
  std::string name;
  FieldType type = FieldType::kText;
  friend bool operator==(const RowColumn&, const RowColumn&) = default;
};
// RefusedColumn: a column that is there and cannot be used, and what to do.
struct RefusedColumn {
  std::string name;
  std::string problem;
  std::string remedy;
};

// ExpressionProblem: why a text is not an expression. `offset` counts bytes from its start.
struct ExpressionProblem {
  std::size_t offset = 0;
  std::string problem;
  std::string remedy;
};

// Expressions beyond these limits are refused, also after derived columns are replaced. The bytes
// are those of what is written, and of the canonical text.
inline constexpr std::size_t kMaxExpressionBytes = 65'536;
inline constexpr std::size_t kMaxExpressionNodes = 20'000;
inline constexpr std::size_t kMaxExpressionDepth = 100;
// kMaxTextOperations: of those that make new texts, whose memory depends on the data.
inline constexpr std::size_t kMaxTextOperations = 64;
// kMaxReleaseNodes: of all expressions of a release together, each as often as it is used: columns
// that are derived from others repeat what these are derived from.
inline constexpr std::size_t kMaxReleaseNodes = 200'000;

// node_count: how many columns, constants and operations an expression has.
std::size_t node_count(const RowExpression& expression);
// kMaxTextBytes: in an expression a longer text, from a field or computed, is missing.
inline constexpr std::size_t kMaxTextBytes = 65'536;

// check_syntax: why the text cannot be an expression of any row; nothing if it can.
std::optional<ExpressionProblem> check_syntax(std::string_view text);

// parse_expression: the expression that the text says, of a row with these columns. Others, with
// the reason why they cannot be used, are only for messages.
// Guarantees  the result is within the limits above. The time is bounded by a constant times the
//             number of columns.
std::variant<RowExpression, ExpressionProblem> parse_expression(
    std::string_view text, const std::vector<RowColumn>& row,
    const std::vector<RefusedColumn>& others = {});

// replace_columns: the expression with every derived column replaced by what it is derived from;
// nothing if the result is beyond the limits.
// Requires  caller: the expressions of `derived` do not name derived columns.
std::optional<RowExpression> replace_columns(const RowExpression& expression,
                                             const std::vector<DerivedColumn>& derived);

// both: the condition that both hold.
RowExpression both(RowExpression a, RowExpression b);

// canonical_text: the expression, written in one way. Reading it gives the same expression, if it
// is within the limits and looks nothing up: lookup('…', a) names a table by its digest.
std::string canonical_text(const RowExpression& expression);

// columns_of: the columns that it reads, each once, in the order of their first use.
std::vector<RowColumn> columns_of(const RowExpression& expression);

// evaluate: its value in a row, whose fields `field` finds by the names of their columns. It is the
// definition, clear rather than fast; ExpressionBatch (expression_batch.h) evaluates many rows.
// Requires  caller: each field has the type of its column; a double is not NaN.
using FieldOf = std::function<Cell(const std::string& column)>;
Cell evaluate(const RowExpression& expression, const FieldOf& field);

}  // namespace lastbit
