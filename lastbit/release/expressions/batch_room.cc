// How nodes are computed: whatever does not depend on the type of the first operand.
#include "lastbit/release/expressions/batch_room.h"

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>

#include "lastbit/release/expressions/limits.h"

namespace lastbit {

namespace ops = expression_internal;

FieldBatch ExpressionBatch::Room::run(std::span<const FieldBatch> fields, std::size_t rows) {
  if (rows <= rows_at_a_time_) {
    run_part(fields, 0, rows);
    return result_in(slots_.back(), rows);
  }
  ops::with_column(kept_, nodes_.back().type, [&]<class T>(const Column<T>&) {
    kept_.prepare<T>(rows);
    for (std::size_t first = 0; first < rows; first += rows_at_a_time_) {
      run_part(fields, first, std::min(rows_at_a_time_, rows - first));
      keep<T>(first);
    }
  });
  return result_in(kept_, rows);
}

std::size_t ExpressionBatch::Room::rows_for(const std::vector<Node>& nodes) {
  const auto makes_texts = [](const Node& node) {
    return ops::makes_text(node.operation, node.type);
  };
  const auto texts = static_cast<std::size_t>(std::ranges::count_if(nodes, makes_texts));
  std::size_t rows = kMostValues / nodes.size();
  if (texts > 0) rows = std::min(rows, kMostTexts / texts);
  return std::max<std::size_t>(rows / 64, 1) * 64;
}

void ExpressionBatch::Room::run_part(std::span<const FieldBatch> fields, std::size_t first,
                                     std::size_t rows) {
  rows_ = rows;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].operation == RowOperation::kColumn) {
      const FieldBatch part = ops::part_of_batch(fields[nodes_[i].column], first, rows);
      ops::Loader(part, rows, slots_[i]).load(nodes_[i].type);
    } else {
      compute(nodes_[i], slots_[i]);
    }
    slots_[i].note_missing(rows);
  }
}

// keep: copies the values of the whole expression before the next rows take their place.
template <class T>
void ExpressionBatch::Room::keep(std::size_t first) {
  const Column<T> values = slots_.back().column<T>();
  for (std::size_t row = 0; row < rows_; ++row) {
    if (values.present[row] == 0) {
      kept_.set_missing(first + row);
    } else if constexpr (std::same_as<T, std::string_view>) {
      kept_.set(first + row, std::string(values.values[row]));
    } else {
      kept_.set(first + row, values.values[row]);
    }
  }
}

FieldBatch ExpressionBatch::Room::result_in(Slot& slot, std::size_t rows) {
  FieldBatch result;
  slot.note_missing(rows);
  if (!slot.complete) {
    validity_.assign((rows + 63) / 64, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      validity_[row / 64] |= std::uint64_t{slot.present[row]} << (row % 64);
    }
    result.validity = validity_.data();
  }
  ops::with_column(slot, nodes_.back().type, [&]<class T>(const Column<T>& column) {
    result.values = std::span<const T>(column.values, rows);
  });
  return result;
}

void ExpressionBatch::Room::compute(const Node& node, Slot& out) {
  switch (node.operation) {
    case RowOperation::kConstant:
      return fill(node, out);
    case RowOperation::kAnd:
      return join(node, out, 0);
    case RowOperation::kOr:
      return join(node, out, 1);
    case RowOperation::kNot:
      return ops::apply<Whole>(rows_, out, [](Whole x) { return x == 0; }, whole(node, 0));
    case RowOperation::kIsMissing:
    case RowOperation::kIsTrue:
    case RowOperation::kIsFalse:
      return ask(node, out);
    case RowOperation::kEqual:
    case RowOperation::kNotEqual:
    case RowOperation::kLess:
    case RowOperation::kLessEqual:
    case RowOperation::kGreater:
    case RowOperation::kGreaterEqual:
      return ops::with_comparable(operand(node, 0), operand_type(node, 0), operand(node, 1),
                                  operand_type(node, 1),
                                  [&](const auto& a, const auto& b) { compare(node, out, a, b); });
    case RowOperation::kIn:
      return find_among(node, out);
    case RowOperation::kCase:
    case RowOperation::kCoalesce:
    case RowOperation::kLeast:
    case RowOperation::kGreatest:
      return ops::with_column(out, node.type,
                              [&]<class T>(const Column<T>&) { choose<T>(node, out); });
    case RowOperation::kCast:
      return cast(node, out);
    case RowOperation::kLookup:
      return look_up(node, out);
    default:
      break;
  }
  switch (operand_type(node, 0)) {
    case FieldType::kText:
      return compute_text(node, out);
    case FieldType::kDate:
      return compute_date(node, out);
    case FieldType::kTimestamp:
    case FieldType::kTime:
      return compute_time(node, out);
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      return compute_wide(node, out);
    case FieldType::kReal:
      return compute_real(node, out);
    default:
      return compute_whole(node, out);
  }
}

template <class A, class B>
void ExpressionBatch::Room::compare(const Node& node, Slot& out, const Column<A>& a,
                                    const Column<B>& b) const {
  if constexpr (std::same_as<A, ops::Wide> || std::same_as<B, ops::Wide>) {
    ops::compare_exactly(node.operation, rows_, out, a, operand_type(node, 0), b,
                         operand_type(node, 1));
  } else {
    ops::compare_columns(node.operation, rows_, out, a, b);
  }
}

// Constants are filled in once, for as many rows as there ever are.
void ExpressionBatch::Room::fill(const Node& node, Slot& out) const {
  if (out.present.size() >= rows_) return;
  ops::with_column(out, node.type, [&]<class T>(const Column<T>&) { out.prepare<T>(rows_); });
  for (std::size_t row = 0; row < rows_; ++row) {
    if (!node.constant) {
      out.set_missing(row);
      continue;
    }
    const auto set = [&]<class V>(const V& value) {
      if constexpr (std::same_as<V, std::string>) {
        out.set(row, std::string_view(value));
      } else {
        out.set(row, value);
      }
    };
    std::visit(set, *node.constant);
  }
}

// One operand with the value `decides` decides; otherwise an unknown one makes it unknown. Their
// order does not matter, and before the first that can be unknown there are only values.
void ExpressionBatch::Room::join(const Node& node, Slot& out, Whole decides) const {
  out.prepare<Whole>(rows_);
  std::fill_n(out.present.begin(), rows_, 1);
  std::fill_n(out.wholes.begin(), rows_, 1 - decides);
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Column<Whole> one = whole(node, i);
    if (one.complete) ops::join_all(rows_, decides, one.values, out.wholes.data());
  }
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    const Column<Whole> one = whole(node, i);
    if (!one.complete) join_some(one, decides, out);
  }
}

void ExpressionBatch::Room::join_some(const Column<Whole>& one, Whole decides, Slot& out) const {
  for (std::size_t row = 0; row < rows_; ++row) {
    const bool decided = out.present[row] != 0 && out.wholes[row] == decides;
    if (decided) continue;
    if (one.present[row] == 0) {
      out.present[row] = 0;
    } else if (one.values[row] == decides) {
      out.set(row, decides);
    }
  }
}

void ExpressionBatch::Room::ask(const Node& node, Slot& out) const {
  out.prepare<Whole>(rows_);
  const std::uint8_t* present = operand(node, 0).present.data();
  if (node.operation == RowOperation::kIsMissing) {
    for (std::size_t row = 0; row < rows_; ++row) out.set(row, present[row] == 0);
    return;
  }
  const Whole wanted = node.operation == RowOperation::kIsTrue ? 1 : 0;
  const Column<Whole> condition = whole(node, 0);
  for (std::size_t row = 0; row < rows_; ++row) {
    out.set(row, present[row] != 0 && condition.values[row] == wanted);
  }
}

void ExpressionBatch::Room::find_among(const Node& node, Slot& out) const {
  out.prepare<Whole>(rows_);
  const std::uint8_t* subject = operand(node, 0).present.data();
  ops::with_column(operand(node, 0), operand_type(node, 0), [&](const auto& values) {
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool found = subject[row] != 0 && node.constants.contains(values.values[row]);
      out.set(row, found);
      if (subject[row] == 0 || (!found && node.constants.has_missing())) out.set_missing(row);
    }
  });
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const auto look = [&](const auto& a, const auto& b) {
      for (std::size_t row = 0; row < rows_; ++row) {
        if (subject[row] == 0 || out.wholes[row] == 1) continue;
        if (b.present[row] == 0) {
          out.present[row] = 0;
        } else if (ops::compare(ops::number_of(a.values[row], operand_type(node, 0)),
                                ops::number_of(b.values[row], operand_type(node, i))) == 0) {
          out.set(row, Whole{1});
        }
      }
    };
    ops::with_comparable(operand(node, 0), operand_type(node, 0), operand(node, i),
                         operand_type(node, i), look);
  }
}

template <class T>
void ExpressionBatch::Room::choose_case(const Node& node, Slot& out) const {
  const std::size_t last = node.operands.size() - 1;
  Column<T> chosen = column<T>(node, last);
  out.prepare<T>(rows_);
  // From the last condition to the first, so that the first that holds decides.
  for (std::size_t i = last; i >= 2; i -= 2) {
    const Column<Whole> condition = whole(node, i - 2);
    const Column<T> value = column<T>(node, i - 1);
    if (condition.complete && value.complete && chosen.complete) {
      ops::choose_all(rows_, condition.values, value.values, chosen.values, out.room<T>());
      chosen = {out.present.data(), out.room<T>(), true};
      std::fill_n(out.present.begin(), rows_, std::uint8_t{1});
      continue;
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool holds = condition.present[row] != 0 && condition.values[row] != 0;
      take(holds ? value : chosen, row, out);
    }
    chosen = {out.present.data(), out.room<T>(), false};
  }
}

template <class T>
void ExpressionBatch::Room::take(const Column<T>& from, std::size_t row, Slot& out) {
  out.present[row] = from.present[row];
  if (from.present[row] != 0) out.set(row, from.values[row]);
}

template <class T>
void ExpressionBatch::Room::choose(const Node& node, Slot& out) const {
  if (node.operation == RowOperation::kCase) return choose_case<T>(node, out);
  const std::size_t last = node.operands.size() - 1;
  copy_column<T>(column<T>(node, 0), out);
  for (std::size_t i = 1; i <= last; ++i) {
    const Column<T> next = column<T>(node, i);
    for (std::size_t row = 0; row < rows_; ++row) {
      if (next.present[row] == 0) continue;
      const auto better = [&] {
        if (node.operation == RowOperation::kCoalesce) return false;
        const auto order = ops::compare(next.values[row], out.column<T>().values[row]);
        return node.operation == RowOperation::kLeast ? order < 0 : order > 0;
      };
      if (out.present[row] == 0 || better()) take(next, row, out);
    }
  }
}

void ExpressionBatch::Room::look_up(const Node& node, Slot& out) const {
  const LookupTable& table = *node.lookup.table;
  const auto find = [&](const auto& key) { return table.find(key); };
  if (operand_type(node, 0) == FieldType::kText) {
    return ops::apply<std::string_view>(rows_, out, find, text(node, 0));
  }
  ops::apply<std::string_view>(rows_, out, find, whole(node, 0));
}

}  // namespace lastbit
