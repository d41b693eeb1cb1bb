// Casts of columns of values.
#include <optional>
#include <string>
#include <string_view>

#include "lastbit/release/expressions/batch_columns.h"
#include "lastbit/release/expressions/batch_room.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {

namespace ops = expression_internal;

namespace {

// fitting: a function whose result must be a value of the type.
template <class Function>
auto fitting(FieldType type, Function function) {
  return [=](auto... x) -> std::optional<ops::Wide> {
    const std::optional<ops::Wide> result = function(x...);
    return result && type == FieldType::kUnsigned ? ops::as_unsigned(*result) : result;
  };
}

}  // namespace

void ExpressionBatch::Room::cast(const Node& node, Slot& out) const {
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

void ExpressionBatch::Room::cast_text(const Node& node, Slot& out) const {
  const Column<std::string_view> value = text(node, 0);
  switch (node.type) {
    case FieldType::kInteger:
      return ops::apply<Whole>(
          rows_, out, [](std::string_view x) { return read_integer(x); }, value);
    case FieldType::kReal:
      return ops::apply<double>(rows_, out, [](std::string_view x) { return read_real(x); }, value);
    case FieldType::kBoolean:
      return ops::apply<Whole>(
          rows_, out, [](std::string_view x) { return read_boolean(x); }, value);
    case FieldType::kDate:
      return ops::apply<Whole>(rows_, out, [](std::string_view x) { return read_date(x); }, value);
    case FieldType::kTimestamp:
      return ops::apply<Whole>(
          rows_, out,
          [&zone = node.type.zone()](std::string_view x) { return read_timestamp(x, zone); },
          value);
    case FieldType::kTime:
      return ops::apply<Whole>(rows_, out, [](std::string_view x) { return read_time(x); }, value);
    case FieldType::kDecimal:
      return ops::apply<ops::Wide>(
          rows_, out,
          [decimals = node.type.decimals()](std::string_view x) {
            return read_decimal(x, decimals);
          },
          value);
    case FieldType::kUnsigned:
      return ops::apply<ops::Wide>(
          rows_, out, [](std::string_view x) { return read_unsigned(x); }, value);
    case FieldType::kText:
      return copy_column(value, out);
  }
}

void ExpressionBatch::Room::cast_to_wide(const Node& node, Slot& out) const {
  const int decimals = node.type.decimals();
  if (operand_type(node, 0) == FieldType::kReal) {
    const auto round = [=](double x) { return ops::round_decimal(x, decimals); };
    return ops::apply<ops::Wide>(rows_, out, fitting(node.type, round), real(node, 0));
  }
  const auto scale = [=](Whole x) { return ops::rescale(x, 0, decimals); };
  ops::apply<ops::Wide>(rows_, out, fitting(node.type, scale), whole(node, 0));
}

void ExpressionBatch::Room::cast_wide(const Node& node, Slot& out) const {
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
void ExpressionBatch::Room::cast_time(const Node& node, Slot& out) const {
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

}  // namespace lastbit
