#include "lastbit/release/sql/select.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"

namespace lastbit {
namespace select_test {

SelectStatement parsed(const std::string& text) {
  return parse_select(text, {{"survey"}, {"data"}});
}

// refusal: the message about a statement, "accepted" if there is none.
std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    return error.code() == ErrorCode::kBadInput ? error.what() : "another code than kBadInput";
  }
  return "accepted";
}

std::string text_in(const std::optional<Located<std::string>>& part) {
  return part ? part->value : "nothing";
}
std::size_t place_in(const std::optional<Located<std::string>>& part) {
  return part ? part->position.column : 0;
}

const AggregateCall& call_of(const SelectStatement& statement, std::size_t item) {
  return std::get<AggregateCall>(statement.items.at(item).what);
}

TEST(Select, KnowsEveryAggregate) {
  const SelectStatement statement = parsed(
      "SELECT count(*), count(1) AS rows, count(income), count(DISTINCT person), sum(income),"
      " avg(income), mean(age), var_samp(age), variance(income), stddev(age), stddev_samp(income),"
      " median(age), quantile(age, 0.25), percentile_cont(.75) WITHIN GROUP (ORDER BY age),"
      " covar_samp(age, income), corr(age, income) FROM data");
  const std::vector<std::string> kinds = {"count",
                                          "count",
                                          "count",
                                          "count_distinct",
                                          "sum",
                                          "mean",
                                          "mean",
                                          "variance",
                                          "variance",
                                          "standard_deviation",
                                          "standard_deviation",
                                          "quantiles",
                                          "quantiles",
                                          "quantiles",
                                          "covariance",
                                          "correlation"};
  ASSERT_EQ(statement.items.size(), kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(call_of(statement, i).kind, kinds[i]);
  EXPECT_TRUE(call_of(statement, 0).arguments.empty());
  EXPECT_TRUE(call_of(statement, 1).arguments.empty());
  EXPECT_EQ(call_of(statement, 2).arguments.at(0).value.column, "income");
  EXPECT_EQ(text_in(call_of(statement, 11).level), "0.5");
  EXPECT_EQ(text_in(call_of(statement, 12).level), "0.25");
  EXPECT_EQ(text_in(call_of(statement, 13).level), ".75");
  EXPECT_EQ(call_of(statement, 13).arguments.at(0).value.column, "age");
  EXPECT_EQ(call_of(statement, 14).arguments.size(), 2U);
}

TEST(Select, FiltersAndRatios) {
  const SelectStatement statement = parsed(
      "SELECT count(*) FILTER (WHERE age > 1) AS n, sum(age) / sum(clamp(income, 1, 9)) ratio, "
      "percentile_cont(.75) WITHIN GROUP (ORDER BY age) FILTER (WHERE (income) = 2), min(age), "
      "max(age) FROM data");
  EXPECT_EQ(text_in(call_of(statement, 0).filter), "age > 1");
  EXPECT_EQ(place_in(call_of(statement, 0).filter), 31U);
  const AggregateCall& ratio = call_of(statement, 1);
  EXPECT_EQ(ratio.kind, "ratio");
  EXPECT_EQ(ratio.arguments.at(0).value.column, "age");
  EXPECT_EQ(ratio.arguments.at(1).value.column, "income");
  EXPECT_EQ(text_in(ratio.arguments.at(1).upper), "9");
  EXPECT_FALSE(ratio.filter);
  EXPECT_EQ(text_in(call_of(statement, 2).filter), "(income) = 2");
  EXPECT_EQ(call_of(statement, 3).kind, "min");
  EXPECT_EQ(call_of(statement, 4).kind, "max");
}

TEST(Select, NamesAndPlaces) {
  const SelectStatement statement = parsed(
      "select  \"région\" as ré,\n avg( income /  12 ) \"per month\"\nfrom survey\n"
      "where age>=18 group by \"région\";");
  EXPECT_EQ(statement.items.at(0).name.value, "ré");
  EXPECT_EQ(std::get<std::size_t>(statement.items.at(0).what), 0U);
  EXPECT_EQ(statement.items.at(1).name.value, "per month");
  const SelectValue& value = call_of(statement, 1).arguments.at(0).value;
  EXPECT_EQ(value.text.value, "income /  12");
  EXPECT_EQ(value.line, "income / 12");
  EXPECT_FALSE(value.column);
  // Characters, not bytes.
  EXPECT_TRUE(value.text.position.in_statement());
  EXPECT_EQ(value.text.position.column, 31U);
  EXPECT_EQ(text_in(statement.where), "age>=18");
  EXPECT_EQ(statement.groups.at(0).value.column, "région");
  EXPECT_EQ(statement.groups.at(0).name.value, "ré");
}

TEST(Select, ClampSetsBounds) {
  const SelectStatement statement = parsed("SELECT sum(clamp(income - 5, -10, 1e3)) FROM data");
  const AggregateArgument& argument = call_of(statement, 0).arguments.at(0);
  EXPECT_EQ(argument.value.text.value, "income - 5");
  EXPECT_EQ(text_in(argument.lower), "-10");
  EXPECT_EQ(text_in(argument.upper), "1e3");
  EXPECT_EQ(place_in(argument.upper), 35U);
}

TEST(Select, GroupsCanBeNamedInSeveralWays) {
  const std::string by = "SELECT year(born) AS y, age  >= 18, count(*) FROM data GROUP BY ";
  for (const std::string groups :
       {"year(born), age >= 18", "YEAR( born ), (age >= 18)", "y, 2", "1, 2", "age >= 18, y"}) {
    const SelectStatement statement = parsed(by + groups);
    ASSERT_EQ(statement.groups.size(), 2U) << groups;
    const SelectGroup& first = statement.groups.at(std::get<0>(statement.items.at(0).what));
    EXPECT_EQ(first.name.value, "y") << groups;
    const SelectGroup& second = statement.groups.at(std::get<0>(statement.items.at(1).what));
    EXPECT_EQ(second.name.value.starts_with("age"), groups != "YEAR( born ), (age >= 18)");
  }
}

TEST(Select, OrderAndLimit) {
  const SelectStatement statement = parsed(
      "SELECT region, count(*) AS n, avg(age) FROM data GROUP BY region ORDER BY n DESC, AVG(age), "
      "region ASC, 1 LIMIT 10");
  ASSERT_EQ(statement.order.size(), 4U);
  EXPECT_EQ(statement.order[0].item, 1U);
  EXPECT_TRUE(statement.order[0].descending);
  EXPECT_EQ(statement.order[1].item, 2U);
  EXPECT_EQ(statement.order[2].item, 0U);
  EXPECT_FALSE(statement.order[2].descending);
  EXPECT_EQ(statement.limit, 10U);
}

TEST(Select, RefusesWithPlaceReasonAndRemedy) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "query:1:1: the statement is empty; write SELECT count(*) FROM data"},
      {"DROP TABLE data", "query:1:1: 'DROP' is not SELECT; a statement can only ask"},
      {"insert into data values (1)", "query:1:1: 'insert' is not SELECT"},
      {"WITH x AS (SELECT 1) SELECT * FROM x", "query:1:1: WITH names a query"},
      {"SELECT * FROM data", "query:1:8: SELECT * shows rows of people"},
      {"SELECT data.* FROM data", "query:1:8: SELECT * shows rows of people"},
      {"SELECT age FROM data", "query:1:8: this asks for 'age' of every row, and rows of people"},
      {"SELECT region, age, count(*) FROM data GROUP BY region",
       "query:1:16: 'age' is not in GROUP BY; add it there"},
      {"SELECT DISTINCT age FROM data", "query:1:8: DISTINCT would show which rows there are"},
      {"SELECT count(*) FROM data; SELECT 1", "query:1:26: a second statement follows"},
      {"SELECT count(*) FROM data -- all", "query:1:27: a statement has no comments"},
      {"SELECT count(*) FROM '/etc/passwd'",
       "query:1:22: FROM names a file, and a statement reads no file but the dataset's; FROM can "
       "be "
       "survey, data"},
      {"SELECT count(*) FROM read_csv('x.csv')", "query:1:22: FROM calls a function; FROM can be"},
      {"SELECT count(*) FROM people", "query:1:22: there is no table 'people'; FROM can be survey"},
      {"SELECT count(*) FROM data, data", "query:1:26: a second table is a join"},
      {"SELECT count(*) FROM data d", "query:1:27: the table needs no other name"},
      {"SELECT count(*) FROM data JOIN x ON true",
       "query:1:27: a join would let one person appear"},
      {"SELECT count(*) FROM (SELECT 1)", "query:1:23: a query inside the statement"},
      {"SELECT count(*) FROM data WHERE age IN (SELECT 1)", "query:1:41: a query inside"},
      {"SELECT count(*) FROM data UNION SELECT count(*) FROM data",
       "query:1:27: a statement asks about one table once; ask two statements"},
      {"SELECT count(*) FROM data EXCEPT SELECT 1", "query:1:27: a statement asks about one table"},
      {"SELECT count(*)", "query:1:16: FROM is missing; FROM can be survey, data"},
      {"SELECT count(*) FROM data GROUP BY region HAVING count(*) > 5",
       "query:1:43: HAVING looks at the exact answers; leave it out, and filter the released"},
      {"SELECT sum(age) OVER () FROM data", "query:1:17: a window answers for every row"},
      {"SELECT count(*) FROM data LIMIT 5 OFFSET 2", "query:1:35: OFFSET is not supported"},
      {"SELECT MODE(age) FROM data", "query:1:8: 'MODE' cannot be answered: it is computed from"},
      {"SELECT var_pop(age) FROM data", "write var_samp"},
      {"SELECT string_agg(name, ',') FROM data", "it shows what single rows hold"},
      {"SELECT sum(DISTINCT age) FROM data", "query:1:12: only count takes DISTINCT"},
      {"SELECT coumt(*) FROM data", "query:1:8: there is no function 'coumt'; did you mean count?"},
      {"SELECT frobnicate(age) FROM data", "there is no function 'frobnicate'; use count, sum"},
      {"SELECT sum(age) / count(*) FROM data",
       "query:1:17: the statement computes with an aggregate"},
      {"SELECT 100 * avg(age) FROM data", "query:1:14: the statement computes with an aggregate"},
      {"SELECT avg(sum(age)) FROM data", "query:1:12: an aggregate of an aggregate"},
      {"SELECT sum(age) / sum(age) / 2 FROM data",
       "query:1:17: the statement computes with an aggregate"},
      {"SELECT sum(age) / sum() FROM data", "query:1:8: 'sum' takes 1 argument"},
      {"SELECT count(*) FILTER age > 1 FROM data", "query:1:17: FILTER is not followed by"},
      {"SELECT count(*) FILTER (WHERE count(*) > 1) FROM data", "query:1:31: FILTER looks at one"},
      {"SELECT avg() FROM data", "query:1:8: 'avg' takes 1 argument; write avg(income)"},
      {"SELECT quantile(age) FROM data", "query:1:8: 'quantile' takes 2 arguments"},
      {"SELECT quantile(age, age) FROM data", "query:1:22: this is not a level from 0 to 1"},
      {"SELECT corr(age, age) FROM data", "query:1:8: this takes two different columns"},
      {"SELECT sum(age) / sum(age) FROM data", "query:1:8: this takes two different columns"},
      {"SELECT sum(age) FILTER (WHERE a) / sum(b) FROM data",
       "query:1:17: FILTER before / is about the first sum alone; write the condition after WHERE"},
      {"SELECT FROM data", "query:1:8: nothing follows SELECT; write what is asked for"},
      {"SELECT percentile_cont(0.5) FROM data", "query:1:29: the column is missing; write"},
      {"SELECT avg(clamp(age, 0)) FROM data", "query:1:12: 'clamp' takes 3 arguments"},
      {"SELECT avg(clamp(age, 0, income)) FROM data", "query:1:26: this is not a number"},
      {"SELECT count(*) FROM data WHERE sum(age) > 1", "query:1:33: WHERE looks at one row"},
      {"SELECT count(*) FROM data WHERE age >", "query:1:38: the expression ends too early"},
      {"SELECT count(*), FROM data",
       "query:1:18: a column or an aggregate is expected here, not 'FROM'"},
      {"SELECT count(* FROM data", "query:1:13: this parenthesis is not closed"},
      {"SELECT count(*)) FROM data", "query:1:16: this parenthesis closes nothing"},
      {"SELECT count(*), count(*) FROM data", "query:1:18: two columns of the answer are called"},
      {"SELECT region FROM data GROUP BY region", "query:1:8: the statement asks for no aggregate"},
      {"SELECT count(*) FROM data GROUP BY region, region",
       "query:1:44: this group is listed twice"},
      {"SELECT count(*) FROM data GROUP BY count(*)",
       "query:1:36: an aggregate cannot make groups"},
      {"SELECT count(*) FROM data GROUP BY 2",
       "query:1:36: SELECT has no item 2; count from 1 to 1"},
      {"SELECT count(*) FROM data GROUP BY ROLLUP (region)", "query:1:36: ROLLUP asks several"},
      {"SELECT count(*) FROM data GROUP region", "query:1:33: GROUP BY is incomplete"},
      {"SELECT count(*) FROM data ORDER BY age", "query:1:36: 'age' is not a column of the answer"},
      {"SELECT count(*) FROM data LIMIT ten", "query:1:33: LIMIT is not one whole number"},
      {"SELECT count(*) FROM data WHERE", "query:1:32: nothing follows WHERE"},
      {"SELECT count(*) FROM data LIMIT 1 WHERE true", "query:1:35: WHERE stands after LIMIT"},
      {"SELECT count(*) FROM data WHERE \xff", "query:1:33: the statement is not UTF-8"},
      {"SELECT count(*) AS select FROM data", "query:1:20: a query inside the statement"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_NE(refusal(text).find(message), std::string::npos)
        << text << "\n  " << refusal(text) << "\n  " << message;
  }
}

// Every cut of a long statement, and every statement with one byte changed, is a statement or is
// refused as bad input.
TEST(Select, DamagedStatementsAreRefusedAsBadInput) {
  const std::string whole =
      "SELECT \"a b\", CASE WHEN x > 1 THEN 'u' ELSE 'v' END AS c, avg(clamp(y / 2, -1, 1e2)), "
      "percentile_cont(0.5) WITHIN GROUP (ORDER BY y) FROM data WHERE z IN ('a', 'b') GROUP BY "
      "\"a b\", c ORDER BY 3 DESC LIMIT 5;";
  ASSERT_EQ(refusal(whole), "accepted");
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_NE(refusal(whole.substr(0, i)), "another code than kBadInput");
    EXPECT_NE(refusal(whole.substr(i)), "another code than kBadInput");
    for (const char c : {'(', ')', ',', '\'', '"', ' ', '*', '9', '\0', '\xc3'}) {
      std::string changed = whole;
      changed[i] = c;
      EXPECT_NE(refusal(changed), "another code than kBadInput") << changed;
    }
  }
  EXPECT_NE(refusal(std::string(100'000, '(')).find("too long"), std::string::npos);
  EXPECT_NE(refusal("SELECT " + std::string(60'000, '(')).find("not closed"), std::string::npos);
}

TEST(FromTest, ATableOnAServerMayHaveItsSchema) {
  const std::vector<FromName> tables = {{"visits"}, {"visits", "clinic"}, {"Odd.one", "a b"}};
  const auto refusal = [&](const std::string& from) -> std::string {
    try {
      parse_select("SELECT count(*) FROM " + from, tables);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput);
      return error.what();
    }
    return "";
  };
  for (const char* fine :
       {"visits", "VISITS", "clinic.visits", "Clinic . Visits", "\"clinic\".visits",
        "clinic.\"visits\" WHERE true", "\"a b\".\"Odd.one\""}) {
    EXPECT_EQ(refusal(fine), "") << fine;
  }
  const std::string names = "FROM can be visits, clinic.visits, \"a b\".\"Odd.one\"";
  EXPECT_EQ(refusal("other.visits"), "query:1:22: there is no table 'other'.'visits'; " + names);
  for (const char* wrong :
       {"clinic", "clinic.other", "\"clinic.visits\"", "clinic.\"VISITS\"", "visits.clinic",
        "a b.x", "\"a b\".\"odd.one\"", "\"Odd.one\"", "clinic.'visits'", "clinic.", ".visits"}) {
    EXPECT_NE(refusal(wrong), "") << wrong;
  }
  EXPECT_NE(refusal("clinic.visits.visits").find("does not belong after FROM"), std::string::npos);
  EXPECT_NE(refusal("clinic.visits v").find("needs no other name"), std::string::npos);
  EXPECT_NE(refusal("clinic.visits, visits").find("is a join"), std::string::npos);
}

}  // namespace select_test
}  // namespace lastbit
