// What the columns of the data settle that a release file alone leaves open.
#include "lastbit/release/file/data_columns.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace data_columns_test {

const std::vector<SchemaColumn> kColumns = {
    {"income", "BIGINT", ColumnType{ColumnKind::kInteger}},
    {"region", "VARCHAR", ColumnType{ColumnKind::kText}},
    {"married", "BOOLEAN", ColumnType{ColumnKind::kBoolean}},
    {"notes", "VARCHAR[]", std::nullopt}};

std::string file_about(const std::string& source, const std::string& statistics) {
  return "version = 1\nsource = '" + source +
         "'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
         "[columns]\nincome = { lower = 0, upper = 9 }\nregion = { keys = ['n', 's'] }\n" +
         statistics;
}
std::string count_by(const std::string& column) {
  return "[[statistics]]\nkind = 'count'\nby = " + column + "\n";
}

// told: the messages about a release file, with the columns that `read` finds.
std::string told(const std::string& text, const ReadSchema& read) {
  try {
    const ReleaseFile release = parse_release(text, "f.toml", {}, read);
    static_cast<void>(check_against_schema(release, kColumns));
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what() : "another code than kBadInput";
  }
  return "accepted";
}
std::string told(const std::string& text) {
  return told(text, [](const ReleaseFile& /*release*/) { return kColumns; });
}

TEST(DataColumnsTest, MisspeltColumnsAreToldBeforeWhatTheyLack) {
  const std::string income = "there is no column 'incmoe'; did you mean 'income'?";
  EXPECT_EQ(told(file_about("s.csv", "[[statistics]]\nkind = 'sum'\ncolumn = 'incmoe'\n")),
            "f.toml:10:10: " + income);
  EXPECT_EQ(told(file_about("s.csv",
                            "[[statistics]]\nkind = 'covariance'\n"
                            "columns = ['income', 'incmoe']\n")),
            "f.toml:10:22: " + income);
  EXPECT_EQ(told(file_about("s.csv", "[[statistics]]\nkind = 'histogram'\ncolumn = 'incmoe'\n")),
            "f.toml:10:10: " + income);
  EXPECT_EQ(told(file_about("s.csv", count_by("'regoin'"))),
            "f.toml:10:6: there is no column 'regoin'; did you mean 'region'?");
  EXPECT_EQ(told(file_about("s.csv", count_by("{ incmoe = [0, 1] }"))), "f.toml:10:8: " + income);
  EXPECT_EQ(told(file_about("s.csv", count_by("['region', { incmoe = [0, 1] }]"))),
            "f.toml:10:19: " + income);
  EXPECT_EQ(told(file_about("s.csv", count_by("'zzz'"))),
            "f.toml:10:6: there is no column 'zzz'; the columns are 'income', 'region', 'married', "
            "'notes'");
}

TEST(DataColumnsTest, ColumnsThatAreThereKeepTheirOwnMessage) {
  EXPECT_NE(told(file_about("s.csv", count_by("'married'"))).find("nothing says which values"),
            std::string::npos);
}

TEST(DataColumnsTest, WithoutTheDataTheNearestDeclaredColumnIsOnlyAGuess) {
  const auto fails = [](const ReleaseFile& release) -> std::vector<SchemaColumn> {
    throw Error(ErrorCode::kBadInput, release.source.path.value, "cannot be read", "check it");
  };
  for (const ReadSchema& read : {ReadSchema(), ReadSchema(fails)}) {
    const std::string message = told(file_about("s.csv", count_by("'regoin'")), read);
    EXPECT_TRUE(
        message.starts_with("f.toml:10:6: nothing says which values of 'regoin' are public; "
                            "did you mean 'region'? Otherwise list them"))
        << message;
  }
}

TEST(DataColumnsTest, ASourceThatIsRefusedIsNotOpened) {
  for (const char* source : {"https://x.org/s.csv", "*/s.csv", "s.dat", ""}) {
    bool opened = false;
    const auto read = [&](const ReleaseFile& /*release*/) {
      opened = true;
      return kColumns;
    };
    EXPECT_NE(told(file_about(source, count_by("'zzz'")), read), "accepted");
    EXPECT_FALSE(opened) << source;
  }
}

TEST(DataColumnsTest, NothingIsReadWhereNothingIsInDoubt) {
  const auto read = [](const ReleaseFile& /*release*/) -> std::vector<SchemaColumn> {
    throw Error(ErrorCode::kInternal, "", "the columns were read", "");
  };
  EXPECT_EQ(told(file_about("s.parquet", "[[statistics]]\nkind = 'count'\n"), read), "accepted");
  EXPECT_EQ(told(file_about("s.csv", count_by("'region'")), read), "accepted");
}

// A file that declares its types says which columns are true or false; both keys are public.
TEST(DataColumnsTest, TruthsOfTypedFilesNeedNoDeclaration) {
  const auto digest = [](const std::string& text) {
    const ReadSchema read = [](const ReleaseFile& /*release*/) { return kColumns; };
    return release_digest(check_against_schema(parse_release(text, "f.toml", {}, read), kColumns));
  };
  for (const std::string& statistic :
       {count_by("'married'"), count_by("['region', 'married']"),
        std::string("[[statistics]]\nkind = 'share'\ncolumn = 'married'\n"),
        std::string("[[statistics]]\nkind = 'mean'\ncolumn = 'married'\n"),
        std::string("[[statistics]]\nkind = 'histogram'\ncolumn = 'married'\n")}) {
    const std::string text = file_about("s.parquet", statistic);
    EXPECT_EQ(told(text), "accepted");
    EXPECT_EQ(digest(text), digest(text + "[columns.married]\ntype = 'boolean'\n")) << statistic;
  }
  // Keys that the file lists count.
  const std::string listed =
      file_about("s.parquet", count_by("'married'")) + "[columns.married]\nkeys = [true]\n";
  EXPECT_NE(digest(listed), digest(file_about("s.parquet", count_by("'married'"))));
}

TEST(DataColumnsTest, ColumnsOfUnusableTypesAreToldWithTheirType) {
  EXPECT_EQ(
      told(file_about("s.parquet", "[[statistics]]\nkind = 'count'\ncolumn = 'notes'\n")),
      "f.toml:10:10: the column 'notes' has the type 'VARCHAR[]', which cannot be used; store "
      "it as a number, a text, a truth value, a date, a time or a timestamp in microseconds");
  EXPECT_EQ(told(file_about("s.parquet", "[[statistics]]\nkind = 'count'\nwhere = 'notes = 1'\n")),
            "f.toml:10:9: `where`, character 1: the column 'notes' has the type 'VARCHAR[]', which "
            "cannot be used here; store it as a number, a text, a truth value, a date, a time or a "
            "timestamp in microseconds");
}

}  // namespace data_columns_test
}  // namespace lastbit
