// From what is written to an expression with types: which columns and functions there are, and
// what fits together.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <source_location>
#include <span>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/calls.h"
#include "lastbit/release/expressions/constants.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/functions.h"
#include "lastbit/release/expressions/limits.h"
#include "lastbit/release/expressions/syntax.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace {

using expression_internal::adapt_constants;
using expression_internal::constant_of;
using expression_internal::constant_part;
using expression_internal::date_constant;
using expression_internal::exact_decimal_constant;
using expression_internal::is_word_of_time;
using expression_internal::joined_type;
using expression_internal::parse_syntax;
using expression_internal::real_constant;
using expression_internal::Refusal;
using expression_internal::refuse;
using expression_internal::refuse_function;
using expression_internal::refuse_word;
using expression_internal::require_part;
using expression_internal::result_type;
using expression_internal::row_functions;
using expression_internal::RowFunctionKind;
using expression_internal::size_of;
using expression_internal::Syntax;
using expression_internal::SyntaxKind;
using expression_internal::Taken;
using expression_internal::time_constant;
using expression_internal::timestamp_constant;
using expression_internal::type_named;
using expression_internal::whole_constant;
using expression_internal::within_limits;
using expression_internal::words_for;

[[noreturn]] void refuse_size(std::size_t offset) {
  refuse(offset, "the expression is too large",
         fmt::format("use at most {} columns, constants and operations in {} levels, {} of them "
                     "making new texts, and at most {} bytes with all parentheses written",
                     kMaxExpressionNodes, kMaxExpressionDepth, kMaxTextOperations,
                     kMaxExpressionBytes));
}

class Checker {
 public:
  Checker(std::string_view text, const std::vector<RowColumn>& row,
          const std::vector<RefusedColumn>& others)
      : text_(text), row_(row), others_(others) {}

  RowExpression check(const Syntax& syntax) {
    count(1, syntax.offset);
    switch (syntax.kind) {
      case SyntaxKind::kName:
        return column(syntax);
      case SyntaxKind::kInteger:
        return whole_constant(syntax, false);
      case SyntaxKind::kDecimal:
        return constant_of(FieldType::kReal, real_constant(syntax));
      case SyntaxKind::kText:
        return constant_of(FieldType::kText, CellValue(syntax.text));
      case SyntaxKind::kDate:
        return date_constant(syntax);
      case SyntaxKind::kTimestamp:
        return timestamp_constant(syntax, TimeZone::utc());
      case SyntaxKind::kTime:
        return time_constant(syntax);
      case SyntaxKind::kExactDecimal:
        return exact_decimal_constant(syntax);
      case SyntaxKind::kExactReal:
        if (!read_real(syntax.text)) {
          refuse(syntax.offset, fmt::format("{} is not a number", quote(syntax.text)),
                 "write it as REAL '9.99'");
        }
        return constant_of(FieldType::kReal, real_constant(syntax));
      case SyntaxKind::kTrue:
        return constant_of(FieldType::kBoolean, CellValue(true));
      case SyntaxKind::kFalse:
        return constant_of(FieldType::kBoolean, CellValue(false));
      case SyntaxKind::kNull:
        refuse(syntax.offset, "NULL has no type here", "write CAST(NULL AS type), or leave it out");
      case SyntaxKind::kOperator:
        return operation(syntax);
      case SyntaxKind::kCall:
        return call(syntax);
      case SyntaxKind::kCase:
      case SyntaxKind::kCaseOf:
        return choice(syntax);
      case SyntaxKind::kCast:
        return cast(syntax);
    }
    refuse(syntax.offset, "this has no meaning", "see docs/expressions.md");
  }

 private:
  // count: what BETWEEN, nullif and CASE with a value use twice, they copy. Nested, the copies
  // would double at every level.
  void count(std::size_t nodes, std::size_t offset) {
    nodes_ += nodes;
    if (nodes_ > kMaxExpressionNodes) refuse_size(offset);
  }
  RowExpression copy(const RowExpression& expression, std::size_t offset) {
    count(size_of(expression).nodes, offset);
    return expression;
  }

  static RowExpression make(RowOperation operation, FieldType type,
                            std::vector<RowExpression> operands) {
    RowExpression result;
    result.operation = operation;
    result.type = type;
    result.operands = std::move(operands);
    return result;
  }
  static std::vector<RowExpression> list(RowExpression a) {
    std::vector<RowExpression> all;
    all.push_back(std::move(a));
    return all;
  }
  static std::vector<RowExpression> list(RowExpression a, RowExpression b) {
    std::vector<RowExpression> all = list(std::move(a));
    all.push_back(std::move(b));
    return all;
  }

  RowExpression column(const Syntax& syntax) const {
    const auto found = std::ranges::find(row_, syntax.text, &RowColumn::name);
    if (found == row_.end()) {
      const auto other = std::ranges::find(others_, syntax.text, &RefusedColumn::name);
      if (other != others_.end()) refuse(syntax.offset, other->problem, other->remedy);
      const std::string word = in_lower_case(syntax.text);
      if (is_word_of_time(word)) refuse_word(syntax.offset, word);
      refuse_missing(syntax);
    }
    RowExpression result;
    result.operation = RowOperation::kColumn;
    result.type = found->type;
    result.column = found->name;
    return result;
  }

  [[noreturn]] void refuse_missing(const Syntax& syntax) const {
    constexpr std::size_t kMostListed = 12;
    std::vector<std::string> names;
    for (const RowColumn& one : row_) names.push_back(one.name);
    const auto nearest = nearest_name(syntax.text, names);
    const bool quoted = syntax.offset < text_.size() && text_[syntax.offset] == '"';
    std::string remedy = nearest ? fmt::format("did you mean {}?", quote(*nearest)) : std::string();
    if (quoted && !nearest) {
      remedy = fmt::format(
          "did you mean the text {}? Texts go in single quotes, columns in double quotes",
          quote(syntax.text));
    } else if (!nearest) {
      std::vector<std::string> listed;
      for (const std::string& name : names) {
        if (listed.size() < kMostListed) listed.push_back(quote(name));
      }
      if (names.size() > kMostListed) listed.emplace_back("…");
      remedy = fmt::format("the columns are {}; texts go in single quotes",
                           lastbit::joined(listed, ", "));
    }
    refuse(syntax.offset, fmt::format("there is no column {}", quote(syntax.text)), remedy);
  }

  // truth: a condition.
  RowExpression truth(const Syntax& syntax) {
    if (syntax.kind == SyntaxKind::kNull) return constant_of(FieldType::kBoolean, std::nullopt);
    RowExpression result = check(syntax);
    if (result.type != FieldType::kBoolean) {
      refuse(syntax.offset,
             fmt::format("this is {}, and a condition is needed", words_for(result.type)),
             "compare it with something");
    }
    return result;
  }
  RowExpression number(const Syntax& syntax) {
    RowExpression result = check(syntax);
    if (!is_number(result.type)) {
      refuse(syntax.offset,
             fmt::format("this is {}, and a number is needed", words_for(result.type)),
             remedy_for(result, "use a column of numbers, or CAST"));
    }
    return result;
  }
  // remedy_for: a column of texts may only lack a declaration.
  static std::string remedy_for(const RowExpression& value, std::string_view otherwise) {
    if (value.operation != RowOperation::kColumn || value.type != FieldType::kText) {
      return std::string(otherwise);
    }
    return fmt::format("if {} does not hold texts, declare its type in [columns]; or use CAST",
                       quote(value.column));
  }
  static RowExpression as_type(RowExpression value, FieldType type) {
    if (value.type == type) return value;
    return make(RowOperation::kCast, type, list(std::move(value)));
  }

  // together: values of one type. NULL takes the type of the others, numbers become one type
  // (unless they may stay as they are), and constants adapt.
  std::vector<RowExpression> together(const std::vector<const Syntax*>& all, bool keep_numbers) {
    std::vector<std::optional<RowExpression>> checked;
    for (const Syntax* one : all) {
      if (one->kind == SyntaxKind::kNull) {
        checked.emplace_back();
      } else {
        checked.emplace_back(check(*one));
      }
    }
    adapt_constants(all, checked);
    std::optional<FieldType> common;
    for (const auto& one : checked) {
      if (!one) continue;
      const bool moment = one->type == FieldType::kDate || one->type == FieldType::kTimestamp ||
                          one->type == FieldType::kTime;
      if (!common || (*common == FieldType::kText && moment)) common = one->type;
      if (is_number(one->type) && is_number(*common)) common = joined_type(*common, one->type);
    }
    if (!common) {
      refuse(all.front()->offset, "NULL has no type here", "write CAST(NULL AS type)");
    }
    std::vector<RowExpression> result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::optional<RowExpression> found = std::move(checked[i]);
      if (!found) {
        result.push_back(constant_of(*common, std::nullopt));
        continue;
      }
      RowExpression one = *std::move(found);
      const bool numbers = is_number(one.type) && is_number(*common);
      // Instants are compared whatever their zones are.
      const bool alike = numbers || (keep_numbers && one.type == common->kind());
      if (one.type == *common || alike) {
        result.push_back(keep_numbers ? std::move(one) : as_type(std::move(one), *common));
        continue;
      }
      if (one.type == common->kind()) {
        refuse(all[i]->offset,
               fmt::format("this timestamp is in {}, beside one in {}", one.type.zone().name(),
                           common->zone().name()),
               fmt::format("write CAST(… AS TIMESTAMP('{}'))", common->zone().name()));
      }
      refuse(all[i]->offset,
             fmt::format("this is {}, beside {}", words_for(one.type), words_for(*common)),
             remedy_beside(one, result));
    }
    return result;
  }
  static std::string remedy_beside(const RowExpression& value,
                                   const std::vector<RowExpression>& others) {
    constexpr std::string_view kRemedy = "use values of one type, or CAST";
    for (const RowExpression& other : others) {
      const std::string remedy = remedy_for(other, kRemedy);
      if (remedy != kRemedy) return remedy;
    }
    return remedy_for(value, kRemedy);
  }

  RowExpression operation(const Syntax& syntax) {
    const std::string& sign = syntax.text;
    const std::vector<Syntax>& operands = syntax.operands;
    if (sign == "AND" || sign == "OR") return junction(syntax);
    if (sign == "NOT") {
      return make(RowOperation::kNot, FieldType::kBoolean, list(truth(operands[0])));
    }
    if (sign == "IS NULL") {
      return make(RowOperation::kIsMissing, FieldType::kBoolean, list(check(operands[0])));
    }
    if (sign == "IS TRUE" || sign == "IS FALSE") {
      return make(sign == "IS TRUE" ? RowOperation::kIsTrue : RowOperation::kIsFalse,
                  FieldType::kBoolean, list(truth(operands[0])));
    }
    if (sign == "IN") return among(operands);
    if (sign == "BETWEEN") return between(syntax);
    if (sign == "LIKE") return like(syntax);
    if (sign == "||") {
      std::vector<RowExpression> texts;
      for (const Syntax& one : operands) {
        RowExpression text = check(one);
        if (text.type != FieldType::kText) {
          refuse(one.offset, fmt::format("this is {}, and a text is needed", words_for(text.type)),
                 "write CAST(… AS TEXT)");
        }
        texts.push_back(std::move(text));
      }
      return make(RowOperation::kConcatenate, FieldType::kText, std::move(texts));
    }
    if (sign == "neg") {
      // The smallest whole number has no positive twin.
      if (operands[0].kind == SyntaxKind::kInteger) return whole_constant(operands[0], true);
      RowExpression value = number(operands[0]);
      // An unsigned number has no negative twin, but as a decimal it has.
      const FieldType type = is_wide(value.type) ? as_decimal(value.type) : value.type;
      return negative(as_type(std::move(value), type));
    }
    if (const auto comparison = comparison_named(sign)) {
      return make(*comparison, FieldType::kBoolean, together({&operands[0], &operands[1]}, true));
    }
    return arithmetic(syntax);
  }

  static std::optional<RowOperation> comparison_named(std::string_view sign) {
    static constexpr std::array<std::pair<std::string_view, RowOperation>, 6> kSigns = {{
        {"=", RowOperation::kEqual},
        {"<>", RowOperation::kNotEqual},
        {"<", RowOperation::kLess},
        {"<=", RowOperation::kLessEqual},
        {">", RowOperation::kGreater},
        {">=", RowOperation::kGreaterEqual},
    }};
    for (const auto& [known, operation] : kSigns) {
      if (known == sign) return operation;
    }
    return std::nullopt;
  }

  RowExpression junction(const Syntax& syntax) {
    std::vector<RowExpression> operands;
    for (const Syntax& one : syntax.operands) operands.push_back(truth(one));
    return make(syntax.text == "AND" ? RowOperation::kAnd : RowOperation::kOr, FieldType::kBoolean,
                std::move(operands));
  }

  RowExpression among(const std::vector<Syntax>& operands) {
    std::vector<const Syntax*> all;
    for (const Syntax& one : operands) all.push_back(&one);
    return make(RowOperation::kIn, FieldType::kBoolean, together(all, true));
  }

  RowExpression between(const Syntax& syntax) {
    const auto& all = syntax.operands;
    std::vector<RowExpression> values = together({&all[0], &all[1], &all[2]}, true);
    RowExpression low = make(RowOperation::kGreaterEqual, FieldType::kBoolean,
                             list(copy(values[0], all[0].offset), std::move(values[1])));
    RowExpression high = make(RowOperation::kLessEqual, FieldType::kBoolean,
                              list(std::move(values[0]), std::move(values[2])));
    return make(RowOperation::kAnd, FieldType::kBoolean, list(std::move(low), std::move(high)));
  }

  RowExpression like(const Syntax& syntax) {
    const auto& all = syntax.operands;
    RowExpression text = check(all[0]);
    if (text.type != FieldType::kText) {
      refuse(all[0].offset,
             fmt::format("this is {}, and LIKE compares texts", words_for(text.type)),
             "write CAST(… AS TEXT)");
    }
    if (all[1].kind != SyntaxKind::kText) {
      refuse(all[1].offset, "the pattern of LIKE is not a constant",
             "write it in single quotes: LIKE 'north%'");
    }
    RowExpression result =
        make(RowOperation::kLike, FieldType::kBoolean, list(std::move(text), check(all[1])));
    if (all.size() == 3) {
      const std::string& escape = all[2].text;
      if (all[2].kind != SyntaxKind::kText || escape.empty() ||
          read_character(escape).bytes != escape.size()) {
        refuse(all[2].offset, "ESCAPE needs one character", "write ESCAPE '!'");
      }
      result.escape = read_character(escape).point;
    }
    if (!expression_internal::LikePattern::read(all[1].text, result.escape)) {
      refuse(all[1].offset, "an escape character of the pattern stands before something else",
             "put %, _ or the escape character itself after it");
    }
    return result;
  }

  RowExpression arithmetic(const Syntax& syntax) {
    const Syntax& first = syntax.operands[0];
    const Syntax& second = syntax.operands[1];
    RowExpression a = check(first);
    if (a.type == FieldType::kDate) return date_arithmetic(syntax, std::move(a));
    if (!is_number(a.type)) {
      refuse(first.offset, fmt::format("this is {}, and a number is needed", words_for(a.type)),
             second.kind == SyntaxKind::kText && syntax.text == "+"
                 ? "join texts with ||"
                 : remedy_for(a, "use a column of numbers, or CAST"));
    }
    RowExpression b = check(second);
    if (b.type == FieldType::kDate && syntax.text == "+" && a.type == FieldType::kInteger) {
      return make(RowOperation::kAddDays, FieldType::kDate, list(std::move(b), std::move(a)));
    }
    if (!is_number(b.type)) {
      refuse(second.offset, fmt::format("this is {}, and a number is needed", words_for(b.type)),
             remedy_for(b, "use a column of numbers, or CAST"));
    }
    std::vector<std::optional<RowExpression>> both = {std::move(a), std::move(b)};
    adapt_constants({&first, &second}, both);
    std::optional<RowExpression>& left = both.front();
    std::optional<RowExpression>& right = both.back();
    if (!left || !right) {
      broken_invariant("constants that adapt stay values", std::source_location::current());
    }
    return arithmetic_of(syntax, *std::move(left), *std::move(right));
  }

  // as_decimal: the type of the same numbers as decimals.
  static FieldType as_decimal(FieldType type) { return FieldType::decimal(type.decimals()); }

  RowExpression arithmetic_of(const Syntax& syntax, RowExpression a, RowExpression b) {
    const std::string& sign = syntax.text;
    FieldType type = joined_type(a.type, b.type);
    if (sign == "//" || sign == "%") {
      for (std::size_t i = 0; i < 2; ++i) {
        const FieldType own = i == 0 ? a.type : b.type;
        if (own != FieldType::kReal && own.decimals() == 0) continue;
        refuse(syntax.operands[i].offset, fmt::format("{} needs whole numbers", quote(sign)),
               "use floor, or CAST(… AS INTEGER)");
      }
      if (is_wide(type)) type = FieldType::decimal(0);
      return make(sign == "%" ? RowOperation::kModulo : RowOperation::kWholeDivide, type,
                  list(as_type(std::move(a), type), as_type(std::move(b), type)));
    }
    if (sign == "*" && is_wide(type)) {
      // Integers and unsigned numbers are decimals without decimals.
      for (RowExpression* one : {&a, &b}) {
        const FieldType exact = as_decimal(one->type);
        *one = as_type(std::move(*one), exact);
      }
      const int decimals = a.type.decimals() + b.type.decimals();
      if (decimals > FieldType::kMostDecimals) {
        refuse(syntax.offset, fmt::format("the product has {} decimals", decimals),
               fmt::format("it may have {}; write CAST(… AS DECIMAL(38, 2)) for one of them",
                           FieldType::kMostDecimals));
      }
      return make(RowOperation::kMultiply, FieldType::decimal(decimals),
                  list(std::move(a), std::move(b)));
    }
    // A quotient of whole numbers is a real number: 1 / 2 is a half.
    const bool divides = sign == "/";
    if (divides) type = FieldType::kReal;
    if (is_wide(type)) type = as_decimal(type);
    const RowOperation operation = divides       ? RowOperation::kDivide
                                   : sign == "+" ? RowOperation::kAdd
                                   : sign == "-" ? RowOperation::kSubtract
                                                 : RowOperation::kMultiply;
    return make(operation, type, list(as_type(std::move(a), type), as_type(std::move(b), type)));
  }

  RowExpression date_arithmetic(const Syntax& syntax, RowExpression a) {
    RowExpression b = check(syntax.operands[1]);
    if (syntax.text == "-" && b.type == FieldType::kDate) {
      return make(RowOperation::kDaysBetween, FieldType::kInteger,
                  list(std::move(b), std::move(a)));
    }
    if ((syntax.text != "+" && syntax.text != "-") || b.type != FieldType::kInteger) {
      refuse(
          syntax.offset,
          fmt::format("{} does not work on a date and {}", quote(syntax.text), words_for(b.type)),
          "add or subtract whole days, or subtract a date");
    }
    if (syntax.text == "-") b = negative(std::move(b));
    return make(RowOperation::kAddDays, FieldType::kDate, list(std::move(a), std::move(b)));
  }

  // negative: a minus sign before a whole number is part of the constant.
  static RowExpression negative(RowExpression number) {
    auto* constant = number.constant ? std::get_if<std::int64_t>(&*number.constant) : nullptr;
    if (constant != nullptr && *constant >= 0) {
      *constant = -*constant;
      return number;
    }
    const FieldType type = number.type;
    return make(RowOperation::kNegate, type, list(std::move(number)));
  }

  RowExpression choice(const Syntax& syntax) {
    const bool of = syntax.kind == SyntaxKind::kCaseOf;
    const std::span<const Syntax> all = std::span(syntax.operands).subspan(of ? 1 : 0);
    std::vector<const Syntax*> values;
    for (std::size_t i = 1; i < all.size(); i += 2) values.push_back(&all[i]);
    values.push_back(&all.back());
    std::vector<RowExpression> checked = together(values, false);
    const FieldType type = checked.front().type;
    std::vector<RowExpression> operands;
    for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
      // CASE a WHEN b THEN … is CASE WHEN a = b THEN ….
      operands.push_back(of ? make(RowOperation::kEqual, FieldType::kBoolean,
                                   together({&syntax.operands[0], &all[i]}, true))
                            : truth(all[i]));
      operands.push_back(std::move(checked[i / 2]));
    }
    operands.push_back(std::move(checked.back()));
    return make(RowOperation::kCase, type, std::move(operands));
  }

  RowExpression cast(const Syntax& syntax) {
    const auto type = type_named(syntax.text, syntax.offset);
    if (!type) {
      refuse(
          syntax.offset, fmt::format("there is no type {}", quote(syntax.text)),
          "write INTEGER, REAL, TEXT, BOOLEAN, DATE, TIMESTAMP, TIME, UNSIGNED or DECIMAL(38, 2)");
    }
    if (syntax.operands[0].kind == SyntaxKind::kNull) return constant_of(*type, std::nullopt);
    RowExpression value = check(syntax.operands[0]);
    if (!can_become(value.type, *type)) {
      refuse(syntax.offset,
             fmt::format("{} cannot become {}", words_for(value.type), words_for(*type)),
             "use a function for it, such as year(…)");
    }
    return as_type(std::move(value), *type);
  }
  static bool can_become(FieldType from, FieldType to) {
    if (from == to || from == FieldType::kText || to == FieldType::kText) return true;
    if (is_number(from) && is_number(to)) return true;
    switch (from) {
      case FieldType::kInteger:
        return to == FieldType::kBoolean;
      case FieldType::kBoolean:
        return to == FieldType::kInteger;
      case FieldType::kDate:
        return to == FieldType::kTimestamp;
      case FieldType::kTimestamp:
        return to == FieldType::kDate || to == FieldType::kTimestamp || to == FieldType::kTime;
      default:
        return false;
    }
  }

  RowExpression call(const Syntax& syntax) {
    const auto functions = row_functions();
    const auto kind = std::ranges::find(functions, syntax.text, &RowFunctionKind::name);
    if (kind == functions.end()) refuse_function(syntax);
    const std::size_t least = kind->takes.size() - kind->optional;
    const std::size_t given = syntax.operands.size();
    if (given < least || (given > kind->takes.size() && !kind->many)) {
      const std::size_t most = kind->takes.size();
      const std::string takes = kind->many      ? fmt::format("at least {}", least)
                                : least == most ? fmt::format("{}", least)
                                                : fmt::format("{} or {}", least, most);
      refuse(syntax.offset,
             fmt::format("{} takes {} argument{}, not {}", kind->name, takes, most > 1 ? "s" : "",
                         given),
             fmt::format("{}: {}", kind->name, kind->words));
    }
    if (kind->takes.front() == Taken::kSame) return call_of_same(syntax, *kind);
    std::vector<RowExpression> operands;
    std::optional<DatePart> part = kind->part;
    for (std::size_t i = 0; i < given; ++i) {
      const Taken taken = kind->takes[std::min(i, kind->takes.size() - 1)];
      if (taken == Taken::kPartName || taken == Taken::kTruncation) {
        part = constant_part(syntax.operands[i], taken == Taken::kTruncation);
        continue;
      }
      operands.push_back(argument(syntax.operands[i], taken));
      if (taken == Taken::kMoment || taken == Taken::kDate) {
        require_part(operands.back(), syntax.operands[i], part);
      }
    }
    if (kind->operation == RowOperation::kRound && operands.size() == 1) {
      operands.push_back(constant_of(FieldType::kInteger, CellValue(std::int64_t{0})));
    }
    const FieldType type = result_type(*kind, operands);
    RowExpression result = make(kind->operation, type, std::move(operands));
    result.part = part;
    return result;
  }

  RowExpression call_of_same(const Syntax& syntax, const RowFunctionKind& kind) {
    std::vector<const Syntax*> all;
    for (const Syntax& one : syntax.operands) all.push_back(&one);
    std::vector<RowExpression> operands = together(all, false);
    const FieldType type = operands.front().type;
    if (kind.name != "nullif") return make(kind.operation, type, std::move(operands));
    // nullif(a, b) is CASE WHEN a = b THEN NULL ELSE a END.
    RowExpression same = make(RowOperation::kEqual, FieldType::kBoolean,
                              list(copy(operands[0], syntax.offset), std::move(operands[1])));
    std::vector<RowExpression> cases = list(std::move(same), constant_of(type, std::nullopt));
    cases.push_back(std::move(operands[0]));
    return make(RowOperation::kCase, type, std::move(cases));
  }

  RowExpression argument(const Syntax& syntax, Taken taken) {
    if (taken == Taken::kPlaces) {
      RowExpression places = check(syntax);
      const auto* number = places.constant ? std::get_if<std::int64_t>(&*places.constant) : nullptr;
      if (number == nullptr || *number < 0 || *number > 15) {
        refuse(syntax.offset, "the number of places is not a constant from 0 to 15",
               "write round(income, 2)");
      }
      return places;
    }
    if (taken == Taken::kNumber) return number(syntax);
    RowExpression value = check(syntax);
    if (taken == Taken::kClock || taken == Taken::kMoment || taken == Taken::kDate) {
      const bool stamp = value.type == FieldType::kTimestamp;
      if (stamp || (value.type == FieldType::kTime && taken != Taken::kDate)) return value;
      if (value.type == FieldType::kDate && taken == Taken::kMoment) return value;
    }
    const FieldType wanted(taken == Taken::kInteger ? FieldType::kInteger
                           : taken == Taken::kClock ? FieldType::kTimestamp
                           : taken == Taken::kDate || taken == Taken::kMoment ? FieldType::kDate
                                                                              : FieldType::kText);
    if (value.type == wanted) return value;
    if (wanted == FieldType::kDate && syntax.kind == SyntaxKind::kText)
      return date_constant(syntax);
    refuse(syntax.offset,
           fmt::format("this is {}, and {} is needed", words_for(value.type), words_for(wanted)),
           remedy_for(value, "use another column, or CAST"));
  }

  std::string_view text_;
  const std::vector<RowColumn>& row_;
  const std::vector<RefusedColumn>& others_;
  std::size_t nodes_ = 0;
};

}  // namespace

std::optional<ExpressionProblem> check_syntax(std::string_view text) {
  try {
    parse_syntax(text);
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal.what;
  }
}

std::variant<RowExpression, ExpressionProblem> parse_expression(
    std::string_view text, const std::vector<RowColumn>& row,
    const std::vector<RefusedColumn>& others) {
  try {
    RowExpression result = Checker(text, row, others).check(parse_syntax(text));
    if (!within_limits(result)) refuse_size(0);
    return result;
  } catch (const Refusal& refusal) {
    return refusal.what;
  }
}

}  // namespace lastbit
