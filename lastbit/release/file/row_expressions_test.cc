// Conditions and derived columns in release files: what they mean, what is refused, and that they
// are part of the release's meaning.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "lastbit/base/test_support.h"
#include "lastbit/release/fields/time_zone.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace row_expressions_test {

const std::vector<SchemaColumn> kData = {{"income", "VARCHAR", {}},
                                         {"age", "VARCHAR", {}},
                                         {"region", "VARCHAR", {}},
                                         {"paid", "VARCHAR", {}}};

// kHead, further lines at the top and after the columns, and one count.
std::string file(const std::string& top, const std::string& after,
                 const std::string& statistic = "kind = 'count'\n") {
  return top + kHead + after + "[[statistics]]\n" + statistic;
}

ReleaseFile checked(const std::string& text) {
  return check_against_schema(parse_release(text, "f.toml"), kData);
}

std::string refused(const std::string& text) {
  try {
    checked(text);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what() : "another code than kBadInput";
  }
  return "accepted";
}

TEST(RowExpressionsTest, ConditionsOfFileAndStatisticMustBothHold) {
  const ReleaseFile release =
      checked(file("where = 'age >= 18'\n", "", "kind = 'count'\nwhere = \"region = 'n'\"\n"));
  const auto where = condition_of(release, release.statistics[0]);
  EXPECT_EQ(canonical_text(where.value()), "((\"age\" >= 18) AND (\"region\" = 'n'))");
}

TEST(RowExpressionsTest, DerivedColumnsAreWrittenOutInColumnsOfTheData) {
  const ReleaseFile release =
      checked(file("where = 'old'\n", "[derive]\nolder = 'age + 1'\nold = 'older > 65'\n"));
  EXPECT_EQ(canonical_text(condition_of(release, release.statistics[0]).value()),
            "((\"age\" + CAST(1 AS REAL)) > 65)");
  EXPECT_EQ(release.find_column("older")->type->value, FieldType::kReal);
  EXPECT_EQ(release.find_column("old")->type->value, FieldType::kBoolean);
}

TEST(RowExpressionsTest, ValuesThatAnExpressionCanOnlyHaveAreItsKeys) {
  const std::string derived =
      "[derive]\n"
      "size = \"CASE WHEN age < 18 THEN 'small' WHEN age < 65 THEN 'tall' ELSE 'small' END\"\n"
      "old = 'age > 65'\n"
      "month = 'month(CAST(paid AS DATE))'\n";
  const auto groups = [&](const std::string& column) {
    const ReleaseFile release =
        checked(file("", derived, "kind = 'count'\nby = '" + column + "'\n"));
    const ReleasePlan plan = plan_release(release);
    return public_groups(plan.aggregations[0]).value().to_string();
  };
  EXPECT_EQ(groups("size"), "2");
  EXPECT_EQ(groups("old"), "2");
  EXPECT_EQ(groups("month"), "12");
  // Keys that the file lists win.
  const std::string listed = derived + "[columns.size]\nkeys = ['tall']\n";
  const auto release = checked(file("", listed, "kind = 'count'\nby = 'size'\n"));
  EXPECT_EQ(public_groups(plan_release(release).aggregations[0]), Integer(1));
}

TEST(RowExpressionsTest, RefusalsNameThePlace) {
  EXPECT_EQ(refused(file("where = 3\n", "")),
            "f.toml:1:9: `where` is a number; write an expression in quotes, as in \"age >= 18\"");
  EXPECT_EQ(refused(file("where = 'age >'\n", "")),
            "f.toml:1:9: `where`, character 6: the expression ends too early; write what follows");
  EXPECT_EQ(refused(file("where = 'äge > 3 + agee'\n", "")),
            "f.toml:1:9: `where`, character 1: there is no column 'äge'; the columns are "
            "'income', 'age', 'region', 'paid'; texts go in single quotes");
  EXPECT_EQ(refused(file("where = \"'ä' = region OR agee > 3\"\n", "")),
            "f.toml:1:9: `where`, character 17: there is no column 'agee'; did you mean 'age'?");
  EXPECT_EQ(refused(file("where = 'age'\n", "")),
            "f.toml:1:9: `where` is not a condition; compare something, as in age >= 18");
  EXPECT_EQ(refused(file("", "[derive]\nage = 'income'\n")),
            "f.toml:11:1: the data already has a column 'age'; give the derived column another "
            "name");
  EXPECT_EQ(refused(file("", "[derive]\na = 'b'\nb = '1'\n")),
            "f.toml:11:5: `a`, character 1: 'b' is derived later; move line 12 above this one");
  EXPECT_EQ(refused(file("", "[derive]\na = 'a + 1'\n")),
            "f.toml:11:5: `a`, character 1: 'a' is derived from itself; use columns of the "
            "data, or those derived before");
  EXPECT_EQ(refused(file("derive = 'a'\n", "")),
            "f.toml:1:10: `derive` is a text; write a table [derive] of expressions");
  EXPECT_EQ(refused(file("", "[derive]\nsize = 'age'\n[columns.size]\ntype = 'text'\n")),
            "f.toml:13:8: the column 'size' is declared as text, but its expression gives real; "
            "write type = \"real\", or leave it out");
}

// Each column doubles the one before, so that writing the last one out would take 2^40 parts.
TEST(RowExpressionsTest, DerivedColumnsDoNotGrowWithoutLimit) {
  std::string columns = "[derive]\nc0 = 'age'\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string before = "c" + std::to_string(i - 1);
    columns += "c" + std::to_string(i) + " = '" + before + " + " + before + "'\n";
  }
  const std::string message = refused(file("", columns));
  EXPECT_NE(message.find("with the derived columns written out, it is too long"), std::string::npos)
      << message;
}

TEST(RowExpressionsTest, ExpressionsArePartOfTheMeaning) {
  const auto canonical = [](const std::string& text) { return canonical_text(checked(text)); };
  const std::string plain = canonical(file("", ""));
  const std::string adults = canonical(file("where = 'age >= 18'\n", ""));
  EXPECT_NE(plain, adults);
  EXPECT_EQ(adults, canonical(file("where = ' ( age>=18 )'\n", "")));
  EXPECT_EQ(adults, canonical(file("", "", "kind = 'count'\nwhere = 'age >= 18'\n")));
  EXPECT_EQ(adults, canonical(file("where = 'adult'\n", "[derive]\nadult = 'age >= 18'\n")));
  EXPECT_NE(adults, canonical(file("where = 'age >= 19'\n", "")));
  // A derived column that nobody uses is not.
  EXPECT_EQ(plain, canonical(file("", "[derive]\nadult = 'age >= 18'\n")));
  const std::string mean = "kind = 'mean'\ncolumn = 'x'\nlower = 0\nupper = 9\n";
  const std::string derived = canonical(file("", "[derive]\nx = 'age / 2'\n", mean));
  EXPECT_NE(derived, canonical(file("", "[derive]\nx = 'age / 3'\n", mean)));
  EXPECT_EQ(derived, canonical(derived));
  EXPECT_EQ(adults, canonical(adults));
}

// Under one name there can be many units, so the ledger gets the expression.
TEST(RowExpressionsTest, LedgersNameDerivedUnitsByTheirExpressions) {
  std::string text = file("", "[derive]\nwho = \"region || 'x'\"\n");
  const std::string unit = "unit = 'row'";
  text.replace(text.find(unit), unit.size(), "unit = { id = 'who', max_rows_per_group = 1 }");
  const ReleasePlan plan = plan_release(checked(text));
  EXPECT_EQ(spending_of(plan, LossKind::kPure).unit, "column (\"region\" || 'x')");
}

// Their memory depends on the data, so there are few.
TEST(RowExpressionsTest, FewOperationsMakeTexts) {
  std::string condition = "upper(region) = 'A'";
  for (int i = 1; i < 64; ++i) condition += " OR upper(region) = 'B'";
  EXPECT_EQ(refused(file("where = \"" + condition + "\"\n", "")), "accepted");
  const std::string message =
      refused(file("where = \"" + condition + " OR lower(region) = 'c'\"\n", ""));
  EXPECT_NE(message.find("the expression is too large"), std::string::npos) << message;
}

// Each of the columns repeats what it is derived from, so a short file could take all memory.
TEST(RowExpressionsTest, AllExpressionsTogetherAreLimited) {
  std::string condition = "age = 0";
  for (int i = 1; i < 2000; ++i) condition += fmt::format(" OR age = {}", i);
  const auto derived = [&](int columns) {
    std::string text = "[derive]\nsome = '" + condition + "'\n";
    for (int i = 0; i < columns; ++i) text += fmt::format("other_{} = 'NOT some'\n", i);
    return text;
  };
  EXPECT_EQ(refused(file("", derived(30))), "accepted");
  const std::string message = refused(file("", derived(40)));
  EXPECT_NE(message.find("all expressions together are too large"), std::string::npos) << message;
  // The condition of the file counts in each statistic.
  std::string statistics;
  for (int i = 0; i < 40; ++i) {
    statistics += fmt::format("[[statistics]]\nkind = 'count'\nname = 's{}'\n", i);
  }
  const std::string where = "where = '" + condition + "'\n";
  EXPECT_EQ(refused(file(where, "")), "accepted");
  EXPECT_NE(refused(file(where, statistics)).find("all expressions together are too large"),
            std::string::npos);
}

TEST(RowExpressionsTest, WithoutTheSchemaThereIsNoPlan) {
  const ReleaseFile release = parse_release(file("where = 'age >= 18'\n", ""), "f.toml");
  expect_code(ErrorCode::kBadInput, [&] { plan_release(release); });
}

TEST(RowExpressionsTest, NewTypesAreDeclaredWithWhatBelongsToThem) {
  const std::string columns =
      "[columns.paid]\ntype = 'timestamp'\nzone = '+02:00'\n[columns.price]\ntype = 'decimal'\n"
      "decimals = 2\n[columns.opens]\ntype = 'time'\n[columns.serial]\ntype = 'unsigned'\n";
  const std::vector<SchemaColumn> data = {{"income", "VARCHAR", {}}, {"age", "VARCHAR", {}},
                                          {"region", "VARCHAR", {}}, {"paid", "VARCHAR", {}},
                                          {"price", "VARCHAR", {}},  {"opens", "VARCHAR", {}},
                                          {"serial", "VARCHAR", {}}};
  const std::string text =
      "where = \"paid > '2026-01-01 00:00' AND price < 9.99 AND opens < '12:00' AND serial > "
      "5\"\n" +
      kHead + columns + "[derive]\nhour = 'hour(paid)'\n[[statistics]]\nkind = 'count'\n" +
      "by = 'hour'\n[[statistics]]\nkind = 'mean'\ncolumn = 'price'\nlower = 0\nupper = 9.5\n";
  const ReleaseFile release = check_against_schema(parse_release(text, "f.toml"), data);
  EXPECT_EQ(canonical_text(condition_of(release, release.statistics[0]).value()),
            "((\"paid\" > TIMESTAMP '2025-12-31 22:00:00Z[+02:00]') AND (\"price\" < DECIMAL "
            "'9.99') AND (\"opens\" < TIME '12:00:00') AND (\"serial\" > 5))");
  EXPECT_EQ(plan_release(release).statistics.size(), 2);
  const std::string canonical = canonical_text(release);
  EXPECT_EQ(canonical.find("[zones]"), std::string::npos);  // an offset says all there is
  const ReleaseFile again = check_against_schema(parse_release(canonical, "g.toml"), data);
  EXPECT_EQ(canonical_text(again), canonical);
}

TEST(RowExpressionsTest, MistakesInTypesAreTold) {
  const auto told = [](const std::string& column) {
    const std::string all = refused(file("", "[columns.paid]\n" + column));
    return all.substr(all.find(": ") + 2);
  };
  EXPECT_EQ(
      told("type = 'decimal'\n"),
      "the column 'paid' lacks `decimals`; write decimals = 2, or as many as the numbers have "
      "after the point");
  EXPECT_EQ(told("type = 'date'\nzone = 'UTC'\n"),
            "`zone` does not go with the column 'paid'; remove it");
  EXPECT_EQ(told("type = 'timestamp'\nzone = '../x'\n"),
            "'../x' is not the name of a time zone; write \"UTC\", a fixed offset such as "
            "\"+02:00\", or a name such as \"Europe/Berlin\"");
  EXPECT_EQ(refused(file("where = 'region > 3'\n", "")),
            "f.toml:1:9: `where`, character 10: this is a whole number, beside a text; if 'region' "
            "does not hold texts, declare its type in [columns]; or use CAST");
}

TEST(RowExpressionsTest, UnsignedKeysAreNotDiscovered) {
  const std::string text =
      "version = 1\nsource = 's.csv'\nunit = 'row'\n"
      "budget = { epsilon = 1, delta = 1e-6, ledger = 'l' }\n"
      "[columns.age]\ntype = 'unsigned'\n[[statistics]]\nkind = 'count'\nby = 'age'\n"
      "discover = { delta = 1e-7 }\n";
  EXPECT_EQ(refused(text),
            "f.toml:9:6: 'age' holds unsigned numbers, which cannot be discovered as keys; list "
            "its keys, or make it an integer or a text");
}

TEST(RowExpressionsTest, RulesOfAZoneArePartOfTheRelease) {
  if (std::holds_alternative<ZoneProblem>(TimeZone::find("Europe/Berlin"))) {
    GTEST_SKIP() << "there is no zone database";
  }
  const std::string text = file("where = \"hour(paid) < 12\"\n",
                                "[columns.paid]\ntype = 'timestamp'\nzone = 'Europe/Berlin'\n");
  const ReleaseFile release = checked(text);
  const std::string canonical = canonical_text(release);
  const std::string digest = release.find_column("paid")->type->value.zone().digest();
  EXPECT_NE(canonical.find("[zones]\n\"Europe/Berlin\" = \"" + digest + "\"\n"), std::string::npos);
  EXPECT_EQ(canonical_text(checked(canonical)), canonical);
  std::string changed = canonical;
  changed[changed.find(digest)] ^= 1;
  EXPECT_NE(refused(changed).find(
                "the rules of 'Europe/Berlin' on this machine are not those that the file states"),
            std::string::npos);
  const ReleaseFile cast =
      checked(file("where = \"CAST(region AS TIMESTAMP('Europe/Berlin')) IS NOT NULL\"\n", ""));
  EXPECT_NE(canonical_text(cast).find(digest), std::string::npos);
}

}  // namespace row_expressions_test
}  // namespace lastbit
