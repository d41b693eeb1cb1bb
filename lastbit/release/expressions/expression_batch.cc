#include "lastbit/release/expressions/expression_batch.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/batch_columns.h"
#include "lastbit/release/expressions/limits.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/file/field_text.h"

namespace lastbit {

namespace ops = expression_internal;

struct ExpressionBatch::Node {
  RowOperation operation;
  FieldType type;
  std::vector<std::size_t> operands;
  std::size_t column = 0;  // of kColumn: its number in `columns`
  Cell constant = std::nullopt;
  std::optional<DatePart> part = std::nullopt;
  LookupReference lookup = {};
  std::optional<ops::LikePattern> pattern = std::nullopt;
  ops::ConstantSet constants = {};  // of kIn: the operands that are constant
};

class ExpressionBatch::Room {
  using Slot = ops::Slot;
  using Whole = ops::Whole;
  template <class T>
  using Column = ops::Column<T>;

 public:
  explicit Room(const std::vector<Node>& nodes)
      : nodes_(nodes), slots_(nodes.size()), rows_at_a_time_(rows_for(nodes)) {}

  FieldBatch run(std::span<const FieldBatch> fields, std::size_t rows) {
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

  static std::size_t rows_for(const std::vector<Node>& nodes) {
    const auto makes_texts = [](const Node& node) {
      return ops::makes_text(node.operation, node.type);
    };
    const auto texts = static_cast<std::size_t>(std::ranges::count_if(nodes, makes_texts));
    std::size_t rows = kMostValues / nodes.size();
    if (texts > 0) rows = std::min(rows, kMostTexts / texts);
    return std::max<std::size_t>(rows / 64, 1) * 64;
  }

  void run_part(std::span<const FieldBatch> fields, std::size_t first, std::size_t rows) {
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
  void keep(std::size_t first) {
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
  FieldBatch result_in(Slot& slot, std::size_t rows) {
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

  void compute(const Node& node, Slot& out) {
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
        return ops::with_comparable(
            operand(node, 0), operand_type(node, 0), operand(node, 1), operand_type(node, 1),
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
  void compare(const Node& node, Slot& out, const Column<A>& a, const Column<B>& b) const {
    if constexpr (std::same_as<A, ops::Wide> || std::same_as<B, ops::Wide>) {
      ops::compare_exactly(node.operation, rows_, out, a, operand_type(node, 0), b,
                           operand_type(node, 1));
    } else {
      ops::compare_columns(node.operation, rows_, out, a, b);
    }
  }

  // Constants are filled in once, for as many rows as there ever are.
  void fill(const Node& node, Slot& out) const {
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
  void join(const Node& node, Slot& out, Whole decides) const {
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
  void join_some(const Column<Whole>& one, Whole decides, Slot& out) const {
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

  void ask(const Node& node, Slot& out) const {
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

  void find_among(const Node& node, Slot& out) const {
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
  void choose_case(const Node& node, Slot& out) const {
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
  static void take(const Column<T>& from, std::size_t row, Slot& out) {
    out.present[row] = from.present[row];
    if (from.present[row] != 0) out.set(row, from.values[row]);
  }

  template <class T>
  void choose(const Node& node, Slot& out) const {
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
  template <class T>
  void copy_column(const Column<T>& from, Slot& to) const {
    ops::apply<T>(rows_, to, [](const T& value) { return value; }, from);
  }

  void look_up(const Node& node, Slot& out) const {
    const LookupTable& table = *node.lookup.table;
    const auto find = [&](const auto& key) { return table.find(key); };
    if (operand_type(node, 0) == FieldType::kText) {
      return ops::apply<std::string_view>(rows_, out, find, text(node, 0));
    }
    ops::apply<std::string_view>(rows_, out, find, whole(node, 0));
  }

  void cast(const Node& node, Slot& out) const {
    const FieldType from = operand_type(node, 0);
    if (from == FieldType::kText) return cast_text(node, out);
    if (is_wide(from)) return cast_wide(node, out);
    if (is_wide(node.type)) return cast_to_wide(node, out);
    if (from == FieldType::kTimestamp || from == FieldType::kTime ||
        node.type == FieldType::kTimestamp) {
      return cast_time(node, out);
    }
    if (from == FieldType::kReal) {
      if (node.type == FieldType::kText) {
        return ops::apply<std::string_view>(rows_, out, ops::write_real, real(node, 0));
      }
      return ops::apply<Whole>(
          rows_, out, [](double x) { return ops::round_whole(x); }, real(node, 0));
    }
    const Column<Whole> value = whole(node, 0);
    if (node.type == FieldType::kReal) {
      return ops::apply<double>(rows_, out, [](Whole x) { return static_cast<double>(x); }, value);
    }
    if (node.type != FieldType::kText) {
      // A condition as a number, or a number as a condition.
      const bool to_truth = node.type == FieldType::kBoolean;
      return ops::apply<Whole>(
          rows_, out, [=](Whole x) { return to_truth ? Whole{x != 0} : x; }, value);
    }
    if (from == FieldType::kInteger) {
      return ops::apply<std::string_view>(rows_, out, ops::write_whole, value);
    }
    if (from == FieldType::kBoolean) {
      return ops::apply<std::string_view>(
          rows_, out, [](Whole x) { return ops::write_truth(x != 0); }, value);
    }
    ops::apply<std::string_view>(rows_, out, [](Whole x) { return ops::write_day(Day{x}); }, value);
  }

  void cast_text(const Node& node, Slot& out) const {
    const Column<std::string_view> value = text(node, 0);
    switch (node.type) {
      case FieldType::kInteger:
        return ops::apply<Whole>(rows_, out, read_integer, value);
      case FieldType::kReal:
        return ops::apply<double>(rows_, out, read_real, value);
      case FieldType::kBoolean:
        return ops::apply<Whole>(rows_, out, read_boolean, value);
      case FieldType::kDate:
        return ops::apply<Whole>(rows_, out, read_date, value);
      case FieldType::kTimestamp:
        return ops::apply<Whole>(
            rows_, out,
            [&zone = node.type.zone()](std::string_view x) { return read_timestamp(x, zone); },
            value);
      case FieldType::kTime:
        return ops::apply<Whole>(rows_, out, read_time, value);
      case FieldType::kDecimal:
        return ops::apply<ops::Wide>(
            rows_, out,
            [decimals = node.type.decimals()](std::string_view x) {
              return read_decimal(x, decimals);
            },
            value);
      case FieldType::kUnsigned:
        return ops::apply<ops::Wide>(rows_, out, read_unsigned, value);
      case FieldType::kText:
        return copy_column(value, out);
    }
  }

  // fitting: a function whose result must be a value of the type.
  template <class Function>
  static auto fitting(FieldType type, Function function) {
    return [=](auto... x) -> std::optional<ops::Wide> {
      const std::optional<ops::Wide> result = function(x...);
      return result && type == FieldType::kUnsigned ? ops::as_unsigned(*result) : result;
    };
  }
  void cast_to_wide(const Node& node, Slot& out) const {
    const int decimals = node.type.decimals();
    if (operand_type(node, 0) == FieldType::kReal) {
      const auto round = [=](double x) { return ops::round_decimal(x, decimals); };
      return ops::apply<ops::Wide>(rows_, out, fitting(node.type, round), real(node, 0));
    }
    const auto scale = [=](Whole x) { return ops::rescale(x, 0, decimals); };
    ops::apply<ops::Wide>(rows_, out, fitting(node.type, scale), whole(node, 0));
  }
  void cast_wide(const Node& node, Slot& out) const {
    using ops::Wide;
    const Column<Wide> value = column<Wide>(node, 0);
    const int from = operand_type(node, 0).decimals();
    switch (node.type) {
      case FieldType::kReal:
        return ops::apply<double>(
            rows_, out, [=](Wide x) { return decimal_to_double(x, from); }, value);
      case FieldType::kText:
        return ops::apply<std::string_view>(
            rows_, out, [=](Wide x) { return ops::write_decimal(x, from); }, value);
      case FieldType::kInteger:
        return ops::apply<Whole>(
            rows_, out, [=](Wide x) { return ops::round_whole(x, from); }, value);
      default: {
        const auto scale = [=, to = node.type.decimals()](Wide x) {
          return ops::rescale(x, from, to);
        };
        return ops::apply<Wide>(rows_, out, fitting(node.type, scale), value);
      }
    }
  }
  // Casts of dates and times to each other, and of times to texts.
  void cast_time(const Node& node, Slot& out) const {
    const Column<Whole> value = whole(node, 0);
    const FieldType from = operand_type(node, 0);
    const TimeZone& zone = from.zone();
    if (from == FieldType::kTime) {
      return ops::apply<std::string_view>(
          rows_, out, [](Whole x) { return ops::write_time(TimeOfDay{x}); }, value);
    }
    if (from == FieldType::kDate) {
      return ops::apply<Whole>(
          rows_, out, [&to = node.type.zone()](Whole x) { return ops::midnight_of(Day{x}, to); },
          value);
    }
    switch (node.type) {
      case FieldType::kDate:
        return ops::apply<Whole>(
            rows_, out, [&](Whole x) { return ops::day_of(Instant{x}, zone); }, value);
      case FieldType::kTime:
        return ops::apply<Whole>(
            rows_, out, [&](Whole x) { return ops::time_of(Instant{x}, zone); }, value);
      case FieldType::kText:
        return ops::apply<std::string_view>(
            rows_, out, [&](Whole x) { return ops::write_instant(Instant{x}, zone); }, value);
      default:
        return copy_column(value, out);  // the same instant in another zone
    }
  }

  void compute_text(const Node& node, Slot& out) const {
    using View = std::string_view;
    const Column<View> a = text(node, 0);
    switch (node.operation) {
      case RowOperation::kLike:
        return ops::apply<Whole>(rows_, out, [&](View x) { return node.pattern->matches(x); }, a);
      case RowOperation::kConcatenate:
        return ops::apply<View>(rows_, out, ops::join, a, text(node, 1));
      case RowOperation::kLength:
        return ops::apply<Whole>(rows_, out, ops::count_characters, a);
      case RowOperation::kLower:
        return ops::apply<View>(rows_, out, in_lower_case, a);
      case RowOperation::kUpper:
        return ops::apply<View>(rows_, out, in_upper_case, a);
      case RowOperation::kTrim:
        return ops::apply<View>(rows_, out, [](View x) { return ops::trim(x, true, true); }, a);
      case RowOperation::kTrimStart:
        return ops::apply<View>(rows_, out, [](View x) { return ops::trim(x, true, false); }, a);
      case RowOperation::kTrimEnd:
        return ops::apply<View>(rows_, out, [](View x) { return ops::trim(x, false, true); }, a);
      case RowOperation::kReplace:
        return ops::apply<View>(rows_, out, ops::replace_all, a, text(node, 1), text(node, 2));
      case RowOperation::kSubstring:
        if (node.operands.size() == 2) {
          const auto cut = [](View x, Whole first) { return ops::cut_characters(x, first, {}); };
          return ops::apply<View>(rows_, out, cut, a, whole(node, 1));
        }
        return ops::apply<View>(rows_, out, ops::cut_characters, a, whole(node, 1), whole(node, 2));
      default:
        broken_invariant("every operation on texts has a meaning", std::source_location::current());
    }
  }

  void compute_date(const Node& node, Slot& out) const {
    const Column<Whole> a = whole(node, 0);
    switch (node.operation) {
      case RowOperation::kTruncateDate:
        return ops::apply<Whole>(
            rows_, out, [&](Whole x) { return ops::truncate(Day{x}, *node.part); }, a);
      case RowOperation::kDatePart:
        return ops::apply<Whole>(
            rows_, out, [&](Whole x) { return ops::part_of(Day{x}, *node.part); }, a);
      case RowOperation::kAddDays:
        return ops::apply<Whole>(
            rows_, out, [](Whole x, Whole y) { return ops::add_days(Day{x}, y); }, a,
            whole(node, 1));
      case RowOperation::kDaysBetween:
        return ops::apply<Whole>(
            rows_, out, [](Whole x, Whole y) { return y - x; }, a, whole(node, 1));
      default:
        broken_invariant("every operation on dates has a meaning", std::source_location::current());
    }
  }

  void compute_time(const Node& node, Slot& out) const {
    const Column<Whole> a = whole(node, 0);
    const TimeZone& zone = operand_type(node, 0).zone();
    if (!node.part) {
      broken_invariant("an operation on times names a part", std::source_location::current());
    }
    const DatePart part = *node.part;
    if (operand_type(node, 0) == FieldType::kTime) {
      return ops::apply<Whole>(
          rows_, out, [=](Whole x) { return ops::part_of(TimeOfDay{x}, part); }, a);
    }
    if (node.operation == RowOperation::kTruncateDate) {
      return ops::apply<Whole>(
          rows_, out, [&](Whole x) { return ops::truncate(Instant{x}, part, zone); }, a);
    }
    ops::apply<Whole>(rows_, out, [&](Whole x) { return ops::part_of(Instant{x}, part, zone); }, a);
  }

  void compute_wide(const Node& node, Slot& out) const {
    using ops::Wide;
    const Column<Wide> a = column<Wide>(node, 0);
    const int decimals = operand_type(node, 0).decimals();
    const auto one = [&](auto function) { ops::apply<Wide>(rows_, out, function, a); };
    const auto both = [&](auto function) {
      ops::apply<Wide>(rows_, out, function, a, column<Wide>(node, 1));
    };
    switch (node.operation) {
      case RowOperation::kNegate:
        return one([](Wide x) { return -x; });
      case RowOperation::kAdd:
        return both([](Wide x, Wide y) { return ops::add(x, y); });
      case RowOperation::kSubtract:
        return both([](Wide x, Wide y) { return ops::subtract(x, y); });
      case RowOperation::kMultiply:
        return both([](Wide x, Wide y) { return ops::multiply(x, y); });
      case RowOperation::kWholeDivide:
        return both([](Wide x, Wide y) { return ops::divide_whole(x, y); });
      case RowOperation::kModulo:
        return both([](Wide x, Wide y) { return ops::modulo(x, y); });
      case RowOperation::kAbsolute:
        return one([](Wide x) { return x < 0 ? -x : x; });
      case RowOperation::kFloor:
        return ops::apply<Whole>(
            rows_, out, [=](Wide x) { return ops::floor_whole(x, decimals); }, a);
      case RowOperation::kCeiling:
        return ops::apply<Whole>(
            rows_, out, [=](Wide x) { return ops::ceil_whole(x, decimals); }, a);
      case RowOperation::kRound:
        return ops::apply<Wide>(
            rows_, out,
            [=](Wide x, Whole places) {
              return ops::round_places(x, decimals, static_cast<int>(places));
            },
            a, whole(node, 1));
      default:
        broken_invariant("every operation on decimals has a meaning",
                         std::source_location::current());
    }
  }

  void compute_whole(const Node& node, Slot& out) const {
    const Column<Whole> a = whole(node, 0);
    const auto both = [&](auto function) {
      ops::apply<Whole>(rows_, out, function, a, whole(node, 1));
    };
    switch (node.operation) {
      case RowOperation::kNegate:
        return ops::apply<Whole>(rows_, out, [](Whole x) { return ops::subtract(Whole{0}, x); }, a);
      case RowOperation::kAdd:
        return both([](Whole x, Whole y) { return ops::add(x, y); });
      case RowOperation::kSubtract:
        return both([](Whole x, Whole y) { return ops::subtract(x, y); });
      case RowOperation::kMultiply:
        return both([](Whole x, Whole y) { return ops::multiply(x, y); });
      case RowOperation::kWholeDivide:
        return both([](Whole x, Whole y) { return ops::divide_whole(x, y); });
      case RowOperation::kModulo:
        return both([](Whole x, Whole y) { return ops::modulo(x, y); });
      case RowOperation::kAbsolute:
        return ops::apply<Whole>(
            rows_, out,
            [](Whole x) { return x < 0 ? ops::subtract(Whole{0}, x) : std::optional(x); }, a);
      case RowOperation::kFloor:
      case RowOperation::kCeiling:
      case RowOperation::kRound:
        return copy_column(a, out);
      default:
        broken_invariant("every operation on whole numbers has a meaning",
                         std::source_location::current());
    }
  }

  void compute_real(const Node& node, Slot& out) const {
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    const Column<double> a = real(node, 0);
    const auto both = [&](auto raw, auto function) {
      ops::apply_real(rows_, out, raw, function, a, real(node, 1));
    };
    switch (node.operation) {
      case RowOperation::kNegate:
        return ops::apply<double>(rows_, out, [](double x) { return -x; }, a);
      case RowOperation::kAdd:
        return both([](double x, double y) { return x + y; },
                    [](double x, double y) { return ops::add(x, y); });
      case RowOperation::kSubtract:
        return both([](double x, double y) { return x - y; },
                    [](double x, double y) { return ops::subtract(x, y); });
      case RowOperation::kMultiply:
        return both([](double x, double y) { return x * y; },
                    [](double x, double y) { return ops::multiply(x, y); });
      case RowOperation::kDivide:
        return both([](double x, double y) { return x / (y == 0 ? kNan : y); },
                    [](double x, double y) { return ops::divide(x, y); });
      case RowOperation::kAbsolute:
        return ops::apply<double>(rows_, out, [](double x) { return std::abs(x); }, a);
      case RowOperation::kFloor:
        return ops::apply<Whole>(
            rows_, out, [](double x) { return ops::as_whole(std::floor(x)); }, a);
      case RowOperation::kCeiling:
        return ops::apply<Whole>(
            rows_, out, [](double x) { return ops::as_whole(std::ceil(x)); }, a);
      case RowOperation::kRound:
        return ops::apply<double>(
            rows_, out,
            [](double x, Whole places) { return ops::round_places(x, static_cast<int>(places)); },
            a, whole(node, 1));
      default:
        broken_invariant("every operation on real numbers has a meaning",
                         std::source_location::current());
    }
  }

  const std::vector<Node>& nodes_;
  std::vector<Slot> slots_;
  std::size_t rows_at_a_time_;  // a multiple of 64
  std::size_t rows_ = 0;
  Slot kept_;  // the values of the whole expression, if there are more rows than that
  std::vector<std::uint64_t> validity_;
};

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
