#include "lastbit/release/expressions/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace lastbit {
namespace expression_test {

const std::vector<RowColumn> kRow = {
    {"age", FieldType::kInteger}, {"income", FieldType::kReal},
    {"region", FieldType::kText}, {"member", FieldType::kBoolean},
    {"born", FieldType::kDate},   {"big one", FieldType::kInteger}};

using Row = std::map<std::string, Cell>;

RowExpression parsed(const std::string& text) {
  const auto result = parse_expression(text, kRow);
  if (const auto* problem = std::get_if<ExpressionProblem>(&result)) {
    ADD_FAILURE() << text << ": " << problem->offset << ": " << problem->problem;
    return {};
  }
  return std::get<RowExpression>(result);
}

std::string shown(const Cell& value) {
  if (!value) return "missing";
  RowExpression constant;
  constant.type = type_of(*value);
  constant.constant = value;
  return canonical_text(constant);
}

// The value of an expression in a row; canonical_text must say the same.
std::string valued(const std::string& text, const Row& row = {}) {
  const RowExpression expression = parsed(text);
  const auto field = [&](const std::string& name) {
    const auto found = row.find(name);
    return found == row.end() ? Cell() : found->second;
  };
  const std::string result = shown(evaluate(expression, field));
  const std::string again = canonical_text(expression);
  EXPECT_EQ(parsed(again), expression) << again;
  return result;
}

std::string problem(const std::string& text) {
  const auto result = parse_expression(text, kRow);
  const auto* found = std::get_if<ExpressionProblem>(&result);
  return found == nullptr ? "accepted" : std::to_string(found->offset) + ": " + found->problem;
}

TEST(ExpressionTest, ConditionsHaveThreeValues) {
  const Row young = {{"age", CellValue(std::int64_t{12})}};
  EXPECT_EQ(valued("age >= 18", young), "FALSE");
  EXPECT_EQ(valued("age >= 18"), "missing");
  EXPECT_EQ(valued("age >= 18 AND FALSE"), "FALSE");
  EXPECT_EQ(valued("age >= 18 OR TRUE"), "TRUE");
  EXPECT_EQ(valued("NOT age >= 18"), "missing");
  EXPECT_EQ(valued("age IS NULL"), "TRUE");
  EXPECT_EQ(valued("(age >= 18) IS TRUE"), "FALSE");
  EXPECT_EQ(valued("age IN (1, 2, NULL)", young), "missing");
  EXPECT_EQ(valued("age IN (1, 12, NULL)", young), "TRUE");
  EXPECT_EQ(valued("age NOT IN (1, 2)", young), "TRUE");
  EXPECT_EQ(valued("age BETWEEN 12 AND 13", young), "TRUE");
}

TEST(ExpressionTest, ArithmeticIsTotal) {
  EXPECT_EQ(valued("1 / 0"), "missing");
  EXPECT_EQ(valued("1 % 0"), "missing");
  EXPECT_EQ(valued("1 // 0"), "missing");
  EXPECT_EQ(valued("9223372036854775807 + 1"), "missing");
  EXPECT_EQ(valued("-9223372036854775808 - 1"), "missing");
  EXPECT_EQ(valued("-9223372036854775808 // -1"), "missing");
  EXPECT_EQ(valued("-9223372036854775808 % -1"), "0");
  EXPECT_EQ(valued("1e308 * 10"), "missing");
  EXPECT_EQ(valued("7 / 2"), "3.5");
  EXPECT_EQ(valued("-7 // 2"), "-3");
  EXPECT_EQ(valued("-7 % 2"), "-1");
  EXPECT_EQ(valued("2 + 3 * 4"), "14");
  EXPECT_EQ(valued("1 + 0.5"), "1.5");
}

TEST(ExpressionTest, WholeAndRealNumbersCompareExactly) {
  EXPECT_EQ(valued("9007199254740993 = 9007199254740992.0"), "FALSE");
  EXPECT_EQ(valued("9007199254740993 > 9007199254740992.0"), "TRUE");
  EXPECT_EQ(valued("9223372036854775807 < 9223372036854775808.0"), "TRUE");
  EXPECT_EQ(valued("0 = -0.0"), "TRUE");
}

TEST(ExpressionTest, TextsAreCharacters) {
  const Row row = {{"region", CellValue(std::string("Ärger 🙂"))}};
  EXPECT_EQ(valued("length(region)", row), "7");
  EXPECT_EQ(valued("upper(region) = 'ÄRGER 🙂'", row), "TRUE");
  EXPECT_EQ(valued("substring(region, 1, 1)", row), "'Ä'");
  EXPECT_EQ(valued("substring('abc', 0, 2)"), "'a'");
  EXPECT_EQ(valued("region LIKE '_rger%'", row), "TRUE");
  EXPECT_EQ(valued("'50%' LIKE '50!%' ESCAPE '!'"), "TRUE");
  EXPECT_EQ(valued("'50x' LIKE '50!%' ESCAPE '!'"), "FALSE");
  EXPECT_EQ(valued("'it''s' || '!'"), "'it''s!'");
  EXPECT_EQ(valued("replace('aaa', 'aa', 'b')"), "'ba'");
  EXPECT_EQ(valued("trim('  x ')"), "'x'");
}

TEST(ExpressionTest, DatesFollowTheCalendar) {
  EXPECT_EQ(valued("date_trunc('month', DATE '2024-02-29')"), "DATE '2024-02-01'");
  EXPECT_EQ(valued("date_trunc('week', DATE '2026-11-15')"), "DATE '2026-11-09'");
  EXPECT_EQ(valued("week(DATE '2021-01-03')"), "53");
  EXPECT_EQ(valued("extract(year FROM DATE '2021-01-03')"), "2021");
  EXPECT_EQ(valued("DATE '2024-03-01' - DATE '2024-02-01'"), "29");
  EXPECT_EQ(valued("DATE '9999-12-31' + 1"), "missing");
  EXPECT_EQ(valued("date_trunc('week', DATE '0000-01-01')"), "missing");
  EXPECT_EQ(valued("born >= '2000-01-01'", {{"born", CellValue(Day{20'000})}}), "TRUE");
}

TEST(ExpressionTest, ChoicesTakeTheFirstThatFits) {
  const std::string group =
      "CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' ELSE 'senior' END";
  EXPECT_EQ(valued(group, {{"age", CellValue(std::int64_t{30})}}), "'adult'");
  EXPECT_EQ(valued(group), "'senior'");
  EXPECT_EQ(valued("CASE age WHEN 1 THEN 'one' END", {{"age", CellValue(std::int64_t{2})}}),
            "missing");
  EXPECT_EQ(valued("coalesce(age, 7)"), "7");
  EXPECT_EQ(valued("nullif(3, 3)"), "missing");
  EXPECT_EQ(valued("least(3, NULL, 2.5)"), "2.5");
}

TEST(ExpressionTest, RefusalsNameThePlace) {
  EXPECT_EQ(problem(""), "0: the expression is empty");
  EXPECT_EQ(problem("agee > 3"), "0: there is no column 'agee'");
  EXPECT_EQ(problem("age > 'x'"), "6: this is a text, beside a whole number");
  EXPECT_EQ(problem("random() < 1"), "0: random does not depend on the row alone");
  EXPECT_EQ(problem("sum(age) > 1"), "0: sum looks at more than one row");
  EXPECT_EQ(problem("count(*) > 1"), "0: 'count' looks at more than one row");
  EXPECT_EQ(problem("age IN (SELECT 1)"), "8: an expression cannot hold a query");
  EXPECT_EQ(problem("1 < 2 < 3"), "6: comparisons are chained");
  EXPECT_EQ(problem("NULL"), "0: NULL has no type here");
  EXPECT_EQ(problem("age; DROP TABLE x"), "3: ';' has no meaning here");
}

TEST(ExpressionTest, DeepAndLongExpressionsAreRefused) {
  const std::string deep = std::string(10'000, '(') + "1" + std::string(10'000, ')');
  EXPECT_EQ(problem(deep), "201: the expression is nested too deeply");
  EXPECT_EQ(problem(std::string(70'000, '(')), "65536: the expression is too long");
  std::string wide = "age = 0";
  for (int i = 1; i < 1'000; ++i) wide += " OR age = " + std::to_string(i);
  EXPECT_EQ(problem(wide), "accepted");
}

}  // namespace expression_test
}  // namespace lastbit
