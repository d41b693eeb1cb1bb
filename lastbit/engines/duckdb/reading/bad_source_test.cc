// Sources that are not what they should be: a clear error before anything is spent, without quoting
// any field, or the policy of docs/release-file.md.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "lastbit/engines/duckdb/duckdb_engine.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/numerics/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace bad_source_test {

using engine::DataSource;
using engine::FileFormat;
using engine::LockedEngine;
using engine::Scratch;
using engine::unlocked;

class BadSourceTest : public ::testing::Test {
 protected:
  // The outcome of a release of the sum of x, by `unit`: the problem, or "answered" and the number
  // of rows that counted. The ledger must be untouched after a problem.
  std::string release(const std::string& source, const std::string& unit = "'row'") {
    std::filesystem::remove(scratch_.path("l"));
    const std::string id = unit == "'row'" ? "" : "id = { type = 'text' }\n";
    const auto file =
        scratch_.write("r.toml", "version = 1\nsource = " + source + "\nunit = " + unit +
                                     "\nbudget = { epsilon = 1, ledger = 'l' }\n[columns]\n" + id +
                                     "x = { type = 'real', lower = 0, upper = 10 }\n"
                                     "[[statistics]]\nkind = 'mean'\ncolumn = 'x'\n");
    Ledger ledger = Ledger::create(scratch_.path("l"), Budget(Cost::pure(9)), "");
    BitSource bits = testing::seeded_tape(1);
    try {
      const ReleasePlan plan = plan_file(file, DuckDbEngine());
      const ExactAnswers exact = aggregate_source(plan, DuckDbEngine(), bits, {});
      run_release(plan, DuckDbEngine(), ledger, bits, {});
      return "answered " + exact[0][0].entries[0][0].to_string();
    } catch (const Error& error) {
      EXPECT_EQ(ledger.verify().records, 0);
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      EXPECT_EQ(std::string(error.what()).find("hunter2"), std::string::npos) << error.what();
      return error.problem();
    }
  }
  std::string csv(const std::string& text, const std::string& unit = "'row'") {
    scratch_.write("d.csv", text);
    return release("'d.csv'", unit);
  }
  std::string json(const std::string& text) {
    scratch_.write("d.json", text);
    return release("'d.json'");
  }

  Scratch scratch_;
};

TEST_F(BadSourceTest, GoodOnesAreAnswered) {
  EXPECT_EQ(csv("x\n1\n2\n"), "answered 2");
  EXPECT_EQ(csv("x\n"), "answered 0");
  EXPECT_EQ(csv("x"), "answered 0");
  EXPECT_EQ(csv("\xef\xbb\xbfx,y\r\n1,2\r\n"), "answered 1");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": 2}\n"), "answered 2");
}

TEST_F(BadSourceTest, CsvThatIsNoTableIsRefused) {
  EXPECT_EQ(csv(""), "is empty");
  EXPECT_EQ(csv("1,hunter2\n2,3\n"), "there is no column 'x'");
  EXPECT_EQ(csv("x,y\n1,2\nhunter2\n"), "line 3: the record has 1 field and the header has 2");
  EXPECT_EQ(csv("x,y\n1,2\n1,2,hunter2\n"), "line 3: the record has 3 fields and the header has 2");
  EXPECT_EQ(csv("x\n1,2\nhunter2,4\n5,6\n"),
            "line 2: the record has 2 fields and the header has 1");
  EXPECT_EQ(csv("x,y\n1\nhunter2\n3\n"), "line 2: the record has 1 field and the header has 2");
  EXPECT_EQ(csv("one\n\nx,y\nhunter2,2\n3,4\n"), "there is no column 'x'");
  EXPECT_EQ(csv("x\n\"hunter2\n"), "line 2: a quoted field has no closing quote");
  EXPECT_EQ(csv("x,y\n1,\"hunter2\"z\n"), "line 2: something follows the closing quote of a field");
}

TEST_F(BadSourceTest, RowThatIsRaggedFarDownIsRefused) {
  std::string text = "x,y\n";
  for (int i = 0; i < 300'000; ++i) text += "1,2\n";
  EXPECT_EQ(csv(text), "answered 300000");
  EXPECT_EQ(csv(text + "hunter2\n" + "1,2\n"),
            "line 300002: the record has 1 field and the header has 2");
}

TEST_F(BadSourceTest, WrongEncodingsAreRefused) {
  std::string utf16 = "\xff\xfe";
  for (const char c : std::string("x\n1\nhunter2\n")) utf16 += {c, '\0'};
  EXPECT_EQ(csv(utf16), "line 1: the file is UTF-16");
  std::string big_endian = "\xfe\xff";
  for (const char c : std::string("x\n1\nhunter2\n")) big_endian += {'\0', c};
  EXPECT_EQ(csv(big_endian), "line 1: the file is UTF-16");
  EXPECT_EQ(csv("x\nhunter2 caf\xe9\n"), "line 2: there are bytes that are not UTF-8");
  EXPECT_EQ(csv("x\nhunter2\xc0\x80\n"), "line 2: there are bytes that are not UTF-8");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": \"hunter2 caf\xe9\"}\n"),
            "line 2: a byte is not part of a character in UTF-8");
}

TEST_F(BadSourceTest, FieldOfHundredMillionCharactersIsRefused) {
  const std::string field(100'000'000, '7');
  EXPECT_EQ(csv("x\n1\n" + field + "\n"), "line 3: a record is longer than 16 MiB");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": \"" + field + "\"}\n"),
            "line 2: a record is longer than 16 MiB");
}

TEST_F(BadSourceTest, FieldsThatAreNoNumbersAreMissing) {
  EXPECT_EQ(csv("x\n1e309\n-1e309\nnan\nhunter2\n0x10\n\n 3 \n"), "answered 3");
  EXPECT_EQ(json("{\"x\": 1e308}\n{\"x\": true}\n{\"x\": [1]}\n{\"x\": null}\n{\"y\": 1}\n"
                 "{\"x\": \"2\"}\n{}\n"),
            "answered 2");
}

TEST_F(BadSourceTest, RowsWithoutAUnitAreLeftOut) {
  const std::string unit = "{ id = 'id', max_rows_per_group = 1 }";
  EXPECT_EQ(csv("id,x\na,1\n,2\n,3\nb,4\na,5\n\"\",6\n", unit), "answered 3");
}

TEST_F(BadSourceTest, JsonThatIsNoListOfObjectsIsRefused) {
  EXPECT_EQ(json("[]"), "has no columns");
  EXPECT_EQ(json("[1, 2]"), "line 1: a record is not a JSON object");
  EXPECT_EQ(json("{}\n{\"x\": 1}\n"), "has no columns");
  EXPECT_EQ(json("hunter2"), "line 1: a record is not a JSON object");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": \"hunter2\n"), "line 2: a string has no closing quote");
  EXPECT_EQ(json("{\"x\": 1, \"x\": \"hunter2\"}\n"), "line 1: a record has a key twice");
  EXPECT_EQ(json("[{\"x\": 1}, {\"x\": \"hunter2\"}"),
            "line 1: an array has neither a comma nor its end here");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": 2}\n3\n"), "line 3: a record is not a JSON object");
  EXPECT_EQ(json("{\"x\": 1}\nnull\n"), "line 2: a record is not a JSON object");
  EXPECT_EQ(json("{\"x\": 1}\n{\"x\": \"\\ud800\"}\n"),
            "line 2: a string has a backslash that starts no valid escape");
}

TEST_F(BadSourceTest, ColumnsOfJsonAreTheKeysOfTheFirstObject) {
  EXPECT_EQ(json("{\"y\": 1}\n{\"x\": 2}\n"), "there is no column 'x'");
  EXPECT_EQ(json("{\"x\": null, \"y\": 1}\n{\"x\": 2}\n"), "answered 1");
  EXPECT_EQ(json("{\"X\": null, \"x\": 1}\n{\"X\": 2}\n"), "answered 1");
}

TEST_F(BadSourceTest, WhatIsNoFileIsRefused) {
  const auto source = [&](const std::string& path) {
    return release("{ path = '" + path + "', format = 'csv' }");
  };
  EXPECT_EQ(source("none"), "does not exist or cannot be reached");
  EXPECT_EQ(source("."), "is not a regular file");
  EXPECT_EQ(source("/dev/zero"), "is not a regular file");
  ASSERT_EQ(mkfifo(scratch_.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(source("pipe"), "is not a regular file");
  std::filesystem::create_symlink("none", scratch_.path("dangling"));
  EXPECT_EQ(source("dangling"), "does not exist or cannot be reached");
  std::filesystem::create_symlink("loop", scratch_.path("loop"));
  EXPECT_EQ(source("loop"), "does not exist or cannot be reached");
}

TEST_F(BadSourceTest, LinkLeadsToOneFileAndToNoOther) {
  scratch_.write("first.csv", "x\n1\n");
  const std::string other = scratch_.write("second.csv", "x\n1\n2\n").string();
  const std::filesystem::path link = scratch_.path("link.csv");
  std::filesystem::create_symlink("first.csv", link);
  EXPECT_EQ(release("'link.csv'"), "answered 1");
  LockedEngine engine({link, FileFormat::kCsv, ',', {""}, ""});
  std::filesystem::remove(link);
  std::filesystem::create_symlink("second.csv", link);
  EXPECT_TRUE(engine.refuses("FROM read_csv('" + link.string() + "')"));
  EXPECT_TRUE(engine.refuses("FROM read_csv('" + other + "')"));
  EXPECT_TRUE(engine.refuses("FROM read_csv('" + scratch_.path("first.csv").string() + "')"));
}

TEST_F(BadSourceTest, FileThatMayNotBeReadIsRefused) {
  if (getuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  const auto file = scratch_.write("secret.csv", "x\n1\n");
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    bool refused = false;
    try {
      if (chmod(file.parent_path().c_str(), 0755) != 0 || setuid(kNobody) != 0) _exit(2);
      LockedEngine({file, FileFormat::kCsv, ',', {""}, ""});
    } catch (const Error& error) {
      refused = error.problem() == "may not be read";
    }
    _exit(refused ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(BadSourceTest, FileThatChangesWhileItIsReadIsNoticed) {
  const auto changed = [&](const std::function<void(const std::filesystem::path&)>& change) {
    const auto file = scratch_.write("d.csv", "x\n1\n");
    const LockedEngine engine({file, FileFormat::kCsv, ',', {""}, ""});
    engine.require_unchanged();
    change(file);
    try {
      engine.require_unchanged();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      return error.problem() == "changed while it was read";
    }
    return false;
  };
  EXPECT_TRUE(changed([](const auto& file) { std::ofstream(file, std::ios::app) << "2\n"; }));
  EXPECT_TRUE(changed([](const auto& file) { std::filesystem::remove(file); }));
  EXPECT_TRUE(changed([&](const auto& file) {
    std::filesystem::rename(scratch_.write("new.csv", "x\n2\n"), file);
  }));
}

TEST_F(BadSourceTest, OnlyPlainTablesOfADatabaseFileAreRead) {
  const auto secret = scratch_.write("secret.csv", "x\n1\n").string();
  unlocked(scratch_.path("d.duckdb"),
           "CREATE TABLE t(x DOUBLE, generated INTEGER DEFAULT 5, j JSON); "
           "INSERT INTO t(x) VALUES (1), (2); "
           "CREATE VIEW inside AS FROM t; CREATE VIEW outside AS FROM read_csv('" +
               secret + "'); CREATE TABLE made(x DOUBLE, y DOUBLE GENERATED ALWAYS AS (x + 1))");
  const auto table = [&](const std::string& name) {
    return release("{ path = 'd.duckdb', table = '" + name + "' }");
  };
  EXPECT_EQ(table("t"), "answered 2");
  EXPECT_EQ(table("inside"), "'inside' is a view");
  EXPECT_EQ(table("outside"), "'outside' is a view");
  EXPECT_EQ(table("made"), "'made' has a generated column");
  EXPECT_EQ(table("T"), "has no table 'T'");
  EXPECT_EQ(table("duckdb_tables"), "has no table 'duckdb_tables'");
}

TEST_F(BadSourceTest, ParquetThatIsNoneIsRefused) {
  scratch_.write("d.parquet", "PAR1hunter2PAR1");
  EXPECT_EQ(release("'d.parquet'"), "is damaged: its footer has no room in it");
  const std::string file = scratch_.path("p.parquet").string();
  unlocked("COPY (SELECT range::DOUBLE AS x FROM range(100000)) TO '" + file +
           "' (FORMAT parquet, ROW_GROUP_SIZE 2048)");
  EXPECT_EQ(release("'p.parquet'"), "answered 100000");
  // A damaged page, with an intact end.
  std::fstream damage(file, std::ios::in | std::ios::out | std::ios::binary);
  damage.seekp(100);
  damage << std::string(20'000, '\x7f');
  damage.close();
  EXPECT_EQ(release("'p.parquet'"),
            "is damaged: the pages of column 'x' do not add up to what the file says");
}

// Fields become doubles on every thread that takes part, this one among them.
TEST_F(BadSourceTest, OtherRoundingModesAreRefusedBeforeAndAfterTheSourceIsOpened) {
  scratch_.write("d.csv", "x\n0.3\n");
  DataSource source;
  source.path = scratch_.path("d.csv");
  LockedEngine opened(source, {});
  const auto code = [](const auto& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::kInternal;
  };
  for (const int mode : testing::kOtherRoundingModes) {
    const auto open = [&] { LockedEngine(source, {}); };
    EXPECT_EQ(testing::in_mode(mode, [&] { return code(open); }), ErrorCode::kNotSupported) << mode;
    const auto ask = [&] { opened.refuses("SELECT 1"); };
    EXPECT_EQ(testing::in_mode(mode, [&] { return code(ask); }), ErrorCode::kNotSupported) << mode;
  }
  EXPECT_FALSE(opened.refuses("SELECT 1"));
}

}  // namespace bad_source_test
}  // namespace lastbit
