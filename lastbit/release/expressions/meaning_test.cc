// What expressions mean: a table of values that were worked out by hand from docs/expressions.md
// and ISO/IEC 9075-2, not by running this program. Comments say where DuckDB 1.5 answers otherwise.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/release/expressions/expression.h"

namespace lastbit {
namespace meaning_test {

// The row: every column whose name starts with "no_" is missing.
struct Field {
  RowColumn column;
  Cell value;
};
const TimeZone& zone(std::string_view name) {
  return *std::get<const TimeZone*>(TimeZone::find(name));
}
const std::vector<Field> kFields = {
    {{"no_whole", FieldType::kInteger}, {}},
    {{"no_real", FieldType::kReal}, {}},
    {{"no_text", FieldType::kText}, {}},
    {{"no_truth", FieldType::kBoolean}, {}},
    {{"no_date", FieldType::kDate}, {}},
    {{"age", FieldType::kInteger}, CellValue(std::int64_t{30})},
    {{"income", FieldType::kReal}, CellValue(1'234.5678)},
    {{"region", FieldType::kText}, CellValue(std::string("north"))},
    {{"member", FieldType::kBoolean}, CellValue(true)},
    {{"born", FieldType::kDate}, CellValue(Day{19'782})},  // 2024-02-29
    {{"endless", FieldType::kReal}, CellValue(std::numeric_limits<double>::infinity())},
    {{"no_decimal", FieldType::decimal(2)}, {}},
    {{"paid", FieldType::timestamp(zone("+01:00"))},
     CellValue(Instant{1'772'357'415'250'000})},  // 2026-03-01 09:30:15.25 UTC
    {{"opens", FieldType::kTime}, CellValue(TimeOfDay{36'000'000'000})},  // 10:00
    {{"price", FieldType::decimal(2)}, CellValue(Decimal{1'999, 2})},
    {{"big", FieldType::kUnsigned}, CellValue(Decimal{(static_cast<Int128>(1) << 64) - 1, 0})},
    {{"broken", FieldType::kText}, CellValue(std::string("a\xff\xc3z"))},
    {{"long", FieldType::kText}, CellValue(std::string(65'536, 'x'))},
    {{"longer", FieldType::kText}, CellValue(std::string(65'537, 'x'))},
};

std::string shown(const Cell& cell) {
  if (!cell) return "missing";
  if (const auto* whole = std::get_if<std::int64_t>(&*cell)) return fmt::format("{}", *whole);
  if (const auto* real = std::get_if<double>(&*cell)) return fmt::format("real {}", *real);
  if (const auto* text = std::get_if<std::string>(&*cell)) return "'" + *text + "'";
  if (const auto* truth = std::get_if<bool>(&*cell)) return *truth ? "true" : "false";
  if (const auto* at = std::get_if<Instant>(&*cell)) return fmt::format("at {}", at->micros);
  if (const auto* time = std::get_if<TimeOfDay>(&*cell))
    return fmt::format("time {}", time->micros);
  if (const auto* decimal = std::get_if<Decimal>(&*cell)) {
    return fmt::format("{}e-{}", Integer(decimal->number).to_string(), decimal->decimals);
  }
  const std::chrono::year_month_day date(
      std::chrono::sys_days(std::chrono::days(std::get<Day>(*cell).number)));
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string valued(const std::string& text) {
  std::vector<RowColumn> row;
  for (const Field& field : kFields) row.push_back(field.column);
  const auto parsed = parse_expression(text, row);
  if (const auto* problem = std::get_if<ExpressionProblem>(&parsed)) return problem->problem;
  const auto field = [](const std::string& name) -> Cell {
    for (const Field& one : kFields) {
      if (one.column.name == name) return one.value;
    }
    ADD_FAILURE() << name;
    return std::nullopt;
  };
  return shown(evaluate(std::get<RowExpression>(parsed), field));
}

struct Case {
  const char* expression;
  const char* value;
};
void check(const std::vector<Case>& cases) {
  for (const auto& [expression, value] : cases) EXPECT_EQ(valued(expression), value) << expression;
}

TEST(ExpressionMeaningTest, TruthHasThreeValues) {
  check({
      {"TRUE AND TRUE", "true"},
      {"TRUE AND FALSE", "false"},
      {"TRUE AND NULL", "missing"},
      {"FALSE AND NULL", "false"},
      {"NULL AND FALSE", "false"},
      {"NULL AND NULL", "missing"},
      {"NULL AND TRUE AND FALSE", "false"},
      {"FALSE OR FALSE", "false"},
      {"FALSE OR TRUE", "true"},
      {"FALSE OR NULL", "missing"},
      {"NULL OR TRUE", "true"},
      {"NULL OR NULL", "missing"},
      {"NULL OR FALSE OR TRUE", "true"},
      {"NOT TRUE", "false"},
      {"NOT FALSE", "true"},
      {"NOT no_truth", "missing"},
      {"no_truth IS NULL", "true"},
      {"no_truth IS NOT NULL", "false"},
      {"no_truth IS TRUE", "false"},
      {"no_truth IS NOT TRUE", "true"},
      {"no_truth IS FALSE", "false"},
      {"no_truth IS NOT FALSE", "true"},
      {"member IS TRUE", "true"},
      {"member IS FALSE", "false"},
      {"no_truth = no_truth", "missing"},
      {"no_truth OR NOT no_truth", "missing"},
      {"(no_whole > 3 OR age > 3) AND region = 'north'", "true"},
      {"FALSE < TRUE", "true"},
      {"member = TRUE", "true"},
  });
}

TEST(ExpressionMeaningTest, Comparisons) {
  check({
      {"1 = 1.0", "true"},
      {"2 < 10", "true"},
      {"'2' < '10'", "false"},
      {"1 <> no_whole", "missing"},
      {"NULL = age", "missing"},
      // DuckDB rounds the whole number to a double first: true.
      {"9007199254740993 = 9007199254740992.0", "false"},
      {"9223372036854775807 < 9223372036854775808.0", "true"},
      {"-9223372036854775808 = -9223372036854775808.0", "true"},
      {"9223372036854775807 < endless", "true"},
      {"- endless < -9223372036854775808", "true"},
      {"3 > 2.5", "true"},
      {"-3 < -2.5", "true"},
      {"0.0 = -0.0", "true"},
      {"0 > -0.0", "false"},
      {"endless = endless", "true"},
      {"'a' < 'b'", "true"},
      {"'Z' < 'a'", "true"},
      {"'z' < 'ä'", "true"},
      {"'' < 'a'", "true"},
      {"'a' < 'a '", "true"},  // ISO pads with spaces under some collations; we never do
      {"'a' = 'A'", "false"},
      {"born = '2024-02-29'", "true"},
      {"DATE '2024-02-29' < DATE '2024-03-01'", "true"},
      {"age BETWEEN 30 AND 31", "true"},
      {"age BETWEEN 31 AND 30", "false"},
      {"age BETWEEN NULL AND 29", "false"},  // unknown and false
      {"age BETWEEN NULL AND 31", "missing"},
      {"age NOT BETWEEN 31 AND NULL", "true"},
      {"age IN (30, NULL)", "true"},
      {"age IN (29, NULL)", "missing"},
      {"age NOT IN (29, NULL)", "missing"},
      {"age NOT IN (29, 31)", "true"},
      {"no_whole IN (1)", "missing"},
      {"age IN (29.5, 30.0)", "true"},
      {"region IN ('south', lower('NORTH'))", "true"},
      {"born IN ('2024-02-28', '2024-02-29')", "true"},
      {"member IN (FALSE)", "false"},
  });
}

TEST(ExpressionMeaningTest, WholeNumbers) {
  check({
      {"2 + 3 * 4 - 1", "13"},
      {"(2 + 3) * 4", "20"},
      {"10 - 4 - 3", "3"},
      {"7 // 2", "3"},
      {"-7 // 2", "-3"},
      {"7 // -2", "-3"},
      {"-7 % 2", "-1"},
      {"7 % -2", "1"},
      {"age + no_whole", "missing"},
      {"5 // 0", "missing"},
      {"5 % 0", "missing"},
      // DuckDB refuses the query where these leave 64 bits.
      {"9223372036854775807 + 1", "missing"},
      {"-9223372036854775808 - 1", "missing"},
      {"4611686018427387904 * 2", "missing"},
      {"4611686018427387904 * -2", "-9223372036854775808"},
      {"-9223372036854775808 // -1", "missing"},
      {"-9223372036854775808 % -1", "0"},
      {"- (-9223372036854775808)", "missing"},
      {"abs(-9223372036854775808)", "missing"},
      {"abs(-9223372036854775807)", "9223372036854775807"},
      {"abs(-5)", "5"},
      {"- - 5", "5"},
      {"floor(-5)", "-5"},
      {"round(17)", "17"},
      {"round(17, 2)", "17"},
  });
}

TEST(ExpressionMeaningTest, RealNumbers) {
  check({
      {"7 / 2", "real 3.5"},
      {"-7 / 2", "real -3.5"},
      {"6 / 2", "real 3"},
      // DuckDB: infinite.
      {"1 / 0", "missing"},
      {"0 / 0", "missing"},
      {"1.0 / 0.0", "missing"},
      {"endless / 0", "missing"},
      {"1e308 * 10", "missing"},
      {"-1e308 - 1e308", "missing"},
      {"1e308 / 0.1", "missing"},
      {"endless + 1", "real inf"},
      {"endless * -1", "real -inf"},
      {"endless - endless", "missing"},
      {"endless * 0", "missing"},
      {"endless / endless", "missing"},
      {"1 / endless", "real 0"},
      {"0.1 + 0.2", "real 0.30000000000000004"},
      {"1 / 3", "real 0.3333333333333333"},
      {"7 * 1.1", "real 7.700000000000001"},
      {"5e-324 / 2", "real 0"},
      {"9007199254740993 + 0.0", "real 9007199254740992"},
      {"- 0.0", "real -0"},
      {"abs(-2.5)", "real 2.5"},
      {"abs(- endless)", "real inf"},
      // DuckDB: floor and ceil of real numbers are real numbers.
      {"floor(2.5)", "2"},
      {"floor(-2.5)", "-3"},
      {"ceil(2.1)", "3"},
      {"ceil(-2.9)", "-2"},
      {"floor(1e300)", "missing"},
      {"floor(endless)", "missing"},
      {"floor(9223372036854774784.0)", "9223372036854774784"},
      {"ceil(9223372036854775808.0)", "missing"},
      {"floor(-9223372036854775808.0)", "-9223372036854775808"},
      {"round(2.5)", "real 3"},
      {"round(-2.5)", "real -3"},
      {"round(0.49999999999999994)", "real 0"},
      // The double 2.675 is 2.67499999999999982236431605997495353221893310546875. DuckDB: 2.68.
      {"round(2.675, 2)", "real 2.67"},
      {"round(1.005, 2)", "real 1"},
      {"round(0.15, 1)", "real 0.1"},
      {"round(-0.05, 1)", "real -0.1"},
      {"round(income, 1)", "real 1234.6"},
      {"round(1e22, 3)", "real 1e+22"},
      {"round(0.1, 15)", "real 0.1"},
      {"round(5e-324, 15)", "real 0"},
      {"round(-0.2)", "real -0"},
      {"round(endless)", "real inf"},
      {"round(no_real)", "missing"},
  });
}

TEST(ExpressionMeaningTest, Texts) {
  check({
      {"'a' || 'b' || 'c'", "'abc'"},
      {"'a' || no_text", "missing"},
      {"length('')", "0"},
      {"length('äöü🙂')", "4"},
      {"length(broken)", "4"},  // each of the two bytes that are not UTF-8 is one
      {"upper('ärger')", "'ÄRGER'"},
      {"lower('ÄRGER')", "'ärger'"},
      {"upper('ŉ')", "'ŉ'"},      // its capital would be two characters
      {"lower('ΣΑΣ')", "'σασ'"},  // the form at the end of words depends on neighbours
      {"upper(broken) = 'A' || substring(broken, 2, 2) || 'Z'", "true"},
      {"trim('  a b  ')", "'a b'"},
      {"ltrim('  a ')", "'a '"},
      {"rtrim('  a ')", "'  a'"},
      {"trim('\t a')", "'\t a'"},
      {"trim('   ')", "''"},
      {"substring('abcdef', 2, 3)", "'bcd'"},
      {"substring('abcdef', 5)", "'ef'"},
      {"substring('abcdef', 7)", "''"},
      {"substring('abcdef', 0, 2)", "'a'"},
      // ISO: positions -1, 0 and 1. DuckDB counts from the end: 'f'.
      {"substring('abcdef', -1, 3)", "'a'"},
      {"substring('abcdef', -2)", "'abcdef'"},
      // ISO raises an error; DuckDB takes the characters before the position: 'a'.
      {"substring('abcdef', 2, -1)", "''"},
      {"substring('abcdef', 2, 0)", "''"},
      {"substring('abc', 2, 9223372036854775807)", "'bc'"},
      {"substring('abc', -9223372036854775808, 9223372036854775807)", "''"},
      {"substring('äöü', 2, 1)", "'ö'"},
      {"replace('banana', 'an', 'o')", "'booa'"},
      {"replace('aaa', 'aa', 'b')", "'ba'"},
      {"replace('abc', '', 'x')", "'abc'"},
      {"replace('abc', 'b', '')", "'ac'"},
      {"replace('abc', 'b', no_text)", "missing"},
      {"length(long)", "65536"},
      {"length(longer)", "missing"},
      {"longer IS NULL", "true"},
      {"long || ''  = long", "true"},
      {"long || 'x'", "missing"},
      {"length(replace(long, 'x', 'xx'))", "missing"},
      {"length(replace(long, 'x', 'y'))", "65536"},
  });
}

TEST(ExpressionMeaningTest, Patterns) {
  check({
      {"'north' LIKE 'n%'", "true"},
      {"'north' LIKE 'N%'", "false"},
      {"'north' LIKE 'north'", "true"},
      {"'north' LIKE 'nort'", "false"},
      {"'north' LIKE '_____'", "true"},
      {"'north' LIKE '____'", "false"},
      {"'north' LIKE '%'", "true"},
      {"'' LIKE '%'", "true"},
      {"'' LIKE ''", "true"},
      {"'' LIKE '_'", "false"},
      {"'north' LIKE '%t%'", "true"},
      {"'north' LIKE '%th%%'", "true"},
      {"'mississippi' LIKE '%iss%ip%'", "true"},
      {"'mississippi' LIKE '%iss%iss%iss%'", "false"},
      {"'aab' LIKE '%ab'", "true"},
      {"'ä' LIKE '_'", "true"},
      {"broken LIKE 'a__z'", "true"},
      {"no_text LIKE '%'", "missing"},
      {"'north' NOT LIKE 'n%'", "false"},
      {"'50%' LIKE '50!%' ESCAPE '!'", "true"},
      {"'500' LIKE '50!%' ESCAPE '!'", "false"},
      {"'a!b' LIKE 'a!!b' ESCAPE '!'", "true"},
      {"'a_b' LIKE 'a!_b' ESCAPE '!'", "true"},
      {"'%' LIKE '%%' ESCAPE '%'", "true"},
      {"'x' LIKE '%%' ESCAPE '%'", "false"},
      {"'a\\b' LIKE 'a\\b'", "true"},  // without ESCAPE there is no escape character
      {"'a\nb' LIKE 'a_b'", "true"},
  });
}

TEST(ExpressionMeaningTest, Dates) {
  check({
      {"year(born)", "2024"},
      {"month(born)", "2"},
      {"day(born)", "29"},
      {"quarter(born)", "1"},
      {"quarter(DATE '2024-10-01')", "4"},
      {"dayofyear(born)", "60"},
      {"dayofyear(DATE '2020-12-31')", "366"},
      {"week(DATE '2021-01-03')", "53"},
      {"week(DATE '2016-01-01')", "53"},
      {"week(DATE '2024-12-30')", "1"},
      {"week(DATE '0000-01-01')", "52"},
      // DuckDB's weekday is 0 on Sunday; this is its isodow.
      {"weekday(DATE '2021-01-03')", "7"},
      {"weekday(DATE '1970-01-01')", "4"},
      {"weekday(DATE '0000-01-01')", "6"},
      {"date_part('weekday', born)", "4"},
      {"extract(quarter FROM born)", "1"},
      {"date_trunc('day', born)", "2024-02-29"},
      {"date_trunc('week', born)", "2024-02-26"},
      {"date_trunc('week', DATE '2026-11-15')", "2026-11-09"},
      {"date_trunc('month', born)", "2024-02-01"},
      {"date_trunc('quarter', DATE '2024-12-31')", "2024-10-01"},
      {"date_trunc('year', born)", "2024-01-01"},
      {"date_trunc('week', DATE '0000-01-01')", "missing"},
      {"born + 1", "2024-03-01"},
      {"born - 60", "2023-12-31"},
      {"366 + DATE '2024-02-28'", "2025-02-28"},
      {"born + no_whole", "missing"},
      // DuckDB: 10000-01-01.
      {"DATE '9999-12-31' + 1", "missing"},
      {"DATE '0000-01-01' - 1", "missing"},
      {"born + 9223372036854775807", "missing"},
      {"born - (-9223372036854775808)", "missing"},
      {"DATE '2024-03-01' - DATE '2024-02-01'", "29"},
      {"DATE '2024-02-01' - DATE '2024-03-01'", "-29"},
      {"DATE '9999-12-31' - DATE '0000-01-01'", "3652424"},
      {"born - no_date", "missing"},
      {"year(DATE '0000-12-31')", "0"},
      {"year(no_date)", "missing"},
  });
}

TEST(ExpressionMeaningTest, Choices) {
  check({
      {"CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' ELSE 'senior' END", "'adult'"},
      {"CASE WHEN no_whole < 18 THEN 'minor' ELSE 'other' END", "'other'"},
      {"CASE WHEN no_truth THEN 1 END", "missing"},
      {"CASE WHEN TRUE THEN 1 WHEN TRUE THEN 2 END", "1"},
      {"CASE WHEN TRUE THEN NULL ELSE 2 END", "missing"},
      {"CASE WHEN FALSE THEN 1 ELSE 2.5 END", "real 2.5"},
      {"CASE WHEN TRUE THEN 1 ELSE 2.5 END", "real 1"},
      {"CASE age WHEN 29 THEN 'a' WHEN 30 THEN 'b' END", "'b'"},
      {"CASE no_whole WHEN NULL THEN 'a' ELSE 'b' END", "'b'"},
      {"CASE WHEN age = 0 THEN 0 ELSE 60 // age END", "2"},
      {"coalesce(no_whole, 7)", "7"},
      {"coalesce(no_whole, age, 7)", "30"},
      {"coalesce(no_whole, NULL)", "missing"},
      {"coalesce(no_whole, 1.5)", "real 1.5"},
      {"nullif(3, 3)", "missing"},
      {"nullif(3, 4)", "3"},
      {"nullif(3, no_whole)", "3"},
      {"nullif(no_whole, 3)", "missing"},
      {"nullif('', '')", "missing"},
      // PostgreSQL and DuckDB skip missing values too; SQLite does not.
      {"least(3, NULL, 2)", "2"},
      {"greatest(3, NULL, 2)", "3"},
      {"least(no_whole, NULL)", "missing"},
      {"least(1, 0.5)", "real 0.5"},
      {"greatest('a', 'B', 'b')", "'b'"},
      {"least(TRUE, FALSE)", "false"},
      {"greatest(born, '2024-03-01')", "2024-03-01"},
  });
}

TEST(ExpressionMeaningTest, Casts) {
  check({
      {"CAST(2.5 AS INTEGER)", "3"},    // DuckDB: 2, halves to even
      {"CAST(-2.5 AS INTEGER)", "-3"},  // DuckDB: -2
      {"CAST(2.4 AS INTEGER)", "2"},
      {"CAST(1e19 AS INTEGER)", "missing"},
      {"CAST(endless AS INTEGER)", "missing"},
      {"CAST(9007199254740993 AS REAL)", "real 9007199254740992"},
      {"CAST(age AS TEXT)", "'30'"},
      {"CAST(-9223372036854775808 AS TEXT)", "'-9223372036854775808'"},
      {"CAST(1.0 AS TEXT)", "'1'"},  // DuckDB: 1.0
      {"CAST(100000.0 AS TEXT)", "'100000'"},
      {"CAST(0.1 AS TEXT)", "'0.1'"},
      {"CAST(1e15 AS TEXT)", "'1e+15'"},
      {"CAST(999999999999999.0 AS TEXT)", "'999999999999999'"},
      {"CAST(0.0001 AS TEXT)", "'0.0001'"},
      {"CAST(0.00001 AS TEXT)", "'1e-05'"},
      {"CAST(- 0.0 AS TEXT)", "'-0'"},
      {"CAST(endless AS TEXT)", "'inf'"},
      {"CAST(CAST(endless AS TEXT) AS REAL)", "missing"},
      {"CAST(TRUE AS TEXT)", "'true'"},
      {"CAST(born AS TEXT)", "'2024-02-29'"},
      {"CAST(' 12 ' AS INTEGER)", "12"},
      {"CAST('+12' AS INTEGER)", "12"},
      {"CAST('12.7' AS INTEGER)", "missing"},  // DuckDB: 13
      {"CAST('abc' AS INTEGER)", "missing"},   // DuckDB: an error
      {"CAST('' AS INTEGER)", "missing"},
      {"CAST('9223372036854775808' AS INTEGER)", "missing"},
      {"CAST('1e3' AS REAL)", "real 1000"},
      {"CAST('.5' AS REAL)", "real 0.5"},
      {"CAST('1e400' AS REAL)", "real inf"},
      {"CAST('nan' AS REAL)", "missing"},
      {"CAST('TRUE' AS BOOLEAN)", "true"},
      {"CAST('0' AS BOOLEAN)", "false"},
      {"CAST('yes' AS BOOLEAN)", "missing"},  // DuckDB: true
      {"CAST(2 AS BOOLEAN)", "true"},
      {"CAST(0 AS BOOLEAN)", "false"},
      {"CAST(TRUE AS INTEGER)", "1"},
      {"CAST('2024-02-29' AS DATE)", "2024-02-29"},
      {"CAST('2023-02-29' AS DATE)", "missing"},
      {"CAST('2024-2-9' AS DATE)", "missing"},  // DuckDB: 2024-02-09
      {"no_text::integer IS NULL", "true"},
      {"'7'::integer + 1", "8"},
      {"CAST(NULL AS DATE)", "missing"},
  });
}

TEST(ExpressionMeaningTest, Timestamps) {
  check({
      // In the zone of the column, +01:00, it is 2026-03-01 10:30:15.25, a Sunday.
      {"hour(paid)", "10"},
      {"minute(paid)", "30"},
      {"second(paid)", "15"},
      {"day(paid)", "1"},
      {"weekday(paid)", "7"},
      {"date_part('hour', paid)", "10"},
      {"EXTRACT(YEAR FROM paid)", "2026"},
      {"CAST(paid AS DATE)", "2026-03-01"},
      {"CAST(paid AS TIME)", "time 37815250000"},
      {"CAST(paid AS TEXT)", "'2026-03-01 10:30:15.25'"},
      {"date_trunc('second', paid)", "at 1772357415000000"},
      {"date_trunc('hour', paid)", "at 1772355600000000"},
      {"date_trunc('day', paid)", "at 1772319600000000"},
      {"date_trunc('month', paid)", "at 1772319600000000"},
      {"date_trunc('year', paid)", "at 1767222000000000"},
      {"paid = '2026-03-01 10:30:15.25'", "true"},
      {"paid = TIMESTAMP '2026-03-01T10:30:15.250'", "true"},
      {"paid = TIMESTAMP '2026-03-01 09:30:15.25Z'", "true"},
      {"paid = TIMESTAMP '2026-03-01 09:30:15.25[UTC]'", "true"},
      {"paid = TIMESTAMP '2026-03-01 04:30:15.25-05'", "true"},
      {"paid > TIMESTAMP '2026-03-01 10:30'", "true"},
      {"paid BETWEEN '2026-03-01 10:30' AND '2026-03-01 10:31'", "true"},
      {"paid IN ('2026-03-01 10:30', NULL)", "missing"},
      {"hour(coalesce(paid, '2026-01-01 05:00'))", "10"},
      {"hour(TIMESTAMP '2026-01-01 05:00')", "5"},
      {"hour(TIMESTAMP '2026-01-01 05:00+02:00')", "3"},
      {"hour(TIMESTAMP '2026-01-01 05:00+02:00[-03:00]')", "0"},
      {"hour(CAST(paid AS TIMESTAMP))", "9"},
      {"hour(CAST(paid AS TIMESTAMP('-10:00')))", "23"},
      {"CAST(CAST(paid AS TIMESTAMP('-10:00')) AS DATE)", "2026-02-28"},
      {"CAST(DATE '2026-03-01' AS TIMESTAMP)", "at 1772323200000000"},
      {"CAST(DATE '2026-03-01' AS TIMESTAMP('+01:00'))", "at 1772319600000000"},
      {"CAST(DATE '0000-01-01' AS TIMESTAMP('+01:00'))", "missing"},
      {"CAST('2026-03-01 10:00' AS TIMESTAMP)", "at 1772359200000000"},
      {"CAST(' 2026-03-01T10:00:00+02 ' AS TIMESTAMP)", "at 1772352000000000"},
      {"CAST('2026-03-01' AS TIMESTAMP)", "missing"},  // DuckDB: midnight
      {"CAST('2026-03-01 24:00' AS TIMESTAMP)", "missing"},
      {"CAST('2026-03-01 10:00:60' AS TIMESTAMP)", "missing"},
      {"CAST('2026-03-01 10:00:00.1234567' AS TIMESTAMP)", "missing"},  // DuckDB: cut off
      {"CAST('2026-03-01 10:00 Europe/Berlin' AS TIMESTAMP)", "missing"},
      {"CAST('9999-12-31 23:59:59.999999' AS TIMESTAMP)", "at 253402300799999999"},
      {"CAST('9999-12-31 23:59:59.999999-00:01' AS TIMESTAMP)", "missing"},
      {"CAST(CAST('9999-12-31 23:59' AS TIMESTAMP) AS TIMESTAMP('+00:01'))::date", "missing"},
      {"year(CAST(TIMESTAMP '9999-12-31 23:59' AS TIMESTAMP('+00:01')))", "missing"},
      {"hour(CAST(TIMESTAMP '9999-12-31 23:59' AS TIMESTAMP('+00:01')))", "0"},
  });
}

TEST(ExpressionMeaningTest, Times) {
  check({
      {"hour(opens)", "10"},
      {"minute(TIME '23:59:07')", "59"},
      {"second(TIME '23:59:07')", "7"},
      {"opens < TIME '10:00:00.000001'", "true"},
      {"opens = '10:00'", "true"},
      {"CAST(opens AS TEXT)", "'10:00:00'"},
      {"CAST(TIME '00:00:00.5' AS TEXT)", "'00:00:00.5'"},
      {"CAST('9:00' AS TIME)", "missing"},
      {"CAST('24:00' AS TIME)", "missing"},
      {"greatest(opens, CAST(paid AS TIME))", "time 37815250000"},
  });
}

TEST(ExpressionMeaningTest, Decimals) {
  check({
      {"price = 19.99", "true"},
      {"price > 19.985", "true"},
      {"price < 20", "true"},
      {"- price < -19.98", "true"},
      {"price IN (5, 19.99)", "true"},
      {"price BETWEEN 19.98 AND 19.99", "true"},
      {"price = CAST(19.99 AS REAL)", "false"},  // the double is 19.98999999999999843…
      {"price = REAL '19.99'", "false"},
      {"price < 1e300", "true"},
      {"price < endless", "true"},
      {"price = DECIMAL '19.990'", "true"},
      {"price + 1", "2099e-2"},
      {"price - 0.005", "19985e-3"},
      {"price * 3", "5997e-2"},
      {"price * 1.19", "237881e-4"},
      {"price * 0.5 * CAST(2 AS REAL)", "real 19.99"},
      {"price / 2", "real 9.995"},
      {"- price", "-1999e-2"},
      {"abs(- price)", "1999e-2"},
      {"floor(price)", "19"},
      {"floor(- price)", "-20"},
      {"ceil(price)", "20"},
      {"round(price, 1)", "2000e-2"},
      {"round(price)", "2000e-2"},
      {"round(DECIMAL '-0.5')", "-10e-1"},
      {"round(price, 5)", "1999e-2"},
      {"coalesce(no_decimal, 1)", "100e-2"},
      {"CASE WHEN no_truth THEN price ELSE 0.5 END", "50e-2"},
      {"least(price, income)", "real 19.99"},
      {"CAST(price AS INTEGER)", "20"},
      {"CAST(DECIMAL '-2.5' AS INTEGER)", "-3"},
      {"CAST(price AS TEXT)", "'19.99'"},
      {"CAST(DECIMAL '-0.05' AS TEXT)", "'-0.05'"},
      {"CAST(price AS REAL)", "real 19.99"},
      {"CAST(price AS DECIMAL(9, 1))", "200e-1"},
      {"CAST(price AS DECIMAL(9, 4))", "199900e-4"},
      {"CAST(7 AS DECIMAL(9, 2))", "700e-2"},
      {"CAST(2.675 AS DECIMAL(9, 2))", "267e-2"},  // the double is below
      {"CAST(0.125 AS DECIMAL(9, 2))", "13e-2"},
      {"CAST(-0.125 AS DECIMAL(9, 2))", "-13e-2"},
      {"CAST(1e37 AS DECIMAL(38, 2))", "missing"},
      {"CAST('1.5' AS DECIMAL(9, 2))", "150e-2"},
      {"CAST('-.5' AS DECIMAL(9, 2))", "-50e-2"},
      {"CAST('1.005' AS DECIMAL(9, 2))", "missing"},  // DuckDB: 1.01
      {"CAST('1e2' AS DECIMAL(9, 2))", "10000e-2"},
      {"DECIMAL '99999999999999999999999999999999999999' + 1", "missing"},
      {"DECIMAL '99999999999999999999999999999999999999' > price", "true"},
      {"DECIMAL '-99999999999999999999999999999999999999' < price", "true"},
      {"DECIMAL '7' % 4", "3e-0"},
      {"DECIMAL '-7' // 4", "-1e-0"},
      {"DECIMAL '7' % 0", "missing"},
  });
}

TEST(ExpressionMeaningTest, UnsignedNumbers) {
  check({
      {"big = 18446744073709551615", "true"},
      {"big > 9223372036854775807", "true"},
      {"big < 18446744073709551616.0", "true"},
      {"big > 1.5e19", "true"},
      {"big + 1", "18446744073709551616e-0"},
      {"- big", "-18446744073709551615e-0"},
      {"big * big", "missing"},
      {"big % 10", "5e-0"},
      {"big // 10", "1844674407370955161e-0"},
      {"abs(big)", "18446744073709551615e-0"},
      {"CAST(big AS INTEGER)", "missing"},
      {"CAST(big // 2 AS INTEGER)", "9223372036854775807"},
      {"CAST(big AS TEXT)", "'18446744073709551615'"},
      {"CAST(big AS REAL) = 18446744073709551616.0", "true"},
      {"CAST('18446744073709551615' AS UNSIGNED) = big", "true"},
      {"CAST('18446744073709551616' AS UNSIGNED)", "missing"},
      {"CAST('1.0' AS UNSIGNED)", "1e-0"},
      {"CAST('1.5' AS UNSIGNED)", "missing"},
      {"CAST(-1 AS UNSIGNED)", "missing"},
      {"CAST(2.5 AS UNSIGNED)", "3e-0"},
      {"9223372036854775807 < 9223372036854775808", "true"},
  });
}

}  // namespace meaning_test
}  // namespace lastbit
