#include "lastbit/release/expressions/lift.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace lastbit {
namespace {

class Lifter {
 public:
  explicit Lifter(std::vector<RowColumn> columns) : columns_(std::move(columns)) {}

  // lift: takes the largest parts out of an expression that reads several columns.
  void lift(RowExpression& expression) {
    for (RowExpression& operand : expression.operands) {
      const Reads reads = reads_of(operand);
      if (reads.several) {
        lift(operand);
      } else if (reads.column != nullptr && reads.column->type == FieldType::kText) {
        take(operand);
      }
    }
  }
  std::vector<DerivedColumn> parts() && { return std::move(parts_); }

 private:
  // Reads: the only column that an expression reads; null: none, or several.
  struct Reads {
    const RowExpression* column = nullptr;
    bool several = false;
  };
  static Reads reads_of(const RowExpression& expression) {
    if (expression.operation == RowOperation::kColumn) return {.column = &expression};
    Reads all;
    for (const RowExpression& operand : expression.operands) {
      const Reads one = reads_of(operand);
      const bool differs = all.column != nullptr && one.column != nullptr &&
                           all.column->column != one.column->column;
      if (one.several || differs) return {.several = true};
      if (one.column != nullptr) all.column = one.column;
    }
    return all;
  }

  // take: `expression` reads one text column. If its own value is not that of a part, its operands'
  // may be.
  void take(RowExpression& expression) {
    if (expression.operation == RowOperation::kColumn || reads_of(expression).column == nullptr) {
      return;
    }
    const bool lifts = expression.type == FieldType::kInteger ||
                       expression.type == FieldType::kBoolean ||
                       expression.type == FieldType::kDate;
    if (!lifts) {
      for (RowExpression& operand : expression.operands) take(operand);
      return;
    }
    auto known = std::ranges::find(parts_, expression, &DerivedColumn::expression);
    if (known == parts_.end()) {
      if (parts_.size() == kMaxLiftedParts) return;
      known = parts_.insert(known, {fresh_name(), expression});
    }
    expression = {
        .operation = RowOperation::kColumn, .type = expression.type, .column = known->name};
  }

  std::string fresh_name() {
    std::string name;
    do {
      name = fmt::format("part {}", ++names_);
    } while (std::ranges::find(columns_, name, &RowColumn::name) != columns_.end());
    return name;
  }

  std::vector<RowColumn> columns_;
  std::vector<DerivedColumn> parts_;
  std::size_t names_ = 0;
};

}  // namespace

LiftedExpression lift_texts(RowExpression expression) {
  std::vector<RowColumn> columns = columns_of(expression);
  if (columns.size() < 2) return {std::move(expression), {}};
  Lifter lifter(std::move(columns));
  lifter.lift(expression);
  return {std::move(expression), std::move(lifter).parts()};
}

}  // namespace lastbit
