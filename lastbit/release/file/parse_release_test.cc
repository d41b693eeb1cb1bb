#include "lastbit/release/file/parse_release.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "lastbit/release/file/test_support.h"

namespace lastbit {
namespace parse_release_test {

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
  EXPECT_EQ(release.statistics[3].max_rows_per_group, 1);
  EXPECT_EQ(release.statistics[3].discover->delta.value, rational("5e-7"));
  EXPECT_EQ(release.statistics[3].discover->threshold->value, 45);
  EXPECT_EQ(release.budget.cap.value, Cost::approximate(1, rational("1e-6")));
  const auto& prices = std::get<CategoryStatistic>(release.statistics[3].kind);
  EXPECT_TRUE(std::holds_alternative<DiscoveredKeys>(prices.categories));
}

TEST(ParseReleaseTest, ParquetLeavesTypesToTheData) {
  const ReleaseFile release = parse_release(text_of_file("examples/releases/labour.toml"), "f");
  EXPECT_FALSE(release.find_column("hours")->type);
  EXPECT_EQ(release.find_column("person"), nullptr);
  EXPECT_EQ(release.budget.cap.value, Cost::concentrated(Rational(1, 8)));
  const auto by_week = group_keys(release, release.statistics[1]);
  EXPECT_EQ(std::get<0>(by_week[0].keys)[0][0],
            KeyValue(Date(std::chrono::year(2025), std::chrono::month(10), std::chrono::day(6))));
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

TEST(ParseReleaseTest, AllProblemsAreToldInTheOrderOfTheFile) {
  const std::string text =
      "version = 1\nbudget = { epsilon = -1, ledger = 'l' }\nsource = 's.csv'\nunit = 'row'\n"
      "[[statistics]]\nkind = 'cuont'\n[[statistics]]\nkind = 'count'\nweigth = 2\n";
  EXPECT_EQ(verdict(text),
            "f.toml:2:22: `epsilon` is -1; write a number above 0\n"
            "f.toml:6:8: there is no kind `cuont`; did you mean `count`?\n"
            "f.toml:9:1: the kind `count` has no key `weigth`; did you mean `weight`?");
}

TEST(ParseReleaseTest, ColumnWithAWrongTypeIsToldOnce) {
  const std::string text = kHead + "[[statistics]]\nkind = 'sum'\ncolumn = 'income'\n";
  std::string wrong = text;
  wrong.replace(wrong.find("'integer'"), 9, "'whole'");
  EXPECT_EQ(verdict(wrong),
            "f.toml:6:19: `type` cannot be 'whole'; use one of `integer`, `real`, `decimal`, "
            "`unsigned`, `text`, `boolean`, `date`, `timestamp`, `time`");
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

// SLOW: ParseReleaseTest.LongLinesAreReadInLinearTime
TEST(ParseReleaseTest, LongLinesAreReadInLinearTime) {
  // Half a million numbers and as many unknown keys, each in one line; a quadratic reader would
  // take hours, so that the test would run into its time limit.
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
  EXPECT_EQ(told(root / "examples/releases"), "is a folder");
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
  // The public tables of the examples have one row.
  const auto read = [](const Source&, const std::vector<std::string>& columns) {
    return PublicTable{{std::vector<std::optional<std::string>>(columns.size(), "1")}};
  };
  std::size_t examples = 0;
  for (const Block& block : blocks_of(text_of_file("docs/release-file.md"))) {
    if (block.kind != "toml") continue;
    ++examples;
    EXPECT_EQ(verdict(completed(block.text), read), "accepted") << completed(block.text);
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

// The parser lists the keys that it knows when none of them is near, so the document can be
// compared with them.
TEST(ReleaseDocumentTest, EveryKeyOfAStatisticIsDocumented) {
  const std::string document = text_of_file("docs/release-file.md");
  for (const std::string key : {"name",          "kind",
                                "column",        "columns",
                                "lower",         "upper",
                                "nulls",         "by",
                                "keys",          "discover",
                                "bins",          "categories",
                                "other",         "quantiles",
                                "step",          "k",
                                "epsilon",       "rho",
                                "weight",        "accuracy",
                                "confidence",    "max_rows_per_group",
                                "max_groups",    "expected_rows",
                                "where",         "totals",
                                "bounds",        "suppress_above",
                                "interval_share"}) {
    EXPECT_NE(document.find("`" + key + "`"), std::string::npos) << key;
    // Each is a key of some statistic: it is refused for its value, not for its name.
    const std::string told =
        verdict(kHead + "[[statistics]]\nkind = 'count'\n" + key + " = 12:00:00");
    EXPECT_EQ(told.find("has no key `" + key + "`"), std::string::npos) << told;
  }
}

}  // namespace parse_release_test
}  // namespace lastbit
