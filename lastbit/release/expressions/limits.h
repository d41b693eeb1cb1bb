// How large an expression is, and may be; smaller ones with the same value. For this folder only.
#pragma once

#include <cstddef>

#include "lastbit/release/expressions/expression.h"

namespace lastbit::expression_internal {

// makes_text: whether the operation makes texts of its own, rather than parts of others.
bool makes_text(RowOperation operation, FieldType type);

struct ExpressionSize {
  std::size_t nodes = 0;
  std::size_t depth = 0;
  std::size_t texts = 0;  // nodes that make texts
};
ExpressionSize size_of(const RowExpression& expression);

// within_limits: whether it has at most kMaxExpressionNodes nodes in kMaxExpressionDepth levels and
// kMaxTextOperations that make texts, and a canonical text that is not too long to be read again.
bool within_limits(const RowExpression& expression);

// fold_constants: replaces each part that reads no column by its value. Whether that is the whole.
bool fold_constants(RowExpression& expression);

}  // namespace lastbit::expression_internal
