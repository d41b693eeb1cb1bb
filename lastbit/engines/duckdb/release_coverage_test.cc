// Repeated releases of real data, with recorded bits: how often errors stay within the stated
// accuracy.
//
// At most 7 % of the answers of a statistic may be off by more. If each were with probability 1/20,
// independently, 2000 answers would cross that with probability at most 6·10^-4, and 1400 with
// 6·10^-3 (Chernoff: 1400 times 0.07·ln(7/5) + 0.93·ln(93/95) is 5.2). For 200 answers the
// probability would be 0.08, so for fewer than 1400 the result is only printed.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "lastbit/base/test_support.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/release_test_support.h"
#include "lastbit/release/file/test_support.h"

namespace lastbit::engine {
namespace release_coverage_test {

// Coverage: how many answers there were, how many were farther off than the plan's accuracy, and
// how many intervals did not contain the truth.
struct Coverage {
  std::int64_t answers = 0;
  std::int64_t shown = 0;  // fewer where keys are found
  std::int64_t far = 0;
  std::int64_t outside = 0;

  // In percent.
  double near() const { return 100 - 100 * part(far); }
  double inside() const { return 100 - 100 * part(outside); }

 private:
  double part(std::int64_t misses) const {
    return static_cast<double>(misses) / static_cast<double>(answers);
  }
};

// ranks_off: the number of rows by which a quantile's cell misses its level.
Rational ranks_off(const QuantileStatistic& s, const GroupTruth& truth, const AnswerLine& line) {
  const Rational cell = (line.value.value() - s.column.lower.value) / s.step.value().value;
  const auto i = static_cast<std::size_t>(cell.floor().to_int64());
  const Rational wanted = Rational(truth.rows) * Rational::parse(line.cell);
  const Rational before = i == 0 ? 0 : Rational(truth.below[i - 1]);
  return std::max({Rational(0), before - wanted, wanted - Rational(truth.below[i])});
}

// rows_less: how many fewer rows a category has than the one that belongs in its place.
Rational rows_less(const GroupTruth& truth, const AnswerLine& line) {
  std::vector<std::int64_t> counts;
  for (const auto& [category, count] : truth.categories) counts.push_back(count);
  std::ranges::sort(counts, std::greater());
  const auto place = static_cast<std::size_t>(Rational::parse(line.cell).floor().to_int64());
  const std::int64_t less = counts[place - 1] - truth.categories.at(line.choice.value());
  return Rational(std::max<std::int64_t>(0, less));
}

// Judge: compares answers of a statistic with its truth.
class Judge {
 public:
  Judge(const PlannedStatistic& planned, const Truth& truth)
      : kind_(planned.statistic.kind),
        found_(planned.statistic.discover.has_value()),
        truth_(truth) {
    for (const auto& [key, group] : truth) {
      accuracy_[key] = planned.accuracy.at(group.rows);
      there_ += group.categories.empty() ? 1 : std::ssize(group.categories);
    }
  }

  void add(const std::vector<AnswerLine>& lines, Coverage& coverage) const {
    // If categories are found, everything in the data could have been shown with a wrong interval.
    if (found_) coverage.answers += there_;
    std::map<KeyTuple, std::size_t> cells;
    for (AnswerLine line : lines) {
      const std::size_t cell = cells[line.group]++;
      const GroupTruth& truth = truth_.at(line.group);
      // A category that was found is known by its name.
      for (const auto& [category, rows] : truth.categories) {
        if (found_ && !line.choice && text_of(category) == line.cell) line.choice = category;
      }
      // With too few rows there is no mean or variance that an answer could be close to.
      if (is_number(line) && !line.choice && truth.numbers.empty()) continue;
      if (!found_) ++coverage.answers;
      ++coverage.shown;
      // Some errors are known only with the answer, from its interval.
      const auto& accuracy = accuracy_.at(line.group);
      if (accuracy && error(truth, line, cell) > *accuracy) ++coverage.far;
      if (line.interval && !holds_truth(truth, line, cell)) ++coverage.outside;
    }
  }

 private:
  bool is_number(const AnswerLine& line) const {
    return line.value && !std::holds_alternative<QuantileStatistic>(kind_);
  }
  static Rational number(const GroupTruth& truth, const AnswerLine& line, std::size_t cell) {
    return line.choice ? Rational(truth.categories.at(*line.choice)) : truth.numbers[cell];
  }
  // The interval of a quantile holds it if that of a cell which does is in it.
  bool holds_truth(const GroupTruth& truth, const AnswerLine& line, std::size_t cell) const {
    const auto* quantiles = std::get_if<QuantileStatistic>(&kind_);
    if (quantiles == nullptr) return holds(*line.interval, number(truth, line, cell));
    for (std::size_t i = 0; i < truth.below.size(); ++i) {
      AnswerLine possible = line;
      possible.value = quantiles->column.lower.value + Rational(i) * quantiles->step.value().value;
      if (!holds(*line.interval, *possible.value)) continue;
      if (ranks_off(*quantiles, truth, possible).sign() == 0) return true;
    }
    return false;
  }
  Rational error(const GroupTruth& truth, const AnswerLine& line, std::size_t cell) const {
    if (line.choice && !found_) return rows_less(truth, line);
    if (is_number(line)) return abs(*line.value - number(truth, line, cell));
    return ranks_off(std::get<QuantileStatistic>(kind_), truth, line);
  }
  static bool holds(const Range& range, const Rational& value) {
    return range.lower <= value && value <= range.upper;
  }

  const StatisticKind& kind_;
  bool found_;
  const Truth& truth_;
  std::int64_t there_ = 0;
  std::map<KeyTuple, std::optional<Rational>> accuracy_;
};

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const std::size_t place = text.find(part);
  EXPECT_NE(place, std::string::npos) << part;
  return text.replace(place, part.size(), by);
}

class ReleaseCoverageTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kFirst = 200;
  static constexpr std::size_t kReleases = 2000 / kThinning;
  static constexpr std::size_t kKeys = 4;  // as many secret keys, in turn
  static constexpr double kLeast = 93;
  static constexpr std::int64_t kEnough = 1400;

  void take(const std::string& name) {
    const std::filesystem::path data = trial_data(name);
    ASSERT_TRUE(std::filesystem::exists(data))
        << data << ": set LASTBIT_DATA to a folder that has it";
    std::filesystem::copy_file(data, scratch_.path(name));
    rows_ = whole_columns(scratch_.path(name));
  }

  // Case: the exact answers for one key, and judges of each statistic.
  struct Case {
    ExactAnswers answers;
    std::vector<Truth> truths;
    std::vector<Judge> judges;
  };
  // Where all rows count, the truth is that of the file too, whatever the key.
  Case case_of(const ReleasePlan& plan, std::uint64_t key, bool all_rows_count) {
    Case one{exact(plan, key), {}, {}};
    for (const PlannedStatistic& s : plan.statistics) {
      one.truths.push_back(truth_of_answers(plan, s, one.answers));
      if (!all_rows_count) continue;
      EXPECT_TRUE(one.truths.back() == truth_of_rows(s, rows_, one.truths.back()));
    }
    for (std::size_t i = 0; i < one.truths.size(); ++i) {
      one.judges.emplace_back(plan.statistics[i], one.truths[i]);
    }
    return one;
  }

  void expect_coverage(const std::string& text, bool all_rows_count, std::uint64_t seed) {
    const ReleasePlan plan = planned(scratch_, text);
    std::vector<Case> cases;
    for (std::uint64_t key = 0; key < kKeys; ++key) {
      cases.push_back(case_of(plan, key, all_rows_count && key == 0));
    }
    std::vector<Coverage> first(plan.statistics.size());
    std::vector<Coverage> all(plan.statistics.size());
    BitSource bits = lastbit::testing::seeded_tape(seed);
    for (std::size_t release = 0; release < kReleases; ++release) {
      const Case& one = cases[release % kKeys];
      const auto released = release_answers(plan, one.answers, bits);
      for (std::size_t i = 0; i < released.size(); ++i) {
        one.judges[i].add(released[i].lines, all[i]);
        if (release < kFirst) one.judges[i].add(released[i].lines, first[i]);
      }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
      expect_coverage(plan.statistics[i].statistic.name.value, all[i], first[i]);
    }
  }
  static void expect_coverage(const std::string& name, const Coverage& all, const Coverage& first) {
    std::cout << fmt::format(
        "{:32} of {} ({} shown) {:.1f} % near, {:.1f} % inside; of the first {} {:.1f} %, {:.1f} "
        "%\n",
        name, all.answers, all.shown, all.near(), all.inside(), first.answers, first.near(),
        first.inside());
    EXPECT_GT(all.shown, 0) << name;
    for (const Coverage& some : {all, first}) {
      if (some.answers < kEnough) continue;
      EXPECT_GE(some.near(), kLeast) << name;
      EXPECT_GE(some.inside(), kLeast) << name;
    }
  }

  Scratch scratch_;
  WholeColumns rows_;
};

// SLOW: ReleaseCoverageTest.*
TEST_F(ReleaseCoverageTest, CensusWithLaplaceNoise) {
  ASSERT_NO_FATAL_FAILURE(take("fulton_pums.csv"));
  expect_coverage(text_of_file("examples/releases/fulton.toml"), true, 81);
}

TEST_F(ReleaseCoverageTest, CensusWithGaussianNoise) {
  ASSERT_NO_FATAL_FAILURE(take("fulton_pums.csv"));
  const std::string text = text_of_file("examples/releases/fulton.toml");
  expect_coverage(replaced(text, "epsilon = 2", "rho = 1"), true, 82);
}

constexpr auto kVisits = R"toml(
version = 1
source = "restaurant_week.csv"
unit = { id = "VisitorId", max_rows_per_group = 2, max_groups = 3 }
budget = { BUDGET, ledger = "l" }
[columns]
VisitorId = { type = "integer" }
Day = { type = "integer", keys = { from = 1, to = 7 } }
"Money spent (euros)" = { type = "integer", lower = 0, upper = 60 }
"Time spent (minutes)" = { type = "integer", lower = 0, upper = 120 }
)toml";

TEST_F(ReleaseCoverageTest, VisitsOfEveryKind) {
  ASSERT_NO_FATAL_FAILURE(take("restaurant_week.csv"));
  const std::string text = std::string(kVisits) + kVisitsStatistics;
  expect_coverage(replaced(text, "BUDGET", "epsilon = 4"), false, 84);
  expect_coverage(replaced(text, "BUDGET", "rho = 2"), false, 85);
}

constexpr auto kFound = R"toml(
version = 1
source = "restaurant_week.csv"
unit = { id = "VisitorId", max_rows_per_group = 1, max_groups = 3 }
budget = { epsilon = 6, delta = 1e-5, ledger = "l" }
[columns]
VisitorId = { type = "integer" }
Day = { type = "integer" }
"Money spent (euros)" = { type = "integer", lower = 0, upper = 60 }
[[statistics]]
kind = "count_units"
by = "Day"
discover = { delta = 1e-6 }
[[statistics]]
kind = "count"
by = "Day"
discover = { delta = 1e-6 }
[[statistics]]
kind = "mean"
column = "Money spent (euros)"
by = "Day"
discover = { delta = 1e-6 }
[[statistics]]
name = "prices"
kind = "histogram"
column = "Money spent (euros)"
discover = { delta = 1e-6 }
[[statistics]]
name = "common prices"
kind = "top"
k = 5
column = "Money spent (euros)"
discover = { delta = 1e-6 }
)toml";

TEST_F(ReleaseCoverageTest, VisitsWithKeysThatAreFound) {
  ASSERT_NO_FATAL_FAILURE(take("restaurant_week.csv"));
  expect_coverage(kFound, false, 86);
  expect_coverage(replaced(kFound, "epsilon = 6", "rho = 3"), false, 87);
}

}  // namespace release_coverage_test
}  // namespace lastbit::engine
