// ExpressionBatch: a row expression, evaluated for a few thousand rows at a time.
//
// Guarantee      every row gets the value that evaluate (expression.h) gives it. Several threads
//                may run one batch at the same time, each with a room of its own.
//                Proof: proofs/expressions.md#batches
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/field_batch.h"

namespace lastbit {

class ExpressionBatch {
 public:
  // Room: where one thread keeps what it computes. It belongs to the batch that made it.
  class Room;
  struct DeleteRoom {
    void operator()(Room* room) const;
  };
  using OwnedRoom = std::unique_ptr<Room, DeleteRoom>;

  // Requires  caller: parse_expression or replace_columns gave the expression.
  explicit ExpressionBatch(RowExpression expression);
  ~ExpressionBatch();
  ExpressionBatch(const ExpressionBatch&) = delete;
  ExpressionBatch& operator=(const ExpressionBatch&) = delete;

  FieldType type() const { return type_; }
  // columns: those whose fields `run` takes, in this order.
  const std::vector<RowColumn>& columns() const { return columns_; }

  OwnedRoom make_room() const;

  // run: the values of `rows` rows. The result is valid until the room is used again, and no longer
  // than the fields are. Fields that are wider than their column's type (docs/expressions.md) and
  // NaN are missing.
  FieldBatch run(std::span<const FieldBatch> fields, std::size_t rows, Room& room) const;

  // forget_texts: keeps a room that is not used for a while small. Ends the validity of its result.
  static void forget_texts(Room& room);

 private:
  struct Node;

  std::size_t add(const RowExpression& expression);
  void widen_constants(const Node& node);

  FieldType type_;
  std::vector<RowColumn> columns_;
  std::vector<Node> nodes_;  // operands before what uses them; the last is the whole
};

}  // namespace lastbit
