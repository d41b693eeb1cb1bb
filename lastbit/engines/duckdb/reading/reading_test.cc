// Files whose rows once changed how other rows were read, each by name, and what typed columns
// become.
#include <duckdb.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <sstream>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/release_test_support.h"

namespace lastbit::engine {
namespace reading_test {

class ReadingTest : public ::testing::Test {
 protected:
  // answer: the exact answers to a query about a file, or the problem if it is refused.
  std::string answer(BoundedQuery query, const std::filesystem::path& path, FileFormat format,
                     std::optional<unsigned> threads = std::nullopt) {
    query.source.path = path;
    query.source.format = format;
    query.source.table = "t";
    query.limits.threads = threads;
    try {
      return as_text(run_bounded(query, key_));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      return error.problem();
    }
  }
  std::string csv(const BoundedQuery& query, const std::string& text) {
    const auto path = scratch_.write("d.csv", text);
    const std::string one = answer(query, path, FileFormat::kCsv, 1);
    for (const unsigned threads : {2U, 16U}) {
      EXPECT_EQ(answer(query, path, FileFormat::kCsv, threads), one);
    }
    return one;
  }
  // The table that `sql` fills, as t of a database file and as a Parquet file; both must agree
  // where Parquet has the types.
  std::string database(const BoundedQuery& query, const std::string& sql) {
    const auto path = scratch_.path("d.duckdb");
    std::filesystem::remove(path);
    unlocked(path, sql);
    return answer(query, path, FileFormat::kDuckDb);
  }
  std::string parquet(const BoundedQuery& query, const std::string& select) {
    const auto path = scratch_.path("d.parquet");
    unlocked("COPY (" + select + ") TO '" + path.string() + "' (FORMAT parquet)");
    const std::string one = answer(query, path, FileFormat::kParquet, 1);
    EXPECT_EQ(answer(query, path, FileFormat::kParquet, 2), one);
    return one;
  }

  Scratch scratch_;
  SecretKey key_{{1, 2, 3, 4}};
};

BoundedQuery counting() {
  BoundedQuery query;
  query.measures = {RowCount{}};
  return query;
}

BoundedQuery counting_units(const std::string& column, FieldType type = FieldType::kText) {
  BoundedQuery query;
  query.unit = UnitColumn{column, type, 1, 1};
  query.measures = {UnitCount{}, RowCount{}};
  return query;
}

BoundedQuery summing(const std::string& column, const Rational& upper,
                     FieldType type = FieldType::kInteger) {
  BoundedQuery query;
  query.measures = {StepSum{{{column, type}, 0, upper, 0, 0, {}}}};
  return query;
}

BoundedQuery finding(const std::string& column, FieldType type) {
  BoundedQuery query = counting();
  query.groups = {FoundKeys{{column, type}}};
  return query;
}

// Lines of eight bytes, about this many bytes in total, then the text.
std::string filled(const std::string& header, const std::string& line, std::size_t bytes,
                   const std::string& text) {
  std::string file = header;
  while (file.size() + line.size() <= bytes) file += line;
  return file + text;
}

// SLOW: ReadingTest.QuotedLinesAfterByteEightMillionForgeNoRows
TEST_F(ReadingTest, QuotedLinesAfterByteEightMillionForgeNoRows) {
  std::string forged;
  for (int i = 0; i < 100'000; ++i) forged += "Eve,99999\n";
  const std::string hostile = "\"\n" + forged + "bye\",5\n";
  const std::string tail = filled("", "Bob,123\n", 800, "");
  for (const std::size_t place :
       {7'999'000UL, 7'999'990UL, 8'000'000UL, 8'000'008UL, 16'000'000UL}) {
    const std::string start = filled("id,v\n", "Ann,123\n", place, "");
    const std::string before = csv(counting(), start + tail);
    const std::size_t rows = (start.size() - 5) / 8 + 100;
    EXPECT_EQ(before, "[ " + std::to_string(rows) + " ]\n");
    EXPECT_EQ(csv(counting(), start + hostile + tail), "[ " + std::to_string(rows + 1) + " ]\n");
    EXPECT_EQ(csv(counting_units("id"), start + hostile + tail), "[ 3 ][ 3 ]\n");
    const std::string sum = std::to_string(rows * 123 + 5);
    EXPECT_EQ(csv(summing("v", 100'000), start + hostile + tail),
              "[ " + std::to_string(rows + 1) + " " + sum + " ]\n");
  }
}

// SLOW: ReadingTest.QuotedDelimiterAtACutWithCarriageReturnsLosesNoRows
TEST_F(ReadingTest, QuotedDelimiterAtACutWithCarriageReturnsLosesNoRows) {
  for (const std::size_t place : {7'999'999UL, 8'000'000UL, 8'000'001UL, 8'000'007UL}) {
    std::string start = filled("id,v\r\n", "Ann,12\r\n", place - 8, "");
    // The record must start at exactly this byte.
    start += "A" + std::string(place - start.size() - 6, 'x') + ",1\r\n";
    start.resize(start.size());
    const std::string hostile = "\"Doe,\",40000\r\n";
    const std::string tail = filled("", "Bob,34\r\n", 4'000'000, "");
    const auto rows = [&](const std::string& text) { return csv(counting(), text); };
    const std::size_t count = static_cast<std::size_t>(std::ranges::count(start + tail, '\n')) - 1;
    EXPECT_EQ(rows(start + tail), "[ " + std::to_string(count) + " ]\n");
    EXPECT_EQ(rows(start + hostile + tail), "[ " + std::to_string(count + 1) + " ]\n");
  }
}

// SLOW: ReadingTest.QuotedCommentWithLineBreaksAtACutStopsNoRelease
TEST_F(ReadingTest, QuotedCommentWithLineBreaksAtACutStopsNoRelease) {
  std::string comment = "\"";
  for (int i = 0; i < 20; ++i) comment += "so, \"\"they\"\"\n";
  comment += "\",7\n";
  const std::string tail = filled("", "Bob,123\n", 8'000, "");
  for (std::size_t shift = 0; shift < comment.size(); shift += 7) {
    std::string start = filled("id,v\n", "Ann,123\n", 8'000'000 - shift, "");
    const std::size_t rows = (start.size() - 5) / 8 + 1'000;
    EXPECT_EQ(csv(counting(), start + comment + tail), "[ " + std::to_string(rows + 1) + " ]\n");
  }
}

constexpr auto kCollated =
    "CREATE TABLE t(k VARCHAR COLLATE NOCASE, v INTEGER); "
    "INSERT INTO t SELECT 'FLU', 1; INSERT INTO t SELECT 'flu', 1 FROM range(1000)";

TEST_F(ReadingTest, CollationMergesNoFoundKeys) {
  EXPECT_EQ(database(finding("k", FieldType::kText), kCollated), "FLU [ 1 ]\nflu [ 1000 ]\n");
}

TEST_F(ReadingTest, CollationCountsNoRowInSeveralListedGroups) {
  BoundedQuery query = counting();
  query.groups = {
      ListedKeys{{{"k", FieldType::kText}},
                 {{"flu"}, {"flU"}, {"fLu"}, {"fLU"}, {"Flu"}, {"FlU"}, {"FLu"}, {"FLU"}}}};
  EXPECT_EQ(database(query, kCollated),
            "flu [ 1000 ]\nflU [ 0 ]\nfLu [ 0 ]\nfLU [ 0 ]\nFlu [ 0 ]\nFlU [ 0 ]\nFLu [ 0 ]\n"
            "FLU [ 1 ]\n");
}

TEST_F(ReadingTest, CollationMakesNoUnitCountTwice) {
  const std::string sql =
      "CREATE TABLE t(id VARCHAR COLLATE NOCASE); INSERT INTO t SELECT "
      "unnest(['abc', 'abC', 'aBc', 'aBC', 'Abc', 'AbC', 'ABc', 'ABC'])";
  EXPECT_EQ(database(counting_units("id"), sql), "[ 8 ][ 8 ]\n");
  const std::string same =
      "CREATE TABLE t(id VARCHAR COLLATE NOCASE); INSERT INTO t SELECT 'abc' FROM range(8)";
  EXPECT_EQ(database(counting_units("id"), same), "[ 1 ][ 1 ]\n");
}

TEST_F(ReadingTest, FarDatesAreMissingAndHideNoGroup) {
  const std::string rows =
      "SELECT DATE '2024-05-01' AS d FROM range(1000) UNION ALL SELECT DATE '67560-05-01' UNION "
      "ALL "
      "SELECT DATE 'infinity' UNION ALL SELECT DATE '-infinity' UNION ALL SELECT DATE "
      "'10000-01-01' "
      "UNION ALL SELECT DATE '9999-12-31' UNION ALL SELECT DATE '0001-01-01' UNION ALL SELECT NULL";
  // Dates are given in days after 1970-01-01.
  const std::string groups = "-719162 [ 1 ]\n19844 [ 1000 ]\n2932896 [ 1 ]\n";
  EXPECT_EQ(parquet(finding("d", FieldType::kDate), rows), groups);
  EXPECT_EQ(database(finding("d", FieldType::kDate), "CREATE TABLE t AS " + rows), groups);
}

TEST_F(ReadingTest, ViewsAreRefused) {
  EXPECT_EQ(database(summing("v", 100),
                     "CREATE TABLE s(v INTEGER); CREATE VIEW t AS SELECT v - min(v) OVER () AS v "
                     "FROM s"),
            "'t' is a view");
}

TEST_F(ReadingTest, WideIdentifiersAreAllCounted) {
  const std::string ids = "SELECT (hash(range) - range % 2)::UBIGINT AS id FROM range(10000)";
  const BoundedQuery serials = counting_units("id", FieldType::kUnsigned);
  EXPECT_EQ(parquet(serials, ids), "[ 10000 ][ 10000 ]\n");
  EXPECT_EQ(database(serials, "CREATE TABLE t AS " + ids), "[ 10000 ][ 10000 ]\n");
  const BoundedQuery query = counting_units("id", FieldType::kInteger);
  EXPECT_EQ(database(query,
                     "CREATE TABLE t AS SELECT id::HUGEINT * id::HUGEINT % "
                     "170141183460469231731687303715884105727::HUGEINT AS id FROM (SELECT "
                     "range + 1 AS id FROM range(10000))"),
            "[ 10000 ][ 10000 ]\n");
  EXPECT_EQ(database(query,
                     "CREATE TABLE t AS SELECT 340282366920938463463374607431768211455::"
                     "UHUGEINT - range::UHUGEINT AS id FROM range(10000)"),
            "[ 10000 ][ 10000 ]\n");
  EXPECT_EQ(parquet(counting_units("id", FieldType::decimal(0)),
                    "SELECT (99999999999999999999999999999999990000 + range)::DECIMAL(38, 0) "
                    "AS id FROM range(10000)"),
            "[ 10000 ][ 10000 ]\n");
}

TEST_F(ReadingTest, WideNumbersAreClampedAndNotMissing) {
  const std::string rows =
      "SELECT unnest([5, 18446744073709551615, 9223372036854775808, 0, NULL]::UBIGINT[]) AS v";
  BoundedQuery sum = summing("v", 100);
  std::get<StepSum>(sum.measures.at(0)).field.field.type = FieldType::kUnsigned;
  EXPECT_EQ(parquet(sum, rows), "[ 4 205 ]\n");
  BoundedQuery bins;
  bins.measures = {BinCounts{{"v", FieldType::kUnsigned},
                             {0, 6, Rational(Integer::two_to(63)), Rational(Integer::two_to(70))},
                             {}}};
  EXPECT_EQ(parquet(bins, rows), "[ 2 0 2 ]\n");
  BoundedQuery keys = counting();
  keys.groups = {RangeKeys{"v", 0, 5}};
  EXPECT_EQ(parquet(keys, rows), "0 [ 1 ]\n1 [ 0 ]\n2 [ 0 ]\n3 [ 0 ]\n4 [ 0 ]\n5 [ 1 ]\n");
  EXPECT_EQ(database(finding("v", FieldType::kInteger), "CREATE TABLE t AS SELECT 7::HUGEINT AS v"),
            "the column 'v' has the type 'HUGEINT', which has keys that cannot be discovered");
}

// Declared as integers they have 64 bits, and are keys and units like all integers.
TEST_F(ReadingTest, WideNumbersThatAreDeclaredIntegersHave64Bits) {
  for (const char* type : {"UBIGINT", "DECIMAL(38, 0)", "DECIMAL(20, 0)"}) {
    const std::string rows = fmt::format(
        "SELECT unnest([5, 18446744073709551615, 9223372036854775808, "
        "9223372036854775807, 0, 0, NULL]::{}[]) AS v",
        type);
    BoundedQuery listed = counting();
    listed.groups = {ListedKeys{
        {{"v", FieldType::kInteger}},
        {{std::int64_t{0}}, {std::numeric_limits<std::int64_t>::max()}, {std::int64_t{-1}}}}};
    for (const bool stored : {true, false}) {
      const auto answer = [&](const BoundedQuery& query) {
        return stored ? parquet(query, rows) : database(query, "CREATE TABLE t AS " + rows);
      };
      EXPECT_EQ(answer(summing("v", 100)), "[ 4 105 ]\n") << type;
      EXPECT_EQ(answer(finding("v", FieldType::kInteger)),
                "0 [ 2 ]\n5 [ 1 ]\n9223372036854775807 [ 1 ]\n")
          << type;
      EXPECT_EQ(answer(listed), "0 [ 2 ]\n9223372036854775807 [ 1 ]\n-1 [ 0 ]\n") << type;
      EXPECT_EQ(answer(counting_units("v", FieldType::kInteger)), "[ 3 ][ 3 ]\n") << type;
    }
  }
}

TEST_F(ReadingTest, WideDecimalsAreTheNearestDoubles) {
  // Counted in steps of 2^-60 around 1, where each double between 1 and 1 + 2^-9 is a step of its
  // own.
  BoundedQuery query;
  query.measures = {StepSum{{{"v", FieldType::kReal}, 1, rational("513/512"), -52, 0, {}}}};
  Dice dice(7);
  for (int i = 0; i < 40; ++i) {
    const std::string digits = std::to_string(dice.below(1'900'000'000'000'000)) +
                               std::to_string(1'000'000'000'000'000'000 + dice.below(1'000'000));
    const std::string text = "1.00" + (std::string(36, '0') + digits).substr(digits.size());
    const Rational exact = Rational::parse(text);
    const double nearest = std::stod(text);
    const Rational error = abs(Rational::exactly(nearest) - exact);
    ASSERT_LE(error, Rational(1, 2) * Rational::two_to(-52));
    const Integer steps = (Rational::exactly(nearest) * Rational::two_to(52)).floor();
    EXPECT_EQ(database(query, "CREATE TABLE t AS SELECT '" + text + "'::DECIMAL(38, 37) AS v"),
              "[ 1 " + steps.to_string() + " ]\n")
        << text;
  }
}

TEST_F(ReadingTest, LogBesideADatabaseFileIsRefused) {
  const auto path = scratch_.path("d.duckdb");
  unlocked(path, "CREATE TABLE t AS SELECT range AS v FROM range(100)");
  EXPECT_EQ(answer(counting(), path, FileFormat::kDuckDb), "[ 100 ]\n");
  scratch_.write("d.duckdb.wal", "anything");
  EXPECT_EQ(answer(counting(), path, FileFormat::kDuckDb).substr(0, 42),
            "has changes that are not yet in it, in '" + path.string().substr(0, 2));
}

// Runs the statements in a database file in which `name` names another type of the engine.
void unlocked_with_type(const std::filesystem::path& database, duckdb_type type, const char* name,
                        const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  ASSERT_EQ(duckdb_open(database.c_str(), &engine), DuckDBSuccess);
  ASSERT_EQ(duckdb_connect(engine, &connection), DuckDBSuccess);
  duckdb_logical_type named = duckdb_create_logical_type(type);
  duckdb_logical_type_set_alias(named, name);
  EXPECT_EQ(duckdb_register_logical_type(connection, named, nullptr), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, sql.c_str(), nullptr), DuckDBSuccess) << sql;
  duckdb_destroy_logical_type(&named);
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
}

TEST_F(ReadingTest, NameOfATypeHidesNoGeneratedColumn) {
  const auto path = scratch_.path("named.duckdb");
  unlocked_with_type(path, DUCKDB_TYPE_VARCHAR, "z'",
                     "CREATE TABLE t(q \"z'\", v INTEGER, w INTEGER GENERATED ALWAYS AS (v + 1)); "
                     "INSERT INTO t VALUES ('x', 5)");
  EXPECT_EQ(answer(summing("v", 100), path, FileFormat::kDuckDb), "'t' has a generated column");
}

TEST_F(ReadingTest, NameOfATypeIsNotTakenForTheType) {
  const auto path = scratch_.path("named.duckdb");
  unlocked_with_type(path, DUCKDB_TYPE_TIMESTAMP, "ENUM(a)",
                     "CREATE TABLE t(v \"ENUM(a)\", w INTEGER); INSERT INTO t VALUES (now(), 1)");
  EXPECT_EQ(answer(summing("w", 100), path, FileFormat::kDuckDb), "[ 1 1 ]\n");
  EXPECT_EQ(answer(finding("v", FieldType::kText), path, FileFormat::kDuckDb),
            "has a column that is not of the type that the file names");
}

TEST_F(ReadingTest, LogThatComesWhileADatabaseFileIsReadIsNoticed) {
  const auto path = scratch_.path("d.duckdb");
  unlocked(path, "CREATE TABLE t AS SELECT range AS v FROM range(100)");
  const LockedEngine engine({path, FileFormat::kDuckDb, ',', {}, "t"});
  engine.require_unchanged();
  scratch_.write("d.duckdb.wal", "anything");
  expect_code(ErrorCode::kBadInput, [&] { engine.require_unchanged(); });
}

TEST_F(ReadingTest, StatisticsThatFitTheMemoryAloneFitItTogether) {
  std::string text = "k,v\n";
  for (int i = 0; i < 400'000; ++i) {
    text += std::to_string(i % 7) + "," + std::to_string(i % 100) + "\n";
  }
  scratch_.write("d.csv", text);
  const std::string both =
      "version = 1\nsource = 'd.csv'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "[columns]\nv = { type = 'integer', lower = 0, upper = 99 }\n"
      "k = { keys = { from = 0, to = 6 } }\n[[statistics]]\nkind = 'count'\n"
      "[[statistics]]\nkind = 'sum'\ncolumn = 'v'\nby = 'k'\n";
  EngineLimits limits;
  limits.threads = 2;
  const ReleasePlan plan = planned(scratch_, both);
  const ExactAnswers roomy = exact(plan, 1, limits);
  for (const std::uint64_t megabytes : {16U, 18U, 20U, 22U, 30U}) {
    limits.memory_bytes = megabytes * 1'000'000;
    const ExactAnswers tight = exact(plan, 1, limits);
    ASSERT_EQ(tight.size(), roomy.size());
    for (std::size_t i = 0; i < tight.size(); ++i) {
      EXPECT_EQ(as_text(tight[i]), as_text(roomy[i])) << megabytes;
    }
  }
}

TEST_F(ReadingTest, EveryTypeIsReadExactlyOrRefusedByName) {
  const auto count = [&](const std::string& value, FieldType type) {
    BoundedQuery query;
    query.measures = {RowCount{FieldUse{"v", type}}};
    return database(query, "CREATE TABLE t AS SELECT " + value + " AS v");
  };
  for (const char* type :
       {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
        "HUGEINT", "DECIMAL(5, 0)", "DECIMAL(18, 0)", "DECIMAL(19, 0)", "DECIMAL(38, 0)"}) {
    const std::string value = std::string("7::") + type;
    EXPECT_EQ(count(value, FieldType::kInteger), "[ 1 ]\n") << type;
    EXPECT_EQ(count(value, FieldType::kReal), "[ 1 ]\n") << type;
  }
  for (const char* type :
       {"FLOAT", "DOUBLE", "DECIMAL(4, 2)", "DECIMAL(9, 3)", "DECIMAL(18, 1)", "DECIMAL(38, 37)"}) {
    EXPECT_EQ(count(std::string("1.5::") + type, FieldType::kReal), "[ 1 ]\n") << type;
  }
  EXPECT_EQ(count("'nan'::FLOAT", FieldType::kReal), "[ 0 ]\n");
  const auto refused = [](const std::string& type) {
    return "the column 'v' has the type '" + type + "', which cannot be used";
  };
  for (const char* type : {"TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"}) {
    EXPECT_EQ(count(std::string("'2024-01-01 00:00:00'::") + type, FieldType::kTimestamp),
              "[ 1 ]\n");
    EXPECT_EQ(count(std::string("'infinity'::") + type, FieldType::kTimestamp), "[ 0 ]\n");
    EXPECT_EQ(count(std::string("'-infinity'::") + type, FieldType::kTimestamp), "[ 0 ]\n");
  }
  EXPECT_EQ(count("TIMESTAMPTZ '2024-01-01 00:00:00+02'", FieldType::kTimestamp), "[ 1 ]\n");
  EXPECT_EQ(count("TIMESTAMPTZ 'infinity'", FieldType::kTimestamp), "[ 0 ]\n");
  EXPECT_EQ(count("TIMESTAMP '10000-01-01 00:00:00'", FieldType::kTimestamp), "[ 0 ]\n");
  EXPECT_EQ(count("TIME '10:00:00'", FieldType::kTime), "[ 1 ]\n");
  EXPECT_EQ(count("TIME '24:00:00'", FieldType::kTime), "[ 0 ]\n");
  EXPECT_EQ(count("1.5::DECIMAL(4, 2)", FieldType::decimal(2)), "[ 1 ]\n");
  EXPECT_EQ(count("1.5::DECIMAL(38, 18)", FieldType::decimal(18)), "[ 1 ]\n");
  EXPECT_EQ(count("-7::DECIMAL(19, 0)", FieldType::decimal(0)), "[ 1 ]\n");
  EXPECT_EQ(count("7::DECIMAL(18, 0)", FieldType::decimal(0)),
            "the column 'v' has the type 'DECIMAL(18,0)', which holds no decimal");
  EXPECT_EQ(count("1.5::DECIMAL(4, 2)", FieldType::decimal(1)),
            "the column 'v' has the type 'DECIMAL(4,2)', which holds no decimal");
  EXPECT_EQ(count("TIMESTAMP '2024-01-01 00:00:00'", FieldType::kDate),
            "the column 'v' has the type 'TIMESTAMP', which holds no date");
  EXPECT_EQ(count("'10:00:00+01'::TIMETZ", FieldType::kTime), refused("TIME WITH TIME ZONE"));
  EXPECT_EQ(count("INTERVAL 1 DAY", FieldType::kText), refused("INTERVAL"));
  EXPECT_EQ(count("'ab'::BLOB", FieldType::kText), refused("BLOB"));
  EXPECT_EQ(count("[1, 2]", FieldType::kInteger), refused("INTEGER[]"));
  EXPECT_EQ(count("{'a': 1}", FieldType::kInteger), refused("STRUCT(a INTEGER)"));
  EXPECT_EQ(count("MAP {'a': 1}", FieldType::kInteger), refused("MAP(VARCHAR, INTEGER)"));
  EXPECT_EQ(count("'101'::BIT", FieldType::kText), refused("BIT"));
  EXPECT_EQ(count("['a']::ENUM('a')[]", FieldType::kText), refused("ENUM('a')[]"));
}

// What a condition on one column says about one row.
TEST_F(ReadingTest, TimesAndDecimalsOfTypedFilesAreExact) {
  const FieldType east = FieldType::timestamp(*std::get<const TimeZone*>(TimeZone::find("+02:00")));
  const auto holds = [&](const std::string& value, FieldType type, const std::string& condition) {
    BoundedQuery query = counting();
    auto parsed = parse_expression(condition, {{"v", type}});
    EXPECT_TRUE(std::holds_alternative<RowExpression>(parsed)) << condition;
    query.where = std::get<RowExpression>(parsed);
    const std::string sql = "SELECT " + value + " AS v";
    const std::string in_database = database(query, "CREATE TABLE t AS " + sql);
    // Parquet has no seconds, and the engine cannot read milliseconds safely.
    const bool same =
        value.ends_with("_S") || value.ends_with("_MS") || parquet(query, sql) == in_database;
    EXPECT_TRUE(same) << value;
    return in_database == "[ 1 ]\n";
  };
  const std::string ten = "'2024-03-01 10:00:00.123456789'::";
  for (const auto& [type, text] :
       {std::pair{"TIMESTAMP", "10:00:00.123457"}, std::pair{"TIMESTAMP_S", "10:00:00"},
        std::pair{"TIMESTAMP_MS", "10:00:00.123"}, std::pair{"TIMESTAMP_NS", "10:00:00.123456"}}) {
    const std::string at = std::string("v = '2024-03-01 ") + text;
    // DuckDB has rounded or cut the text itself; from there on nothing is lost.
    EXPECT_TRUE(holds(ten + type, FieldType::kTimestamp, at + "'") ||
                holds(ten + type, FieldType::kTimestamp, "v = '2024-03-01 10:00:00.123456'"))
        << type;
    EXPECT_TRUE(holds(ten + type, east, "hour(v) = 10"));
    EXPECT_TRUE(holds(ten + type, east, "date_trunc('hour', v) = '2024-03-01 08:00Z'"));
  }
  // Before 1970 too, the microsecond is the one in which a nanosecond lies.
  EXPECT_TRUE(holds("'1969-12-31 23:59:59.999999999'::TIMESTAMP_NS", FieldType::kTimestamp,
                    "v = '1969-12-31 23:59:59.999999'"));
  EXPECT_TRUE(holds("TIMESTAMPTZ '2024-03-01 10:00:00+00'", east, "hour(v) = 12"));
  EXPECT_TRUE(holds("TIMESTAMPTZ '2024-03-01 23:00:00+00'", east, "v::date = '2024-03-02'"));
  EXPECT_TRUE(holds("TIME '10:30:00.5'", FieldType::kTime, "v = '10:30:00.5'"));
  for (const char* type : {"DECIMAL(4, 2)", "DECIMAL(9, 2)", "DECIMAL(18, 2)", "DECIMAL(38, 2)"}) {
    const std::string value = std::string("-19.99::") + type;
    EXPECT_TRUE(holds(value, FieldType::decimal(2), "v = -19.99")) << type;
    EXPECT_TRUE(holds(value, FieldType::decimal(2), "v + 0.01 = -19.98")) << type;
    EXPECT_TRUE(holds(value, FieldType::kReal, "v = -19.99")) << type;
  }
  EXPECT_TRUE(holds("18446744073709551615::UBIGINT", FieldType::kUnsigned,
                    "v = 18446744073709551615 AND v - 1 < v"));
  EXPECT_FALSE(holds("18446744073709551615::UBIGINT", FieldType::kInteger, "v IS NOT NULL"));
}

// The engine fails at the first row whose milliseconds do not fit its microseconds.
TEST_F(ReadingTest, MillisecondsOfParquetFilesAreRefused) {
  const auto path = scratch_.path("ms.parquet");
  unlocked(
      "COPY (SELECT unnest([9223372036854775807, -9223372036854775807, 9000000000000000000, "
      "1000]) AS zzqq) TO '" +
      path.string() + "' (FORMAT parquet)");
  std::stringstream read;
  read << std::ifstream(path, std::ios::binary).rdbuf();
  std::string bytes = read.str();
  // The converted type INT_64 becomes TIMESTAMP_MILLIS.
  const std::string name = "zzqq\x25";
  const std::size_t at = bytes.find(name + "\x24");
  ASSERT_NE(at, std::string::npos);
  bytes[at + name.size()] = 18;
  BoundedQuery query;
  query.measures = {RowCount{}, RowCount{FieldUse{"zzqq", FieldType::kTimestamp}}};
  EXPECT_EQ(answer(query, scratch_.write("ms2.parquet", bytes), FileFormat::kParquet),
            "the column 'zzqq' has the type 'UNREAD TIMESTAMP_MS', which cannot be used");
}

TEST_F(ReadingTest, NamesOfEnumerationsAndUuidsAreTexts) {
  EXPECT_EQ(database(finding("v", FieldType::kText),
                     "CREATE TABLE t(v ENUM('b', 'a', 'B')); INSERT INTO t VALUES ('a'), ('B'), "
                     "('b'), ('a'), (NULL)"),
            "B [ 1 ]\na [ 2 ]\nb [ 1 ]\n");
  const std::string uuid = "6B0A1C62-7D3F-4F0B-9E8A-0123456789AB";
  EXPECT_EQ(parquet(finding("v", FieldType::kText), "SELECT '" + uuid + "'::UUID AS v"),
            "6b0a1c62-7d3f-4f0b-9e8a-0123456789ab [ 1 ]\n");
}

TEST_F(ReadingTest, NamesThatDifferInCaseAreRefusedWhereTheEngineMergesThem) {
  BoundedQuery query;
  query.measures = {RowCount{FieldUse{"X", FieldType::kInteger}}};
  const std::string two = "SELECT 1 AS x, NULL::INTEGER AS \"X\"";
  EXPECT_NE(parquet(query, two).find("X"), std::string::npos);
  EXPECT_EQ(csv(query, "x,X\n1,\n2,3\n"), "[ 1 ]\n");
}

TEST_F(ReadingTest, EngineSeesNoRawFile) {
  const auto path = scratch_.write("d.csv", "x\n1\n");
  LockedEngine engine({path, FileFormat::kCsv, ',', {""}, ""});
  EXPECT_TRUE(engine.refuses("FROM read_csv('" + path.string() + "')"));
  EXPECT_TRUE(engine.refuses("FROM '" + path.string() + "'"));
  EXPECT_TRUE(engine.refuses("FROM read_text('" + path.string() + "')"));
  EXPECT_TRUE(engine.refuses("COPY (SELECT 1) TO '" + path.string() + "'"));
  EXPECT_TRUE(engine.refuses("ATTACH '" + path.string() + "'"));
  EXPECT_TRUE(engine.refuses("INSTALL httpfs"));
  EXPECT_TRUE(engine.refuses("LOAD httpfs"));
  EXPECT_TRUE(engine.refuses("SET enable_external_access = true"));
  EXPECT_TRUE(engine.refuses("SET disabled_optimizers = ''"));
  EXPECT_TRUE(engine.refuses("RESET lock_configuration"));
  EXPECT_FALSE(engine.refuses("SELECT 1"));
}

}  // namespace reading_test
}  // namespace lastbit::engine
