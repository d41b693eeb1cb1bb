// Syntax: an expression as it is written, before its columns and types are known. For this module
// only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/expression.h"

namespace lastbit::expression_internal {

// Refusal: thrown inside this folder; parse_expression turns it into an ExpressionProblem.
struct Refusal {
  ExpressionProblem what;
};
[[noreturn]] void refuse(std::size_t offset, std::string problem, std::string remedy);

enum class SyntaxKind {
  kName,          // text: the name of a column
  kInteger,       // text: digits
  kDecimal,       // text: digits with a point or an exponent
  kText,          // text: without quotes
  kDate,          // text: of DATE '2026-03-01'
  kTimestamp,     // text: of TIMESTAMP '2026-03-01 10:00'
  kTime,          // text: of TIME '10:00'
  kExactDecimal,  // text: of DECIMAL '9.99'
  kExactReal,     // text: of REAL '9.99'
  kTrue,
  kFalse,
  kNull,
  kOperator,  // text: the sign or word, such as "+", "AND", "IS NULL", "LIKE"; for a sign "neg"
  kCall,      // text: the name of the function, in lower case
  kCase,      // operands as of RowOperation::kCase; an absent ELSE is kNull
  kCaseOf,    // CASE age WHEN 1 …: operands as of kCase, after the value that is compared
  kCast,      // text: the name of the type, in lower case; as in decimal(2), timestamp(UTC)
};

struct Syntax {
  SyntaxKind kind = SyntaxKind::kNull;
  std::string text;
  std::size_t offset = 0;
  std::vector<Syntax> operands;
  std::size_t depth = 1;  // levels of the tree
};

// parse_syntax: throws Refusal.
Syntax parse_syntax(std::string_view text);

}  // namespace lastbit::expression_internal
