#include "lastbit/engines/duckdb/database.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

using Integers = std::vector<std::optional<std::int64_t>>;
using Reals = std::vector<std::optional<double>>;
using Texts = std::vector<std::optional<std::string>>;

// A folder that is removed with everything in it.
class Scratch {
 public:
  Scratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "lastbit_duckdb_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = std::filesystem::canonical(pattern);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

class DatabaseTest : public ::testing::Test {
 protected:
  template <typename T>
  T column(const std::filesystem::path& file, const std::string& name, ColumnType type) {
    const std::vector<WantedColumn> request = {{name, type}};
    return std::get<T>(read_columns(file, request).at(0));
  }

  // The Error of `action`, whose sentence must not hold `secret`.
  template <typename Action>
  Error error_of(Action action, const std::string& secret = "hunter2") {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(secret), std::string::npos) << error.what();
      return error;
    }
    ADD_FAILURE() << "nothing was thrown";
    return Error(ErrorCode::kInternal, "", "", "");
  }

  Scratch scratch_;
};

TEST(DuckdbVersionTest, LinkedEngineIsThePinnedOne) { EXPECT_EQ(duckdb_version(), "v1.5.6"); }

TEST_F(DatabaseTest, CsvColumnsComeTypedAndInFileOrder) {
  const auto file = scratch_.write("a.csv", "id,score,name\n3,0.5,Ann\n1,-2e3,Bob\n2,.25,\n");
  Database database(file);
  const std::vector<WantedColumn> request = {
      {"name", ColumnType::kText}, {"id", ColumnType::kInteger}, {"score", ColumnType::kReal}};
  const std::vector<Column> columns = database.read_columns(request);
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(std::get<Texts>(columns[0]), (Texts{"Ann", "Bob", std::nullopt}));
  EXPECT_EQ(std::get<Integers>(columns[1]), (Integers{3, 1, 2}));
  EXPECT_EQ(std::get<Reals>(columns[2]), (Reals{0.5, -2000.0, 0.25}));
}

TEST_F(DatabaseTest, SchemaOfCsvIsItsHeaderAndNothingFromTheRows) {
  const auto file = scratch_.write("a.csv", "id,score\n3,0.5\n");
  const std::vector<ColumnInfo> schema = read_schema(file);
  ASSERT_EQ(schema.size(), 2U);
  EXPECT_EQ(schema[0].name, "id");
  EXPECT_EQ(schema[0].type, "VARCHAR");
  EXPECT_EQ(schema[1].name, "score");
}

TEST_F(DatabaseTest, OnlyExactWholeNumbersOf64BitsAreIntegers) {
  const auto file = scratch_.write(
      "a.csv",
      "x\n12\n 12 \n+7\n12.7\n1e3\n0x10\n1_000\ntrue\n9223372036854775807\n9223372036854775808\n"
      "-9223372036854775808\n");
  const Integers expected = {
      12,           12,           7,         std::nullopt, std::nullopt, std::nullopt,
      std::nullopt, std::nullopt, INT64_MAX, std::nullopt, INT64_MIN};
  EXPECT_EQ(column<Integers>(file, "x", ColumnType::kInteger), expected);
}

TEST_F(DatabaseTest, OnlyPlainDecimalsAreReals) {
  const auto file =
      scratch_.write("a.csv", "x\n0.1\nnan\ninf\n1_000.5\n 2. \n5e-324\n1e400\nabc\n-.5\n");
  const Reals expected = {0.1,    std::nullopt, std::nullopt, std::nullopt, 2.0,
                          5e-324, INFINITY,     std::nullopt, -0.5};
  EXPECT_EQ(column<Reals>(file, "x", ColumnType::kReal), expected);
}

TEST_F(DatabaseTest, RealsAreReadToTheLastBit) {
  // One file with many bit patterns: every exponent with a mantissa that a multiplicative walk
  // picks, and the corners of each.
  std::string text = "x\n";
  Reals expected;
  std::uint64_t walk = 1;
  const auto add = [&](std::uint64_t bits) {
    const double value = std::bit_cast<double>(bits);
    std::array<char, 64> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    text.append(digits.data(), end);
    text += "\n";
    expected.emplace_back(value);
  };
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    walk *= 6364136223846793005U;
    add(exponent << 52);
    add(exponent << 52 | 1);
    add(((exponent + 1) << 52) - 1);
    add(UINT64_C(1) << 63 | exponent << 52 | walk >> 12);
  }
  const auto file = scratch_.write("a.csv", text);
  EXPECT_EQ(column<Reals>(file, "x", ColumnType::kReal), expected);
}

TEST_F(DatabaseTest, QuotedFieldsKeepQuotesCommasAndNewlines) {
  const auto file =
      scratch_.write("a.csv", "a,b\n\"say \"\"hi\"\", twice\",1\n\"two\nlines\",2\n\"\",3\n,4\n");
  EXPECT_EQ(column<Texts>(file, "a", ColumnType::kText),
            (Texts{"say \"hi\", twice", "two\nlines", "", std::nullopt}));
  EXPECT_EQ(column<Integers>(file, "b", ColumnType::kInteger), (Integers{1, 2, 3, 4}));
}

TEST_F(DatabaseTest, HostileColumnNamesAreOnlyNames) {
  const std::string name = R"(x" FROM read_text('/etc/passwd'); --)";
  const auto file = scratch_.write("a.csv", "\"x\"\" FROM read_text('/etc/passwd'); --\",b\n5,6\n");
  EXPECT_EQ(read_schema(file).at(0).name, name);
  EXPECT_EQ(column<Integers>(file, name, ColumnType::kInteger), (Integers{5}));
}

TEST_F(DatabaseTest, HostileFileNamesAreOnlyNames) {
  const auto file = scratch_.write("it's; DROP.csv", "a\n1\n");
  EXPECT_EQ(column<Integers>(file, "a", ColumnType::kInteger), (Integers{1}));
}

TEST_F(DatabaseTest, TabsSeparateTsv) {
  const auto file = scratch_.write("a.TSV", "a\tb\n1,5\t2\n");
  EXPECT_EQ(column<Texts>(file, "a", ColumnType::kText), (Texts{"1,5"}));
}

TEST_F(DatabaseTest, LaterRowsDoNotChangeHowEarlierOnesAreRead) {
  const auto file = scratch_.write("a.csv", "code\n007\n08\n");
  const auto mixed = scratch_.write("b.csv", "code\n007\n08\nx;y\n'q'\n#c\n");
  EXPECT_EQ(column<Texts>(file, "code", ColumnType::kText), (Texts{"007", "08"}));
  EXPECT_EQ(column<Texts>(mixed, "code", ColumnType::kText),
            (Texts{"007", "08", "x;y", "'q'", "#c"}));
}

TEST_F(DatabaseTest, LineEndsOfEitherKindAreRead) {
  const auto dos = scratch_.write("a.csv", "a,b\r\n1,x\r\n2,y\r\n");
  EXPECT_EQ(column<Texts>(dos, "b", ColumnType::kText), (Texts{"x", "y"}));
  const auto unended = scratch_.write("b.csv", "a,b\n1,x\n2,y");
  EXPECT_EQ(column<Texts>(unended, "b", ColumnType::kText), (Texts{"x", "y"}));
}

TEST_F(DatabaseTest, EmptyLineOfAOneColumnFileIsARow) {
  const auto file = scratch_.write("a.csv", "a\n1\n\n2\n");
  EXPECT_EQ(column<Integers>(file, "a", ColumnType::kInteger), (Integers{1, std::nullopt, 2}));
}

TEST_F(DatabaseTest, HeaderAloneIsATableWithoutRows) {
  const auto file = scratch_.write("a.csv", "a,b\n");
  EXPECT_EQ(column<Integers>(file, "b", ColumnType::kInteger), Integers{});
}

TEST_F(DatabaseTest, ManyChunksKeepTheirOrder) {
  constexpr std::int64_t kRows = 50'000;
  std::string text = "i\n";
  for (std::int64_t i = 0; i < kRows; ++i) text += std::to_string(i) + "\n";
  const Integers read = column<Integers>(scratch_.write("a.csv", text), "i", ColumnType::kInteger);
  ASSERT_EQ(read.size(), static_cast<std::size_t>(kRows));
  for (std::size_t i = 0; i < read.size(); ++i) ASSERT_EQ(read[i], static_cast<std::int64_t>(i));
}

TEST_F(DatabaseTest, MissingColumnNamesTheNearest) {
  const auto file = scratch_.write("a.csv", "income,age\n1,2\n");
  const auto read = [&](const char* name) {
    return error_of([&] { column<Integers>(file, name, ColumnType::kInteger); });
  };
  const Error near = read("incmoe");
  EXPECT_EQ(near.code(), ErrorCode::kBadInput);
  EXPECT_NE(near.place().find("a.csv"), std::string::npos);
  EXPECT_EQ(near.problem(), "has no column 'incmoe'");
  EXPECT_EQ(near.remedy(), "did you mean 'income'?");
  EXPECT_EQ(read("Income").remedy(), "did you mean 'income'?");
  EXPECT_EQ(read("zip_code").remedy(), "name one of its columns");
}

TEST_F(DatabaseTest, UnusableFilesAreRefusedBeforeTheyAreRead) {
  const auto problem = [&](const std::filesystem::path& file) {
    const Error error = error_of([&] { Database database(file); });
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.problem();
  };
  EXPECT_EQ(problem(scratch_.path("none.csv")), "does not exist or cannot be reached");
  EXPECT_EQ(problem(scratch_.write("empty.csv", "")), "is empty");
  EXPECT_EQ(problem(scratch_.write("a.xlsx", "x")),
            "has an extension that says neither CSV nor Parquet");
  EXPECT_EQ(problem(scratch_.write("a*.csv", "a\n1\n")), "has one of * ? [ ] { } in its path");
  std::filesystem::create_directory(scratch_.path("folder.csv"));
  EXPECT_EQ(problem(scratch_.path("folder.csv")), "is not a regular file");
}

TEST_F(DatabaseTest, UnreadableContentIsRefusedWithoutQuotingIt) {
  const auto ragged = scratch_.write("a.csv", "a,b\n1,2\nhunter2\n");
  const auto open_quote = scratch_.write("b.csv", "a\n\"hunter2\n");
  const auto binary = scratch_.write("c.csv", "a\nhunter2\xff\xfe\n");
  const auto parquet = scratch_.write("d.parquet", "hunter2 is no parquet");
  for (const auto& file : {ragged, open_quote, binary, parquet}) {
    const Error error = error_of([&] { column<Texts>(file, "a", ColumnType::kText); });
    EXPECT_EQ(error.code(), ErrorCode::kBadInput) << file;
    EXPECT_EQ(error.problem(), "cannot be read") << file;
  }
}

TEST_F(DatabaseTest, NoColumnsIsABadParameter) {
  Database database(scratch_.write("a.csv", "a\n1\n"));
  EXPECT_EQ(error_of([&] { database.read_columns({}); }).code(), ErrorCode::kBadParameter);
}

TEST_F(DatabaseTest, LockedEngineReadsItsSourceAndNothingElse) {
  const auto file = scratch_.write("a.csv", "a\n1\n");
  const std::string other = scratch_.write("other.csv", "a\n1\n").string();
  Database database(file);
  EXPECT_FALSE(database.refuses("SELECT 1"));
  EXPECT_FALSE(database.refuses("SELECT * FROM read_csv('" + file.string() + "')"));
  EXPECT_TRUE(database.refuses("SELECT * FROM read_csv('" + other + "')"));
  EXPECT_TRUE(database.refuses("SELECT * FROM read_text('/etc/passwd')"));
  EXPECT_TRUE(database.refuses("SELECT * FROM read_text('/proc/self/environ')"));
  EXPECT_TRUE(database.refuses("SELECT * FROM read_text('" + file.string() + "/../other.csv')"));
  EXPECT_TRUE(database.refuses("SELECT * FROM glob('/etc/*')"));
}

TEST_F(DatabaseTest, LockedEngineWritesNothing) {
  Database database(scratch_.write("a.csv", "a\n1\n"));
  const std::string out = scratch_.path("out.csv").string();
  const std::string attached = scratch_.path("x.db").string();
  EXPECT_TRUE(database.refuses("COPY (SELECT 1) TO '" + out + "'"));
  EXPECT_TRUE(database.refuses("ATTACH '" + attached + "'"));
  EXPECT_TRUE(database.refuses("EXPORT DATABASE '" + out + "'"));
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(attached));
}

TEST_F(DatabaseTest, LockedEngineCannotBeUnlocked) {
  Database database(scratch_.write("a.csv", "a\n1\n"));
  for (const char* sql : {"SET enable_external_access = true", "SET lock_configuration = false",
                          "SET allowed_paths = ['/etc/passwd']", "SET allowed_directories = ['/']",
                          "SET temp_directory = '/tmp'", "RESET lock_configuration",
                          "INSTALL httpfs", "LOAD httpfs"}) {
    EXPECT_TRUE(database.refuses(sql)) << sql;
  }
  EXPECT_TRUE(database.refuses("SELECT * FROM read_text('/etc/passwd')"));
}

TEST_F(DatabaseTest, LinkToTheSourceIsFollowedOnce) {
  const auto file = scratch_.write("a.csv", "a\n1\n");
  std::filesystem::create_symlink(file, scratch_.path("link.csv"));
  EXPECT_EQ(column<Integers>(scratch_.path("link.csv"), "a", ColumnType::kInteger), (Integers{1}));
}

TEST_F(DatabaseTest, MovedDatabaseStillAnswers) {
  Database first(scratch_.write("a.csv", "a\n1\n"));
  Database second = std::move(first);
  EXPECT_EQ(second.schema().size(), 1U);
}

TEST(SurveyTest, PublicUseMicrodataIsReadWhole) {
  const std::filesystem::path file =
      std::filesystem::path(LASTBIT_SOURCE_DIR) / "../shared/data/fulton_pums.csv";
  if (!std::filesystem::exists(file)) {
    GTEST_SKIP() << "the survey file fulton_pums.csv is not beside this checkout";
  }
  const std::vector<WantedColumn> request = {{"age", ColumnType::kInteger},
                                             {"income", ColumnType::kReal}};
  const std::vector<Column> columns = read_columns(file, request);
  const auto& ages = std::get<Integers>(columns[0]);
  ASSERT_EQ(ages.size(), 25'766U);
  EXPECT_EQ(std::get<Reals>(columns[1]).size(), 25'766U);
  EXPECT_EQ(ages.front(), 51);
  EXPECT_EQ(read_schema(file).size(), 18U);
}

}  // namespace
}  // namespace lastbit
