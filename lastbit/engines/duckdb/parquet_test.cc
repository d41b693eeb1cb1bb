// Parquet declares types; these tests say what each becomes. The files are written by an unlocked
// engine through the C API, so writer and reader are not the same code of ours.
#include <duckdb.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/database.h"

namespace lastbit {
namespace {

using Integers = std::vector<std::optional<std::int64_t>>;
using Reals = std::vector<std::optional<double>>;
using Texts = std::vector<std::optional<std::string>>;

class ParquetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = std::filesystem::temp_directory_path() / "lastbit_parquet_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    file_ = folder_ / "a.parquet";
  }
  void TearDown() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  // Writes the rows of `query` to the file.
  void write(const std::string& query) {
    duckdb_database database = nullptr;
    duckdb_connection connection = nullptr;
    ASSERT_EQ(duckdb_open(nullptr, &database), DuckDBSuccess);
    ASSERT_EQ(duckdb_connect(database, &connection), DuckDBSuccess);
    const std::string sql = "COPY (" + query + ") TO '" + file_.string() + "' (FORMAT parquet)";
    EXPECT_EQ(duckdb_query(connection, sql.c_str(), nullptr), DuckDBSuccess) << query;
    duckdb_disconnect(&connection);
    duckdb_close(&database);
  }

  template <typename T>
  T column(const std::string& name, ColumnType type) {
    const std::vector<WantedColumn> request = {{name, type}};
    return std::get<T>(read_columns(file_, request).at(0));
  }

  std::filesystem::path folder_;
  std::filesystem::path file_;
};

TEST_F(ParquetTest, SchemaHasTheDeclaredTypes) {
  write("SELECT 1::INTEGER AS a, 2.5::DOUBLE AS b, 'x' AS c, DATE '2020-01-02' AS d");
  const std::vector<ColumnInfo> schema = read_schema(file_);
  ASSERT_EQ(schema.size(), 4U);
  EXPECT_EQ(schema[0].type, "INTEGER");
  EXPECT_EQ(schema[1].type, "DOUBLE");
  EXPECT_EQ(schema[2].type, "VARCHAR");
  EXPECT_EQ(schema[3].type, "DATE");
}

TEST_F(ParquetTest, IntegersAreExactOrNull) {
  write("SELECT * FROM (VALUES (1::UBIGINT), (18446744073709551615::UBIGINT), (NULL)) t(a)");
  EXPECT_EQ(column<Integers>("a", ColumnType::kInteger), (Integers{1, std::nullopt, std::nullopt}));
}

TEST_F(ParquetTest, FractionsAreNotRoundedToIntegers) {
  write("SELECT * FROM (VALUES (12.0::DOUBLE), (12.5), (1e17), (1e300), ('nan'), ('inf')) t(a)");
  EXPECT_EQ(column<Integers>("a", ColumnType::kInteger),
            (Integers{12, std::nullopt, 100'000'000'000'000'000, std::nullopt, std::nullopt,
                      std::nullopt}));
  write("SELECT * FROM (VALUES (12.00::DECIMAL(9,2)), (12.01)) t(a)");
  EXPECT_EQ(column<Integers>("a", ColumnType::kInteger), (Integers{12, std::nullopt}));
}

TEST_F(ParquetTest, TypesThatAreNoNumbersBecomeNullAsNumbersAndTextAsText) {
  write("SELECT DATE '2020-01-02' AS d, [1, 2] AS l");
  EXPECT_EQ(column<Integers>("d", ColumnType::kInteger), Integers{std::nullopt});
  EXPECT_EQ(column<Reals>("d", ColumnType::kReal), Reals{std::nullopt});
  EXPECT_EQ(column<Texts>("d", ColumnType::kText), Texts{"2020-01-02"});
  EXPECT_EQ(column<Integers>("l", ColumnType::kInteger), Integers{std::nullopt});
  EXPECT_EQ(column<Reals>("l", ColumnType::kReal), Reals{std::nullopt});
}

TEST_F(ParquetTest, RealsKeepTheirBits) {
  write("SELECT * FROM (VALUES (0.1::DOUBLE), ('-0.0'), ('nan'), (NULL)) t(a)");
  const Reals read = column<Reals>("a", ColumnType::kReal);
  ASSERT_EQ(read.size(), 4U);
  EXPECT_EQ(read[0], 0.1);
  EXPECT_TRUE(read[1].has_value() && std::signbit(*read[1]));
  EXPECT_TRUE(read[2].has_value() && std::isnan(*read[2]));
  EXPECT_EQ(read[3], std::nullopt);
}

TEST_F(ParquetTest, LongAndShortTextsComeWhole) {
  write("SELECT * FROM (VALUES ('short'), (repeat('long', 100)), ('ünïcödé'), (NULL)) t(a)");
  EXPECT_EQ(column<Texts>("a", ColumnType::kText).at(0), "short");
  EXPECT_EQ(column<Texts>("a", ColumnType::kText).at(1)->size(), 400U);
  EXPECT_EQ(column<Texts>("a", ColumnType::kText).at(2), "ünïcödé");
  EXPECT_EQ(column<Texts>("a", ColumnType::kText).at(3), std::nullopt);
}

TEST_F(ParquetTest, RowsKeepTheirOrderAcrossRowGroups) {
  write("SELECT range AS i FROM range(300000)");
  const Integers read = column<Integers>("i", ColumnType::kInteger);
  ASSERT_EQ(read.size(), 300'000U);
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], static_cast<std::int64_t>(i));
}

TEST_F(ParquetTest, CutFileIsRefused) {
  write("SELECT range AS i FROM range(1000)");
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_THROW(column<Integers>("i", ColumnType::kInteger), Error);
}

}  // namespace
}  // namespace lastbit
