// The meaning of an expression, word for word as docs/expressions.md defines it.
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {

FieldType type_of(const CellValue& value) {
  if (const auto* decimal = std::get_if<Decimal>(&value)) {
    return FieldType::decimal(decimal->decimals);
  }
  return static_cast<FieldType::Kind>(value.index());
}

namespace {

namespace ops = expression_internal;
using ops::Whole;

// Truth: true, false or unknown.
using Truth = std::optional<bool>;

// What texts and conditions and days are compared as.
Whole comparable(bool truth) { return truth ? 1 : 0; }
Whole comparable(Day day) { return day.number; }
Whole comparable(Instant instant) { return instant.micros; }
Whole comparable(TimeOfDay time) { return time.micros; }
const Decimal& comparable(const Decimal& decimal) { return decimal; }
Whole comparable(Whole number) { return number; }
double comparable(double number) { return number; }
std::string_view comparable(const std::string& text) { return text; }

std::weak_ordering compare_values(const CellValue& a, const CellValue& b) {
  return std::visit(
      [](const auto& x, const auto& y) {
        using X = decltype(comparable(x));
        using Y = decltype(comparable(y));
        if constexpr (std::is_same_v<X, std::string_view> != std::is_same_v<Y, std::string_view>) {
          broken_invariant("values that are compared are of one sort",
                           std::source_location::current());
          return std::weak_ordering::equivalent;
        } else {
          return ops::compare(comparable(x), comparable(y));
        }
      },
      a, b);
}

// as_field: a text that is too long counts as missing.
Cell as_field(Cell value) {
  const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
  if (text != nullptr && text->size() > kMaxTextBytes) return std::nullopt;
  return value;
}

class Evaluator {
 public:
  explicit Evaluator(const FieldOf& field) : field_(field) {}

  Cell value(const RowExpression& e) const {
    switch (e.operation) {
      case RowOperation::kColumn:
        return as_field(field_(e.column));
      case RowOperation::kConstant:
        return e.constant;
      case RowOperation::kIsMissing:
        return !value(e.operands[0]).has_value();
      case RowOperation::kCase:
        return choice(e);
      case RowOperation::kCoalesce:
        return first_present(e);
      case RowOperation::kLeast:
      case RowOperation::kGreatest:
        return extreme(e);
      case RowOperation::kLookup:
        return found_in_table(e);
      default:
        break;
    }
    if (e.type == FieldType::kBoolean && e.operation != RowOperation::kCast)
      return as_result(truth(e));
    return strict(e);
  }

 private:
  template <class T>
  static Cell as_result(const std::optional<T>& found) {
    return found ? Cell(CellValue(*found)) : std::nullopt;
  }
  Truth condition(const RowExpression& e) const {
    const Cell found = value(e);
    return found ? Truth(std::get<bool>(*found)) : std::nullopt;
  }

  Cell choice(const RowExpression& e) const {
    for (std::size_t i = 0; i + 1 < e.operands.size(); i += 2) {
      if (condition(e.operands[i]).value_or(false)) return value(e.operands[i + 1]);
    }
    return value(e.operands.back());
  }
  Cell first_present(const RowExpression& e) const {
    for (const RowExpression& operand : e.operands) {
      if (Cell found = value(operand)) return found;
    }
    return std::nullopt;
  }
  Cell found_in_table(const RowExpression& e) const {
    const Cell key = value(e.operands[0]);
    if (!key) return std::nullopt;
    const LookupTable& table = *e.lookup.table;
    const auto found = std::visit(
        [&](const auto& one) -> std::optional<std::string_view> {
          using T = std::remove_cvref_t<decltype(one)>;
          if constexpr (std::is_same_v<T, std::string>) return table.find(std::string_view(one));
          if constexpr (std::is_same_v<T, std::int64_t>) return table.find(one);
          if constexpr (std::is_same_v<T, bool>) return table.find(std::int64_t{one});
          if constexpr (std::is_same_v<T, Day>) return table.find(one.number);
          return std::nullopt;
        },
        *key);
    return found ? Cell(CellValue(std::string(*found))) : std::nullopt;
  }
  Cell extreme(const RowExpression& e) const {
    Cell best;
    for (const RowExpression& operand : e.operands) {
      Cell found = value(operand);
      if (!found) continue;
      const bool better =
          !best || (e.operation == RowOperation::kLeast ? compare_values(*found, *best) < 0
                                                        : compare_values(*found, *best) > 0);
      if (better) best = std::move(found);
    }
    return best;
  }

  Truth truth(const RowExpression& e) const {
    switch (e.operation) {
      case RowOperation::kNot: {
        const Truth inner = condition(e.operands[0]);
        return inner ? Truth(!*inner) : std::nullopt;
      }
      case RowOperation::kAnd:
        return junction(e, false);
      case RowOperation::kOr:
        return junction(e, true);
      case RowOperation::kIsTrue:
        return condition(e.operands[0]).value_or(false);
      case RowOperation::kIsFalse:
        return !condition(e.operands[0]).value_or(true);
      case RowOperation::kIn:
        return among(e);
      case RowOperation::kLike: {
        const Cell text = value(e.operands[0]);
        const Cell& pattern = e.operands[1].constant;
        if (!text || !pattern) return std::nullopt;
        const auto like = ops::LikePattern::read(std::get<std::string>(*pattern), e.escape);
        return like && like->matches(std::get<std::string>(*text));
      }
      default:
        return comparison(e);
    }
  }

  // junction: one operand with the value `decides` decides; otherwise an unknown one does.
  Truth junction(const RowExpression& e, bool decides) const {
    Truth result = !decides;
    for (const RowExpression& operand : e.operands) {
      const Truth one = condition(operand);
      if (one && *one == decides) return decides;
      if (!one) result = std::nullopt;
    }
    return result;
  }

  Truth among(const RowExpression& e) const {
    const Cell subject = value(e.operands[0]);
    if (!subject) return std::nullopt;
    Truth result = false;
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
      const Cell one = value(e.operands[i]);
      if (!one) {
        result = std::nullopt;
      } else if (compare_values(*subject, *one) == 0) {
        return true;
      }
    }
    return result;
  }

  Truth comparison(const RowExpression& e) const {
    const Cell a = value(e.operands[0]);
    const Cell b = value(e.operands[1]);
    if (!a || !b) return std::nullopt;
    const std::weak_ordering order = compare_values(*a, *b);
    switch (e.operation) {
      case RowOperation::kEqual:
        return order == 0;
      case RowOperation::kNotEqual:
        return order != 0;
      case RowOperation::kLess:
        return order < 0;
      case RowOperation::kLessEqual:
        return order <= 0;
      case RowOperation::kGreater:
        return order > 0;
      case RowOperation::kGreaterEqual:
        return order >= 0;
      default:
        broken_invariant("every condition has a meaning", std::source_location::current());
    }
  }

  // strict: operations that need all of their operands.
  Cell strict(const RowExpression& e) const {
    std::vector<CellValue> v;
    v.reserve(e.operands.size());
    for (const RowExpression& operand : e.operands) {
      Cell found = value(operand);
      if (!found) return std::nullopt;
      v.push_back(*std::move(found));
    }
    if (e.operation == RowOperation::kCast) {
      return as_field(cast(v[0], e.operands[0].type, e.type));
    }
    if (std::holds_alternative<std::string>(v[0])) return of_texts(e, v);
    if (std::holds_alternative<Day>(v[0])) return of_dates(e, v);
    if (const auto* instant = std::get_if<Instant>(&v[0])) return of_instants(e, *instant);
    if (const auto* time = std::get_if<TimeOfDay>(&v[0])) return ops::part_of(*time, part_of(e));
    if (const auto* decimal = std::get_if<Decimal>(&v[0])) return of_decimals(e, *decimal, v);
    return of_numbers(e, v);
  }

  // Casts, by the type that the value has. A cast that has no meaning is not an expression.
  static Cell cast(const CellValue& value, FieldType from, FieldType type) {
    if (const auto* text = std::get_if<std::string>(&value)) return cast_text(*text, type);
    if (const auto* number = std::get_if<Whole>(&value)) {
      if (is_wide(type)) return cast_decimal({*number, 0}, type);
      if (type == FieldType::kReal) return static_cast<double>(*number);
      if (type == FieldType::kText) return ops::write_whole(*number);
      return *number != 0;
    }
    if (const auto* number = std::get_if<double>(&value)) {
      if (is_wide(type)) return wide_result(ops::round_decimal(*number, type.decimals()), type);
      if (type == FieldType::kText) return ops::write_real(*number);
      return as_result(ops::round_whole(*number));
    }
    if (const auto* truth = std::get_if<bool>(&value)) {
      if (type == FieldType::kInteger) return Whole{*truth ? 1 : 0};
      return std::string(ops::write_truth(*truth));
    }
    if (const auto* decimal = std::get_if<Decimal>(&value)) return cast_decimal(*decimal, type);
    if (const auto* time = std::get_if<TimeOfDay>(&value)) return ops::write_time(*time);
    if (const auto* instant = std::get_if<Instant>(&value)) {
      if (type == FieldType::kTimestamp) return *instant;
      if (type == FieldType::kDate) return as_result(ops::day_of(*instant, from.zone()));
      if (type == FieldType::kTime) return ops::time_of(*instant, from.zone());
      return as_result(ops::write_instant(*instant, from.zone()));
    }
    const Day day = std::get<Day>(value);
    if (type == FieldType::kTimestamp) return as_result(ops::midnight_of(day, type.zone()));
    return ops::write_day(day);
  }
  // wide_result: a number of a type that holds decimals or unsigned numbers.
  static Cell wide_result(const std::optional<ops::Wide>& number, FieldType type) {
    const auto fitting =
        number && type == FieldType::kUnsigned ? ops::as_unsigned(*number) : number;
    return fitting ? Cell(Decimal{*fitting, type.decimals()}) : std::nullopt;
  }
  static Cell cast_decimal(const Decimal& value, FieldType type) {
    const auto& [number, decimals] = value;
    if (is_wide(type)) return wide_result(ops::rescale(number, decimals, type.decimals()), type);
    if (type == FieldType::kReal) return decimal_to_double(number, decimals);
    if (type == FieldType::kText) return ops::write_decimal(number, decimals);
    return as_result(ops::round_whole(number, decimals));
  }
  static Cell cast_text(std::string_view text, FieldType type) {
    switch (type) {
      case FieldType::kInteger:
        return as_result(read_integer(text));
      case FieldType::kReal:
        return as_result(read_real(text));
      case FieldType::kBoolean:
        return as_result(read_boolean(text));
      case FieldType::kDate: {
        const auto day = read_date(text);
        return day ? Cell(Day{*day}) : std::nullopt;
      }
      case FieldType::kTimestamp: {
        const auto instant = read_timestamp(text, type.zone());
        return instant ? Cell(Instant{*instant}) : std::nullopt;
      }
      case FieldType::kTime: {
        const auto time = read_time(text);
        return time ? Cell(TimeOfDay{*time}) : std::nullopt;
      }
      case FieldType::kDecimal:
        return wide_result(read_decimal(text, type.decimals()), type);
      case FieldType::kUnsigned:
        return wide_result(read_unsigned(text), type);
      case FieldType::kText:
        break;
    }
    return std::string(text);
  }

  static Cell of_texts(const RowExpression& e, const std::vector<CellValue>& v) {
    const auto text = [&](std::size_t i) -> const std::string& {
      return std::get<std::string>(v[i]);
    };
    switch (e.operation) {
      case RowOperation::kConcatenate:
        return as_result(ops::join(text(0), text(1)));
      case RowOperation::kLength:
        return ops::count_characters(text(0));
      case RowOperation::kLower:
        return as_field(in_lower_case(text(0)));
      case RowOperation::kUpper:
        return as_field(in_upper_case(text(0)));
      case RowOperation::kTrim:
        return std::string(ops::trim(text(0), true, true));
      case RowOperation::kTrimStart:
        return std::string(ops::trim(text(0), true, false));
      case RowOperation::kTrimEnd:
        return std::string(ops::trim(text(0), false, true));
      case RowOperation::kSubstring: {
        const auto count = v.size() > 2 ? std::optional(std::get<Whole>(v[2])) : std::nullopt;
        return std::string(ops::cut_characters(text(0), std::get<Whole>(v[1]), count));
      }
      case RowOperation::kReplace:
        return as_result(ops::replace_all(text(0), text(1), text(2)));
      default:
        broken_invariant("every operation on texts has a meaning", std::source_location::current());
    }
  }

  // These operations always have a part.
  static DatePart part_of(const RowExpression& e) { return e.part.value_or(DatePart::kDay); }

  static Cell of_dates(const RowExpression& e, const std::vector<CellValue>& v) {
    const Day day = std::get<Day>(v[0]);
    switch (e.operation) {
      case RowOperation::kTruncateDate:
        return as_result(ops::truncate(day, part_of(e)));
      case RowOperation::kDatePart:
        return ops::part_of(day, part_of(e));
      case RowOperation::kAddDays:
        return as_result(ops::add_days(day, std::get<Whole>(v[1])));
      case RowOperation::kDaysBetween:
        return std::get<Day>(v[1]).number - day.number;
      default:
        broken_invariant("every operation on dates has a meaning", std::source_location::current());
    }
  }

  static Cell of_instants(const RowExpression& e, Instant instant) {
    const TimeZone& zone = e.operands[0].type.zone();
    if (e.operation == RowOperation::kTruncateDate) {
      return as_result(ops::truncate(instant, part_of(e), zone));
    }
    return as_result(ops::part_of(instant, part_of(e), zone));
  }

  // The types say how many decimals the operands and the result have.
  static Cell of_decimals(const RowExpression& e, const Decimal& value,
                          const std::vector<CellValue>& v) {
    const ops::Wide a = value.number;
    const auto b = [&] { return std::get<Decimal>(v[1]).number; };
    const auto result = [&](const std::optional<ops::Wide>& number) {
      return wide_result(number, e.type);
    };
    switch (e.operation) {
      case RowOperation::kNegate:
        return result(-a);
      case RowOperation::kAdd:
        return result(ops::add(a, b()));
      case RowOperation::kSubtract:
        return result(ops::subtract(a, b()));
      case RowOperation::kMultiply:
        return result(ops::multiply(a, b()));
      case RowOperation::kWholeDivide:
        return result(ops::divide_whole(a, b()));
      case RowOperation::kModulo:
        return result(ops::modulo(a, b()));
      case RowOperation::kAbsolute:
        return result(a < 0 ? -a : a);
      case RowOperation::kFloor:
        return as_result(ops::floor_whole(a, value.decimals));
      case RowOperation::kCeiling:
        return as_result(ops::ceil_whole(a, value.decimals));
      case RowOperation::kRound:
        return result(
            ops::round_places(a, value.decimals, static_cast<int>(std::get<Whole>(v[1]))));
      default:
        broken_invariant("every operation on decimals has a meaning",
                         std::source_location::current());
    }
  }

  static Cell of_numbers(const RowExpression& e, const std::vector<CellValue>& v) {
    const auto* whole = std::get_if<Whole>(&v[0]);
    return whole != nullptr ? of_wholes(e, *whole, v) : of_reals(e, std::get<double>(v[0]), v);
  }

  static Cell of_wholes(const RowExpression& e, Whole a, const std::vector<CellValue>& v) {
    const auto b = [&] { return std::get<Whole>(v[1]); };
    switch (e.operation) {
      case RowOperation::kNegate:
        return as_result(ops::subtract(0, a));
      case RowOperation::kAdd:
        return as_result(ops::add(a, b()));
      case RowOperation::kSubtract:
        return as_result(ops::subtract(a, b()));
      case RowOperation::kMultiply:
        return as_result(ops::multiply(a, b()));
      case RowOperation::kWholeDivide:
        return as_result(ops::divide_whole(a, b()));
      case RowOperation::kModulo:
        return as_result(ops::modulo(a, b()));
      case RowOperation::kAbsolute:
        return as_result(a < 0 ? ops::subtract(0, a) : std::optional(a));
      case RowOperation::kFloor:
      case RowOperation::kCeiling:
      case RowOperation::kRound:
        return a;
      default:
        broken_invariant("every operation on whole numbers has a meaning",
                         std::source_location::current());
    }
  }

  static Cell of_reals(const RowExpression& e, double a, const std::vector<CellValue>& v) {
    const auto b = [&] { return std::get<double>(v[1]); };
    switch (e.operation) {
      case RowOperation::kNegate:
        return -a;
      case RowOperation::kAdd:
        return as_result(ops::add(a, b()));
      case RowOperation::kSubtract:
        return as_result(ops::subtract(a, b()));
      case RowOperation::kMultiply:
        return as_result(ops::multiply(a, b()));
      case RowOperation::kDivide:
        return as_result(ops::divide(a, b()));
      case RowOperation::kAbsolute:
        return std::abs(a);
      case RowOperation::kFloor:
        return as_result(ops::as_whole(std::floor(a)));
      case RowOperation::kCeiling:
        return as_result(ops::as_whole(std::ceil(a)));
      case RowOperation::kRound:
        return ops::round_places(a, static_cast<int>(std::get<Whole>(v[1])));
      default:
        broken_invariant("every operation on real numbers has a meaning",
                         std::source_location::current());
    }
  }

  const FieldOf& field_;
};

void add_columns(const RowExpression& expression, std::vector<RowColumn>& columns) {
  if (expression.operation == RowOperation::kColumn &&
      std::ranges::find(columns, expression.column, &RowColumn::name) == columns.end()) {
    columns.push_back({expression.column, expression.type});
  }
  for (const RowExpression& operand : expression.operands) add_columns(operand, columns);
}

}  // namespace

Cell evaluate(const RowExpression& expression, const FieldOf& field) {
  return Evaluator(field).value(expression);
}

std::vector<RowColumn> columns_of(const RowExpression& expression) {
  std::vector<RowColumn> columns;
  add_columns(expression, columns);
  return columns;
}

}  // namespace lastbit
