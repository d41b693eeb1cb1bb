// The room of an ExpressionBatch: where one thread computes its nodes, one column of values each.
// For this folder only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/batch_columns.h"
#include "lastbit/release/expressions/expression_batch.h"
#include "lastbit/release/expressions/values.h"

namespace lastbit {

struct ExpressionBatch::Node {
  RowOperation operation;
  FieldType type;
  std::vector<std::size_t> operands;
  std::size_t column = 0;  // of kColumn: its number in `columns`
  Cell constant = std::nullopt;
  std::optional<DatePart> part = std::nullopt;
  LookupReference lookup = {};
  std::optional<expression_internal::LikePattern> pattern = std::nullopt;
  expression_internal::ConstantSet constants = {};  // of kIn: the operands that are constant
};

class ExpressionBatch::Room {
  using Slot = expression_internal::Slot;
  using Whole = expression_internal::Whole;
  template <class T>
  using Column = expression_internal::Column<T>;

 public:
  explicit Room(const std::vector<Node>& nodes)
      : nodes_(nodes), slots_(nodes.size()), rows_at_a_time_(rows_for(nodes)) {}

  // run: as ExpressionBatch::run.
  FieldBatch run(std::span<const FieldBatch> fields, std::size_t rows);

  // forget_texts: frees the texts that were computed, if they are large; others are overwritten.
  void forget_texts() {
    for (Slot& slot : slots_) slot.forget_texts();
    kept_.forget_texts();
  }

 private:
  // How many values, and how many texts of their own, the nodes hold together before there are
  // fewer rows at a time. A text can have kMaxTextBytes.
  static constexpr std::size_t kMostValues = std::size_t{1} << 20;
  static constexpr std::size_t kMostTexts = std::size_t{1} << 11;

  static std::size_t rows_for(const std::vector<Node>& nodes);

  const Slot& operand(const Node& node, std::size_t i) const { return slots_[node.operands[i]]; }
  FieldType operand_type(const Node& node, std::size_t i) const {
    return nodes_[node.operands[i]].type;
  }
  template <class T>
  Column<T> column(const Node& node, std::size_t i) const {
    return operand(node, i).template column<T>();
  }
  Column<Whole> whole(const Node& node, std::size_t i) const { return column<Whole>(node, i); }
  Column<double> real(const Node& node, std::size_t i) const { return column<double>(node, i); }
  Column<std::string_view> text(const Node& node, std::size_t i) const {
    return column<std::string_view>(node, i);
  }

  template <class T>
  void copy_column(const Column<T>& from, Slot& to) const {
    expression_internal::apply<T>(rows_, to, [](const T& value) { return value; }, from);
  }

  // compute: the value of a node whose operands have been computed, in every row.
  void compute(const Node& node, Slot& out);
  void run_part(std::span<const FieldBatch> fields, std::size_t first, std::size_t rows);
  template <class T>
  void keep(std::size_t first);
  FieldBatch result_in(Slot& slot, std::size_t rows);

  template <class A, class B>
  void compare(const Node& node, Slot& out, const Column<A>& a, const Column<B>& b) const;
  void fill(const Node& node, Slot& out) const;
  void join(const Node& node, Slot& out, Whole decides) const;
  void join_some(const Column<Whole>& one, Whole decides, Slot& out) const;
  void ask(const Node& node, Slot& out) const;
  void find_among(const Node& node, Slot& out) const;
  template <class T>
  void choose_case(const Node& node, Slot& out) const;
  template <class T>
  static void take(const Column<T>& from, std::size_t row, Slot& out);
  template <class T>
  void choose(const Node& node, Slot& out) const;
  void look_up(const Node& node, Slot& out) const;

  // Casts: batch_casts.cc.
  void cast(const Node& node, Slot& out) const;
  void cast_text(const Node& node, Slot& out) const;
  void cast_to_wide(const Node& node, Slot& out) const;
  void cast_wide(const Node& node, Slot& out) const;
  void cast_time(const Node& node, Slot& out) const;

  // Other operations, by the type of the first operand: batch_operations.cc.
  void compute_text(const Node& node, Slot& out) const;
  void compute_date(const Node& node, Slot& out) const;
  void compute_time(const Node& node, Slot& out) const;
  void compute_wide(const Node& node, Slot& out) const;
  void compute_whole(const Node& node, Slot& out) const;
  void compute_real(const Node& node, Slot& out) const;

  const std::vector<Node>& nodes_;
  std::vector<Slot> slots_;
  std::size_t rows_at_a_time_;  // a multiple of 64
  std::size_t rows_ = 0;
  Slot kept_;  // the values of the whole expression, if there are more rows than that
  std::vector<std::uint64_t> validity_;
};

}  // namespace lastbit
