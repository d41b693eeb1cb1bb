// Operations on columns of values, by the type of the first operand.
#include <cmath>
#include <limits>
#include <optional>
#include <source_location>
#include <string_view>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/batch_columns.h"
#include "lastbit/release/expressions/batch_room.h"
#include "lastbit/release/expressions/values.h"

namespace lastbit {

namespace ops = expression_internal;

void ExpressionBatch::Room::compute_text(const Node& node, Slot& out) const {
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

void ExpressionBatch::Room::compute_date(const Node& node, Slot& out) const {
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
          rows_, out, [](Whole x, Whole y) { return ops::add_days(Day{x}, y); }, a, whole(node, 1));
    case RowOperation::kDaysBetween:
      return ops::apply<Whole>(
          rows_, out, [](Whole x, Whole y) { return y - x; }, a, whole(node, 1));
    default:
      broken_invariant("every operation on dates has a meaning", std::source_location::current());
  }
}

void ExpressionBatch::Room::compute_time(const Node& node, Slot& out) const {
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

void ExpressionBatch::Room::compute_wide(const Node& node, Slot& out) const {
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
      return ops::apply<Whole>(rows_, out, [=](Wide x) { return ops::ceil_whole(x, decimals); }, a);
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

void ExpressionBatch::Room::compute_whole(const Node& node, Slot& out) const {
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
          rows_, out, [](Whole x) { return x < 0 ? ops::subtract(Whole{0}, x) : std::optional(x); },
          a);
    case RowOperation::kFloor:
    case RowOperation::kCeiling:
    case RowOperation::kRound:
      return copy_column(a, out);
    default:
      broken_invariant("every operation on whole numbers has a meaning",
                       std::source_location::current());
  }
}

void ExpressionBatch::Room::compute_real(const Node& node, Slot& out) const {
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
      return ops::apply<Whole>(rows_, out, [](double x) { return ops::as_whole(std::ceil(x)); }, a);
    case RowOperation::kRound:
      return ops::apply<double>(
          rows_, out,
          [](double x, Whole places) { return ops::round_places(x, static_cast<int>(places)); }, a,
          whole(node, 1));
    default:
      broken_invariant("every operation on real numbers has a meaning",
                       std::source_location::current());
  }
}

}  // namespace lastbit
