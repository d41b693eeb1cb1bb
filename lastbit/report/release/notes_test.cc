#include "lastbit/report/release/notes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lastbit/report/release/sample_test_support.h"

namespace lastbit::report {
namespace notes_test {

// TwoStatistics: a plan of counts by region and of a mean, with answers of every sort.
struct TwoStatistics {
  ReleasePlan plan = sample_plan();
  Release release = sample_release(plan);
  TwoStatistics() {
    plan.statistics = {plan.statistics[1], plan.statistics[5]};
    plan.statistics[0].statistic.name.value = "people";
    plan.statistics[1].statistic.name.value = "spread";
    const std::string unit = "At most 2 rows of each 'person' count; the rest is left out.";
    plan.statistics[0].notes = {unit, "Keys with few units are left out."};
    plan.statistics[1].notes = {unit};
    const auto line = [](const char* key, const Rational& value, const Range& interval) {
      return AnswerLine{{std::string(key)}, "", std::nullopt, value, interval};
    };
    release.answers = {{"people",
                        {line("north", 1234, {1224, 1244}), line("south", 20, {11, 29}),
                         line("east", 0, {0, 6}), line("west", 0, {})}},
                       {"spread", {{{}, "", std::nullopt, Rational(12), Range{9, 15}}}}};
    release.answers[0].lines[2].cut = true;
    release.answers[0].lines[3].suppressed = true;
    release.answers[0].lines[3].value.reset();
    release.answers[0].lines[3].interval.reset();
  }
};

TEST(ReleaseTableTest, SaysHowGoodAnswersAreAndWhatNoIntervalShows) {
  const TwoStatistics two;
  EXPECT_EQ(release_table(two.plan, two.release, Paint(false), 80),
            R"(
  Household survey <2026> & "more"

  People
  number of rows, by region (people)
  region      answer      ± 95 %   from     to
  north        1,234          10  1,224  1,244
  south           20  ?        9     11     29
  east             0  ??       6      0      6
  west    suppressed
  Noise had moved 1 answer to where no true value can be, such as below 0; it is
  cut. So small counts are too large on average.
  ! Keys with few units are left out.

  Spread
  variance of age (spread)
  answer  ± 95 %  from  to
      12       3     9  15

  ! At most 2 rows of each 'person' count; the rest is left out.
  ? use with caution: ± is more than a third of the answer. ?? unreliable: ± is
  more than two thirds of the answer.
  An interval, from … to …, contains the true value with the probability above
  ±. Among many, some do not.
  Spent epsilon 2.375 and delta 3e-7; epsilon 0.5 and delta 6e-7 are left in
  survey ledger's.ledger.
  Ledger entry 7, 2026-11-15T17:38:48Z; keep its hash: )" +
                std::string(64, 'a') + "\n");
}

TEST(ReleaseTableTest, NotesOfSomeStatisticsNameThem) {
  TwoStatistics two;
  two.plan.statistics[0].notes = {"A.", "B."};
  two.plan.statistics[1].notes = {"B."};
  for (const char* name : {"third", "fourth", "fifth", "sixth"}) {
    two.plan.statistics.push_back(two.plan.statistics[1]);
    two.plan.statistics.back().statistic.name.value = name;
    two.plan.statistics.back().notes = {"B.", "C."};
    two.release.answers.push_back(two.release.answers[1]);
  }
  two.plan.statistics.back().notes.clear();
  const std::string text = release_table(two.plan, two.release, Paint(false), 80);
  EXPECT_NE(text.find("\n  ! A.\n\n"), std::string::npos);
  EXPECT_NE(text.find("\n  ! people, spread, third and 2 more: B.\n"), std::string::npos);
  EXPECT_NE(text.find("\n  ! third, fourth, fifth: C.\n"), std::string::npos);
}

TEST(ReleaseTableTest, CutAnswersAreSaidToBe) {
  TwoStatistics two;
  two.release.answers[0].lines = {
      {{std::string("north")}, "", std::nullopt, Rational(0), Range{0, 0}},
      {{std::string("south")}, "", std::nullopt, Rational(0), Range{0, 4}},
      {{std::string("east")}, "", std::nullopt, Rational(3), Range{0, 9}}};
  two.release.answers[0].lines[0].cut = true;
  two.release.answers[0].lines[1].cut = true;
  const std::string text = release_table(two.plan, two.release, Paint(false), 300);
  EXPECT_NE(text.find("  Noise had moved 2 answers to where no true value can be, such as below 0; "
                      "they are cut. So small counts are too large on average.\n"),
            std::string::npos);
}

}  // namespace notes_test
}  // namespace lastbit::report
