#include "lastbit/query/parse_release.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "lastbit/query/test_support.h"

namespace lastbit {
namespace {

// The first lines of a good file, one statistic left to add. Statistics begin in line 10.
const std::string kHead =
    "version = 1\n"
    "source = 's.csv'\n"
    "unit = 'row'\n"
    "budget = { epsilon = 1, ledger = 'l' }\n"
    "[columns]\n"
    "income = { type = 'integer', lower = 0, upper = 100 }\n"
    "age = { type = 'real', lower = 0, upper = 120 }\n"
    "region = { keys = ['n', 's'] }\n"
    "\n";

Statistic only_statistic(const std::string& body) {
  const ReleaseFile release = parse_release(kHead + "[[statistics]]\n" + body, "f.toml");
  EXPECT_EQ(release.statistics.size(), 1U);
  return release.statistics.front();
}

TEST(ParseReleaseTest, ShortFileHasEverythingFilledIn) {
  const ReleaseFile release =
      parse_release(text_of_file("examples/releases/regions.toml"), "r.toml");
  EXPECT_EQ(release.filename, "r.toml");
  EXPECT_EQ(release.source.path.value, "survey.csv");
  EXPECT_EQ(release.source.format.value, SourceFormat::kCsv);
  EXPECT_EQ(release.source.delimiter, ',');
  EXPECT_EQ(release.source.nulls, std::vector<std::string>{""});
  EXPECT_TRUE(std::holds_alternative<RowUnit>(release.unit));
  EXPECT_EQ(release.budget.cap.value, Cost::pure(1));
  EXPECT_EQ(release.budget.accounting, LossKind::kPure);
  EXPECT_EQ(release.budget.ledger.value, "survey.ledger");
  ASSERT_EQ(release.statistics.size(), 2U);
  EXPECT_EQ(release.statistics[0].name.value, "count_by_region");
  const Statistic& mean = release.statistics[1];
  EXPECT_EQ(mean.name.value, "mean_income_by_region");
  const auto& column = std::get<MeanStatistic>(mean.kind).column;
  EXPECT_EQ(column.lower.value, Rational(0));
  EXPECT_EQ(column.upper.value, Rational(200'000));
  EXPECT_FALSE(column.column.impute);
  EXPECT_EQ(mean.share, BudgetShare{});
  EXPECT_EQ(mean.confidence.value, Rational(19, 20));
  EXPECT_EQ(mean.max_rows_per_group, 1);
  EXPECT_EQ(release.find_column("region")->type->value, FieldType::kText);
  const auto keys = group_keys(release, mean);
  ASSERT_EQ(keys.size(), 1U);
  EXPECT_EQ(std::get<0>(keys[0].keys).size(), 4U);
}

TEST(ParseReleaseTest, ShortFileIsShort) {
  const std::string text = text_of_file("examples/releases/regions.toml");
  EXPECT_LE(std::ranges::count(text, '\n'), 18);
}

TEST(ParseReleaseTest, EveryExampleIsAccepted) {
  for (const std::string& file : example_files()) {
    EXPECT_EQ(verdict(text_of_file(file)), "accepted") << file;
  }
}

TEST(ParseReleaseTest, CensusExampleSaysWhatItShould) {
  const ReleaseFile release = parse_release(text_of_file("examples/releases/fulton.toml"), "f");
  ASSERT_EQ(release.statistics.size(), 9U);
  EXPECT_EQ(release.title, "Fulton county, 5 % sample");
  const auto groups = group_keys(release, release.statistics[0]);
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].columns, (std::vector<std::string>{"sex", "married"}));
  EXPECT_EQ(std::get<0>(groups[0].keys)[2],
            (std::vector<KeyValue>{std::int64_t{1}, std::int64_t{1}}));
  EXPECT_EQ(release.statistics[0].share.value, Rational(2));
  EXPECT_EQ(release.statistics[1].share.kind, ShareKind::kEpsilon);
  EXPECT_EQ(release.statistics[1].share.value, Rational(1, 10));
  const auto& mean = std::get<MeanStatistic>(release.statistics[2].kind).column;
  EXPECT_EQ(mean.upper.value, Rational(100'000));
  EXPECT_EQ(std::get<Rational>(mean.column.impute->value), Rational(0));
  EXPECT_EQ(release.statistics[5].share.kind, ShareKind::kAccuracy);
  const auto& educ = std::get<CategoryStatistic>(release.statistics[5].kind);
  EXPECT_EQ(std::get<KeyRange>(educ.categories), (KeyRange{1, 16}));
  EXPECT_EQ(std::get<BinStatistic>(release.statistics[6].kind).edges.size(), 11U);
  EXPECT_EQ(std::get<QuantileStatistic>(release.statistics[7].kind).levels[0], Rational(1, 10));
  EXPECT_EQ(std::get<TopStatistic>(release.statistics[8].kind).k, 3);
}

TEST(ParseReleaseTest, UserLevelExampleBoundsContributions) {
  const ReleaseFile release = parse_release(text_of_file("examples/releases/visits.toml"), "f");
  EXPECT_EQ(std::get<IdUnit>(release.unit).column.value, "VisitorId");
  EXPECT_EQ(release.statistics[0].max_groups, 3);
  EXPECT_EQ(release.statistics[1].max_groups, 1);
  EXPECT_EQ(release.statistics[3].max_rows_per_group, 3);
  EXPECT_EQ(release.statistics[3].discover->delta.value, rational("5e-7"));
  EXPECT_EQ(release.statistics[3].discover->threshold->value, 20);
  EXPECT_EQ(release.budget.cap.value, Cost::approximate(1, rational("1e-6")));
  const auto& stays = std::get<CategoryStatistic>(release.statistics[3].kind);
  EXPECT_TRUE(std::holds_alternative<DiscoveredKeys>(stays.categories));
}

TEST(ParseReleaseTest, ParquetLeavesTypesToTheData) {
  const ReleaseFile release = parse_release(text_of_file("examples/releases/labour.toml"), "f");
  EXPECT_FALSE(release.find_column("hours")->type);
  EXPECT_EQ(release.find_column("person"), nullptr);
  EXPECT_EQ(release.budget.cap.value, Cost::concentrated(Rational(1, 8)));
  const auto by_week = group_keys(release, release.statistics[1]);
  EXPECT_EQ(std::get<0>(by_week[0].keys)[0][0], KeyValue(Date{2025, 10, 6}));
  const auto by_work = group_keys(release, release.statistics[0]);
  EXPECT_EQ(std::get<0>(by_work[0].keys).size(), 2U);
  const auto& hours = std::get<MeanStatistic>(release.statistics[1].kind).column;
  EXPECT_EQ(std::get<Rational>(hours.column.impute->value), Rational(75, 2));
}

TEST(ParseReleaseTest, NumbersAreThoseWritten) {
  const std::vector<std::pair<std::string, Rational>> cases = {
      {"0.1", Rational(1, 10)},
      {"+0.1", Rational(1, 10)},
      {"1e-1", Rational(1, 10)},
      {"1_0.0_5e-2", Rational(201, 2000)},
      {"0.30000000000000004", rational("0.30000000000000004")},
      {"0.1000000000000000055511151231257827", rational("0.1000000000000000055511151231257827")},
      {"1E-20", rational("1e-20")},
      {"0x10", Rational(16)},
      {"0b101", Rational(5)},
      {"'1/3'", Rational(1, 3)},
      {"'0x1p-10'", Rational(1, 1024)},
      {"\"0.1\"", Rational(1, 10)}};
  for (const auto& [text, value] : cases) {
    const std::string statistic = "kind = 'count'\nweight = " + text;
    EXPECT_EQ(only_statistic(statistic).share.value, value) << text;
    // Also at the end of the file, behind characters of several bytes, and in a list.
    EXPECT_EQ(
        only_statistic("kind = 'count'\nname = 'ÄÖ€𝄞'\nweight = " + text + " # é\n").share.value,
        value);
    const Statistic bins = only_statistic(
        "kind = 'histogram'\ncolumn = 'age'\nname='é'\nbins = [-1, # é\n 0,\t" + text + ", 1e6]");
    EXPECT_EQ(std::get<BinStatistic>(bins.kind).edges[2], value) << text;
  }
}

TEST(ParseReleaseTest, NumbersInOneLineWithWideCharactersAreThoseWritten) {
  std::string line = "budget = { ledger = 'ä', 'epsilon' = 0.3 }\n";
  const ReleaseFile release =
      parse_release("\xef\xbb\xbfversion = 1\r\nsource='s.csv'\r\nunit='row'\r\n" + line +
                        "[[statistics]]\r\nkind='count'\r\n",
                    "f.toml");
  EXPECT_EQ(release.budget.cap.value, Cost::pure(Rational(3, 10)));
  EXPECT_EQ(release.budget.cap.position.line, 4U);
  EXPECT_EQ(release.budget.cap.position.column, 38U);
}

TEST(ParseReleaseTest, PositionsPointAtValues) {
  const ReleaseFile release = parse_release(
      kHead + "[[statistics]]\nkind = 'sum'\n  column = 'income'\nby = ['region']\n", "f");
  const Statistic& sum = release.statistics[0];
  EXPECT_EQ(sum.position.line, 10U);
  EXPECT_EQ(sum.by[0].position.line, 13U);
  EXPECT_EQ(sum.by[0].position.column, 7U);
  const auto& name = std::get<SumStatistic>(sum.kind).column.column.name;
  EXPECT_EQ(name.position.line, 12U);
  EXPECT_EQ(name.position.column, 12U);
  EXPECT_EQ(release.columns[0].name.position.line, 6U);
}

TEST(ParseReleaseTest, OrderOfStatisticsAndColumnsIsThatOfTheFile) {
  const ReleaseFile release = parse_release(text_of_file("examples/releases/fulton.toml"), "f");
  EXPECT_EQ(release.columns[0].name.value, "age");
  EXPECT_EQ(release.columns[4].name.value, "married");
  EXPECT_EQ(release.statistics[4].name.value, "covariance_age_income");
}

struct BadFile {
  std::string what;
  std::string text;
  std::string message;
};

// In a statistic that follows kHead; its first key is in line 11.
BadFile bad_statistic(std::string body, std::string message) {
  return {body, kHead + "[[statistics]]\n" + body, "f.toml:" + message};
}
// With one line of kHead replaced by another.
BadFile bad_head(const std::string& line, const std::string& instead, std::string message) {
  std::string text = kHead + "[[statistics]]\nkind = 'count'\n";
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  text.replace(at, line.size(), instead);
  return {instead, text, "f.toml:" + message};
}

std::vector<BadFile> bad_heads() {
  const std::string budget = "budget = { epsilon = 1, ledger = 'l' }";
  const std::string source = "source = 's.csv'";
  const std::string unit = "unit = 'row'";
  const std::string region = "region = { keys = ['n', 's'] }";
  return {
      bad_head("version = 1", "",
               "1:1: the file lacks `version`; write version = 1 in the first line"),
      bad_head("version = 1", "version = 2",
               "1:11: the file is of version 2; this lastbit reads version 1"),
      bad_head("version = 1", "version = '1.5'",
               "1:11: `version` is not a whole number; write a whole number"),
      bad_head("version = 1", "version = 1\ntitel = 'x'",
               "2:1: the file has no key `titel`; did you mean `title`?"),
      bad_head(source, "", "1:1: the file lacks `source`; write source = \"survey.csv\""),
      bad_head(source, "source = 3",
               "2:10: `source` is a number; write a path, or a table [source]"),
      bad_head(source, "source = 's.dat'",
               "2:10: the end of `path` does not tell the format; add `format`: csv, tsv, parquet, "
               "json or duckdb"),
      bad_head(source, "source = 'https://x.org/s.csv'",
               "2:10: `path` is a URL; name a file on this machine"),
      bad_head(source, "source = '*.csv'",
               "2:10: `path` is a pattern; name one file, without any of * ? ["),
      bad_head(source, "source = ''",
               "2:10: `path` is empty, longer than 200 bytes or has control characters; write one "
               "short line"),
      bad_head(source, "source = { path = 's', format = 'cvs' }",
               "2:33: `format` cannot be 'cvs'; did you mean `csv`?"),
      bad_head(source, "source = { pth = 's.csv' }",
               "2:12: a source of format csv has no key `pth`; did you mean `path`?"),
      bad_head(source, "source = { path = 's.duckdb' }",
               "2:1: a source of format duckdb lacks `table`; write table = \"survey\", the table "
               "in the file"),
      bad_head(source, "source = { path = 's.csv', table = 't' }",
               "2:28: `table` does not go with a source of format csv; remove it"),
      bad_head(source, "source = { path = 's.csv', delimiter = ';;' }",
               "2:40: `delimiter` is not one character between fields; write \",\" or \";\" or "
               "\"|\" or \"\\t\""),
      bad_head(source, "source = { path = 's.csv', null_text = ['', ''] }",
               "2:45: `null_text` is not a list of different short texts; write null_text = [\"\", "
               "\"NA\"]"),
      bad_head(source, "source = { path = 's.csv', null_text = [] }",
               "2:40: `null_text` is a list; write a text, or a list of texts"),
      bad_head(unit, "unit = true",
               "3:8: `unit` is a truth value; write \"row\", or a table [unit]"),
      bad_head(unit, "unit = { id = 'p' }",
               "3:1: `unit` lacks `max_rows_per_group`; write max_rows_per_group = 1, how many "
               "rows of a unit are used in a group"),
      bad_head(unit, "unit = { id = 'p', max_rows_per_group = 0 }",
               "3:41: `max_rows_per_group` is 0; write a whole number from 1 to 1000000000"),
      bad_head(unit, "unit = { id = 'p', max_rows = 2 }",
               "3:20: `unit` has no key `max_rows`; did you mean `max_rows_per_group`?"),
      bad_head(budget, "",
               "1:1: the file lacks `budget`; write budget = { epsilon = 1, ledger = "
               "\"survey.ledger\" }"),
      bad_head(budget, "budget = { epsilon = 1 }",
               "4:1: `budget` lacks `ledger`; write ledger = \"survey.ledger\", the file that "
               "remembers what was spent"),
      bad_head(budget, "budget = { ledger = 'l' }",
               "4:1: `budget` lacks `epsilon`; write epsilon = 1, the most that may be lost"),
      bad_head(budget, "budget = { epsilon = 0, ledger = 'l' }",
               "4:22: `epsilon` is 0; write a number above 0"),
      bad_head(budget, "budget = { epsilon = -0.5, ledger = 'l' }",
               "4:22: `epsilon` is -0.5; write a number above 0"),
      bad_head(budget, "budget = { epsilon = nan, ledger = 'l' }",
               "4:22: `epsilon` is not finite; write a finite number"),
      bad_head(budget, "budget = { epsilon = -inf, ledger = 'l' }",
               "4:22: `epsilon` is not finite; write a finite number"),
      bad_head(budget, "budget = { epsilon = 2024-01-01, ledger = 'l' }",
               "4:22: `epsilon` is a date; write a number, as in 0.5 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = 12:00:00, ledger = 'l' }",
               "4:22: `epsilon` is a time; write a number, as in 0.5 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = '1/0', ledger = 'l' }",
               "4:22: `epsilon` is '1/0', which is no number of up to 300 digits; write a number, "
               "as in 0.5, 1e-6 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = '1e301', ledger = 'l' }",
               "4:22: `epsilon` is '1e301', which is no number of up to 300 digits; write a "
               "number, as in 0.5, 1e-6 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = '1e20000000', ledger = 'l' }",
               "4:22: `epsilon` is '1e20000000', which is no number of up to 300 digits; write a "
               "number, as in 0.5, 1e-6 or \"1/3\""),
      bad_head(budget, "budget = { epsilon = 1, delta = 1, ledger = 'l' }",
               "4:33: `delta` is 1; write a number between 0 and 1, both excluded"),
      bad_head(budget, "budget = { epsilon = 1, delta = 0.0, ledger = 'l' }",
               "4:33: `delta` is 0; write a number between 0 and 1, both excluded"),
      bad_head(budget, "budget = { epsilon = 1, rho = 1, ledger = 'l' }",
               "4:31: `rho` stands beside `epsilon` or `delta`; say how much may be lost in one "
               "way: rho, or epsilon, or epsilon and delta"),
      bad_head(budget, "budget = { epsilon = 1, accounting = 'concentrated', ledger = 'l' }",
               "4:38: `accounting` cannot be 'concentrated' with these losses; pure takes epsilon; "
               "approximate takes epsilon and delta; concentrated takes rho, or epsilon and delta"),
      bad_head(
          budget, "budget = { epsilon = 1, accounting = 'renyi', ledger = 'l' }",
          "4:38: `accounting` cannot be 'renyi'; use one of `pure`, `approximate`, `concentrated`"),
      bad_head(region, "region = 'text'",
               "8:10: `region` is a text; write a table, as in { type = \"integer\" }"),
      bad_head(region, "region = { tpye = 'text' }",
               "8:12: the column 'region' has no key `tpye`; did you mean `type`?"),
      bad_head(region, "region = { type = 'int' }",
               "8:19: `type` cannot be 'int'; did you mean `integer`?"),
      bad_head(region, "region = { keys = [] }",
               "8:19: `keys` is an empty list; list at least one key"),
      bad_head(region, "region = { keys = ['n', 's', 'n'] }",
               "8:30: this key is twice in `keys`; remove one"),
      bad_head(region, "region = { keys = ['n', 1] }",
               "8:25: the keys in `keys` are of different types; write all of them as texts, or "
               "all as whole numbers"),
      bad_head(region, "region = { keys = [1.5] }",
               "8:20: a key in `keys` is not a whole number; write a whole number"),
      bad_head(region, "region = { keys = { from = 2, to = 1 } }",
               "8:28: the range of `keys` is empty; let `from` be at most `to`"),
      bad_head(region, "region = { keys = { from = 1, to = 1000001 } }",
               "8:28: the range of `keys` is too long; a column has 1000000 keys at most"),
      bad_head(region, "region = { nulls = 'zero' }",
               "8:20: `nulls` is neither \"drop\" nor { impute = … }; write nulls = \"drop\" or "
               "nulls = { impute = 0 }"),
      bad_head(region, "region = { lower = 1, upper = 0.5 }",
               "8:31: `upper` = 0.5 is not above `lower` = 1; let `lower` be less than `upper`"),
      bad_head(region, "region = { keys = [true] }\nregion = {}",
               "9:10: the file is not TOML: 'Error while parsing key-value pair: cannot redefine "
               "existing table 'region''; docs/release-file.md shows a whole file"),
      bad_head("[columns]", "[keys.t]\ncolumns = ['a', 'b']\nrows = [['x']]\n[columns]",
               "7:9: a row of `t` has not one key for each column; write a list of 2 keys"),
      bad_head("[columns]", "[keys.t]\ncolumns = ['a', 'a']\nrows = [['x', 'y']]\n[columns]",
               "6:17: 'a' is twice in `columns`; remove one"),
      bad_head("[columns]", "[keys.t]\ncolumns = 'a'\nrows = [['x'], ['x']]\n[columns]",
               "7:16: this row is there twice; remove one"),
      bad_head("[columns]", "[keys.t]\ncolumns = 'a'\nrows = [['x'], [1]]\n[columns]",
               "7:17: the keys of this column are of different types; write all of them as texts, "
               "or all as whole numbers"),
  };
}

std::vector<BadFile> bad_statistics() {
  return {
      bad_statistic("", "10:1: a statistic lacks `kind`; write kind = \"count\""),
      bad_statistic("knd = 'count'", "11:1: a statistic has no key `knd`; did you mean `kind`?"),
      bad_statistic("kind = 'avg'",
                    "11:8: there is no kind `avg`; use one of `count`, `count_units`, `sum`, "
                    "`mean`, `variance`, `covariance`, `histogram`, `quantiles`, `top`"),
      bad_statistic("kind = 'sum'\ncolum = 'income'",
                    "12:1: the kind `sum` has no key `colum`; did you mean `column`?"),
      bad_statistic("kind = 'sum'",
                    "10:1: the kind `sum` lacks `column`; write column = \"income\""),
      bad_statistic("kind = 'sum'\ncolumn = ['income']",
                    "12:10: `column` is a list; write a text in quotes"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nbins = [0, 1]",
                    "13:1: `bins` does not go with the kind `sum`; remove it"),
      bad_statistic("kind = 'sum'\ncolumn = 'wealth'",
                    "12:10: `sum` of 'wealth' needs `lower` and `upper`; write the least and the "
                    "largest value that should count, from what is publicly known"),
      bad_statistic("kind = 'sum'\ncolumn = 'wealth'\nlower = 0\nupper = 1",
                    "12:10: nothing says whether 'wealth' holds integers or real numbers; add type "
                    "= \"integer\" or type = \"real\" to its entry in [columns]"),
      bad_statistic(
          "kind = 'sum'\ncolumn = 'income'\nlower = 100",
          "6:49: `upper` = 100 is not above `lower` = 100; let `lower` be less than `upper`"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nupper = 10.5",
                    "13:9: the bound 10.5 is not a whole number of 64 bits, but 'income' holds "
                    "such; write whole bounds, or type = \"real\""),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nnulls = { impute = 101 }",
                    "13:20: `impute` is not a number between the bounds 0 and 100; impute a number "
                    "within the bounds"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nnulls = { impute = 0.5 }",
                    "13:20: `impute` does not fit 'income', which holds integer; impute a value of "
                    "type integer"),
      bad_statistic("kind = 'sum'\ncolumn = 'income'\nnulls = { impute = true }",
                    "13:20: `impute` is not a number between the bounds 0 and 100; impute a number "
                    "within the bounds"),
      bad_statistic("kind = 'mean'\ncolumn = 'region'\nlower = 0\nupper = 1",
                    "12:10: 'region' holds text, and numbers are needed; use another column, or "
                    "declare its type as integer or real"),
      bad_statistic("kind = 'count'\nby = 'age'",
                    "12:6: nothing says which values of 'age' are public; list them as `keys` of "
                    "the column, or add discover = { delta = 1e-8 }"),
      bad_statistic("kind = 'count'\nby = 'region'\ndiscover = { delta = 0.1 }",
                    "13:1: `discover` has nothing to discover: all keys are public; remove it, or "
                    "the keys that are listed"),
      bad_statistic("kind = 'count'\nby = 'town'\ndiscover = { delta = 0.1 }",
                    "13:22: discovering keys needs a delta, and the budget has none; add `delta` "
                    "beside `epsilon` in the budget, or list the keys"),
      bad_statistic("kind = 'count'\nby = 'town'\ndiscover = { threshold = 5 }",
                    "13:12: `discover` lacks `delta`; write discover = { delta = 1e-8 }"),
      bad_statistic("kind = 'count'\nby = ['region', 'region']",
                    "12:17: 'region' is twice in `by`; remove one"),
      bad_statistic("kind = 'count'\nby = []",
                    "12:6: `by` is a list; write a text, or a list of texts"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = 'places'",
                    "13:8: there is no table [keys.places]; add it, with `columns` and `rows`"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = "
                    "'place'\n[keys.places]\ncolumns='region'\nrows=[['n']]",
                    "13:8: there is no table [keys.place]; did you mean `places`?"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = "
                    "'places'\n[keys.places]\ncolumns='town'\nrows=[['n']]",
                    "13:8: `places` holds keys of 'town', which is not in `by`; add the column to "
                    "`by`, or use another table"),
      bad_statistic("kind = 'count'\nby = 'region'\nkeys = ['a', 'b']\n[keys]\na = "
                    "{columns='region', rows=[['n']]}\nb = {columns='region', rows=[['n']]}",
                    "13:14: two tables hold keys of 'region'; remove one"),
      bad_statistic(
          "kind = 'count_units'",
          "10:1: `count_units` counts persons, and here each has one row; write kind = \"count\""),
      bad_statistic("kind = 'count'\nmax_groups = 2",
                    "12:1: `max_groups` does not go with the kind `count`; remove it"),
      bad_statistic("kind = 'count'\nepsilon = 0.5\nweight = 1",
                    "12:1: `epsilon` stands beside `weight`; keep one: a loss (epsilon or rho), a "
                    "weight, or an accuracy"),
      bad_statistic("kind = 'count'\nepsilon = 0", "12:11: `epsilon` is 0; write a number above 0"),
      bad_statistic("kind = 'count'\nrho = 1",
                    "12:1: `rho` is asked of a budget that counts epsilons; write `epsilon`, or "
                    "let the budget be concentrated"),
      bad_statistic("kind = 'count'\nepsilon = 1.5",
                    "12:11: the losses up to here are 1.5, more than the budget's 1; ask for less, "
                    "or raise the budget"),
      bad_statistic("kind = 'count'\nconfidence = 1",
                    "12:14: `confidence` is 1; write a number between 0 and 1, both excluded"),
      bad_statistic("kind = 'count'\nname = \"a\\nb\"",
                    "12:8: `name` is empty, longer than 200 bytes or has control characters; write "
                    "one short line"),
      bad_statistic(
          "kind = 'covariance'\ncolumns = ['age']",
          "12:11: a covariance is one of two columns; write columns = [\"age\", \"income\"]"),
      bad_statistic("kind = 'covariance'\ncolumns = ['age', 'age']",
                    "12:19: 'age' is twice in `columns`; remove one"),
      bad_statistic(
          "kind = 'covariance'\ncolumns = ['age', 'income']\nlower = 0",
          "13:9: `lower` is not a list of two numbers; write one for each column, as in [0, 18]"),
      bad_statistic("kind = 'histogram'\ncolumn = 'town'",
                    "12:10: nothing says which values of 'town' are public; list them as "
                    "`categories`, or as `keys` of the column, or add discover = { delta = 1e-8 }"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'age'\nbins = [0, 2, 2]",
          "13:15: `bins` does not increase here; list the numbers in increasing order, each once"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\nbins = [0]",
                    "13:8: `bins` has one edge; list two edges or more, as in [0, 18, 65]"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\nbins = { from = 0, to = 1, width = 0.3 }",
                    "13:36: `bins` is not one bin or more of this width; let `width` divide `to` − "
                    "`from`, into 1000000 bins at most"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\nbins = [0, 1]\ncategories = [1]",
                    "14:1: `categories` stands beside `bins`; keep `bins` for numbers, or "
                    "`categories` for names"),
      bad_statistic("kind = 'histogram'\ncolumn = 'age'\ncategories = [1]",
                    "12:10: 'age' holds real numbers, which do not make groups; use a column of "
                    "another type, or a histogram with `bins`"),
      bad_statistic(
          "kind = 'histogram'\ncolumn = 'income'\ncategories = ['low']",
          "12:10: the keys of 'income' are of type text, but the column is of type integer; write "
          "keys as the column holds them: \"text\", 12, true or 2024-01-31"),
      bad_statistic("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5, 1.5]",
                    "13:13: `quantiles` is not up to 1000 numbers from 0 to 1; write quantiles = "
                    "[0.25, 0.5, 0.75]"),
      bad_statistic("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\naccuracy = 1",
                    "14:1: `accuracy` does not go with the kind `quantiles`; write `epsilon` or "
                    "`weight`: how far the answer is off depends on the data"),
      bad_statistic("kind = 'quantiles'\ncolumn = 'age'\nquantiles = [0.5]\nstep = 500",
                    "14:8: `step` is wider than the bounds; write a smaller one"),
      bad_statistic("kind = 'top'\ncolumn = 'region'\nk = 0",
                    "13:5: `k` is 0; write a whole number from 1 to 10000"),
      bad_statistic("kind = 'top'\ncolumn = 'region'\nk = 3",
                    "13:5: `k` is 3, more than there are categories; write a smaller one"),
      bad_statistic("kind = 'count'\n[[statistics]]\nkind = 'count'",
                    "12:1: two statistics are called 'count', the other in line 10; give one of "
                    "them another `name`"),
      bad_statistic("kind = 'count'\nepsilon = 1\n[[statistics]]\nkind = 'mean'\ncolumn = 'age'",
                    "13:1: nothing of the budget is left for 'mean_age'; give the others less, or "
                    "raise the budget"),
  };
}

TEST(ParseReleaseTest, BadHeadsAreToldExactly) {
  for (const BadFile& bad : bad_heads()) EXPECT_EQ(verdict(bad.text), bad.message) << bad.what;
}

TEST(ParseReleaseTest, BadStatisticsAreToldExactly) {
  for (const BadFile& bad : bad_statistics()) EXPECT_EQ(verdict(bad.text), bad.message) << bad.what;
}

TEST(ParseReleaseTest, AllProblemsAreToldInTheOrderOfTheFile) {
  const std::string text =
      "version = 1\nbudget = { epsilon = -1, ledger = 'l' }\nsource = 's.csv'\nunit = 'row'\n"
      "[[statistics]]\nkind = 'cuont'\n[[statistics]]\nkind = 'count'\nweigth = 2\n";
  EXPECT_EQ(verdict(text),
            "f.toml:2:22: `epsilon` is -1; write a number above 0\n"
            "f.toml:6:8: there is no kind `cuont`; did you mean `count`?\n"
            "f.toml:9:1: the kind `count` has no key `weigth`; did you mean `weight`?");
}

TEST(ParseReleaseTest, NoMoreThanTwentyProblemsAreTold) {
  std::string text = kHead + "[[statistics]]\nkind = 'count'\n";
  for (int i = 0; i < 3000; ++i) text += "x" + std::to_string(i) + " = 1\n";
  const std::string told = verdict(text);
  EXPECT_EQ(std::ranges::count(told, '\n'), 20);
  EXPECT_TRUE(told.ends_with("more problems; solve these first")) << told;
}

TEST(ParseReleaseTest, LossesMayUseTheBudgetExactly) {
  std::string text = kHead;
  for (int i = 0; i < 10; ++i) {
    text += "[[statistics]]\nname = '" + std::to_string(i) + "'\nkind = 'count'\nepsilon = 0.1\n";
  }
  EXPECT_EQ(verdict(text), "accepted");
  text += "[[statistics]]\nkind = 'count'\nepsilon = 1e-60\n";
  EXPECT_NE(verdict(text), "accepted");
}

TEST(ParseReleaseTest, EpsilonInAConcentratedBudgetCostsHalfItsSquare) {
  const std::string head =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { rho = 0.5, ledger = 'l' }\n";
  const std::string counts = "[[statistics]]\nkind = 'count'\nepsilon = ";
  EXPECT_EQ(verdict(head + counts + "1"), "accepted");
  EXPECT_NE(verdict(head + counts + "1.0000001"), "accepted");
}

TEST(ParseReleaseTest, TooManyGroupsAreRefused) {
  std::string text = kHead +
                     "a = { keys = { from = 1, to = 1000 } }\nb = { keys = { from = 1, to = 1000 } "
                     "}\n[[statistics]]\nkind = 'count'\nby = ['a', 'b']\n";
  // The two columns go into [columns], before the empty line.
  text.erase(text.find("\n\n"), 1);
  EXPECT_EQ(verdict(text), "accepted");
  text += "[[statistics]]\nkind = 'count'\nby = ['a', 'b', 'region']\n";
  EXPECT_NE(verdict(text).find("has too many groups"), std::string::npos);
}

// Hostile files: clear errors, in little time.

TEST(ParseReleaseTest, BytesThatAreNotTextAreRefused) {
  EXPECT_EQ(
      verdict(std::string("version = 1\n\0", 13)),
      "f.toml:2:1: the file holds a NUL byte; a release file is UTF-8 text; is this the data?");
  EXPECT_NE(verdict("version = 1\ntitle = '\xff'").find("f.toml:2:"), std::string::npos);
  EXPECT_NE(verdict(""), "accepted");
  EXPECT_NE(verdict("PAR1\x15\x04\x15").find("f.toml:1:"), std::string::npos);
  EXPECT_NE(verdict(std::string(ReleaseFile::kMaxBytes + 1, '#')).find("more than 4194304 bytes"),
            std::string::npos);
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(ParseReleaseTest, DeepNestingIsRefusedBeforeItFillsTheStack) {
  const std::vector<std::string> deep = {
      "x = " + repeated("[", 1'000'000),
      "x = " + repeated("{a=", 1'000'000),
      repeated("a.", 1'000'000) + "a = 1",
      repeated("a . ", 1'000'000) + "a = 1",
      repeated("\"=\".", 1'000'000) + "a = 1",
      repeated("'['.", 1'000'000) + "a = 1",
      repeated("\"\\\"\".", 800'000) + "a = 1",
      "[" + repeated("a.", 1'000'000) + "a]",
      "[[" + repeated("''.", 1'000'000) + "a]]",
      "x = '''\n'''\n" + repeated("a.", 1'000'000) + "a = 1",
      "x = \"\"\"\n\"\"\"\"\"\n" + repeated("a.", 1'000'000) + "a = 1",
      "x = { y = " + repeated("[{" + repeated("a.", 15) + "a=", 30'000)};
  for (const std::string& text : deep) {
    EXPECT_NE(verdict(text).find("the file is nested too deeply here"), std::string::npos)
        << text.substr(0, 20);
  }
}

TEST(ParseReleaseTest, TextsThatLookDeepAreNot) {
  EXPECT_EQ(verdict("title = 'a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t "
                    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[['\n# " +
                    std::string(100, '[') + "\n" + kHead + "[[statistics]]\nkind = 'count'"),
            "accepted");
}

TEST(ParseReleaseTest, LongLinesAreReadInLinearTime) {
  // Half a million numbers and as many unknown keys, each in one line; a quadratic reader would take
  // hours, so that the test would run into its time limit.
  std::string bins =
      kHead + "[[statistics]]\nname = 'é'\nkind = 'histogram'\ncolumn = 'age'\nbins = [";
  for (int i = 0; i < 300'000; ++i) bins += std::to_string(i) + ".5,";
  EXPECT_EQ(verdict(bins + "]"), "accepted");
  std::string keys = kHead + "x = {";
  for (int i = 0; i < 200'000; ++i) keys += "é" + std::to_string(i) + "=0.5,";
  keys.back() = '}';
  EXPECT_NE(verdict("[[statistics]]\nkind='count'\n" + keys), "accepted");
}

TEST(ReadReleaseTest, FilesThatCannotBeReadAreRefused) {
  const std::filesystem::path root(LASTBIT_SOURCE_DIR);
  EXPECT_EQ(read_release(root / "examples/releases/regions.toml").statistics.size(), 2U);
  const auto told = [](const std::filesystem::path& path) {
    try {
      read_release(path);
    } catch (const Error& error) {
      return error.problem();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(told(root / "examples/releases"), "is not a file");
  EXPECT_EQ(told(root / "examples/releases/none.toml"), "cannot be found");
  EXPECT_EQ(told("/dev/zero"), "is not a file");
}

// The document.

struct Block {
  std::string kind;
  std::string text;
};

std::vector<Block> blocks_of(const std::string& document) {
  std::vector<Block> blocks;
  std::istringstream lines(document);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

// A part of a file, with the other parts that a file needs around it.
std::string completed(const std::string& part) {
  const auto has = [&](const std::string& key) {
    return std::regex_search(part, std::regex("(^|\n)\\[*" + key + "\\b"));
  };
  std::string before;
  if (!has("version")) before += "version = 1\n";
  if (!has("source")) before += "source = \"survey.csv\"\n";
  if (!has("unit")) before += "unit = \"row\"\n";
  if (!has("budget")) before += "budget = { epsilon = 1, ledger = \"survey.ledger\" }\n";
  std::string after;
  if (!has("\\[columns")) {
    after +=
        "\n[columns]\nincome = { type = \"real\", lower = 0, upper = 100_000 }\n"
        "age = { type = \"integer\", lower = 0, upper = 120 }\nsex = { keys = [\"f\", \"m\"] }\n"
        "party = { type = \"text\" }\n";
  }
  if (!has("statistics")) after += "\n[[statistics]]\nkind = \"count\"\n";
  return before + part + after;
}

TEST(ReleaseDocumentTest, EveryExampleIsAccepted) {
  std::size_t examples = 0;
  for (const Block& block : blocks_of(text_of_file("docs/release-file.md"))) {
    if (block.kind != "toml") continue;
    ++examples;
    EXPECT_EQ(verdict(completed(block.text)), "accepted") << completed(block.text);
  }
  EXPECT_GE(examples, 10U);
}

TEST(ReleaseDocumentTest, FirstExampleIsTheShortestFile) {
  const auto blocks = blocks_of(text_of_file("docs/release-file.md"));
  EXPECT_NE(text_of_file("examples/releases/regions.toml").find(blocks.front().text),
            std::string::npos);
}

TEST(ReleaseDocumentTest, MistakesAreToldAsShown) {
  const auto blocks = blocks_of(text_of_file("docs/release-file.md"));
  std::size_t shown = 0;
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    if (blocks[i].kind != "toml-wrong") continue;
    ++shown;
    ASSERT_EQ(blocks[i + 1].kind, "message");
    try {
      parse_release(blocks[i].text, "survey.toml");
      ADD_FAILURE() << "the wrong example is accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.what() + std::string("\n"), blocks[i + 1].text);
    }
  }
  EXPECT_EQ(shown, 1U);
}

TEST(ReleaseDocumentTest, EveryDocumentedKeyIsInAnExample) {
  const std::string document = text_of_file("docs/release-file.md");
  std::string examples;
  for (const Block& block : blocks_of(document)) {
    if (block.kind == "toml") examples += block.text;
  }
  // The keys are the backquoted names in the first cell of a row.
  static const std::regex kRow("\n\\| (`[a-z_]+`(, `[a-z_]+`)*) \\|");
  static const std::regex kName("`([a-z_]+)`");
  std::size_t keys = 0;
  for (std::sregex_iterator row(document.begin(), document.end(), kRow), end; row != end; ++row) {
    const std::string cell = (*row)[1];
    for (std::sregex_iterator name(cell.begin(), cell.end(), kName); name != end; ++name) {
      ++keys;
      const std::string key = (*name)[1];
      const std::regex used("(^|[\n\\[{, .\"])" + key + "(\"| =|\\]|\\.)");
      EXPECT_TRUE(std::regex_search(examples, used)) << key;
    }
  }
  EXPECT_GE(keys, 50U);
}

// The parser lists the keys that it knows where none of them is near, so the document can be held
// against them.
TEST(ReleaseDocumentTest, EveryKeyOfAStatisticIsDocumented) {
  const std::string document = text_of_file("docs/release-file.md");
  for (const std::string key : {"name",       "kind",
                                "column",     "columns",
                                "lower",      "upper",
                                "nulls",      "by",
                                "keys",       "discover",
                                "bins",       "categories",
                                "other",      "quantiles",
                                "step",       "k",
                                "epsilon",    "rho",
                                "weight",     "accuracy",
                                "confidence", "max_rows_per_group",
                                "max_groups"}) {
    EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << key;
    // Each is a key of some statistic: it is refused for its value, not for its name.
    const std::string told =
        verdict(kHead + "[[statistics]]\nkind = 'count'\n" + key + " = 12:00:00");
    EXPECT_EQ(told.find("has no key `" + key + "`"), std::string::npos) << told;
  }
}

}  // namespace
}  // namespace lastbit
