// Plans about real data, without noise: the statistics are those of the rows.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "lastbit/engines/duckdb/release_test_support.h"

namespace lastbit::engine {
namespace release_truth_test {

class ReleaseTruthTest : public ::testing::Test {
 protected:
  // take: copies the file to where release files look for it.
  void take(const std::string& name) {
    const std::filesystem::path data = trial_data(name);
    ASSERT_TRUE(std::filesystem::exists(data))
        << data << ": set LASTBIT_DATA to a folder that has it";
    std::filesystem::copy_file(data, scratch_.path(name));
    rows_ = whole_columns(scratch_.path(name));
  }

  void expect_truth_of_rows(const ReleasePlan& plan) {
    const ExactAnswers answers = exact(plan, 5);
    for (const PlannedStatistic& planned : plan.statistics) {
      const Truth truth = truth_of_answers(plan, planned, answers);
      EXPECT_FALSE(truth.empty());
      EXPECT_TRUE(truth == truth_of_rows(planned, rows_, truth)) << planned.statistic.name.value;
    }
  }

  Scratch scratch_;
  WholeColumns rows_;
};

constexpr auto kFulton = R"toml(
version = 1
unit = "row"
source = "fulton_pums.csv"
budget = { epsilon = 1, delta = 1e-6, ledger = "l" }
[columns]
age = { type = "integer", lower = 20, upper = 80 }
income = { type = "real", lower = -20_000, upper = 1_000_000 }
sex = { type = "integer", keys = [0, 1] }
educ = { type = "integer", keys = { from = 1, to = 16 } }
married = { type = "integer", keys = [1, 0] }
puma = { type = "integer" }
[keys.some]
columns = ["married", "sex"]
rows = [[1, 0], [0, 1], [0, 0]]
[[statistics]]
kind = "count"
by = ["sex", "married"]
keys = "some"
[[statistics]]
kind = "sum"
column = "income"
by = ["educ", "sex"]
[[statistics]]
kind = "mean"
column = "income"
upper = 30_000
by = "sex"
[[statistics]]
name = "mean age"
kind = "mean"
column = "age"
[[statistics]]
kind = "variance"
column = "income"
by = "married"
[[statistics]]
kind = "covariance"
columns = ["age", "income"]
by = "sex"
[[statistics]]
kind = "histogram"
column = "educ"
categories = [9, 3, 13]
other = true
by = "sex"
[[statistics]]
name = "bins"
kind = "histogram"
column = "income"
bins = [-500, 0, 1000, 12_345, 70_000]
[[statistics]]
kind = "quantiles"
column = "income"
quantiles = [0.5]
lower = 0
upper = 100_000
step = 750
by = "married"
[[statistics]]
kind = "top"
column = "educ"
k = 4
by = "sex"
[[statistics]]
name = "areas"
kind = "histogram"
column = "puma"
by = "sex"
discover = { delta = 1e-7 }
)toml";

TEST_F(ReleaseTruthTest, CensusStatisticsAreThoseOfTheRows) {
  ASSERT_NO_FATAL_FAILURE(take("fulton_pums.csv"));
  std::ifstream file(scratch_.path("fulton_pums.csv"));
  const auto lines = std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  EXPECT_EQ(std::ssize(rows_.at("age")), lines - 1) << "one is the header";
  expect_truth_of_rows(planned(scratch_, kFulton));
}

constexpr auto kVisits = R"toml(
version = 1
source = "restaurant_week.csv"
unit = { id = "VisitorId", max_rows_per_group = 7, max_groups = 7 }
budget = { epsilon = 1, delta = 1e-6, ledger = "l" }
[columns]
VisitorId = { type = "integer" }
Day = { type = "integer", keys = { from = 1, to = 7 } }
"Money spent (euros)" = { type = "integer", lower = 0, upper = 60 }
"Time spent (minutes)" = { type = "integer", lower = 10, upper = 60 }
)toml";

// No visitor comes more than 7 times, or twice on one day, so these bounds leave nothing out.
TEST_F(ReleaseTruthTest, VisitsWithinLooseBoundsAllCount) {
  ASSERT_NO_FATAL_FAILURE(take("restaurant_week.csv"));
  expect_truth_of_rows(planned(scratch_, std::string(kVisits) + kVisitsStatistics));
}

// The visits of each visitor, at most this many.
std::int64_t visits_up_to(const WholeColumns& rows, std::int64_t most) {
  std::map<std::int64_t, std::int64_t> visits;
  for (const std::int64_t id : rows.at("VisitorId")) ++visits[id];
  std::int64_t sum = 0;
  for (const auto& [id, count] : visits) sum += std::min(count, most);
  return sum;
}

TEST_F(ReleaseTruthTest, VisitsBeyondTightBoundsDoNotCount) {
  ASSERT_NO_FATAL_FAILURE(take("restaurant_week.csv"));
  for (const std::int64_t most : {1, 2, 3, 5}) {
    const ReleasePlan plan = planned(
        scratch_, kVisits + fmt::format("[[statistics]]\nkind = 'count'\nby = 'Day'\nmax_groups = "
                                        "{0}\n[[statistics]]\nname = 'all'\nkind = 'count'\n"
                                        "max_rows_per_group = {0}\n[[statistics]]\nname = 'units'\n"
                                        "kind = 'count_units'\nmax_rows_per_group = {0}\n",
                                        most));
    const ExactAnswers answers = exact(plan, 5);
    Rational by_day = 0;
    for (const auto& [day, truth] : truth_of_answers(plan, plan.statistics[0], answers)) {
      by_day += truth.numbers[0];
    }
    EXPECT_EQ(by_day, Rational(visits_up_to(rows_, most)));
    const auto one_number = [&](std::size_t i) {
      return truth_of_answers(plan, plan.statistics[i], answers).begin()->second.numbers[0];
    };
    EXPECT_EQ(one_number(1), Rational(visits_up_to(rows_, most)));
    EXPECT_EQ(one_number(2), Rational(visits_up_to(rows_, 1)));
  }
}

// Groups by visitor and day show which visits of each visitor count.
TEST_F(ReleaseTruthTest, EachVisitorCountsInNoMoreGroupsThanAllowed) {
  ASSERT_NO_FATAL_FAILURE(take("restaurant_week.csv"));
  const ReleasePlan plan = planned(
      scratch_, kVisits + std::string("[keys.visitors]\ncolumns = 'VisitorId'\nrows = [") +
                    [] {
                      std::string ids;
                      for (int i = 0; i < 2000; ++i) ids += fmt::format("[{}], ", i);
                      return ids;
                    }() +
                    "]\n[[statistics]]\nkind = 'count'\nby = ['VisitorId', 'Day']\n"
                    "keys = 'visitors'\nmax_groups = 2\n");
  std::map<std::int64_t, std::set<std::int64_t>> days;
  for (std::size_t row = 0; row < rows_.at("Day").size(); ++row) {
    days[rows_.at("VisitorId")[row]].insert(rows_.at("Day")[row]);
  }
  std::map<std::int64_t, std::int64_t> counted;
  const Truth truth = truth_of_answers(plan, plan.statistics[0], exact(plan, 6));
  for (const auto& [key, group] : truth) {
    const std::int64_t id = std::get<std::int64_t>(key[0]);
    EXPECT_LE(group.rows, days[id].count(std::get<std::int64_t>(key[1])));
    counted[id] += group.rows;
  }
  for (const auto& [id, all] : days) {
    EXPECT_EQ(counted[id], std::min<std::int64_t>(2, std::ssize(all))) << "a visitor";
  }
}

}  // namespace release_truth_test
}  // namespace lastbit::engine
