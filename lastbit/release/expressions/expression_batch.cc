#include "lastbit/release/expressions/expression_batch.h"

#include <algorithm>
#include <string>
#include <utility>

#include "lastbit/release/expressions/batch_room.h"
#include "lastbit/release/expressions/limits.h"
#include "lastbit/release/expressions/values.h"

namespace lastbit {

namespace ops = expression_internal;

void ExpressionBatch::DeleteRoom::operator()(Room* room) const { delete room; }

ExpressionBatch::ExpressionBatch(RowExpression expression)
    : type_(expression.type), columns_(columns_of(expression)) {
  ops::fold_constants(expression);
  add(expression);
}

ExpressionBatch::~ExpressionBatch() = default;

// Comparing unlike numbers is slower, so a whole constant next to a real number becomes real where
// that is exact.
void ExpressionBatch::widen_constants(const Node& node) {
  const bool compares =
      node.operation >= RowOperation::kEqual && node.operation <= RowOperation::kIn;
  const auto is_real = [&](std::size_t i) { return nodes_[i].type == FieldType::kReal; };
  if (!compares || std::ranges::none_of(node.operands, is_real)) return;
  constexpr ops::Whole kExact = ops::Whole{1} << 53;
  for (const std::size_t i : node.operands) {
    Node& operand = nodes_[i];
    const auto* whole = operand.constant ? std::get_if<ops::Whole>(&*operand.constant) : nullptr;
    if (whole == nullptr || *whole < -kExact || *whole > kExact) continue;
    operand.constant = static_cast<double>(*whole);
    operand.type = FieldType::kReal;
  }
}

std::size_t ExpressionBatch::add(const RowExpression& expression) {
  Node node{expression.operation, expression.type, {}};
  const bool exact = std::ranges::any_of(expression.operands, is_wide, &RowExpression::type);
  for (const RowExpression& operand : expression.operands) {
    const bool first = &operand == &expression.operands.front();
    if (!first && node.operation == RowOperation::kLike) continue;
    if (!first && node.operation == RowOperation::kIn && !exact &&
        operand.operation == RowOperation::kConstant) {
      node.constants.add(operand.constant);
    } else {
      node.operands.push_back(add(operand));
    }
  }
  node.constants.sort();
  widen_constants(node);
  if (node.operation == RowOperation::kColumn) {
    const auto found = std::ranges::find(columns_, expression.column, &RowColumn::name);
    node.column = static_cast<std::size_t>(found - columns_.begin());
  }
  node.constant = expression.constant;
  node.part = expression.part;
  node.lookup = expression.lookup;
  if (node.operation == RowOperation::kLike) {
    const Cell& pattern = expression.operands[1].constant;
    if (pattern) {
      node.pattern = ops::LikePattern::read(std::get<std::string>(*pattern), expression.escape);
    }
  }
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

ExpressionBatch::OwnedRoom ExpressionBatch::make_room() const {
  return OwnedRoom(new Room(nodes_));
}

void ExpressionBatch::forget_texts(Room& room) { room.forget_texts(); }

FieldBatch ExpressionBatch::run(std::span<const FieldBatch> fields, std::size_t rows,
                                Room& room) const {
  return room.run(fields, rows);
}

}  // namespace lastbit
