// Files that DuckDB writes must be read as DuckDB reads them, and refused if they are damaged.
#include <duckdb.h>
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/reading/parquet_test_support.h"

namespace lastbit::source {
namespace parquet_test {

using Rows = std::vector<std::pair<std::string, std::string>>;

// The first two columns of what an unlocked DuckDB answers.
Rows answer(const std::string& sql) {
  duckdb_database engine = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_result result = {};
  EXPECT_EQ(duckdb_open(nullptr, &engine), DuckDBSuccess);
  EXPECT_EQ(duckdb_connect(engine, &connection), DuckDBSuccess);
  EXPECT_EQ(duckdb_query(connection, sql.c_str(), &result), DuckDBSuccess)
      << sql << duckdb_result_error(&result);
  Rows rows;
  for (idx_t row = 0; row < duckdb_row_count(&result); ++row) {
    const auto text = [&](idx_t column) {
      char* const value = duckdb_value_varchar(&result, column, row);
      std::string copy = value == nullptr ? "" : value;
      duckdb_free(value);
      return copy;
    };
    rows.emplace_back(text(0), duckdb_column_count(&result) > 1 ? text(1) : "");
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&engine);
  return rows;
}

// A file without rows and with one column, annotated in this way.
std::string annotated(const Fields& type, const Fields& annotation) {
  std::string element = type.end();
  element.pop_back();
  element += Fields().i32(3, 1).text(4, "x").end();
  element.pop_back();
  element += annotation.end();
  const std::string root = Fields().text(4, "root").i32(5, 1).end();
  return framed("",
                Fields().i32(1, 1).list(2, 12, {root, element}).i64(3, 0).list(4, 12, {}).end());
}

class ParquetFooterTest : public ParquetFileTest {
 protected:
  std::string copied(const std::string& query, const std::string& options = "") {
    const std::filesystem::path path = fresh();
    answer(fmt::format("COPY ({}) TO '{}' (FORMAT parquet{})", query, path.string(), options));
    std::stringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }
};

TEST_F(ParquetFooterTest, FilesOfDuckDbAreDescribedAsDuckDbDoes) {
  const std::string query =
      "SELECT range % 2 = 0 a, (range % 9)::TINYINT b, range::SMALLINT c, range::INTEGER d, range "
      "e, "
      "(range % 9)::UTINYINT f, range::USMALLINT g, range::UINTEGER h, range::UBIGINT i, "
      "range::FLOAT j, range::DOUBLE k, (range % 9)::DECIMAL(4,2) l, range::DECIMAL(9,2) m, "
      "range::DECIMAL(18,3) n, range::DECIMAL(38,3) o, DATE '2000-01-01' p, TIME '01:00:00' q, "
      "'01:00:00+01'::TIMETZ r, '01:00:00'::TIME_NS s, TIMESTAMP '2000-01-01' t, "
      "'2000-01-01'::TIMESTAMP_NS v, '2000-01-01'::TIMESTAMPTZ w, "
      "'s' || range % 7 x, 'x'::BLOB y, uuid() z, INTERVAL 1 DAY aa, '{}'::JSON bb, "
      "CASE WHEN range % 3 = 0 THEN range END cc, 'é' \"größe\" FROM range(5000)";
  for (const std::string options :
       {"", ", PARQUET_VERSION V2", ", COMPRESSION zstd", ", COMPRESSION uncompressed"}) {
    const auto path = write(copied(query, options + ", ROW_GROUP_SIZE 2048"));
    const ParquetFooter footer = read_parquet_footer(path);
    Rows columns;
    std::vector<std::string> names;
    for (const ParquetColumn& column : footer.columns) {
      columns.emplace_back(column.name, column.type);
      names.push_back(column.name);
    }
    EXPECT_EQ(columns, answer("DESCRIBE SELECT * FROM '" + path.string() + "'"));
    EXPECT_EQ(footer.rows, 5000);
    EXPECT_EQ(footer.row_groups.size(), 3);
    EXPECT_NO_THROW(check_parquet_pages(path, footer, names));
  }
}

TEST_F(ParquetFooterTest, NestedAndEmptyFiles) {
  EXPECT_EQ(verdict(copied("SELECT [1, 2] a, {'b': 1, 'c': [2]} b, MAP {1: 2} c, 4 d")),
            "LIST, STRUCT, MAP, INTEGER");
  EXPECT_EQ(verdict(copied("SELECT 1 a, 'b' b WHERE false")), "INTEGER, VARCHAR");
  EXPECT_EQ(verdict(forged({})), "INTEGER, INTEGER");
}

TEST_F(ParquetFooterTest, AnnotationsMeanWhatDuckDbReads) {
  const auto physical = [](int type, int length = 0) {
    return length == 0 ? Fields().i32(1, type) : Fields().i32(1, type).i32(2, length);
  };
  const auto logical = [](int id, const Fields& more = {}) {
    return Fields().fields(10, Fields().fields(id, more));
  };
  const auto time = [](bool utc, int unit) {
    return Fields().flag(1, utc).fields(2, Fields().fields(unit, {}));
  };
  const Fields decimal = Fields().i32(6, 5).i32(7, 2).i32(8, 9);
  const Fields wide = Fields().i32(6, 5).i32(7, 2).i32(8, 39);
  struct Case {
    Fields type;
    Fields annotation;
    std::string name;
    bool as_duckdb = true;
  };
  const std::vector<Case> cases = {
      {physical(6), {}, "BLOB"},
      {physical(7, 5), {}, "BLOB"},
      {physical(3), {}, "TIMESTAMP"},
      {physical(6), Fields().i32(6, 0), "VARCHAR"},
      {physical(7, 3), Fields().i32(6, 0), "VARCHAR"},
      {physical(6), Fields().i32(6, 4), "VARCHAR"},
      {physical(6), Fields().i32(6, 19), "JSON"},
      {physical(6), logical(1), "BLOB"},
      {physical(6), logical(12), "BLOB"},
      {physical(1), decimal, "DECIMAL(9,2)"},
      {physical(2), decimal, "DECIMAL(9,2)"},
      {physical(6), decimal, "DECIMAL(9,2)"},
      {physical(7, 4), decimal, "DECIMAL(9,2)"},
      {physical(7, 17), wide, "UNREAD DECIMAL", false},
      {physical(1), Fields().i32(6, 7), "TIME"},
      {physical(2), Fields().i32(6, 10), "TIMESTAMP"},
      {physical(2), logical(8, time(true, 2)), "TIMESTAMP WITH TIME ZONE"},
      {physical(2), Fields().i32(6, 9), "UNREAD TIMESTAMP_MS", false},
      {physical(2), logical(8, time(true, 1)), "UNREAD TIMESTAMP_MS", false},
      {physical(2), logical(8, time(false, 3)), "TIMESTAMP_NS"},
      {physical(2), logical(7, time(true, 3)), "TIME WITH TIME ZONE"},
      {physical(7, 2), logical(15), "FLOAT"},
      {physical(7, 16), logical(14), "UUID"},
      {physical(4), logical(11), "INTEGER"},
      {physical(1), logical(10, Fields().byte(1, 8).flag(2, true)), "INTEGER"},
      {physical(1), logical(10, Fields().byte(1, 32).flag(2, false)), "UNREAD UINTEGER", false},
      {physical(1), logical(6), "UNREAD DATE", false},
      {physical(2), logical(5, Fields().i32(1, 2).i32(2, 9)), "UNREAD DECIMAL(9,2)", false},
      {physical(1), logical(99), "UNKNOWN", false},
      {physical(1), Fields().i32(6, 0), kNoSuch, false},
      {physical(1), Fields().i32(6, 18), kNoSuch, false},
      {physical(1), Fields().i32(6, 5).i32(7, 2).i32(8, 10), kNoSuch, false},
      {physical(1), Fields().i32(6, 5).i32(7, -1).i32(8, 5), kNoSuch, false},
      {physical(1), Fields().i32(6, 5).i32(7, 6).i32(8, 5), kNoSuch, false},
      {physical(2), logical(8, Fields().flag(1, true)), kNoSuch, false},
      {physical(7, 15), logical(14), kNoSuch, false},
      {physical(6), Fields().i32(6, 0).fields(10, Fields().fields(12, {})), kTwoMeanings, false},
      {physical(2), Fields().i32(6, 9).fields(10, Fields().fields(8, time(true, 2))), kTwoMeanings,
       false},
      {physical(1), Fields(decimal).fields(10, Fields().fields(5, Fields().i32(1, 1).i32(2, 9))),
       kTwoMeanings, false},
      {physical(1), Fields().fields(10, Fields().fields(6, {}).fields(11, {})), kFooter, false},
      {physical(8), {}, "has a column 'x' of an unknown physical type", false},
      {physical(7), {}, kSchema, false},
  };
  for (const Case& one : cases) {
    const std::string bytes = annotated(one.type, one.annotation);
    EXPECT_EQ(verdict(bytes), one.name);
    if (!one.as_duckdb) continue;
    const auto path = write(bytes);
    EXPECT_EQ(answer("DESCRIBE SELECT * FROM '" + path.string() + "'"), (Rows{{"x", one.name}}));
  }
}

// A small file, and the truth about it.
class ParquetDamageTest : public ParquetFooterTest {
 protected:
  ParquetDamageTest() : good_(copied("SELECT range a, 'b' || range b FROM range(4)")) {
    EXPECT_EQ(verdict(good_), "BIGINT, VARCHAR");
    footer_start_ = good_.size() - 8;
    for (unsigned i = 0; i < 4; ++i) {
      const auto byte = static_cast<unsigned char>(good_[good_.size() - 8 + i]);
      footer_start_ -= std::size_t{byte} << (8 * i);
    }
  }
  // A damaged file is refused, or none of its counts and names has changed.
  void check(const std::string& damaged) {
    const auto path = write(damaged);
    try {
      const ParquetFooter footer = read_parquet_footer(path);
      ASSERT_EQ(footer.columns.size(), 2);
      check_parquet_pages(path, footer, std::vector<std::string>{"a", "b"});
      EXPECT_EQ(footer.columns[0].name, "a");
      EXPECT_EQ(footer.columns[1].name, "b");
      EXPECT_EQ(footer.rows, 4);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
    }
    std::filesystem::remove(path);
  }

  std::string good_;
  std::size_t footer_start_;
};

TEST_F(ParquetDamageTest, EveryCutIsRefused) {
  for (std::size_t size = 0; size < good_.size(); ++size) {
    EXPECT_EQ(verdict(good_.substr(0, size)), "is not a Parquet file, or not a complete one");
    // With the usual end of a file, it is the footer that is cut.
    const std::string tail = good_.substr(good_.size() - 8);
    if (size + 8 < good_.size()) {
      EXPECT_NE(verdict(good_.substr(0, size) + tail), "BIGINT, VARCHAR");
    }
  }
}

TEST_F(ParquetDamageTest, EveryByteMayBeWrong) {
  for (std::size_t at = 0; at < good_.size(); ++at) {
    const std::size_t step = at < footer_start_ ? 16 * kThinning : kThinning;
    for (std::size_t change = 1 + at % step; change < 256; change += step) {
      std::string damaged = good_;
      damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(change));
      check(damaged);
    }
  }
}

}  // namespace parquet_test
}  // namespace lastbit::source
