// From what is written to an expression with types: which columns and functions there are, and
// what fits together.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/functions.h"
#include "lastbit/release/expressions/limits.h"
#include "lastbit/release/expressions/syntax.h"
#include "lastbit/release/expressions/values.h"
#include "lastbit/release/file/field_text.h"

namespace lastbit {
namespace {

using expression_internal::date_part_named;
using expression_internal::Given;
using expression_internal::parse_syntax;
using expression_internal::Refusal;
using expression_internal::refuse;
using expression_internal::row_functions;
using expression_internal::RowFunctionKind;
using expression_internal::size_of;
using expression_internal::Syntax;
using expression_internal::SyntaxKind;
using expression_internal::Taken;
using expression_internal::within_limits;

bool is_number(FieldType type) { return type == FieldType::kInteger || type == FieldType::kReal; }

// Names of types, as people write them, in lower case.
std::optional<FieldType> type_named(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, FieldType>, 14> kNames = {{
      {"integer", FieldType::kInteger},
      {"int", FieldType::kInteger},
      {"bigint", FieldType::kInteger},
      {"smallint", FieldType::kInteger},
      {"real", FieldType::kReal},
      {"double", FieldType::kReal},
      {"float", FieldType::kReal},
      {"numeric", FieldType::kReal},
      {"text", FieldType::kText},
      {"varchar", FieldType::kText},
      {"string", FieldType::kText},
      {"boolean", FieldType::kBoolean},
      {"bool", FieldType::kBoolean},
      {"date", FieldType::kDate},
  }};
  const auto* const found =
      std::ranges::find(kNames, name, [](const auto& one) { return one.first; });
  if (found == kNames.end()) return std::nullopt;
  return found->second;
}

// What SQL writes without parentheses, in lower case.
constexpr std::array<std::string_view, 7> kWordsOfTime = {
    "current_date",   "current_time", "current_timestamp", "localtime",
    "localtimestamp", "current_user", "session_user"};

// Functions that SQL has and that are not functions of one row.
std::optional<std::string_view> why_not_of_a_row(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kAggregates = {
      "count",  "sum",      "avg",        "min",       "max",   "stddev", "variance",
      "median", "quantile", "string_agg", "array_agg", "first", "last",   "mode"};
  static constexpr std::array<std::string_view, 9> kChanging = {
      "random", "rand", "now", "today", "uuid", "gen_random_uuid", "setseed", "nextval", "getenv"};
  static constexpr std::array<std::string_view, 8> kWindows = {
      "row_number", "rank", "dense_rank", "lag", "lead", "ntile", "first_value", "last_value"};
  const auto among = [&](const auto& names) {
    return std::ranges::find(names, name) != names.end();
  };
  if (among(kAggregates) || among(kWindows)) return "looks at more than one row";
  if (among(kChanging) || among(kWordsOfTime)) return "does not depend on the row alone";
  return std::nullopt;
}

// refuse_word: refuses what is not a function of one row.
void refuse_word(std::size_t offset, std::string_view word) {
  const auto why = why_not_of_a_row(word);
  if (!why) return;
  refuse(offset, fmt::format("{} {}", word, *why),
         "an expression is a function of the columns of one row");
}
[[noreturn]] void refuse_size(std::size_t offset) {
  refuse(offset, "the expression is too large",
         fmt::format("use at most {} columns, constants and operations in {} levels, {} of them "
                     "making new texts, and at most {} bytes with all parentheses written",
                     kMaxExpressionNodes, kMaxExpressionDepth, kMaxTextOperations,
                     kMaxExpressionBytes));
}

class Checker {
 public:
  explicit Checker(const std::vector<RowColumn>& row) : row_(row) {}

  RowExpression check(const Syntax& syntax) {
    count(1, syntax.offset);
    switch (syntax.kind) {
      case SyntaxKind::kName:
        return column(syntax);
      case SyntaxKind::kInteger:
        return whole(syntax, false);
      case SyntaxKind::kDecimal:
        return constant(FieldType::kReal, decimal(syntax));
      case SyntaxKind::kText:
        return constant(FieldType::kText, CellValue(syntax.text));
      case SyntaxKind::kDate:
        return date(syntax);
      case SyntaxKind::kTrue:
        return constant(FieldType::kBoolean, CellValue(true));
      case SyntaxKind::kFalse:
        return constant(FieldType::kBoolean, CellValue(false));
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

  static RowExpression constant(FieldType type, Cell value) {
    RowExpression result;
    result.type = type;
    result.constant = std::move(value);
    return result;
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
      const std::string word = in_lower_case(syntax.text);
      if (std::ranges::find(kWordsOfTime, word) != kWordsOfTime.end())
        refuse_word(syntax.offset, word);
      std::vector<std::string> names;
      for (const RowColumn& one : row_) names.push_back(one.name);
      const auto nearest = nearest_name(syntax.text, names);
      refuse(syntax.offset, fmt::format("there is no column {}", quote(syntax.text)),
             nearest ? fmt::format("did you mean {}?", quote(*nearest))
                     : "declare the column, or put a text in single quotes");
    }
    RowExpression result;
    result.operation = RowOperation::kColumn;
    result.type = found->type;
    result.column = found->name;
    return result;
  }

  static RowExpression whole(const Syntax& syntax, bool negative) {
    std::int64_t number = 0;
    const std::string text = (negative ? "-" : "") + syntax.text;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc()) {
      refuse(syntax.offset, "this whole number does not fit in 64 bits",
             "write it with a decimal point if a real number is meant");
    }
    return constant(FieldType::kInteger, CellValue(number));
  }
  static CellValue decimal(const Syntax& syntax) {
    const auto number = expression_internal::read_finite(syntax.text);
    if (!number) refuse(syntax.offset, "this number is too large", "write a number below 1.7e308");
    return *number;
  }
  static RowExpression date(const Syntax& syntax) {
    const auto day = read_date(syntax.text);
    if (!day) {
      refuse(syntax.offset, fmt::format("{} is not a valid date", quote(syntax.text)),
             "write it as DATE '2026-03-01'");
    }
    return constant(FieldType::kDate, CellValue(Day{*day}));
  }

  // truth: a condition.
  RowExpression truth(const Syntax& syntax) {
    if (syntax.kind == SyntaxKind::kNull) return constant(FieldType::kBoolean, std::nullopt);
    RowExpression result = check(syntax);
    if (result.type != FieldType::kBoolean) {
      refuse(syntax.offset,
             fmt::format("this is {}, and a condition is needed", words(result.type)),
             "compare it with something");
    }
    return result;
  }
  RowExpression number(const Syntax& syntax) {
    RowExpression result = check(syntax);
    if (!is_number(result.type)) {
      refuse(syntax.offset, fmt::format("this is {}, and a number is needed", words(result.type)),
             "use a column of numbers, or CAST");
    }
    return result;
  }
  static std::string_view words(FieldType type) {
    switch (type) {
      case FieldType::kInteger:
        return "a whole number";
      case FieldType::kReal:
        return "a real number";
      case FieldType::kText:
        return "a text";
      case FieldType::kBoolean:
        return "a condition";
      case FieldType::kDate:
        return "a date";
    }
    return "";
  }

  static RowExpression as_type(RowExpression value, FieldType type) {
    if (value.type == type) return value;
    return make(RowOperation::kCast, type, list(std::move(value)));
  }

  // together: values of one type. NULL takes the type of the others, whole numbers become real
  // where one is real (unless numbers may stay as they are), and a constant text becomes a date
  // beside a date.
  std::vector<RowExpression> together(const std::vector<const Syntax*>& all, bool keep_numbers) {
    std::vector<std::optional<RowExpression>> checked;
    std::optional<FieldType> type;
    bool real = false;
    for (const Syntax* one : all) {
      if (one->kind == SyntaxKind::kNull) {
        checked.emplace_back();
        continue;
      }
      checked.emplace_back(check(*one));
      const FieldType own = checked.back()->type;
      real = real || own == FieldType::kReal;
      if (!type || (*type == FieldType::kText && own == FieldType::kDate)) type = own;
    }
    if (!type) {
      refuse(all.front()->offset, "NULL has no type here", "write CAST(NULL AS type)");
    }
    const FieldType common = is_number(*type) && real ? FieldType::kReal : *type;
    std::vector<RowExpression> result;
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::optional<RowExpression> found = std::move(checked[i]);
      if (!found) {
        result.push_back(constant(common, std::nullopt));
        continue;
      }
      RowExpression one = *std::move(found);
      if (one.type == common || (is_number(one.type) && is_number(common))) {
        result.push_back(keep_numbers ? std::move(one) : as_type(std::move(one), common));
        continue;
      }
      const bool is_text = one.operation == RowOperation::kConstant && one.type == FieldType::kText;
      if (common == FieldType::kDate && is_text && all[i]->kind == SyntaxKind::kText) {
        result.push_back(date(*all[i]));
        continue;
      }
      refuse(all[i]->offset, fmt::format("this is {}, beside {}", words(one.type), words(common)),
             "use values of one type, or CAST");
    }
    return result;
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
          refuse(one.offset, fmt::format("this is {}, and a text is needed", words(text.type)),
                 "write CAST(… AS TEXT)");
        }
        texts.push_back(std::move(text));
      }
      return make(RowOperation::kConcatenate, FieldType::kText, std::move(texts));
    }
    if (sign == "neg") {
      // The smallest whole number has no positive twin.
      if (operands[0].kind == SyntaxKind::kInteger) return whole(operands[0], true);
      return negative(number(operands[0]));
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
      refuse(all[0].offset, fmt::format("this is {}, and LIKE compares texts", words(text.type)),
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
      refuse(first.offset, fmt::format("this is {}, and a number is needed", words(a.type)),
             a.type == FieldType::kText && syntax.text == "+" ? "join texts with ||"
                                                              : "use a column of numbers, or CAST");
    }
    RowExpression b = check(second);
    if (b.type == FieldType::kDate && syntax.text == "+" && a.type == FieldType::kInteger) {
      return make(RowOperation::kAddDays, FieldType::kDate, list(std::move(b), std::move(a)));
    }
    if (!is_number(b.type)) {
      refuse(second.offset, fmt::format("this is {}, and a number is needed", words(b.type)),
             "use a column of numbers, or CAST");
    }
    if (syntax.text == "//" || syntax.text == "%") {
      for (const auto& [value, at] : {std::pair{&a, &first}, std::pair{&b, &second}}) {
        if (value->type == FieldType::kInteger) continue;
        refuse(at->offset, fmt::format("{} needs whole numbers", quote(syntax.text)),
               "use floor, or CAST(… AS INTEGER)");
      }
      return make(syntax.text == "%" ? RowOperation::kModulo : RowOperation::kWholeDivide,
                  FieldType::kInteger, list(std::move(a), std::move(b)));
    }
    const bool whole = a.type == FieldType::kInteger && b.type == FieldType::kInteger;
    // A quotient of whole numbers is a real number: 1 / 2 is a half.
    const bool divides = syntax.text == "/";
    const FieldType type = whole && !divides ? FieldType::kInteger : FieldType::kReal;
    const RowOperation operation = divides              ? RowOperation::kDivide
                                   : syntax.text == "+" ? RowOperation::kAdd
                                   : syntax.text == "-" ? RowOperation::kSubtract
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
      refuse(syntax.offset,
             fmt::format("{} does not work on a date and {}", quote(syntax.text), words(b.type)),
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
    const auto type = type_named(syntax.text);
    if (!type) {
      refuse(syntax.offset, fmt::format("there is no type {}", quote(syntax.text)),
             "write INTEGER, REAL, TEXT, BOOLEAN or DATE");
    }
    if (syntax.operands[0].kind == SyntaxKind::kNull) return constant(*type, std::nullopt);
    RowExpression value = check(syntax.operands[0]);
    const bool to_date = *type == FieldType::kDate && value.type != FieldType::kText;
    const bool from_date = value.type == FieldType::kDate && *type != FieldType::kText;
    const bool truth_and_real = (value.type == FieldType::kBoolean && *type == FieldType::kReal) ||
                                (value.type == FieldType::kReal && *type == FieldType::kBoolean);
    if (value.type != *type && (to_date || from_date || truth_and_real)) {
      refuse(syntax.offset, fmt::format("{} cannot become {}", words(value.type), words(*type)),
             "use a function for it, such as year(…)");
    }
    return as_type(std::move(value), *type);
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
    }
    if (kind->operation == RowOperation::kRound && operands.size() == 1) {
      operands.push_back(constant(FieldType::kInteger, CellValue(std::int64_t{0})));
    }
    const FieldType type = result_type(*kind, operands);
    RowExpression result = make(kind->operation, type, std::move(operands));
    result.part = part;
    return result;
  }

  static FieldType result_type(const RowFunctionKind& kind,
                               const std::vector<RowExpression>& operands) {
    switch (kind.gives) {
      case Given::kOfFirst:
        return operands.front().type;
      case Given::kInteger:
        return FieldType::kInteger;
      case Given::kReal:
        return FieldType::kReal;
      case Given::kText:
        return FieldType::kText;
      case Given::kBoolean:
        return FieldType::kBoolean;
      case Given::kDate:
        return FieldType::kDate;
    }
    return FieldType::kText;
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
    std::vector<RowExpression> cases = list(std::move(same), constant(type, std::nullopt));
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
    const FieldType wanted = taken == Taken::kInteger ? FieldType::kInteger
                             : taken == Taken::kDate  ? FieldType::kDate
                                                      : FieldType::kText;
    if (value.type == wanted) return value;
    if (wanted == FieldType::kDate && syntax.kind == SyntaxKind::kText) return date(syntax);
    refuse(syntax.offset,
           fmt::format("this is {}, and {} is needed", words(value.type), words(wanted)),
           "use another column, or CAST");
  }

  static DatePart constant_part(const Syntax& syntax, bool truncation) {
    const auto part =
        syntax.kind == SyntaxKind::kText ? date_part_named(syntax.text) : std::nullopt;
    const bool fits =
        part && (!truncation || (*part != DatePart::kWeekday && *part != DatePart::kDayOfYear));
    if (fits) return *part;
    refuse(syntax.offset, "this does not name a part of a date",
           truncation
               ? "write 'day', 'week', 'month', 'quarter' or 'year'"
               : "write 'day', 'week', 'month', 'quarter', 'year', 'weekday' or 'dayofyear'");
  }

  [[noreturn]] static void refuse_function(const Syntax& syntax) {
    refuse_word(syntax.offset, syntax.text);
    std::vector<std::string> names;
    for (const RowFunctionKind& kind : row_functions()) names.emplace_back(kind.name);
    const auto nearest = nearest_name(syntax.text, names);
    refuse(syntax.offset, fmt::format("there is no function {}", quote(syntax.text)),
           nearest ? fmt::format("did you mean {}?", quote(*nearest))
                   : "docs/expressions.md lists the functions");
  }

  const std::vector<RowColumn>& row_;
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

std::variant<RowExpression, ExpressionProblem> parse_expression(std::string_view text,
                                                                const std::vector<RowColumn>& row) {
  try {
    RowExpression result = Checker(row).check(parse_syntax(text));
    if (!within_limits(result)) refuse_size(0);
    return result;
  } catch (const Refusal& refusal) {
    return refusal.what;
  }
}

}  // namespace lastbit
