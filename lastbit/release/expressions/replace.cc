// Derived columns, replaced by what they are derived from; constants, by their values.
#include <algorithm>
#include <utility>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/limits.h"

namespace lastbit {
namespace {

// Replacer: counts nodes and levels while it copies, so that it stops at the limits.
class Replacer {
 public:
  explicit Replacer(const std::vector<DerivedColumn>& derived) : derived_(derived) {}

  // False if the result has too many nodes or levels.
  bool copy(const RowExpression& from, std::size_t level, RowExpression& to,
            bool replaced = false) {
    if (from.operation == RowOperation::kColumn && !replaced) {
      const auto found = std::ranges::find(derived_, from.column, &DerivedColumn::name);
      if (found != derived_.end()) return copy(found->expression, level, to, true);
    }
    if (++nodes_ > kMaxExpressionNodes || level > kMaxExpressionDepth) return false;
    to = {.operation = from.operation,
          .type = from.type,
          .column = from.column,
          .constant = from.constant,
          .escape = from.escape,
          .part = from.part,
          .lookup = from.lookup};
    to.operands.resize(from.operands.size());
    for (std::size_t i = 0; i < from.operands.size(); ++i) {
      if (!copy(from.operands[i], level + 1, to.operands[i], replaced)) return false;
    }
    return true;
  }

 private:
  const std::vector<DerivedColumn>& derived_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::optional<RowExpression> replace_columns(const RowExpression& expression,
                                             const std::vector<DerivedColumn>& derived) {
  RowExpression result;
  if (!Replacer(derived).copy(expression, 1, result)) return std::nullopt;
  if (!expression_internal::within_limits(result)) return std::nullopt;
  return result;
}

bool expression_internal::fold_constants(RowExpression& expression) {
  bool constant = expression.operation != RowOperation::kColumn;
  for (RowExpression& operand : expression.operands) {
    if (!fold_constants(operand)) constant = false;
  }
  if (!constant || expression.operation == RowOperation::kConstant) return constant;
  Cell value = evaluate(expression, [](const std::string&) { return Cell(); });
  expression = {.type = expression.type, .constant = std::move(value)};
  return true;
}

RowExpression both(RowExpression a, RowExpression b) {
  RowExpression result{.operation = RowOperation::kAnd, .type = FieldType::kBoolean};
  result.operands.push_back(std::move(a));
  result.operands.push_back(std::move(b));
  return result;
}

}  // namespace lastbit
