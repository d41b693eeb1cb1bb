// Types that only PostgreSQL has, and values that only it can hold, beside the fields that they
// are.
#include <fmt/core.h>

#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>

#include "lastbit/engines/kernel/kernel_test_support.h"
#include "lastbit/engines/postgres/postgres_engine.h"
#include "lastbit/release/expressions/expression.h"
#include "tests/postgres/source/agreement.h"

namespace lastbit {
namespace {

using Field = std::optional<MemoryValue>;

// OddField: how the server writes a value, and what it is to us.
struct OddField {
  const char* type;
  const char* value;
  FieldType wanted;
  Field field;
};

Field day(int year, unsigned month, unsigned of_month) {
  return MemoryValue(
      Date(std::chrono::year(year), std::chrono::month(month), std::chrono::day(of_month)));
}
Field whole(std::int64_t number) { return MemoryValue(number); }
Field real(double number) { return MemoryValue(number); }
Field text(const char* words) { return MemoryValue(std::string(words)); }
Field cents(std::int64_t number) { return MemoryValue(Decimal{number, 2}); }
Field instant(std::int64_t micros) { return MemoryValue(Instant{micros}); }

std::vector<OddField> numbers() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {
      {"smallint", "-32768", FieldType::kInteger, whole(-32768)},
      {"integer", "2147483647", FieldType::kInteger, whole(2147483647)},
      {"integer", "-7", FieldType::kReal, real(-7)},
      {"bigint", "-9223372036854775808", FieldType::kInteger,
       whole(std::numeric_limits<std::int64_t>::min())},
      {"numeric(18)", "-999999999999999999", FieldType::kInteger, whole(-999'999'999'999'999'999)},
      {"numeric(18)", "NaN", FieldType::kInteger, {}},
      {"numeric(30)", "92233720368547758080", FieldType::decimal(0),
       MemoryValue(Decimal{Int128{9'223'372'036'854'775'807} * 10 + 10, 0})},
      {"numeric(30)", "NaN", FieldType::decimal(0), {}},
      {"numeric(30)", "9007199254740993", FieldType::kReal, real(9007199254740992)},
      {"numeric(6,2)", "-9999.99", FieldType::decimal(2), cents(-999999)},
      {"numeric(6,2)", "0.01", FieldType::decimal(2), cents(1)},
      {"numeric(6,2)", "NaN", FieldType::decimal(2), {}},
      {"numeric(6,2)", "0.1", FieldType::kReal, real(0.1)},
      {"cents", "12.5", FieldType::decimal(2), cents(1250)},
      {"numeric", "0.1", FieldType::kReal, real(0.1)},
      {"numeric", "1e400", FieldType::kReal, real(kInf)},
      {"numeric", "-1e400", FieldType::kReal, real(-kInf)},
      {"numeric", "1e-400", FieldType::kReal, real(0)},
      {"numeric", "5e-324", FieldType::kReal, real(5e-324)},
      {"numeric", "123456789012345678901234567890.5", FieldType::kReal,
       real(123456789012345678901234567890.5)},
      {"numeric", "NaN", FieldType::kReal, {}},
      {"numeric", "Infinity", FieldType::kReal, real(kInf)},
      {"numeric(50,45)", "0.3", FieldType::kReal, real(0.3)},
      {"numeric(3,-2)", "12300", FieldType::kReal, real(12300)},
      {"real", "0.1", FieldType::kReal, real(0.1F)},
      {"real", "-Infinity", FieldType::kReal, real(-kInf)},
      {"double precision", "NaN", FieldType::kReal, {}},
      {"double precision", "-0", FieldType::kReal, real(0)},
  };
}

std::vector<OddField> others() {
  return {
      {"boolean", "yes", FieldType::kBoolean, MemoryValue(true)},
      {"date", "0001-01-01", FieldType::kDate, day(1, 1, 1)},
      {"date", "9999-12-31", FieldType::kDate, day(9999, 12, 31)},
      {"date", "10000-01-01", FieldType::kDate, {}},
      {"date", "0044-03-15 BC", FieldType::kDate, {}},
      {"date", "infinity", FieldType::kDate, {}},
      {"date", "-infinity", FieldType::kDate, {}},
      {"time", "23:59:59.999999", FieldType::kTime, MemoryValue(TimeOfDay{86'399'999'999})},
      {"time", "24:00", FieldType::kTime, {}},
      {"timestamp", "1970-01-01 00:00:00.000001", FieldType::kTimestamp, instant(1)},
      {"timestamp", "infinity", FieldType::kTimestamp, {}},
      {"timestamp", "294276-12-31 23:59:59", FieldType::kTimestamp, {}},
      {"timestamptz", "1970-01-01 01:00:00+01", FieldType::kTimestamp, instant(0)},
      {"timestamptz", "-infinity", FieldType::kTimestamp, {}},
      {"text", "a  ", FieldType::kText, text("a  ")},
      {"text", "e\u0301", FieldType::kText, text("e\u0301")},
      {"varchar(3)", "abc", FieldType::kText, text("abc")},
      {"char(5)", "ab", FieldType::kText, text("ab")},
      {"char(5)", "", FieldType::kText, text("")},
      {"name", "n", FieldType::kText, text("n")},
      {"citext", "Ab", FieldType::kText, text("Ab")},
      {"mood", "so, \"so\"", FieldType::kText, text("so, \"so\"")},
      {"tag", "T", FieldType::kText, text("T")},
      {"uuid", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", FieldType::kText,
       text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")},
  };
}

// one_value: what tells values of the type apart: keys where there can be some, otherwise sums.
Aggregation one_value(FieldType type) {
  Aggregation aggregation;
  const FieldUse field{"x", type};
  aggregation.measures = {RowCount{}, RowCount{field}};
  if (type != FieldType::kReal) aggregation.measures.emplace_back(DistinctCount{field});
  const bool is_key = type == FieldType::kText || type == FieldType::kBoolean ||
                      type == FieldType::kDate || type == FieldType::kInteger;
  if (is_key) {
    aggregation.groups = {FoundKeys{{field.name, field.type}}};
  } else if (type == FieldType::kReal) {
    // Values that differ a little, or a lot, fall between different cuts.
    aggregation.measures.push_back(
        BelowCounts{field, {-100, 0, Rational(1, 10), Rational(3, 10), 1000}, {}});
    aggregation.measures.push_back(StepSum{{field, -1000, 1'000'000, -36, 0, {}}});
  } else if (type.kind() == FieldType::kDecimal) {
    aggregation.measures.push_back(StepSum{{field, -10'000, 10'000, -20, 0, {}}});
  } else {
    const std::vector<RowColumn> row = {{"x", type}};
    for (const char* part : {"hour(x)", "minute(x)", "date_part('second', x)"}) {
      const auto parsed = parse_expression(part, row);
      if (const auto* problem = std::get_if<ExpressionProblem>(&parsed)) {
        throw std::runtime_error(problem->problem);
      }
      aggregation.derived.push_back({part, std::get<RowExpression>(parsed)});
      aggregation.measures.push_back(StepSum{{{part, FieldType::kInteger}, 0, 60, 0, 0, {}}});
    }
  }
  return aggregation;
}

bool agrees(const std::string& url, postgres::Connection& writer, const OddField& odd) {
  writer.query("DROP TABLE IF EXISTS odd");
  writer.query(fmt::format("CREATE TABLE odd (x {})", odd.type));
  const std::vector<postgres::Parameter> value = {odd.value};
  writer.query(fmt::format("INSERT INTO odd VALUES ($1::text::{}), (NULL)", odd.type), value);
  const MemoryTable table{{{"x", odd.wanted}}, {{odd.field}, {std::nullopt}}};
  const Aggregation aggregation = one_value(odd.wanted);
  const engine::SecretKey key{{1, 2, 3, 4}};
  const std::string expected = answers_of(table, aggregation, key);
  const std::string answer =
      answers_of(PostgresEngine(), server_release(url, "odd"), {&aggregation, 1}, key);
  if (answer == expected) return true;
  fmt::print("{} '{}' as {}: has\n{}and not\n{}", odd.type, odd.value, name_of(odd.wanted), answer,
             expected);
  return false;
}

}  // namespace

bool odd_types_agree(const std::string& url, postgres::Connection& writer) {
  writer.query("CREATE TYPE mood AS ENUM ('sad', 'so, \"so\"')");
  writer.query("CREATE DOMAIN cents AS numeric(6,2) CHECK (value > 0)");
  writer.query("CREATE DOMAIN short AS varchar(3)");
  writer.query("CREATE DOMAIN tag AS short NOT NULL DEFAULT 'x'");
  writer.query("ALTER DOMAIN tag DROP NOT NULL");
  bool all = true;
  std::size_t count = 0;
  for (const auto& list : {numbers(), others()}) {
    for (const OddField& odd : list) {
      all = agrees(url, writer, odd) && all;
      ++count;
    }
  }
  fmt::print("{} values of PostgreSQL's own types and ranges {} the fields that they should be\n",
             count, all ? "are" : "are not all");
  return all;
}

}  // namespace lastbit
