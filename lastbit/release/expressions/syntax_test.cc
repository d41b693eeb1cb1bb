// What is an expression and what is not, how it is read, and where refusals point.
#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/expression.h"

namespace lastbit {
namespace syntax_test {

const std::vector<RowColumn> kRow = {
    {"a", FieldType::kInteger},  {"b", FieldType::kInteger},    {"c", FieldType::kInteger},
    {"x", FieldType::kReal},     {"s", FieldType::kText},       {"t", FieldType::kText},
    {"p", FieldType::kBoolean},  {"q", FieldType::kBoolean},    {"r", FieldType::kBoolean},
    {"d", FieldType::kDate},     {"e", FieldType::kDate},       {"age", FieldType::kInteger},
    {"Date", FieldType::kDate},  {"select", FieldType::kText},  {"two \"words\"", FieldType::kText},
    {"größe", FieldType::kReal}, {"count", FieldType::kInteger}};

std::variant<RowExpression, ExpressionProblem> read(const std::string& text) {
  return parse_expression(text, kRow);
}
std::string problem(const std::string& text) {
  const auto result = read(text);
  const auto* found = std::get_if<ExpressionProblem>(&result);
  if (found == nullptr) return "accepted";
  EXPECT_FALSE(found->remedy.empty()) << text;
  EXPECT_LE(found->offset, text.size());
  return std::to_string(found->offset) + ": " + found->problem;
}
std::string remedy(const std::string& text) {
  const auto result = read(text);
  const auto* found = std::get_if<ExpressionProblem>(&result);
  return found == nullptr ? "accepted" : found->remedy;
}
// canonical: the text; reading it must give the same expression.
std::string canonical(const std::string& text) {
  const auto result = read(text);
  const auto* expression = std::get_if<RowExpression>(&result);
  if (expression == nullptr) return problem(text);
  std::string written = canonical_text(*expression);
  const auto again = read(written);
  const auto* same = std::get_if<RowExpression>(&again);
  EXPECT_TRUE(same != nullptr && *same == *expression) << text << "\n" << problem(written);
  return written;
}
std::string repeated(std::string_view part, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += part;
  return result;
}

TEST(ExpressionSyntaxTest, OperatorsBindAsInSql) {
  EXPECT_EQ(canonical("p OR q AND r"), R"(("p" OR ("q" AND "r")))");
  EXPECT_EQ(canonical("p AND q OR r"), R"((("p" AND "q") OR "r"))");
  EXPECT_EQ(canonical("NOT p AND q"), R"(((NOT "p") AND "q"))");
  EXPECT_EQ(canonical("NOT a = b"), R"((NOT ("a" = "b")))");
  EXPECT_EQ(canonical("NOT NOT p IS NULL"), R"((NOT (NOT ("p" IS NULL))))");
  EXPECT_EQ(canonical("NOT a IN (1, 2)"), R"((NOT ("a" IN (1, 2))))");
  EXPECT_EQ(canonical("a = b IS TRUE"), R"((("a" = "b") IS TRUE))");
  EXPECT_EQ(canonical("a IS NOT NULL IS FALSE"), R"(((NOT ("a" IS NULL)) IS FALSE))");
  EXPECT_EQ(canonical("a BETWEEN 1 AND 2 AND p"), R"(((("a" >= 1) AND ("a" <= 2)) AND "p"))");
  EXPECT_EQ(canonical("a NOT BETWEEN b + 1 AND c OR p"),
            R"(((NOT (("a" >= ("b" + 1)) AND ("a" <= "c"))) OR "p"))");
  EXPECT_EQ(canonical("a + b * c"), R"(("a" + ("b" * "c")))");
  EXPECT_EQ(canonical("a - b - c"), R"((("a" - "b") - "c"))");
  EXPECT_EQ(canonical("a // b % c * a"), R"(((("a" // "b") % "c") * "a"))");
  EXPECT_EQ(canonical("- a * b"), R"(((- "a") * "b"))");
  EXPECT_EQ(canonical("a - -b"), R"(("a" - (- "b")))");
  EXPECT_EQ(canonical("+ a - + - 3"), R"(("a" - -3))");
  EXPECT_EQ(canonical("-a::text"), "2: this is a text, and a number is needed");
  EXPECT_EQ(canonical("(-a)::text"), R"(CAST((- "a") AS TEXT))");
  EXPECT_EQ(canonical("s || t LIKE 'x%'"), R"((("s" || "t") LIKE 'x%'))");
  EXPECT_EQ(canonical("s || a::text || t = s"), R"(((("s" || CAST("a" AS TEXT)) || "t") = "s"))");
  EXPECT_EQ(canonical("a < b AND b < c"), R"((("a" < "b") AND ("b" < "c")))");
  EXPECT_EQ(canonical("s LIKE '!%' ESCAPE '!' AND p"), R"((("s" LIKE '!%' ESCAPE '!') AND "p"))");
  EXPECT_EQ(canonical("a != 1"), R"(("a" <> 1))");
}

TEST(ExpressionSyntaxTest, SugarHasAMeaning) {
  EXPECT_EQ(canonical("CASE a WHEN 1 THEN s WHEN NULL THEN t END"),
            R"(CASE WHEN ("a" = 1) THEN "s" WHEN ("a" = CAST(NULL AS INTEGER)) THEN "t" )"
            R"(ELSE CAST(NULL AS TEXT) END)");
  EXPECT_EQ(canonical("nullif(a, 0)"),
            R"(CASE WHEN ("a" = 0) THEN CAST(NULL AS INTEGER) ELSE "a" END)");
  EXPECT_EQ(canonical("extract(Year FROM d)"), R"(date_part('year', "d"))");
  EXPECT_EQ(canonical("year(d)"), R"(date_part('year', "d"))");
  EXPECT_EQ(canonical("round(x)"), R"(round("x", 0))");
  EXPECT_EQ(canonical("abs(a)"), R"(abs("a"))");
  EXPECT_EQ(canonical("d - 5"), R"(("d" + -5))");
  EXPECT_EQ(canonical("d - 0"), R"(("d" + 0))");
  EXPECT_EQ(canonical("d - -5"), R"(("d" + (- -5)))");
  EXPECT_EQ(canonical("d - a"), R"(("d" + (- "a")))");
  EXPECT_EQ(canonical("5 + d"), R"(("d" + 5))");
  EXPECT_EQ(canonical("e - d"), R"(("e" - "d"))");
  EXPECT_EQ(canonical("'2024-01-01' <= d"), R"((DATE '2024-01-01' <= "d"))");
  EXPECT_EQ(canonical("- CAST(0 AS INTEGER)"), "0");
  EXPECT_EQ(canonical("a + x"), R"((CAST("a" AS REAL) + "x"))");
  EXPECT_EQ(canonical("coalesce(a, NULL, 2.5)"),
            R"(coalesce(CAST("a" AS REAL), CAST(NULL AS REAL), 2.5))");
  EXPECT_EQ(canonical("a::double precision"), R"(CAST("a" AS REAL))");
}

TEST(ExpressionSyntaxTest, ConstantsAreWrittenAsTheyRead) {
  EXPECT_EQ(canonical("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(canonical("- -9223372036854775808"), "(- -9223372036854775808)");
  EXPECT_EQ(canonical("0009"), "9");
  EXPECT_EQ(canonical("1e300"), "1e+300");
  EXPECT_EQ(canonical("100000.0"), "100000.0");
  EXPECT_EQ(canonical("1.e3"), "1000.0");
  EXPECT_EQ(canonical(".5"), "0.5");
  EXPECT_EQ(canonical("5e-324"), "5e-324");
  EXPECT_EQ(canonical("1e-400"), "0.0");
  EXPECT_EQ(canonical("-0.0"), "(- 0.0)");
  EXPECT_EQ(canonical("123456789012345678.0"), "1.2345678901234568e+17");
  EXPECT_EQ(canonical("'it''s'"), "'it''s'");
  EXPECT_EQ(canonical("''''"), "''''");
  EXPECT_EQ(canonical("''"), "''");
  EXPECT_EQ(canonical("'a\nb'"), "'a\nb'");
  EXPECT_EQ(canonical("s LIKE '''%' ESCAPE ''''"), R"(("s" LIKE '''%' ESCAPE ''''))");
  EXPECT_EQ(canonical("DATE '0000-01-01'"), "DATE '0000-01-01'");
  EXPECT_EQ(canonical("NULL IS TRUE"), "(CAST(NULL AS BOOLEAN) IS TRUE)");
}

TEST(ExpressionSyntaxTest, NamesAreExact) {
  EXPECT_EQ(canonical("\"two \"\"words\"\"\""), "\"two \"\"words\"\"\"");
  EXPECT_EQ(canonical("\"select\""), "\"select\"");
  EXPECT_EQ(canonical("größe"), "\"größe\"");
  EXPECT_EQ(canonical("Date > DATE '2020-01-01'"), "(\"Date\" > DATE '2020-01-01')");
  EXPECT_EQ(canonical("count > 3"), "(\"count\" > 3)");
  EXPECT_EQ(problem("select = 'x'"), "0: an expression cannot hold a query");
  EXPECT_EQ(problem("Age > 3"), "0: there is no column 'Age'");
  EXPECT_EQ(remedy("Age > 3"), "did you mean 'age'?");
  EXPECT_EQ(remedy("p AND agee > 3"), "did you mean 'age'?");
  EXPECT_EQ(problem("p AND agee > 3"), "6: there is no column 'agee'");
  EXPECT_EQ(problem("\"\" = 1"), "0: there is no column ''");
  EXPECT_EQ(problem("t.a = 1"), "0: a column has one name only");
  EXPECT_EQ(problem("a = 1 AND end > 2"), "10: a value is expected here, not 'end'");
}

TEST(ExpressionSyntaxTest, OnlyFunctionsOfOneRow) {
  EXPECT_EQ(problem("a < random()"), "4: random does not depend on the row alone");
  EXPECT_EQ(problem("d < now()"), "4: now does not depend on the row alone");
  EXPECT_EQ(problem("d < current_date"), "4: current_date does not depend on the row alone");
  EXPECT_EQ(problem("d < CURRENT_DATE"), "4: current_date does not depend on the row alone");
  EXPECT_EQ(problem("d < current_date()"), "4: current_date does not depend on the row alone");
  EXPECT_EQ(problem("a > avg(a)"), "4: avg looks at more than one row");
  EXPECT_EQ(problem("a > MAX(a)"), "4: max looks at more than one row");
  EXPECT_EQ(problem("count(*) > 1"), "0: 'count' looks at more than one row");
  EXPECT_EQ(problem("count(DISTINCT a) > 1"), "0: 'count' looks at more than one row");
  EXPECT_EQ(problem("lag(a) > 1"), "0: lag looks at more than one row");
  EXPECT_EQ(problem("sum(a) OVER () > 1"), "7: a window looks at more than one row");
  EXPECT_EQ(problem("row_number() OVER (ORDER BY a) < 9"),
            "13: a window looks at more than one row");
  EXPECT_EQ(problem("a = (SELECT 1)"), "5: an expression cannot hold a query");
  EXPECT_EQ(problem("a IN (SELECT b)"), "6: an expression cannot hold a query");
  EXPECT_EQ(problem("EXISTS (SELECT 1)"), "0: an expression cannot hold a query");
  EXPECT_EQ(problem("uper(s) = 'X'"), "0: there is no function 'uper'");
  EXPECT_EQ(remedy("uper(s) = 'X'"), "did you mean 'upper'?");
  EXPECT_EQ(problem("sqrt(a) > 1"), "0: there is no function 'sqrt'");
}

TEST(ExpressionSyntaxTest, TypesAreChecked) {
  EXPECT_EQ(problem("a = s"), "4: this is a text, beside a whole number");
  EXPECT_EQ(problem("p > 1"), "4: this is a whole number, beside a condition");
  EXPECT_EQ(problem("d = s"), "4: this is a text, beside a date");
  EXPECT_EQ(problem("s = d"), "0: this is a text, beside a date");
  EXPECT_EQ(problem("d = '2023-02-29'"), "4: '2023-02-29' is not a valid date");
  EXPECT_EQ(problem("d = 5"), "4: this is a whole number, beside a date");
  EXPECT_EQ(problem("a IN (1, 'x')"), "9: this is a text, beside a whole number");
  EXPECT_EQ(problem("CASE WHEN p THEN 1 ELSE 'x' END"),
            "24: this is a text, beside a whole number");
  EXPECT_EQ(problem("CASE WHEN a THEN 1 END"),
            "10: this is a whole number, and a condition is needed");
  EXPECT_EQ(problem("CASE WHEN p THEN NULL END"), "17: NULL has no type here");
  EXPECT_EQ(problem("coalesce(NULL, NULL)"), "9: NULL has no type here");
  EXPECT_EQ(problem("NULL = NULL"), "0: NULL has no type here");
  EXPECT_EQ(problem("a AND p"), "0: this is a whole number, and a condition is needed");
  EXPECT_EQ(problem("NOT s"), "4: this is a text, and a condition is needed");
  EXPECT_EQ(problem("s + 'x'"), "0: this is a text, and a number is needed");
  EXPECT_EQ(remedy("s + 'x'"), "join texts with ||");
  EXPECT_EQ(problem("s || 1"), "5: this is a whole number, and a text is needed");
  EXPECT_EQ(problem("x % 2"), "0: '%' needs whole numbers");
  EXPECT_EQ(problem("7 // x"), "5: '//' needs whole numbers");
  EXPECT_EQ(problem("d * 2"), "2: '*' does not work on a date and a whole number");
  EXPECT_EQ(problem("d + x"), "2: '+' does not work on a date and a real number");
  EXPECT_EQ(problem("1 - d"), "4: this is a date, and a number is needed");
  EXPECT_EQ(problem("a LIKE 'x'"), "0: this is a whole number, and LIKE compares texts");
  EXPECT_EQ(problem("s LIKE t"), "7: the pattern of LIKE is not a constant");
  EXPECT_EQ(problem("s LIKE 'x!' ESCAPE '!'"),
            "7: an escape character of the pattern stands before something else");
  EXPECT_EQ(problem("s LIKE '!x' ESCAPE '!'"),
            "7: an escape character of the pattern stands before something else");
  EXPECT_EQ(problem("s LIKE 'x' ESCAPE ''"), "18: ESCAPE needs one character");
  EXPECT_EQ(problem("s LIKE 'x' ESCAPE 'ab'"), "18: ESCAPE needs one character");
  EXPECT_EQ(problem("CAST(a AS DATE)"), "0: a whole number cannot become a date");
  EXPECT_EQ(problem("CAST(d AS INTEGER)"), "0: a date cannot become a whole number");
  EXPECT_EQ(problem("x::boolean"), "1: a real number cannot become a condition");
  EXPECT_EQ(problem("a::uuid"), "1: there is no type 'uuid'");
  EXPECT_EQ(problem("abs(s)"), "4: this is a text, and a number is needed");
  EXPECT_EQ(problem("abs()"), "0: abs takes 1 argument, not 0");
  EXPECT_EQ(problem("round(1, 2, 3)"), "0: round takes 1 or 2 arguments, not 3");
  EXPECT_EQ(problem("least()"), "0: least takes at least 1 argument, not 0");
  EXPECT_EQ(problem("round(x, -1)"), "9: the number of places is not a constant from 0 to 15");
  EXPECT_EQ(problem("round(x, a)"), "9: the number of places is not a constant from 0 to 15");
  EXPECT_EQ(problem("date_trunc('weekday', d)"), "11: this does not name a part of a date");
  EXPECT_EQ(problem("extract(hour FROM d)"), "18: a date has no hour");
  EXPECT_EQ(problem("hour(d)"), "5: this is a date, and a timestamp is needed");
  EXPECT_EQ(problem("year(TIME '10:00')"), "5: this is a time, and a date is needed");
  EXPECT_EQ(problem("date_part('month', TIME '10:00')"), "19: a time has no month");
  EXPECT_EQ(problem("TIMESTAMP '2026-02-30 10:00' IS NULL"),
            "0: '2026-02-30 10:00' is not a valid timestamp");
  EXPECT_EQ(problem("d = TIMESTAMP '2026-02-20 10:00'"), "4: this is a timestamp, beside a date");
  EXPECT_EQ(problem("TIMESTAMP '2026-02-20 10:00' + 1"),
            "0: this is a timestamp, and a number is needed");
  EXPECT_EQ(problem("coalesce(CAST(NULL AS TIMESTAMP('+01:00')), CAST(NULL AS TIMESTAMP))"),
            "44: this timestamp is in UTC, beside one in +01:00");
  EXPECT_EQ(problem("CAST(s AS TIMESTAMP('../etc/passwd'))"),
            "0: '../etc/passwd' is not the name of a time zone");
  EXPECT_EQ(problem("CAST(s AS TIMESTAMP(6))"),
            "19: TIMESTAMP needs the name of a zone in parentheses, or none");
  EXPECT_EQ(problem("CAST(s AS DECIMAL)"), "0: there is no type 'decimal'");
  EXPECT_EQ(problem("CAST(s AS DECIMAL(9))"), "17: DECIMAL needs two numbers");
  EXPECT_EQ(problem("CAST(s AS DECIMAL(38, 19))"), "0: a decimal has too many decimals");
  EXPECT_EQ(problem("CAST(a AS DECIMAL(9, 9)) * CAST(a AS DECIMAL(12, 10))"),
            "25: the product has 19 decimals");
  EXPECT_EQ(problem("DECIMAL '1.5' % 2"), "0: '%' needs whole numbers");
  EXPECT_EQ(problem("DECIMAL 'x' > 2"), "0: 'x' is not a decimal");
  EXPECT_EQ(problem("CAST(p AS DECIMAL(9, 2))"), "0: a condition cannot become a decimal");
  EXPECT_EQ(remedy("s > 3"),
            "if 's' does not hold texts, declare its type in [columns]; or use CAST");
  EXPECT_EQ(remedy("3 < s"),
            "if 's' does not hold texts, declare its type in [columns]; or use CAST");
  EXPECT_EQ(remedy("'x' < 3"), "use values of one type, or CAST");
  EXPECT_EQ(problem("extract(decade FROM d)"), "8: this does not name a part of a date");
  EXPECT_EQ(problem("month(s)"), "6: this is a text, and a date is needed");
  EXPECT_EQ(problem("month('2024-13-01')"), "6: '2024-13-01' is not a valid date");
}

TEST(ExpressionSyntaxTest, MistakesAreShownWhereTheyAre) {
  EXPECT_EQ(problem(""), "0: the expression is empty");
  EXPECT_EQ(problem("  \t\n"), "0: the expression is empty");
  EXPECT_EQ(problem("a ="), "3: the expression ends too early");
  EXPECT_EQ(problem("a = 1 b"), "6: 'b' is not expected here");
  EXPECT_EQ(problem("(a = 1"), "0: this parenthesis is not closed");
  EXPECT_EQ(problem("(a b)"), "3: ')' is expected here, not 'b'");
  EXPECT_EQ(problem("a = 1)"), "5: ')' is not expected here");
  EXPECT_EQ(problem("s = 'x"), "4: a text has no closing quote");
  EXPECT_EQ(problem("\"a = 1"), "0: a name has no closing quote");
  EXPECT_EQ(problem("a = 1 -- one"), "6: an expression has no comments");
  EXPECT_EQ(problem("a /* x */ = 1"), "2: an expression has no comments");
  EXPECT_EQ(problem("a = 1;"), "5: ';' has no meaning here");
  EXPECT_EQ(problem("a = 12b"), "6: a letter follows a number");
  const std::string nines(38, '9');
  EXPECT_EQ(problem("a = " + nines), "accepted");
  EXPECT_EQ(problem("a = 1" + nines), "4: this whole number has more than 38 digits");
  EXPECT_EQ(problem("a = -1" + nines), "5: this whole number has more than 38 digits");
  EXPECT_EQ(problem("x = 1e309"), "4: this number is too large");
  EXPECT_EQ(problem("a < b < c"), "6: comparisons are chained");
  EXPECT_EQ(problem("p = a IN (1)"), "6: comparisons are chained");
  EXPECT_EQ(problem("a IN (1) = p"), "9: comparisons are chained");
  EXPECT_EQ(problem("a IS NULL = p"), "10: comparisons are chained");
  EXPECT_EQ(problem("p BETWEEN q AND r BETWEEN q AND r"), "18: comparisons are chained");
  EXPECT_EQ(problem("a = NOT (p)"), "4: a value is expected here, not 'NOT'");
  EXPECT_EQ(problem("a IS 5"), "5: NULL, TRUE or FALSE is expected after IS, not '5'");
  EXPECT_EQ(problem("a IN 5"), "5: '(' is expected here, not '5'");
  EXPECT_EQ(problem("a IN ()"), "6: a value is expected here, not ')'");
  EXPECT_EQ(problem("a BETWEEN 1 OR 2"),
            "12: AND is expected after the lower end of BETWEEN, not 'OR'");
  EXPECT_EQ(problem("CASE END"), "5: a value is expected here, not 'END'");
  EXPECT_EQ(problem("CASE a END"), "7: WHEN is expected after CASE, not 'END'");
  EXPECT_EQ(problem("CASE WHEN p THEN 1"),
            "18: END is expected after the values of CASE, not the end");
  EXPECT_EQ(problem("CAST(a)"), "6: AS is expected after the value of CAST, not ')'");
  EXPECT_EQ(problem("CAST(a AS VARCHAR(3))"), "17: ')' is expected here, not '('");
  EXPECT_EQ(problem("s = 'a\xff'"), "6: the expression is not UTF-8");
}

// Everything after the parser is recursive, so that depth must have a bound of its own; and what
// is used twice must not make the expression grow with a power of its length.
TEST(ExpressionSyntaxTest, LimitsHoldForEveryShape) {
  const auto deep = [](const std::string& text) {
    return problem(text).find("the expression is nested too deeply") != std::string::npos;
  };
  const auto large = [](const std::string& text) {
    return problem(text).find("the expression is too large") != std::string::npos;
  };
  for (const int times : {10'000, 1'000}) {
    EXPECT_TRUE(deep(repeated("(", times) + "1" + repeated(")", times)));
    EXPECT_TRUE(deep(repeated("NOT ", times) + "p"));
    EXPECT_TRUE(deep(repeated("- ", times) + "x"));
    EXPECT_TRUE(deep("p" + repeated(" IS NULL", times > 8'000 ? 8'000 : times)));
    EXPECT_TRUE(deep("1" + repeated("+1", times)));
    EXPECT_TRUE(deep("s" + repeated("||s", times)));
  }
  EXPECT_TRUE(deep("s" + repeated("::integer::text", 1'000)));
  EXPECT_TRUE(deep(repeated("abs(", 1'000) + "1" + repeated(")", 1'000)));
  EXPECT_TRUE(deep(repeated("CASE WHEN p THEN ", 1'000) + "1" + repeated(" END", 1'000)));
  EXPECT_TRUE(deep(repeated("CAST(", 1'000) + "s" + repeated(" AS TEXT)", 1'000)));
  EXPECT_TRUE(deep(repeated("a IN (", 1'000) + "1" + repeated(")", 1'000)));
  std::string stairs = "1";
  for (int i = 0; i < 50; ++i) stairs = "(" + stairs + repeated("+1", 100) + ")";
  EXPECT_TRUE(deep(stairs));

  std::string between = "p";
  std::string nulls = "1";
  std::string cases = "1";
  for (int i = 0; i < 40; ++i) {
    between = "(" + between + " BETWEEN FALSE AND TRUE)";
    nulls = "nullif(" + nulls + ", 0)";
    cases = "CASE " + cases + " WHEN 1 THEN 2 WHEN 2 THEN 1 END";
  }
  EXPECT_TRUE(large(between));
  EXPECT_TRUE(large(nulls));
  EXPECT_TRUE(large(cases));
  EXPECT_TRUE(
      large("CASE " + repeated("1+", 90) + "1" + repeated(" WHEN 1 THEN 1", 1'000) + " END"));
  EXPECT_EQ(problem(std::string(65'537, ' ')), "65536: the expression is too long");
}

TEST(ExpressionSyntaxTest, CanonicalTextOfTheLargestReadsBack) {
  const auto same = [](const std::string& text) {
    return canonical(text).find(": ") == std::string::npos;
  };
  EXPECT_TRUE(same("1" + repeated("+1", 99)));
  EXPECT_TRUE(same(repeated("NOT ", 99) + "p"));
  EXPECT_TRUE(same("p" + repeated(" IS NULL", 99)));
  EXPECT_TRUE(same(repeated("- ", 100) + "1"));
  EXPECT_TRUE(same(repeated("abs(", 99) + "1" + repeated(")", 99)));
  EXPECT_TRUE(same(repeated("(", 200) + "1" + repeated(")", 200)));
  EXPECT_TRUE(same(repeated("TRUE IN (", 99) + "NULL" + repeated(")", 99)));
  EXPECT_TRUE(same(repeated("CASE WHEN p THEN ", 99) + "-1" + repeated(" END", 99)));
  std::string list = "a IN (0";
  for (int i = 1; i < 5'000; ++i) list += ", " + std::to_string(i);
  EXPECT_TRUE(same(list + ")"));
  std::string wide = "a = 0";
  for (int i = 1; i < 3'000; ++i) wide += " OR a = " + std::to_string(i);
  EXPECT_TRUE(same(wide));
  // Here the canonical text is longer than what is written, and too long.
  EXPECT_EQ(problem("a::real" + repeated("=a OR a", 6'000) + "=a"),
            "0: the expression is too large");
}

TEST(ExpressionSyntaxTest, DerivedColumnsAreReplacedWithinTheLimits) {
  std::vector<DerivedColumn> derived = {{"u", std::get<RowExpression>(read("a + 1"))}};
  std::vector<RowColumn> row = kRow;
  row.push_back({"u", FieldType::kInteger});
  const auto expression = std::get<RowExpression>(parse_expression("u * u > b", row));
  const auto replaced = replace_columns(expression, derived);
  ASSERT_TRUE(replaced);
  EXPECT_EQ(canonical_text(*replaced), R"(((("a" + 1) * ("a" + 1)) > "b"))");
  // Each one doubles the one before.
  int levels = 0;
  while (levels < 100) {
    const std::string name = "u" + std::to_string(levels++);
    const auto next = std::get<RowExpression>(parse_expression("u + u", row));
    const auto meaning = replace_columns(next, derived);
    if (!meaning) break;
    EXPECT_EQ(canonical(canonical_text(*meaning)), canonical_text(*meaning));
    derived = {{"u", *meaning}};
  }
  EXPECT_EQ(levels, 13);  // 2^13 times (a + 1) has more than 65,536 bytes
  // A column that is derived from one of its own name is replaced once.
  derived = {{"a", std::get<RowExpression>(read("a + 1"))}};
  EXPECT_EQ(canonical_text(*replace_columns(std::get<RowExpression>(read("a")), derived)),
            R"(("a" + 1))");
}

TEST(ExpressionSyntaxTest, SyntaxIsCheckedWithoutColumns) {
  EXPECT_FALSE(check_syntax("nobody > 3 AND knows(this)"));
  ASSERT_TRUE(check_syntax("nobody > "));
  EXPECT_EQ(check_syntax("nobody > ")->offset, 9U);
}

}  // namespace syntax_test
}  // namespace lastbit
