// Sources as they come: in several files, compressed, without a header, in other encodings and
// notations. All must give the answers of the same rows in one plain file, and refusals come before
// anything is spent.
#include <gtest/gtest.h>

#include <string>

#include "lastbit/base/test_support.h"
#include "lastbit/engines/duckdb/duckdb_engine.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/numerics/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/run.h"
#include "lastbit/sources/test_support.h"

namespace lastbit {
namespace source_forms_test {

using engine::Scratch;

class SourceFormsTest : public ::testing::Test {
 protected:
  // The number of rows, the sum of x of all persons, and the number of persons, of whom one row
  // counts; or the problem.
  std::string answer(const std::string& source, const std::string& more = "") {
    const auto file =
        scratch_.write("r.toml", "version = 1\nsource = " + source +
                                     "\nunit = { id = 'id', max_rows_per_group = 9 }\n"
                                     "budget = { epsilon = 1, ledger = 'l' }\n[columns]\n"
                                     "x = { type = 'integer', lower = 0, upper = 100000 }\n" +
                                     more + "[[statistics]]\nkind = 'sum'\ncolumn = 'x'\n" +
                                     "[[statistics]]\nkind = 'count'\nmax_rows_per_group = 1\n");
    BitSource bits = testing::seeded_tape(1);
    try {
      const ReleasePlan plan = plan_file(file, DuckDbEngine());
      const ExactAnswers exact = aggregate_source(plan, DuckDbEngine(), bits, {});
      std::string text;
      for (const auto& answers : exact) {
        for (const auto& group : answers) {
          for (const auto& entries : group.entries) {
            for (const Integer& entry : entries) text += entry.to_string() + " ";
          }
        }
      }
      return text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      return error.problem() + "; " + error.remedy();
    }
  }
  void zip(const std::string& name, const std::string& text) {
    scratch_.write(name, source::stored_gzip(text));
  }
  std::string plain() {
    scratch_.write("plain.csv", "id,x\na,1\nb,2\na,3\nc,1500\n");
    return answer("'plain.csv'");
  }

  Scratch scratch_;
};

TEST_F(SourceFormsTest, SeveralFilesHoldTheRowsOfOne) {
  scratch_.write("part-1.csv", "id,x\na,1\nb,2\n");
  scratch_.write("part-2.csv", "id,x\n");
  scratch_.write("part-3.csv", "id,x\na,3\nc,1500");
  scratch_.write(".part-4.csv", "not,a,part\n");
  const std::string expected = plain();
  EXPECT_EQ(answer("'part-*.csv'"), expected);
  EXPECT_EQ(answer("'part-?.csv'"), expected);
  EXPECT_EQ(answer("['part-3.csv', 'part-1.csv']"), expected);
  zip("part-5.csv.gz", "id,x\na,3\nc,1500\n");
  EXPECT_EQ(answer("{ path = ['part-1.csv', 'part-5.csv.gz'], format = 'csv' }"), expected);
  scratch_.write("a.json", R"([{"id": "a", "x": 1}, {"id": "b", "x": 2}])");
  scratch_.write("b.json", "{\"id\": \"a\", \"x\": 3}\n{\"x\": 15e2, \"id\": \"c\"}\n");
  EXPECT_EQ(answer("['a.json', 'b.json']"), expected);
}

TEST_F(SourceFormsTest, FilesThatAreNoOneSourceAreRefused) {
  scratch_.write("a.csv", "id,x\na,1\n");
  scratch_.write("b.csv", "id,y\na,1\n");
  scratch_.write("c.csv", "id,x,y\na,1,2\n");
  const std::string remedy =
      "; give all files the same header; for files without one, write `names` in [source]";
  const std::string first = "'" + scratch_.path("a.csv").string() + "'";
  EXPECT_EQ(answer("['a.csv', 'b.csv']"),
            "has other columns than " + first + ": column 2 is not 'x'" + remedy);
  EXPECT_EQ(answer("['a.csv', 'c.csv']"), "has more columns than " + first + remedy);
  EXPECT_EQ(answer("['a.csv', './a.csv']").substr(0, 20), "is the same file as ");
  std::filesystem::create_symlink(scratch_.path("a.csv"), scratch_.path("al.csv"));
  EXPECT_EQ(answer("'a*.csv'").substr(0, 20), "is the same file as ");
  EXPECT_EQ(answer("'z*.csv'"), "matches no file; check the pattern; hidden files match none");
  scratch_.write("e1.csv", "id,x\na,1\n");
  scratch_.write("e2.csv", "id,x\na,1\nb\n");
  EXPECT_EQ(answer("'e*.csv'").substr(0, 51),
            "line 3: the record has 1 field and the header has 2");
}

TEST_F(SourceFormsTest, FilesMayComeInOtherForms) {
  const std::string expected = plain();
  const std::string rows = "id,x\na,1\nb,2\na,3\nc,1500\n";
  zip("z.csv.gz", rows);
  EXPECT_EQ(answer("'z.csv.gz'"), expected);
  zip("z.json.gz", R"([{"id": "a", "x": 1}, {"id": "b", "x": 2}, {"id": "a", "x": 3},
                       {"id": "c", "x": 1500}])");
  EXPECT_EQ(answer("'z.json.gz'"), expected);
  scratch_.write("n.csv", rows.substr(5));
  EXPECT_EQ(answer("{ path = 'n.csv', names = ['id', 'x'] }"), expected);
  scratch_.write("none.csv", "");
  EXPECT_EQ(answer("{ path = ['none.csv', 'n.csv'], names = ['id', 'x'] }"), expected);
  EXPECT_EQ(answer("{ path = 'n.csv', names = ['id', 'x', 'y'] }").substr(0, 52),
            "line 1: the record has 2 fields and `names` has 3; c");
  scratch_.write("g.csv", "a;1,0\n'b';2\na;'3'\nc;1.500,00\n");
  EXPECT_EQ(answer("{ path = 'g.csv', quote = \"'\", delimiter = ';', decimal = ',', "
                   "thousands = '.', names = ['id', 'x'] }"),
            expected);
  scratch_.write("l.csv", "id,x,\xe9\na,1,\xe9\nb,2,\na,3,\nc,1500,\n");
  EXPECT_EQ(answer("{ path = 'l.csv', encoding = 'latin-1' }"), expected);
  EXPECT_EQ(answer("'l.csv'").substr(0, 42), "line 1: there are bytes that are not UTF-8");
}

TEST_F(SourceFormsTest, ConditionsSeeFieldsAsTheyAreWritten) {
  scratch_.write("d.csv",
                 "id,x,day,ok\na,1,01.03.2026,ja\nb,2,02.03.2026,nein\nc,4,2026-03-01,1\n");
  const std::string source =
      "{ path = 'd.csv', date_format = '%d.%m.%Y', true_text = 'ja', false_text = 'nein' }";
  const std::string columns = "day = { type = 'date' }\nok = { type = 'boolean' }\n";
  const std::string all = answer(source, columns);
  scratch_.write("two.csv", "id,x\na,1\nb,2\n");
  const std::string two = answer("'two.csv'");
  EXPECT_NE(all, two);
  const auto where = [&](const std::string& condition) {
    return answer(source + "\nwhere = \"" + condition + "\"", columns);
  };
  EXPECT_EQ(where("day IS NOT NULL"), two);
  EXPECT_EQ(where("ok OR NOT ok"), two);
  EXPECT_EQ(where("day <= DATE '2026-03-02'"), two);
}

TEST_F(SourceFormsTest, FilesThatComeOrChangeWhileReadingAreRefused) {
  scratch_.write("p1.csv", "id,x\na,1\n");
  engine::DataSource source;
  source.path = scratch_.path("p*.csv");
  const engine::LockedEngine before(source);
  EXPECT_NO_THROW(before.require_unchanged());
  scratch_.write("p2.csv", "id,x\na,1\n");
  expect_code(ErrorCode::kBadInput, [&] { before.require_unchanged(); });
  const engine::LockedEngine after(source);
  scratch_.write("p2.csv", "id,x\na,1\nb,1\n");
  expect_code(ErrorCode::kBadInput, [&] { after.require_unchanged(); });
}

}  // namespace source_forms_test
}  // namespace lastbit
