// Impossible queries, hostile names, and what nobody must be able to make the engine do.
#include <gtest/gtest.h>

#include <functional>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/test_support.h"

namespace lastbit::engine {
namespace bounded_refusals_test {

const SteppedField kNumber{{"x", FieldType::kReal}, 0, 10, 0, 0, {}};

BoundedQuery simple(const std::filesystem::path& path) {
  BoundedQuery query;
  query.source.path = path;
  query.measures = {StepSum{kNumber}};
  return query;
}

TEST(CheckQueryTest, ImpossibleQueriesAreRefusedBeforeAnythingIsRead) {
  const auto refused = [](const std::function<void(BoundedQuery&)>& change) {
    BoundedQuery query = simple("/there/is/no/such/file.csv");
    change(query);
    return refused_parameter([&] { run_bounded(query, SecretKey()); });
  };
  const auto steps = [&](const std::function<void(SteppedField&)>& change) {
    return refused([&](BoundedQuery& query) {
      SteppedField field = kNumber;
      change(field);
      query.measures = {StepSum{field}};
    });
  };
  EXPECT_EQ(refused([](auto& q) { q.measures.clear(); }), "measures");
  EXPECT_EQ(refused([](auto& q) { q.measures.push_back(q.measures.front()); }), "measures");
  EXPECT_EQ(refused([](auto& q) { q.measures = {RowCount{}, StepSum{kNumber}, RowCount{}}; }),
            "measures");
  EXPECT_EQ(refused([](auto& q) { q.max_rows = 0; }), "max_rows");
  EXPECT_EQ(refused([](auto& q) { q.unit = UnitColumn{"", FieldType::kText, 1, 1}; }), "name");
  EXPECT_EQ(refused([](auto& q) { q.unit = UnitColumn{"i", FieldType::kReal, 1, 1}; }), "type");
  EXPECT_EQ(refused([](auto& q) { q.unit = UnitColumn{"i", FieldType::kText, 0, 1}; }), "max_rows");
  EXPECT_EQ(refused([](auto& q) { q.unit = UnitColumn{"i", FieldType::kText, 1, 0}; }),
            "max_groups");
  EXPECT_EQ(refused([](auto& q) { q.groups = {RangeKeys{"a", 2, 1}}; }), "last");
  EXPECT_EQ(refused([](auto& q) { q.groups = {RangeKeys{"a", INT64_MIN, INT64_MAX}}; }), "last");
  EXPECT_EQ(refused([](auto& q) { q.groups = {RangeKeys{"a", 1, 9999}, RangeKeys{"b", 1, 9999}}; }),
            "groups");
  EXPECT_EQ(refused([](auto& q) { q.groups = {ListedKeys{{}, {}}}; }), "columns");
  const KeyColumn town{"town", FieldType::kText};
  EXPECT_EQ(refused([&](auto& q) { q.groups = {ListedKeys{{town}, {{"a"}, {"a"}}}}; }), "tuples");
  EXPECT_EQ(refused([&](auto& q) { q.groups = {ListedKeys{{town}, {{"a", "b"}}}}; }), "tuples");
  EXPECT_EQ(refused([&](auto& q) { q.groups = {ListedKeys{{town}, {{true}}}}; }), "keys");
  EXPECT_EQ(refused([](auto& q) { q.groups = {FoundKeys{{"x", FieldType::kReal}}}; }), "type");
  EXPECT_EQ(steps([](auto& f) { f.field.type = FieldType::kText; }), "type");
  EXPECT_EQ(steps([](auto& f) { f.lower = 11; }), "lower");
  EXPECT_EQ(steps([](auto& f) { f.lower = f.upper = rational("1/3"); }), "lower");
  EXPECT_EQ(steps([](auto& f) { f.upper = rational("1e400"); }), "lower");
  EXPECT_EQ(steps([](auto& f) { f.grid_exponent = -70; }), "grid_exponent");
  EXPECT_EQ(steps([](auto& f) { f.offset = INT64_MIN; }), "grid_exponent");
  EXPECT_EQ(steps([](auto& f) { f.impute = 11; }), "impute");
  EXPECT_EQ(steps([](auto& f) {
              f.field.type = FieldType::kInteger;
              f.grid_exponent = 1;
            }),
            "grid_exponent");
  EXPECT_EQ(steps([](auto& f) {
              f.field.type = FieldType::kInteger;
              f.impute = rational("1/2");
            }),
            "impute");
  EXPECT_EQ(refused([](auto& q) { q.measures = {DistinctCount{{"x"}}}; }), "type");
  const std::vector<std::vector<std::int64_t>> bad_edges = {{0}, {0, 2, 2, 8}, {0, 9}};
  for (const std::vector<std::int64_t>& edges : bad_edges) {
    const SteppedField field{{"x", FieldType::kInteger}, 0, 8, 0, 0, {}};
    EXPECT_EQ(refused([&](auto& q) { q.measures = {LadderSum{field, edges}}; }), "edges");
  }
  EXPECT_EQ(refused([](auto& q) { q.measures = {BinCounts{{"x"}, {1}, {}}}; }), "edges");
  EXPECT_EQ(refused([](auto& q) { q.measures = {BinCounts{{"x"}, {1, 1}, {}}}; }), "edges");
  EXPECT_EQ(refused([](auto& q) { q.measures = {BelowCounts{{"x"}, {2, 1}, {}}}; }), "candidates");
  const auto categories = [&](FieldType type, std::vector<KeyValue> keys) {
    return refused([&](auto& q) { q.measures = {CategoryCounts{{"c", type}, keys, false, {}}}; });
  };
  EXPECT_EQ(categories(FieldType::kReal, {}), "type");
  EXPECT_EQ(categories(FieldType::kText, {"a", "a"}), "categories");
  EXPECT_EQ(categories(FieldType::kText, {true}), "keys");
}

class RefusalTest : public ::testing::Test {
 protected:
  std::string answer(const BoundedQuery& query) { return as_text(run_bounded(query, key_)); }

  // The reported problem, which must not quote the file.
  std::string problem(const BoundedQuery& query) {
    try {
      run_bounded(query, key_);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
      return error.problem();
    }
    return "accepted";
  }

  Scratch scratch_;
  SecretKey key_;
};

TEST_F(RefusalTest, FilesOfAnotherFormatAndImpossibleSettingsAreRefused) {
  BoundedQuery query = simple(scratch_.write("a.parquet", "hunter2"));
  query.source.format = FileFormat::kParquet;
  EXPECT_EQ(problem(query), "is not a Parquet file, or not a complete one");
  query.source.format = FileFormat::kJson;
  EXPECT_EQ(problem(query), "line 1: a record is not a JSON object");
  query.source.format = FileFormat::kDuckDb;
  query.source.table = "t";
  EXPECT_EQ(problem(query), "cannot be read");
  query.source.delimiter = '"';
  EXPECT_EQ(refused_parameter([&] { run_bounded(query, key_); }), "delimiter");
  query.source.delimiter = ',';
  query.limits.spill_directory = scratch_.path("none");
  EXPECT_EQ(code_of([&] { run_bounded(query, key_); }), ErrorCode::kStorage);
}

TEST_F(RefusalTest, BadFieldsAreMissingAndNotErrors) {
  BoundedQuery query = simple(
      scratch_.write("a.csv", "x\n1\n1e309\n-1e309\nnan\nhunter2\n1_000\n\n0x10\n 2 \n3,5\n"));
  EXPECT_EQ(problem(query), "line 11: the record has 2 fields and the header has 1");
  query.source.path =
      scratch_.write("a.csv", "x\n1\n1e309\n-1e309\nnan\nhunter2\n1_000\n\n0x10\n 2 \n\"3,5\"\n");
  EXPECT_EQ(answer(query), "[ 4 13 ]\n");
  query.source.delimiter = ';';
  query.source.null_texts = {"", "1", "NA"};
  EXPECT_EQ(answer(query), "[ 3 12 ]\n");
}

TEST_F(RefusalTest, MoreRowsThanThePublicMaximumAreRefused) {
  BoundedQuery query = simple(scratch_.write("a.csv", "x\n1\n1\n1\n"));
  query.max_rows = 3;
  EXPECT_EQ(problem(query), "accepted");
  query.max_rows = 2;
  EXPECT_EQ(problem(query), "has more rows than max_rows");
}

TEST_F(RefusalTest, HostileNamesAndKeysAreOnlyNamesAndKeys) {
  const std::string name = R"(x" FROM read_text('/etc/passwd'); --)";
  const std::string csv_name = R"("x"" FROM read_text('/etc/passwd'); --")";
  BoundedQuery query = simple(
      scratch_.write("it's; DROP.csv", csv_name + ",unit,\"a'b\"\n5,u,'; DROP TABLE keys0; --\n"));
  SteppedField number = kNumber;
  number.field.name = name;
  query.measures = {
      StepSum{number},
      CategoryCounts{
          {"a'b", FieldType::kText}, std::vector<KeyValue>{"'; DROP TABLE keys0; --"}, false, {}}};
  query.unit = UnitColumn{"unit", FieldType::kText, 1, 1};
  query.groups = {ListedKeys{{{"a'b", FieldType::kText}}, {{"'; DROP TABLE keys0; --"}, {"\""}}}};
  EXPECT_EQ(answer(query), "'; DROP TABLE keys0; -- [ 1 5 ][ 1 ]\n\" [ 0 0 ][ 0 ]\n");
  query.measures = {RowCount{FieldUse{std::string("x\0y", 3), FieldType::kText}}};
  EXPECT_EQ(problem(query), "has no column 'x\\x00y'");
  query.source.path = scratch_.write("a.json", "{\"x\\u0000y\": 1, \"unit\": 1, \"a'b\": 1}");
  query.source.format = FileFormat::kJson;
  query.groups = {};
  EXPECT_EQ(answer(query), "[ 1 ]\n");
}

TEST_F(RefusalTest, ColumnsOfTheFileDoNotHideOurs) {
  // The names that our statements use for their own columns.
  BoundedQuery query =
      simple(scratch_.write("a.csv",
                            "unit,g0,m0,k0,lot,place,position,total,choice,rows,a0,source,x\n"
                            "1,2,3,4,5,6,7,8,9,10,11,12,2\n1,2,3,4,5,6,7,8,9,10,11,12,2\n"));
  query.unit = UnitColumn{"g0", FieldType::kText, 1, 1};
  query.groups = {FoundKeys{{"m0", FieldType::kInteger}}};
  EXPECT_EQ(answer(query), "3 [ 1 2 ]\n");
  query.unit = RowsAreUnits{};
  query.groups = {RangeKeys{"unit", 1, 1}, FoundKeys{{"source", FieldType::kInteger}}};
  EXPECT_EQ(answer(query), "1 12 [ 2 4 ]\n");
}

TEST_F(RefusalTest, DatabaseFileIsOnlyReadAndItsOwnFunctionsAreNotCalled) {
  const std::filesystem::path file = scratch_.path("d.duckdb");
  unlocked(file,
           "CREATE TABLE t AS SELECT 2.0::DOUBLE AS x; CREATE MACRO sum(a) AS 42; "
           "CREATE MACRO histogram_exact(a, b) AS 42; CREATE MACRO trim(a) AS 42");
  BoundedQuery query = simple(file);
  query.source.format = FileFormat::kDuckDb;
  query.source.table = "t";
  query.measures = {StepSum{kNumber}, BinCounts{kNumber.field, {0, 5}, {}}};
  EXPECT_EQ(answer(query), "[ 1 2 ][ 1 ]\n");
  query.source.table = "t\"; DROP TABLE t; --";
  EXPECT_EQ(problem(query), "has no table 't\"; DROP TABLE t; --'");
  LockedEngine engine({file, FileFormat::kDuckDb, ',', {}, "t"});
  EXPECT_TRUE(engine.refuses("DROP TABLE d.t"));
  EXPECT_TRUE(engine.refuses("INSERT INTO d.t VALUES (1)"));
  EXPECT_TRUE(engine.refuses("SELECT * FROM read_text('/etc/passwd')"));
  EXPECT_FALSE(engine.refuses("SELECT * FROM d.t"));
}

TEST_F(RefusalTest, SpillingOpensNoDoor) {
  const std::filesystem::path spill = scratch_.path("spill");
  std::filesystem::create_directory(spill);
  const std::string beside = scratch_.write("spill/beside.csv", "a\n1\n").string();
  EngineLimits limits;
  limits.spill_directory = spill;
  LockedEngine engine({scratch_.write("a.csv", "a\n1\n"), FileFormat::kCsv, ',', {""}, ""}, limits);
  EXPECT_TRUE(engine.refuses("SELECT * FROM read_csv('" + beside + "')"));
  EXPECT_TRUE(engine.refuses("COPY (SELECT 1) TO '" + (spill / "out.csv").string() + "'"));
  EXPECT_TRUE(engine.refuses("SET temp_directory = '/tmp'"));
  EXPECT_TRUE(engine.refuses("SET memory_limit = '100GB'"));
}

}  // namespace bounded_refusals_test
}  // namespace lastbit::engine
