// Groups by ranges and by parts of dates: which columns they become, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/fields/field_text.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {
namespace parse_groups_test {

const std::vector<SchemaColumn> kData = {{"income", "VARCHAR", {}},
                                         {"age", "VARCHAR", {}},
                                         {"region", "VARCHAR", {}},
                                         {"paid", "VARCHAR", {}}};

std::string count_by(const std::string& by, const std::string& columns = "") {
  return kHead + columns + "[[statistics]]\nkind = 'count'\nby = " + by + "\n";
}

ReleaseFile checked(const std::string& text) {
  return check_against_schema(parse_release(text, "f.toml"), kData);
}

// The keys of all groups, as in "a b, a c".
std::string groups_of(const std::string& text) {
  const ReleasePlan plan = plan_release(checked(text));
  std::string groups;
  for (const GroupAnswer& group : empty_groups(plan.aggregations.at(0))) {
    groups += groups.empty() ? "" : " | ";
    for (const KeyValue& key : group.key) groups += text_of(key) + ";";
  }
  return groups;
}

std::string derivation_of(const ReleaseFile& release, const std::string& name) {
  const Derivation* derived = release.find_derived(name);
  return derived == nullptr ? "nothing" : derived->expression.text.value;
}

TEST(ParseGroupsTest, RangesAreHalfOpenAndTheLastOneHoldsItsEnd) {
  EXPECT_EQ(groups_of(count_by("{ age = [0, 18, 65.5] }")), "[0, 18); | [18, 65.5];");
  const ReleaseFile release = checked(count_by("{ age = [-1, 18, 65.5] }"));
  EXPECT_EQ(release.statistics.at(0).by.at(0).value, "age_range");
  EXPECT_EQ(release.statistics.at(0).name.value, "count_by_age_range");
  const RowExpression& meaning = meaning_of(release.find_derived("age_range")->expression);
  const auto range = [&](const Cell& age) {
    const Cell value = evaluate(meaning, [&](const std::string&) { return age; });
    return value ? std::get<std::string>(*value) : "missing";
  };
  EXPECT_EQ(range(-1.0), "[-1, 18)");
  EXPECT_EQ(range(18.0), "[18, 65.5]");
  EXPECT_EQ(range(65.5), "[18, 65.5]");
  EXPECT_EQ(range(65.6), "missing");
  EXPECT_EQ(range(-1.5), "missing");
  EXPECT_EQ(range(std::nullopt), "missing");
}

TEST(ParseGroupsTest, RangesOfDatesAndOtherColumnsGoTogether) {
  EXPECT_EQ(groups_of(count_by("['region', { paid = [2026-01-01, 2026-07-01, 2026-12-31] }]")),
            "n;[2026-01-01, 2026-07-01); | n;[2026-07-01, 2026-12-31]; | "
            "s;[2026-01-01, 2026-07-01); | s;[2026-07-01, 2026-12-31];");
}

TEST(ParseGroupsTest, PartsOfDatesHaveTheirKeysFromTheColumnOrTheGroup) {
  const std::string days =
      "paid = { type = 'date', keys = { from = 2025-11-20, to = 2026-02-03 } }\n";
  EXPECT_EQ(groups_of(count_by("{ paid = 'month' }", days)),
            "2025-11-01; | 2025-12-01; | 2026-01-01; | 2026-02-01;");
  EXPECT_EQ(groups_of(count_by("{ paid = 'quarter' }", days)), "2025-10-01; | 2026-01-01;");
  EXPECT_EQ(groups_of(count_by("{ paid = 'year' }", days)), "2025; | 2026;");
  EXPECT_EQ(groups_of(count_by("{ paid = 'weekday' }")), "1; | 2; | 3; | 4; | 5; | 6; | 7;");
  EXPECT_EQ(
      groups_of(count_by("{ paid = { every = 'week', from = 2026-03-01, to = 2026-03-09 } }")),
      "2026-02-23; | 2026-03-02; | 2026-03-09;");
  EXPECT_EQ(groups_of(count_by("{ paid = { every = 'day', from = 2026-03-01, to = 2026-03-02 } }")),
            "2026-03-01; | 2026-03-02;");
  EXPECT_EQ(verdict(count_by("{ paid = 'month' }")),
            "f.toml:12:15: nothing says which values of 'paid_month' are public; list them as "
            "`keys` of the column or of the one that it is derived from, as in keys = { from = "
            "2026-01-01, to = 2026-12-31 }, or add discover = { delta = 1e-8 } here and add "
            "delta = 1e-6 to the budget");
}

// Months that begin before the first day, or end after the last one, count in part.
TEST(ParseGroupsTest, DaysOutsideAreInNoGroup) {
  const std::string days =
      "paid = { type = 'date', keys = { from = 2025-11-20, to = 2026-02-03 } }\n";
  for (const std::string& by :
       {std::string("{ paid = 'month' }"),
        std::string("{ paid = { every = 'month', from = 2025-11-20, to = 2026-02-03 } }")}) {
    const ReleaseFile release = checked(count_by(by, days));
    const RowExpression& meaning = meaning_of(release.find_derived("paid_month")->expression);
    const auto month = [&](const std::string& day) {
      const Cell value = evaluate(
          meaning, [&](const std::string&) { return Cell(Day{read_date(day).value_or(0)}); });
      return value ? std::get<Day>(*value).number : -1;
    };
    EXPECT_EQ(month("2025-11-19"), -1);
    EXPECT_EQ(month("2025-11-20"), read_date("2025-11-01"));
    EXPECT_EQ(month("2026-02-03"), read_date("2026-02-01"));
    EXPECT_EQ(month("2026-02-04"), -1);
  }
}

// A date and an instant of that day are written differently, so keys of one are not keys of the
// other.
TEST(ParseGroupsTest, KeysFollowOnlyFromKeysOfTheColumnsType) {
  const std::string text = "[derive]\ntext = 'CAST(paid AS TEXT)'\n";
  const std::string days = "keys = { from = 2026-01-01, to = 2026-01-02 } }\n";
  EXPECT_EQ(groups_of(count_by("'text'", "paid = { type = 'date', " + days + text)),
            "2026-01-01; | 2026-01-02;");
  EXPECT_NE(verdict(count_by("'text'", "paid = { type = 'timestamp', " + days + text))
                .find("nothing says which values of 'text' are public"),
            std::string::npos);
  // Where the file of the data says the type, it is known only later.
  std::string parquet = count_by("'text'", "paid = { " + days + text);
  parquet.replace(parquet.find("s.csv"), 5, "s.parquet");
  const std::vector<SchemaColumn> data = {
      {"income", "BIGINT", ColumnType{ColumnKind::kInteger}},
      {"age", "DOUBLE", ColumnType{ColumnKind::kDouble}},
      {"region", "VARCHAR", ColumnType{ColumnKind::kText}},
      {"paid", "TIMESTAMP", ColumnType{ColumnKind::kTimestamp, 0, 6}}};
  try {
    check_against_schema(parse_release(parquet, "f.toml"), data);
    ADD_FAILURE() << "keys of another type are accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.problem(),
              "the keys of 'text' follow from those of 'paid', which are of type date, but the "
              "column is of type timestamp");
  }
}

TEST(ParseGroupsTest, TheSameGroupIsOneColumnAndDifferentOnesGetDifferentNames) {
  const ReleaseFile release = checked(
      count_by("{ age = [0, 18] }") +
      "[[statistics]]\nkind = 'mean'\ncolumn = 'income'\nby = { age = [0, 18] }\n"
      "[[statistics]]\nkind = 'mean'\ncolumn = 'age'\nby = { age = [0, 9] }\n"
      "[[statistics]]\nkind = 'count'\nby = { age = { ranges = [0, 9], name = 'child' } }\n");
  EXPECT_EQ(release.derived.size(), 3U);
  EXPECT_EQ(release.statistics.at(1).by.at(0).value, "age_range");
  EXPECT_EQ(release.statistics.at(2).by.at(0).value, "age_range_2");
  EXPECT_EQ(derivation_of(release, "child"), derivation_of(release, "age_range_2"));
  // They mean the same as columns that somebody derives.
  const ReleaseFile written =
      checked(kHead + "[derive]\nchild = '''" + derivation_of(release, "child") +
              "'''\n[[statistics]]\nkind = 'count'\nby = 'child'\n");
  EXPECT_EQ(release_digest(written),
            release_digest(checked(count_by("{ age = { ranges = [0, 9], name = 'child' } }"))));
}

TEST(ParseGroupsTest, NamesOfColumnsAreQuoted) {
  const std::string text =
      count_by("{ 'a \"b\" c' = [0, 1] }", "'a \"b\" c' = { type = 'real' }\n");
  const std::vector<SchemaColumn> data = {
      {"income", "", {}}, {"age", "", {}}, {"region", "", {}}, {"a \"b\" c", "", {}}};
  const ReleaseFile release = check_against_schema(parse_release(text, "f.toml"), data);
  EXPECT_EQ(columns_of(meaning_of(release.derived.at(0).expression)).at(0).name, "a \"b\" c");
}

TEST(ParseGroupsTest, MistakesAreToldWithTheirPlace) {
  const auto told = [](const std::string& by) {
    const std::string message = verdict(count_by(by));
    return message.substr(0, message.find('\n'));
  };
  EXPECT_EQ(
      told("{ age = [0] }"),
      "f.toml:12:14: a group of ranges has 1 edge; write a list of 2 to 501 increasing edges");
  EXPECT_EQ(told("{ age = [0, 5, 5] }"),
            "f.toml:12:21: this edge is not above the one before; list the edges in increasing "
            "order");
  EXPECT_EQ(told("{ age = [0, '1/3'] }"),
            "f.toml:12:18: an edge is not a short decimal number; round it");
  EXPECT_EQ(told("{ age = [0, 2026-01-01] }"),
            "f.toml:12:18: an edge is a date; write a number, as in 0.5 or \"1/3\"");
  EXPECT_EQ(told("{ paid = [2026-01-01, 3] }"),
            "f.toml:12:28: an edge is a number; write a date, as the first one is");
  EXPECT_EQ(told("{ paid = 'months' }"),
            "f.toml:12:15: there are no groups by 'months'; did you mean `month`?");
  EXPECT_EQ(told("{ paid = { every = 'month', from = 2026-01-01 } }"),
            "f.toml:12:15: only one of `from` and `to` is given; give both, or neither");
  EXPECT_EQ(told("{ paid = { every = 'month', from = 1, to = 2 } }"),
            "f.toml:12:41: `from` and `to` are not dates; write dates, as in from = 2026-01-01");
  EXPECT_EQ(told("{ paid = { every = 'hour', from = 2026-01-01, to = 2026-01-02 } }"),
            "f.toml:12:25: `from` and `to` do not go with 'hour'; remove them");
  EXPECT_EQ(told("{ age = { ranges = [0, 1], to = 2026-01-01 } }"),
            "f.toml:12:33: `from` and `to` do not go with `ranges`; remove them: the first and the "
            "last edge say it");
  EXPECT_EQ(told("{ age = { ranges = [0, 1], name = 'region' } }"),
            "f.toml:12:40: there is already a column 'region'; choose another name");
  EXPECT_EQ(told("['age', 'age']"), "f.toml:12:14: 'age' is listed twice in `by`; remove one");
  EXPECT_EQ(told("{}"),
            "f.toml:12:6: `by` is a table; write a column, a list of columns, or a table as in { "
            "age = [0, 18, 65] }");
  EXPECT_EQ(told("{ age = 3 }").substr(0, 30), "f.toml:12:14: `age` is a numbe");
}

TEST(ParseGroupsTest, RangesOfKeysCanBeDates) {
  const auto told = [](const std::string& keys) {
    const std::string message = verdict(count_by("'paid'", "paid = { keys = " + keys + " }\n"));
    return message.substr(0, message.find('\n'));
  };
  EXPECT_EQ(told("{ from = 2024-02-27, to = 2024-03-01 }"), "accepted");
  EXPECT_EQ(
      groups_of(count_by("'paid'", "paid = { keys = { from = 2024-02-28, to = 2024-03-01 } }\n")),
      "2024-02-28; | 2024-02-29; | 2024-03-01;");
  EXPECT_EQ(told("{ from = 2024-02-27, to = 2024-02-26 }"),
            "f.toml:10:26: the range of `keys` is empty; make `from` at most `to`");
  EXPECT_EQ(told("{ from = 0001-01-01, to = 9999-12-31 }"),
            "f.toml:10:26: the range of `keys` is too long; a column has at most 1000000 keys");
  EXPECT_EQ(told("{ from = 2024-02-27, to = 3 }"),
            "f.toml:10:43: `to` is a number; write a date, as the other end is");
}

}  // namespace parse_groups_test
}  // namespace lastbit
