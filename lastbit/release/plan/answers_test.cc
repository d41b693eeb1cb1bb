// Answers that say how good they are: marks, intervals that hold only what is possible, quantiles
// in order, suppression, and what stands below a table.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lastbit/base/test_support.h"
#include "lastbit/random/tape.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/test_support.h"
#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/reliability.h"

namespace lastbit {
namespace answers_test {

using release_internal::AnswerLimits;
using release_internal::cut_answer;
using release_internal::limits_of_sum;

AnswerLine line(const Rational& value, const Rational& lower, const Rational& upper) {
  return {{}, "", std::nullopt, value, Range{lower, upper}};
}

TEST(ReliabilityTest, ComparesTheFartherEndWithTheSizeOfTheAnswer) {
  EXPECT_EQ(reliability_of(line(30, 20, 40)), Reliability::kReliable);
  EXPECT_EQ(reliability_of(line(30, rational("19.999"), 40)), Reliability::kCaution);
  EXPECT_EQ(reliability_of(line(30, 25, rational("40.001"))), Reliability::kCaution);
  EXPECT_EQ(reliability_of(line(30, 10, 50)), Reliability::kCaution);
  EXPECT_EQ(reliability_of(line(30, 10, rational("50.001"))), Reliability::kUnreliable);
  EXPECT_EQ(reliability_of(line(-30, -40, -20)), Reliability::kReliable);
  EXPECT_EQ(reliability_of(line(-30, -50, -10)), Reliability::kCaution);
  // Around 0 everything is large; an interval without width is exact.
  EXPECT_EQ(reliability_of(line(0, 0, rational("1e-9"))), Reliability::kUnreliable);
  EXPECT_EQ(reliability_of(line(0, 0, 0)), Reliability::kReliable);
  // An interval that holds nearly everything says nothing, whatever the size of the answer.
  AnswerLine vague = line(160, 120, 200);
  EXPECT_EQ(reliability_of(vague), Reliability::kReliable);
  vague.vague = true;
  EXPECT_EQ(reliability_of(vague), Reliability::kUnreliable);
  EXPECT_TRUE(exceeds_share(vague, 1));
}

TEST(ReliabilityTest, NeedsAnInterval) {
  EXPECT_EQ(reliability_of({{}, "", {}, Rational(3), {}}), std::nullopt);
  AnswerLine suppressed{{}, "", {}, std::nullopt, std::nullopt};
  suppressed.suppressed = true;
  EXPECT_EQ(reliability_of(suppressed), std::nullopt);
  EXPECT_FALSE(exceeds_share({{}, "", {}, Rational(3), {}}, 0));
  EXPECT_EQ(name_of(Reliability::kReliable), "reliable");
  EXPECT_EQ(name_of(Reliability::kCaution), "caution");
  EXPECT_EQ(name_of(Reliability::kUnreliable), "unreliable");
}

TEST(CutAnswerTest, LeavesWhatIsPossible) {
  struct Cut {
    Rational value;
    Range interval;
    bool moved;
    bool operator==(const Cut&) const = default;
  };
  const auto cut = [](AnswerLine one, const AnswerLimits& limits,
                      const std::optional<Rational>& published = std::nullopt) {
    cut_answer(one, limits, published);
    return Cut{*one.value, *one.interval, one.cut};
  };
  const AnswerLimits counts{Rational(0), std::nullopt};
  EXPECT_EQ(cut(line(5, 2, 8), counts), (Cut{5, {2, 8}, false}));
  EXPECT_EQ(cut(line(5, -2, 12), counts), (Cut{5, {0, 12}, false}));
  EXPECT_EQ(cut(line(-3, -9, 3), counts), (Cut{0, {0, 3}, true}));
  EXPECT_EQ(cut(line(-30, -36, -24), counts), (Cut{0, {0, 6}, true}));
  EXPECT_EQ(cut(line(3, 1, 5), {Rational(0), Rational(2)}), (Cut{2, {1, 2}, true}));
  EXPECT_EQ(cut(line(9, 7, 11), {Rational(0), Rational(2)}), (Cut{2, {0, 2}, true}));
  EXPECT_EQ(cut(line(4, -1, 9), limits_of_sum({-3, 0})), (Cut{0, {-1, 0}, true}));
  EXPECT_EQ(cut(line(4, -1, 9), limits_of_sum({-3, 1})), (Cut{4, {-1, 9}, false}));
  EXPECT_EQ(cut(line(4, -1, 9), limits_of_sum({rational("0.5"), 1})), (Cut{4, {0, 9}, false}));
  // A number that is published instead is in the interval.
  EXPECT_EQ(cut(line(5, 2, 8), counts, Rational(7)), (Cut{7, {2, 8}, false}));
  EXPECT_EQ(cut(line(-5, -8, -2), counts, Rational(1)), (Cut{1, {0, 3}, true}));
  EXPECT_EQ(cut(line(9, 7, 11), counts, Rational(6)), (Cut{6, {6, 11}, false}));
  AnswerLine none{{}, "", {}, Rational(-1), {}};
  cut_answer(none, counts);
  EXPECT_EQ(none.value, Rational(0));
  EXPECT_FALSE(none.interval);
}

const std::vector<SchemaColumn> kData = {{"income", "", {}}, {"age", "", {}},   {"region", "", {}},
                                         {"debt", "", {}},   {"old", "", {}},   {"person", "", {}},
                                         {"job", "", {}},    {"change", "", {}}};

ReleaseFile file_of(const std::string& statistics, const std::string& budget = "epsilon = 1",
                    const std::string& unit = "'row'") {
  std::string head = kHead;
  head.replace(head.find("epsilon = 1"), 11, budget);
  head.replace(head.find("'row'"), 5, unit);
  const std::string columns =
      "debt = { type = 'integer', lower = -50, upper = 0 }\nold = { type = 'boolean' }\n"
      "change = { type = 'integer', lower = -50, upper = 50 }\n";
  return check_against_schema(parse_release(head + columns + statistics, "f.toml"), kData);
}
ReleasePlan planned(const std::string& statistics, const std::string& budget = "epsilon = 1",
                    const std::string& unit = "'row'") {
  return plan_release(file_of(statistics, budget, unit));
}

// Exact answers: all entries of group g are `first` + g.
ExactAnswers equal_entries(const ReleasePlan& plan, std::int64_t first) {
  ExactAnswers exact;
  for (const Aggregation& aggregation : plan.aggregations) {
    exact.push_back(empty_groups(aggregation));
    std::int64_t number = first;
    for (GroupAnswer& group : exact.back()) {
      for (auto& entries : group.entries) std::ranges::fill(entries, Integer(number));
      ++number;
    }
  }
  return exact;
}

// False alarms: each of 2,000 intervals at 95 % misses with probability at most 1/20; more than 150
// misses have a probability below 2e-5 (Chernoff: 2000 times 0.075·ln(1.5) + 0.925·ln(0.925/0.95)
// is above 11).
TEST(PossibleAnswersTest, CutIntervalsHoldAsOftenAsStated) {
  for (const char* budget : {"epsilon = 2", "rho = 0.1"}) {
    const ReleasePlan plan = planned(
        "[[statistics]]\nname = 'n'\nkind = 'count'\nby = 'region'\ntotals = true\n"
        "[[statistics]]\nname = 'cells'\nkind = 'histogram'\ncolumn = 'income'\nbins = [0, 5, 9]\n"
        "[[statistics]]\nname = 'owed'\nkind = 'sum'\ncolumn = 'debt'\n"
        "[[statistics]]\nname = 'earned'\nkind = 'sum'\ncolumn = 'income'\nby = 'region'\n"
        "[[statistics]]\nname = 'changes'\nkind = 'sum'\ncolumn = 'change'\n"
        "[[statistics]]\nname = 'kinds'\nkind = 'count_distinct'\ncolumn = 'old'\n",
        budget);
    // One row in the first group, two in the second; sums are 1 and 2, of debts too, which is only
    // right for their sign, so theirs are set to 0.
    ExactAnswers exact = equal_entries(plan, 1);
    const PlannedStatistic& owed = plan.statistics.at(3);
    ASSERT_EQ(owed.statistic.name.value, "owed");
    exact[owed.aggregation].at(0).entries.at(owed.measure) = {1, 0};
    std::map<std::string, int> misses;
    std::map<std::string, int> moved;
    int added = 0;
    BitSource bits = testing::seeded_tape(31);
    for (int round = 0; round < 2000; ++round) {
      const auto answers = release_answers(plan, exact, bits);
      ASSERT_EQ(answers.size(), 7U);
      for (const StatisticAnswers& one : answers) {
        const AnswerLine& answer = one.lines.front();
        const Range& interval = *answer.interval;
        const Rational truth = one.name == "owed" ? 0 : one.name == "n_total" ? 3 : 1;
        const bool held = interval.lower <= truth && truth <= interval.upper;
        misses[one.name] += held ? 0 : 1;
        moved[one.name] += answer.cut ? 1 : 0;
        ASSERT_LE(interval.lower, *answer.value);
        ASSERT_LE(*answer.value, interval.upper);
        const bool signed_sum = one.name == "owed" || one.name == "changes";
        ASSERT_TRUE(signed_sum || interval.lower >= Rational(0));
        ASSERT_TRUE(one.name != "owed" || interval.upper <= Rational(0));
        ASSERT_TRUE(one.name != "kinds" || interval.upper <= Rational(2));
      }
      // The answers themselves still add up, unless one would have to move too far.
      const auto& groups = answers[0].lines;
      added += *groups[0].value + *groups[1].value == *answers[1].lines[0].value ? 1 : 0;
    }
    EXPECT_GE(added, 1700) << budget;
    for (const auto& [name, count] : misses) EXPECT_LE(count, 150) << name << ", " << budget;
    for (const auto& [name, count] : moved) {
      EXPECT_EQ(count > 100, name != "changes") << name << ", " << budget;
    }
  }
}

// 1,000 rows, spread evenly over the possible answers of an age.
ExactAnswers even_ages(const ReleasePlan& plan) {
  ExactAnswers exact = {empty_groups(plan.aggregations.at(0))};
  for (GroupAnswer& group : exact[0]) {
    auto& below = group.entries.at(0);
    for (std::size_t i = 0; i < below.size(); ++i) {
      below[i] = Integer(1000 * (i + 1) / below.size());
    }
  }
  return exact;
}

// False alarms: of 2,000 groups at most 100 are expected to miss; more than 150 have a probability
// below 2e-5, as above.
TEST(QuantilesInOrderTest, NeverCrossAndAreRightTogetherAsOftenAsStated) {
  const ReleasePlan plan = planned(
      "[[statistics]]\nkind = 'quantiles'\ncolumn = 'age'\nby = 'region'\nstep = 1\n"
      "quantiles = [0.4, 0.45, 0.5, 0.55, 0.6]\n",
      "epsilon = 0.2");
  const ExactAnswers exact = even_ages(plan);
  const auto& below = exact[0][0].entries.at(0);
  const Rational accuracy = plan.statistics[0].accuracy.always.value();
  int missed = 0;
  BitSource bits = testing::seeded_tape(32);
  for (int round = 0; round < 1000; ++round) {
    const auto answers = release_answers(plan, exact, bits);
    const auto& lines = answers[0].lines;
    ASSERT_EQ(lines.size(), 10U);
    for (std::size_t group = 0; group < 2; ++group) {
      bool wrong = false;
      for (std::size_t i = 5 * group; i < 5 * group + 5; ++i) {
        EXPECT_EQ(lines[i].cell, lines[i % 5].cell);
        ASSERT_TRUE(i % 5 == 0 || *lines[i - 1].value <= *lines[i].value);
        const auto cell = static_cast<std::size_t>(lines[i].value->floor().to_int64());
        const Rational wanted = Rational(1000) * Rational::parse(lines[i].cell);
        const Rational before = cell == 0 ? Rational(0) : Rational(below[cell - 1]);
        wrong |= before - wanted > accuracy || wanted - Rational(below[cell]) > accuracy;
      }
      missed += wrong ? 1 : 0;
    }
  }
  EXPECT_LE(missed, 150);
  // The accuracy is that of all of them together.
  EXPECT_EQ(plan.statistics[0].parts[0].alpha, Rational(1, 100));
}

constexpr auto kTwo =
    "[[statistics]]\nname = 'few'\nkind = 'count'\nby = 'region'\ntotals = true\n"
    "[[statistics]]\nname = 'income'\nkind = 'mean'\ncolumn = 'income'\n";

std::string with_suppression(const std::string& share) {
  return std::string(kTwo).insert(14, "\nsuppress_above = " + share);
}

TEST(SuppressionTest, WithholdsWideAnswersAndChangesNoOther) {
  const ReleasePlan shown = planned(kTwo);
  const ReleasePlan partly = planned(with_suppression("0.5"));
  EXPECT_EQ(shown.cost, partly.cost);
  int suppressed = 0;
  int all = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    BitSource one = testing::seeded_tape(seed);
    BitSource other = testing::seeded_tape(seed);
    const auto whole = release_answers(shown, equal_entries(shown, 10), one);
    const auto part = release_answers(partly, equal_entries(partly, 10), other);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      for (std::size_t k = 0; k < whole[i].lines.size(); ++k) {
        const AnswerLine& before = whole[i].lines[k];
        const AnswerLine& after = part[i].lines[k];
        // The mean is not asked to be suppressed; the totals of the counts are.
        const bool wide = i < 2 && exceeds_share(before, Rational(1, 2));
        EXPECT_EQ(after.suppressed, wide);
        EXPECT_EQ(after.value, wide ? std::nullopt : before.value);
        EXPECT_EQ(after.interval, wide ? std::nullopt : before.interval);
        EXPECT_EQ(after.group, before.group);
        suppressed += wide ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(suppressed, all / 10);
  EXPECT_LT(suppressed, all - all / 10);
}

TEST(SuppressionTest, IsPartOfTheRelease) {
  const ReleaseFile file = file_of(with_suppression("0.5"));
  EXPECT_EQ(file.statistics[0].suppress_above->value, Rational(1, 2));
  EXPECT_FALSE(file.statistics[1].suppress_above);
  EXPECT_NE(release_digest(file), release_digest(file_of(kTwo)));
  EXPECT_EQ(release_digest(file), release_digest(file_of(with_suppression("'1/2'"))));
  EXPECT_NE(release_digest(file), release_digest(file_of(with_suppression("0.4"))));
  EXPECT_EQ(canonical_text(file_of(kTwo)).find("suppress"), std::string::npos);
  const std::string canonical = canonical_text(file);
  EXPECT_NE(canonical.find("suppress_above = \"0.5\"\n"), std::string::npos);
  EXPECT_EQ(canonical_text(check_against_schema(parse_release(canonical, "f.toml"), kData)),
            canonical);
}

TEST(SuppressionTest, AtTheTopItIsForAllStatisticsWithIntervals) {
  const std::string statistics =
      "[[statistics]]\nkind = 'count'\n[[statistics]]\nkind = 'count'\nname = 'b'\n"
      "suppress_above = 2\n[[statistics]]\nkind = 'median'\ncolumn = 'age'\n"
      "[[statistics]]\nkind = 'min'\ncolumn = 'age'\ninterval_share = 0\n"
      "[[statistics]]\nkind = 'top'\ncolumn = 'region'\nk = 1\n";
  const ReleaseFile file = parse_release("suppress_above = '1/3'\n" + kHead + statistics, "f.toml");
  EXPECT_EQ(file.statistics[0].suppress_above->value, Rational(1, 3));
  EXPECT_EQ(file.statistics[1].suppress_above->value, Rational(2));
  EXPECT_EQ(file.statistics[2].suppress_above->value, Rational(1, 3));
  EXPECT_FALSE(file.statistics[3].suppress_above);
  EXPECT_FALSE(file.statistics[4].suppress_above);
}

TEST(SuppressionTest, WhatMakesNoSenseIsRefused) {
  const auto told = [](const std::string& statistic) {
    return verdict(kHead + "[[statistics]]\n" + statistic);
  };
  EXPECT_EQ(told("kind = 'median'\ncolumn = 'age'\ninterval_share = 0\nsuppress_above = 1\n"),
            "f.toml:14:1: `suppress_above` does not go with the kind `median`; remove it: these "
            "answers have no intervals");
  EXPECT_NE(told("kind = 'top'\ncolumn = 'region'\nk = 1\nsuppress_above = 1\n")
                .find("f.toml:14:1: `suppress_above` does not go with the kind `top`"),
            std::string::npos);
  EXPECT_EQ(told("kind = 'count'\nsuppress_above = 0\n"),
            "f.toml:12:18: `suppress_above` is 0; write a number above 0");
  EXPECT_NE(told("kind = 'count'\nsuppress_above = true\n").find("f.toml:12:18: `suppress_above`"),
            std::string::npos);
  EXPECT_EQ(verdict("suppress_above = -1\n" + kHead + "[[statistics]]\nkind = 'count'\n"),
            "f.toml:1:18: `suppress_above` is -1; write a number above 0");
}

std::string notes_of(const ReleasePlan& plan, std::size_t statistic = 0) {
  std::string all;
  for (const std::string& note : plan.statistics.at(statistic).notes) all += note + "\n";
  return all;
}

TEST(NotesTest, SayWhatNoIntervalShows) {
  const std::string people = "{ id = 'person', max_rows_per_group = 2, max_groups = 3 }";
  const auto notes = [&](const std::string& statistic, const std::string& unit) {
    return notes_of(planned("[[statistics]]\n" + statistic, "epsilon = 1, delta = 1e-6", unit));
  };
  EXPECT_EQ(notes("kind = 'count'\nby = 'region'", "'row'"), "");
  EXPECT_EQ(notes("kind = 'count'\nby = 'region'", people),
            "At most 2 rows per group and 3 groups of each 'person' count; the rest is left out, "
            "and no interval shows that.\n");
  EXPECT_EQ(notes("kind = 'count'\nmax_rows_per_group = 1", people),
            "At most 1 row of each 'person' counts; the rest is left out, and no interval shows "
            "that.\n");
  EXPECT_EQ(notes("kind = 'count_units'", people), "");
  EXPECT_EQ(notes("kind = 'count_units'\nby = 'region'\nmax_groups = 1", people),
            "Each 'person' counts in at most 1 group; the rest is left out, and no interval shows "
            "that.\n");
  EXPECT_EQ(notes("kind = 'covariance'\ncolumns = ['income', 'age']", "'row'"),
            "Values of 'income' outside [0, 100] and of 'age' outside [0, 120] count as the nearer "
            "bound, and no interval shows that.\n");
  EXPECT_EQ(notes("kind = 'share'\ncolumn = 'old'", "'row'"), "");
  EXPECT_EQ(notes("kind = 'count'\nsuppress_above = 0.5", "'row'"),
            "Answers with ± above 0.5 times their size are suppressed. Those close to that are too "
            "large on average.\n");
  EXPECT_NE(notes("kind = 'ratio'\ncolumns = ['income', 'age']", "'row'")
                .find("There is no answer where the noise hides whether the second sum is 0.\n"),
            std::string::npos);
  const std::string found =
      notes("kind = 'count'\nby = 'job'\ndiscover = { delta = 1e-7 }", "'row'");
  EXPECT_TRUE(
      found.starts_with("Keys with few units are left out. Counts close to the threshold of "))
      << found;
}

TEST(NotesTest, AreThoseOfTheTotalsToo) {
  const ReleasePlan plan =
      planned("[[statistics]]\nkind = 'sum'\ncolumn = 'income'\nby = 'region'\ntotals = true\n");
  ASSERT_EQ(plan.statistics.size(), 2U);
  EXPECT_EQ(notes_of(plan, 0), notes_of(plan, 1));
  EXPECT_NE(notes_of(plan), "");
}

}  // namespace answers_test
}  // namespace lastbit
