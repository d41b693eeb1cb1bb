#include "lastbit/release/sql/query.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/test_support.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/schema.h"

namespace lastbit {
namespace query_test {

const std::string kDataset =
    "version = 1\n"
    "source = { path = 's.csv', name = 'household survey' }\n"
    "unit = { id = 'person', max_rows_per_group = 2, max_groups = 3 }\n"
    "budget = { epsilon = 1, delta = 1e-6, ledger = 'l' }\n"
    "[columns]\n"
    "income = { type = 'integer', lower = 0, upper = 100 }\n"
    "age = { type = 'real', lower = 0, upper = 120 }\n"
    "region = { keys = ['n', 's'] }\n"
    "born = { type = 'date' }\n"
    "bare = { type = 'real' }\n"
    "senior = { keys = [true, false] }\n"
    "[derive]\n"
    "senior = 'age >= 65'\n"
    "[keys.places]\n"
    "columns = ['state', 'city']\n"
    "rows = [['GA', 'Macon'], ['NY', 'Albany']]\n";

const QueryTerms kTerms{ShareKind::kEpsilon, Rational(1, 5), std::nullopt};

std::vector<SchemaColumn> schema() {
  std::vector<SchemaColumn> columns;
  for (const char* name :
       {"person", "income", "age", "region", "born", "bare", "state", "city", "job"}) {
    columns.push_back({name, {}, {}});
  }
  return columns;
}

std::string digest_of_file(const std::string& statistics) {
  return release_digest(
      check_against_schema(parse_release(kDataset + statistics, "f.toml"), schema()));
}
Query query(const std::string& statement, const QueryTerms& terms = kTerms) {
  return read_query(kDataset, "f.toml", statement, terms);
}
std::string digest_of_query(const std::string& statement, const QueryTerms& terms = kTerms) {
  return release_digest(check_against_schema(query(statement, terms).release, schema()));
}
std::string refusal(const std::string& statement, const QueryTerms& terms = kTerms) {
  try {
    digest_of_query(statement, terms);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what() : "another code than kBadInput";
  }
  return "accepted";
}

TEST(Query, IsTheReleaseThatOneWouldWrite) {
  EXPECT_EQ(digest_of_query("SELECT count(*) FROM data"),
            digest_of_file("[[statistics]]\nkind = 'count'\nname = 'count(*)'\nepsilon = 0.2\n"));
  EXPECT_EQ(digest_of_query("SELECT region, avg(income) AS pay, count(DISTINCT person) AS people "
                            "FROM \"household survey\" WHERE age >= 18 GROUP BY region"),
            digest_of_file("[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nname = 'pay'\n"
                           "by = 'region'\nwhere = 'age >= 18'\nepsilon = 0.1\n"
                           "[[statistics]]\nkind = 'count_units'\nname = 'people'\n"
                           "by = 'region'\nwhere = 'age >= 18'\nepsilon = 0.1\n"));
}

TEST(Query, ExpressionsBecomeDerivedColumns) {
  const std::string file =
      "[[statistics]]\nkind = 'mean'\ncolumn = 'income / 12'\nlower = 0\nupper = 9\n"
      "name = 'monthly'\nby = ['month(born)', 'old']\nepsilon = 0.2\n";
  std::string text = kDataset;
  text.replace(text.find("[derive]\n"), 9,
               "[derive]\n'income / 12' = 'income / 12'\n'month(born)' = 'month(born)'\n"
               "old = \"CASE WHEN senior THEN 'yes' ELSE 'no' END\"\n");
  // A derived column may name those before it only.
  const std::string senior = "senior = 'age >= 65'\n";
  text.erase(text.find(senior), senior.size());
  text.insert(text.find("[derive]\n") + 9, senior);
  EXPECT_EQ(
      digest_of_query("SELECT month(born), CASE WHEN senior THEN 'yes' ELSE 'no' END AS old,\n"
                      "avg(clamp(income  /  12, 0, 9)) monthly FROM f\n"
                      "GROUP BY month(born), old"),
      release_digest(check_against_schema(parse_release(text + file, "f.toml"), schema())));
}

TEST(Query, EveryKindOfAggregate) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"count(income)", "kind = 'count'\ncolumn = 'income'"},
      {"count(DISTINCT region)", "kind = 'count_distinct'\ncolumn = 'region'"},
      {"count(DISTINCT person)", "kind = 'count_units'"},
      {"sum(income)", "kind = 'sum'\ncolumn = 'income'"},
      {"var_samp(age)", "kind = 'variance'\ncolumn = 'age'"},
      {"stddev(age)", "kind = 'standard_deviation'\ncolumn = 'age'"},
      {"median(income)", "kind = 'quantiles'\ncolumn = 'income'\nquantiles = [0.5]"},
      {"quantile(clamp(age, 1, 2), .25)",
       "kind = 'quantiles'\ncolumn = 'age'\nlower = 1\nupper = 2\nquantiles = [0.25]"},
      {"percentile_cont(1) WITHIN GROUP (ORDER BY bare)", ""},
      {"covar_samp(age, clamp(bare, -1, 1))",
       "kind = 'covariance'\ncolumns = ['age', 'bare']\nlower = [0, -1]\nupper = [120, 1]"},
      {"sum(income) / sum(clamp(age, 1, 120))",
       "kind = 'ratio'\ncolumns = ['income', 'age']\nlower = [0, 1]"},
      {"min(income)", "kind = 'min'\ncolumn = 'income'"},
      {"max(clamp(age, 1, 9))", "kind = 'max'\ncolumn = 'age'\nlower = 1\nupper = 9"},
      {"avg(senior)", "kind = 'mean'\ncolumn = 'senior'"},
      {"count(*) FILTER (WHERE age < 9)", "kind = 'count'\nwhere = 'age < 9'"},
      {"sum(income) / sum(age) FILTER (WHERE senior)", ""},
      {"sum(income) FILTER (WHERE senior) / sum(age)", ""},
      {"corr(age, income)", "kind = 'correlation'\ncolumns = ['age', 'income']"},
  };
  for (const auto& [aggregate, statistic] : cases) {
    const std::string statement = "SELECT " + aggregate + " AS x FROM data";
    if (statistic.empty()) {
      EXPECT_NE(refusal(statement), "accepted");
      continue;
    }
    EXPECT_EQ(digest_of_query(statement),
              digest_of_file("[[statistics]]\nname = 'x'\nepsilon = 0.2\n" + statistic + "\n"))
        << aggregate;
  }
}

TEST(Query, CountsAreOfValuesInTheData) {
  std::string dataset = kDataset;
  const std::string bounds = "upper = 100";
  dataset.replace(dataset.find(bounds), bounds.size(), bounds + ", nulls = { impute = 7 }");
  for (const std::string kind : {"count", "count_distinct"}) {
    const std::string name = kind == "count" ? "count(income)" : "count(DISTINCT income)";
    const auto asked = read_query(dataset, "f.toml", "SELECT " + name + " FROM data", kTerms);
    EXPECT_EQ(release_digest(check_against_schema(asked.release, schema())),
              release_digest(check_against_schema(
                  parse_release(dataset + "[[statistics]]\nkind = '" + kind + "'\nname = '" + name +
                                    "'\ncolumn = 'income'\nnulls = 'drop'\nepsilon = 0.2\n",
                                "f.toml"),
                  schema())));
  }
}

TEST(Query, FilterAndWhereMustBothHold) {
  EXPECT_EQ(digest_of_query("SELECT count(*) FILTER (WHERE age < 9 OR senior) AS n, "
                            "count(*) AS m FROM data WHERE income > 1 OR age > 1"),
            digest_of_file("[[statistics]]\nkind = 'count'\nname = 'n'\nepsilon = 0.1\n"
                           "where = '(age < 9 OR senior) AND (income > 1 OR age > 1)'\n"
                           "[[statistics]]\nkind = 'count'\nname = 'm'\nepsilon = 0.1\n"
                           "where = 'income > 1 OR age > 1'\n"));
  // Both keep their places.
  const std::string first = "SELECT count(*) FILTER (WHERE \"é\" > 1) FROM data WHERE age > 2";
  EXPECT_NE(refusal(first).find("query:1:31: "), std::string::npos) << refusal(first);
  const std::string second = "SELECT count(*) FILTER (WHERE region = 'é') FROM data WHERE agee > 2";
  EXPECT_NE(refusal(second).find("query:1:61: "), std::string::npos) << refusal(second);
}

// Conditions are numbers: true is 1, and false 0.
TEST(Query, MeansOfConditionsNeedNoBounds) {
  std::string text = kDataset;
  text.replace(text.find("[derive]\n"), 9, "[derive]\n'age > 3' = 'age > 3'\n");
  EXPECT_EQ(digest_of_query("SELECT avg(age > 3) AS x FROM data"),
            release_digest(check_against_schema(
                parse_release(text + "[[statistics]]\nkind = 'mean'\ncolumn = 'age > 3'\n"
                                     "name = 'x'\nepsilon = 0.2\n",
                              "f.toml"),
                schema())));
}

TEST(Query, TablesOfKeysAndDiscovery) {
  EXPECT_EQ(digest_of_query("SELECT state, city, count(*) AS n FROM data GROUP BY city, state"),
            digest_of_file("[[statistics]]\nkind = 'count'\nname = 'n'\nepsilon = 0.2\n"
                           "by = ['city', 'state']\nkeys = 'places'\n"));
  QueryTerms terms = kTerms;
  terms.discover_delta = Rational::parse("1e-7");
  EXPECT_EQ(
      digest_of_query("SELECT job, count(*) AS n, sum(income) AS s FROM data GROUP BY job", terms),
      digest_of_file("[[statistics]]\nkind = 'count'\nname = 'n'\nepsilon = 0.1\n"
                     "by = 'job'\ndiscover = { delta = 5e-8 }\n"
                     "[[statistics]]\nkind = 'sum'\ncolumn = 'income'\nname = 's'\n"
                     "epsilon = 0.1\nby = 'job'\ndiscover = { delta = 5e-8 }\n"));
  // Nothing is discovered where all keys are public.
  const std::string by_region = "SELECT region, count(*) FROM data GROUP BY region";
  EXPECT_EQ(digest_of_query(by_region, terms), digest_of_query(by_region));
}

TEST(Query, RhosAndADeltaFindKeysToo) {
  const std::string head = "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { rho = 1";
  const std::string statement = "SELECT job, count(*) AS n FROM data GROUP BY job";
  const QueryTerms terms{
      .kind = ShareKind::kRho, .loss = rational("0.1"), .discover_delta = rational("1e-7")};
  const Query query =
      read_query(head + ", delta = 1e-6, ledger = 'l' }\n", "f.toml", statement, terms);
  EXPECT_EQ(query.release.statistics[0].discover->delta.value, rational("1e-7"));
  EXPECT_EQ(query.release.statistics[0].share.kind, ShareKind::kRho);
  expect_code(ErrorCode::kBadInput,
              [&] { read_query(head + ", ledger = 'l' }\n", "f.toml", statement, terms); });
}

TEST(Query, StatisticsOfTheDatasetAreIgnored) {
  const std::string more =
      kDataset + "[[statistics]]\nkind = 'sum'\ncolumn = 'income'\nepsilon = 1\n";
  EXPECT_EQ(release_digest(check_against_schema(
                read_query(more, "f.toml", "SELECT count(*) FROM data", kTerms).release, schema())),
            digest_of_query("SELECT count(*) FROM data"));
}

TEST(Query, ShapeOfTheAnswer) {
  const AnswerShape shape =
      query(
          "SELECT count(*) AS n, region AS r FROM data GROUP BY senior, region ORDER BY n LIMIT 3")
          .shape;
  ASSERT_EQ(shape.columns.size(), 3U);
  EXPECT_EQ(shape.columns[0].title, "senior");
  EXPECT_EQ(shape.columns[1].title, "n");
  EXPECT_FALSE(shape.columns[1].is_group);
  EXPECT_EQ(shape.columns[2].title, "r");
  EXPECT_EQ(shape.columns[2].index, 1U);
  EXPECT_EQ(shape.order.at(0).item, 1U);
  EXPECT_EQ(shape.limit, 3U);
}

// TypedFile: data whose file declares its types, and whose rows nobody reads.
class TypedFile final : public Engine {
 public:
  std::vector<SchemaColumn> read_schema(const ReleaseFile& /*release*/) const override {
    return {{"income", "BIGINT", ColumnType{ColumnKind::kInteger}},
            {"married", "BOOLEAN", ColumnType{ColumnKind::kBoolean}}};
  }
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> /*aggregations*/,
                         const engine::SecretKey& /*key*/, const engine::EngineLimits& /*limits*/,
                         const engine::Progress& /*progress*/) const override {
    throw Error(ErrorCode::kNotSupported, release.filename, "nobody reads rows here", "");
  }
};

// planned: the digest of a statement about such a file, or why it is refused.
std::string planned(const std::string& columns, const std::string& statement) {
  // Tests run side by side, each in a process of its own.
  const std::filesystem::path path =
      std::filesystem::path(::testing::TempDir()) /
      ("typed_file_of_query_test_" + std::to_string(getpid()) + ".toml");
  std::ofstream(path) << "version = 1\nsource = 's.parquet'\nunit = 'row'\n"
                         "budget = { epsilon = 1, ledger = 'l' }\n[columns]\n"
                      << columns;
  try {
    return release_digest(
        plan_query(read_dataset_text(path), statement, kTerms, TypedFile()).plan.release);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Query, TruthsOfTypedFilesNeedNoDeclaration) {
  for (const char* statement : {"SELECT married, count(*) FROM data GROUP BY married",
                                "SELECT avg(married) FROM data", "SELECT sum(married) FROM data"}) {
    const std::string digest = planned("", statement);
    EXPECT_EQ(digest, planned("married = { type = 'boolean' }\n", statement)) << statement;
    EXPECT_EQ(digest.size(), 64U) << digest;
  }
}

TEST(Query, MisspeltColumnsAreToldFromTheData) {
  EXPECT_EQ(planned("", "SELECT marred, count(*) FROM data GROUP BY marred"),
            "query:1:44: there is no column 'marred'; did you mean 'married'?");
  EXPECT_EQ(planned("", "SELECT avg(zzz) FROM data"),
            "query:1:12: there is no column 'zzz'; the columns are 'income', 'married'");
  EXPECT_EQ(planned("", "SELECT avg(income) FROM data"),
            "query:1:12: 'income' has no bounds; say which values count, from what is publicly "
            "known: avg(clamp(income, LOWER, UPPER))");
}

TEST(Query, RefusesAtThePlaceInTheStatement) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"SELECT avg(income / 12) FROM data",
       "query:1:12: 'income / 12' has no bounds; say which values count, from what is publicly "
       "known: avg(clamp(income / 12, LOWER, UPPER))"},
      {"SELECT sum(bare) FROM data", "query:1:12: 'bare' has no bounds"},
      {"SELECT sum(incom) FROM data",
       "query:1:12: the dataset declares no column 'incom'; did you mean 'income'?"},
      {"SELECT avg(clamp(income, 5, 1)) FROM data",
       "query:1:29: `upper` = 1 is not above `lower` = 5"},
      {"SELECT sum(clamp(income, 0, 1.5)) FROM data", "query:1:29: the bound 1.5 is not a whole"},
      {"SELECT sum(clamp(region, 0, 1)) FROM data", "query:1:18: 'region' holds text"},
      {"SELECT quantile(age, 2) FROM data", "query:1:22: the level 2 is not between 0 and 1"},
      {"SELECT quantile(age, 1e-999999999999999999) FROM data", "query:1:22: a level is a number"},
      {"SELECT percentile_cont(-0.5) WITHIN GROUP (ORDER BY age) FROM data",
       "query:1:24: the level -0.5 is not between 0 and 1"},
      {"SELECT max(born) FROM data", "query:1:12: max takes numbers, and 'born' is of type date"},
      {"SELECT count(*) AS " + std::string(201, 'x') + " FROM data",
       "query:1:20: the name of this answer has more than 200 bytes; give it a shorter one"},
      {"SELECT percentile_cont(95) WITHIN GROUP (ORDER BY age) FROM data",
       "query:1:24: the level 95 is not between 0 and 1; write 0.95 for 95 %"},
      {"SELECT quantile(age, 1e9999999) FROM data", "query:1:"},
      {"SELECT count(*) FROM data WHERE NOT (age > 1 OR region <> NULL)",
       "query:1:56: <> NULL holds in no row; write IS NOT NULL"},
      {"SELECT count(DISTINCT region, job) FROM data",
       "query:1:31: count(DISTINCT …) takes one column"},
      {"SELECT count(DISTINCT age / 7) FROM data",
       "query:1:23: 'age / 7' holds real numbers, which cannot be compared exactly"},
      {"SELECT sum(DISTINCT age) FROM data", "query:1:12: only count takes DISTINCT"},
      {"SELECT job, count(*) FROM data GROUP BY job",
       "query:1:41: nothing says which values of 'job' are public; list the `keys`"},
      {"SELECT count(*) FROM data GROUP BY regio", "query:1:36: the dataset declares no column"},
      {"SELECT count(*) FROM data GROUP BY year(born)",
       "query:1:36: nothing says which values of 'year(born)' are public; derive it in the "
       "dataset"},
      {"SELECT count(*) FROM data WHERE age >= 18 AND wage > 1", "query:1:47: "},
      {"SELECT count(*) FROM data WHERE age + 1", "query:1:33: `where` is not a condition"},
      {"SELECT count(nothing) FROM data", "query:1:14: there is no column 'nothing'"},
      {"SELECT age > 1 AS senior, count(*) FROM data GROUP BY senior",
       "query:1:19: the dataset already has a column 'senior'"},
      {"SELECT age > 1 AS job, count(*) FROM data GROUP BY job",
       "query:1:19: the data already has a column 'job'"},
  };
  for (const auto& [statement, message] : cases) {
    EXPECT_NE(refusal(statement).find(message), std::string::npos)
        << statement << "\n  " << refusal(statement) << "\n  " << message;
  }
}

// A name that looks like another expression must not stand for it.
TEST(Query, NamesStandForOneExpression) {
  const std::string sum = ", sum(clamp(age + 1, 0, 9)) FROM data GROUP BY 1";
  EXPECT_EQ(refusal("SELECT month(born) AS m" + sum), "accepted");
  EXPECT_NE(refusal("SELECT month(born) AS \"age + 1\"" + sum)
                .find("two different expressions are called 'age + 1'"),
            std::string::npos);
}

TEST(Query, PriceMustFitTheBudget) {
  const std::string statement = "SELECT count(*) FROM data";
  EXPECT_NE(refusal(statement, {ShareKind::kEpsilon, Rational(2), {}})
                .find("f.toml: the statement may cost 2, more than the dataset's budget of 1"),
            std::string::npos);
  EXPECT_NE(refusal(statement, {ShareKind::kRho, Rational(1, 2), {}})
                .find("f.toml: the budget of this dataset counts epsilons"),
            std::string::npos);
  EXPECT_EQ(refusal(statement, {ShareKind::kEpsilon, Rational(1), {}}), "accepted");
}

TEST(Query, ProblemsOfTheDatasetAreItsOwn) {
  std::string text = kDataset;
  text.replace(text.find("upper = 100 "), 12, "upper = 'x' ");
  try {
    read_query(text, "f.toml", "SELECT nonsense", kTerms);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place(), "f.toml:6:49");
  }
}

TEST(QueryTest, ATableOnAServerIsNamedAsThere) {
  const auto refusal = [](const std::string& source, const std::string& from) -> std::string {
    try {
      read_query("version = 1\nsource = " + source +
                     "\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n",
                 "d/people.toml", "SELECT count(*) AS n FROM " + from, kTerms);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string server = "'postgresql://h/office?table=clinic.visits'";
  for (const char* name : {"people", "visits", "clinic.visits", "data"}) {
    EXPECT_EQ(refusal(server, name), "") << name;
  }
  EXPECT_NE(refusal(server, "other").find("FROM can be people, visits, clinic.visits, data"),
            std::string::npos);
  EXPECT_NE(refusal(server, "office.visits"), "");
  EXPECT_EQ(refusal("'postgresql://h/office?table=data'", "public.data"), "");
  EXPECT_EQ(refusal("'postgresql://h/office?table=data'", "data"), "");
  EXPECT_EQ(refusal("{ service = 'office', table = 'people', name = 'all' }", "public.people"), "");
  // In a file, a table has no schema.
  EXPECT_NE(refusal("{ path = 'w.duckdb', table = 'visits' }", "main.visits"), "");
}

}  // namespace query_test
}  // namespace lastbit
