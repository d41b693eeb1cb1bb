// A plan and a release with every kind of statistic, made by hand. For tests only.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/report/release/plan_report.h"
#include "lastbit/report/release/release_report.h"

namespace lastbit::report {

// Names that a careless page, terminal or spreadsheet would obey. Files cannot contain line feeds
// in names; keys discovered in data can contain anything.
inline const std::string kMarkup = "<script>alert('x')</script>";
inline const std::string kFormula = "=HYPERLINK(\"http://x\")";
inline const std::string kArabic = "المنطقة الشمالية";
inline const std::string kEmoji = "🙂 \"quoted\" & more";
inline const std::string kTurning =
    "a\xE2\x80\xAE"
    "b";  // reverses the direction of what follows
inline const std::string kControl = "bell\x07 escape\x1b[31m line\nfeed";
inline const std::string kNotUtf8 = "\xff\xfe half \xe2\x82";

inline std::string long_name() {
  std::string name;
  for (int i = 0; i < 20; ++i) name += "a long name";
  return name.substr(0, 200);
}

inline std::string report_release_text() {
  std::string text = R"toml(
version = 1
title = "Household survey <2026> & \"more\""
source = { path = "survey.csv", name = "household survey 2026" }
unit = { id = "person", max_rows_per_group = 1, max_groups = 3 }
budget = { epsilon = 2, delta = 1e-6, ledger = "survey ledger's.ledger" }
[columns]
income = { type = "real", lower = 0, upper = 200_000 }
age = { type = "integer", lower = 0, upper = 100 }
sex = { keys = [0, 1] }
shop = { keys = { from = 1, to = 50 } }
zip = { keys = { from = 1, to = 5000 } }
region = { keys = ["north", "south", "east", '<script>alert("x")</script>', "@SUM(A1)", "🙂 & \"q\"", "المنطقة الشمالية", "LONG"] }
[[statistics]]
kind = "count"
[[statistics]]
name = "<script>alert('x')</script>"
kind = "count"
by = "region"
[[statistics]]
name = "persons"
kind = "count_units"
[[statistics]]
name = "=HYPERLINK(\"http://x\")"
kind = "sum"
column = "income"
by = "shop"
[[statistics]]
kind = "mean"
column = "income"
by = ["region", "sex"]
[[statistics]]
kind = "variance"
column = "age"
[[statistics]]
kind = "covariance"
columns = ["age", "income"]
by = "sex"
[[statistics]]
name = "rows of each region"
kind = "histogram"
column = "region"
other = true
[[statistics]]
name = "ages"
kind = "histogram"
column = "age"
bins = { from = 0, to = 100, width = 10 }
[[statistics]]
name = "ages by sex"
kind = "histogram"
column = "age"
by = "sex"
bins = { from = 0, to = 100, width = 5 }
[[statistics]]
name = "ages, uneven"
kind = "histogram"
column = "age"
bins = [0, 18, 65, 100]
[[statistics]]
kind = "quantiles"
column = "income"
quantiles = [0.1, 0.25, 0.5, 0.75, 0.9]
step = 500
[[statistics]]
name = "incomes by region"
kind = "quantiles"
column = "income"
by = "region"
quantiles = [0.25, 0.5, 0.75]
step = 500
[[statistics]]
name = "largest regions"
kind = "top"
column = "region"
k = 3
[[statistics]]
name = "largest occupations"
kind = "top"
column = "occupation"
k = 4
discover = { delta = 1e-7 }
[[statistics]]
name = "occupations"
kind = "count"
by = "occupation"
discover = { delta = 1e-7 }
[[statistics]]
name = "by zip"
kind = "count"
by = "zip"
confidence = 0.99
[[statistics]]
name = "nothing found"
kind = "count"
by = "village"
discover = { delta = 1e-7 }
[[statistics]]
kind = "count_distinct"
column = "occupation"
[[statistics]]
kind = "correlation"
columns = ["age", "income"]
[[statistics]]
kind = "ratio"
columns = ["income", "age"]
by = "sex"
[[statistics]]
name = "found sum"
kind = "sum"
column = "income"
bounds = "auto"
)toml";
  text.replace(text.find("\"LONG\""), 6, "\"" + long_name() + "\"");
  return text;
}

// SampleMaker: answers that look like those of a survey, the same in each run.
class SampleMaker {
 public:
  // number: about `size`, with an interval of about `error` on each side, cut at 0.
  AnswerLine number(KeyTuple group, std::string cell, std::int64_t size, const Rational& error) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    const auto wobble = static_cast<std::int64_t>(state_ >> 40U) % (size / 2 + 1);
    const Rational value = Rational(size + wobble) + Rational(1, 3);
    const Rational lower = std::max(Rational(0), value - error);
    return {std::move(group), std::move(cell), std::nullopt, value, Range{lower, value + error}};
  }

 private:
  std::uint64_t state_ = 1;
};

inline PlannedPart sample_part(std::string name) {
  return {.name = std::move(name),
          .mechanism = NoiseMechanism::kSnappedLaplace,
          .sensitivity = "3 in L1",
          .noise = "scale 24",
          .grid = Grid(-4),
          .threshold = std::nullopt,
          .cost = Cost::pure(Rational(1, 8)),
          .alpha = Rational(1, 20),
          .accuracy = Rational(719, 10)};
}

inline PlannedStatistic sample_statistic(const Statistic& statistic) {
  PlannedStatistic planned{.statistic = statistic,
                           .parts = {sample_part("number of rows")},
                           .cost = Cost::approximate(Rational(1, 8), 0),
                           .accuracy = {},
                           .bias = {},
                           .steps = {},
                           .caveats = {},
                           .release = {},
                           .total_errors = {}};
  planned.accuracy.always = Rational(4121, 10);
  planned.bias.always = Rational(0);
  planned.steps = {
      "Of each person at most 1 row in a group counts, in at most 3 groups.",
      "Rows are counted as whole numbers.",
      "Laplace noise of scale 24 is added to each count, rounded to multiples of 2^-4."};
  planned.caveats = {"Persons with rows in more than 3 groups count in 3 of them."};
  if (std::holds_alternative<MeanStatistic>(statistic.kind)) {
    planned.parts.push_back(sample_part("sum of steps from the middle"));
    planned.accuracy = {ErrorUnit::kValue, std::nullopt, [](const Integer& rows) {
                          return std::optional(Rational(4'120'000) / Rational(rows));
                        }};
    planned.bias = planned.accuracy;
    planned.caveats.push_back(
        "Incomes outside of [0, 200000] count as the nearer bound, which moves the mean.");
  }
  if (std::holds_alternative<VarianceStatistic>(statistic.kind) ||
      std::holds_alternative<CorrelationStatistic>(statistic.kind) ||
      std::holds_alternative<FoundSumStatistic>(statistic.kind)) {
    planned.accuracy = {};
    planned.bias = {};
  }
  if (std::holds_alternative<QuantileStatistic>(statistic.kind) ||
      std::holds_alternative<TopStatistic>(statistic.kind)) {
    planned.accuracy.unit = ErrorUnit::kRows;
    planned.accuracy.always = Rational(1151, 10);
    planned.bias = {};
  }
  if (statistic.discover) {
    planned.parts.front().threshold = 71;
    planned.cost = Cost::approximate(Rational(1, 8), rational("1e-7"));
  }
  return planned;
}

// sample_plan: independent of what plan_release computes.
inline ReleasePlan sample_plan() {
  ReleasePlan plan;
  plan.release = parse_release(report_release_text(), "folder/survey one.toml");
  plan.digest = release_digest(plan.release);
  plan.ledger = plan.release.budget.ledger.value;
  plan.accounting = LossKind::kApproximate;
  for (const Statistic& statistic : plan.release.statistics) {
    plan.statistics.push_back(sample_statistic(statistic));
  }
  plan.cost = Cost::approximate(Rational(19, 8), rational("3e-7"));
  plan.mechanisms = "snapped Laplace 1, noisy max 1";
  return plan;
}

inline std::vector<KeyValue> sample_keys(const ReleasePlan& plan, const std::string& column) {
  const ColumnDeclaration* declared = plan.release.find_column(column);
  if (declared == nullptr || !declared->keys) {
    return {kMarkup, kFormula, kArabic, kEmoji, kTurning, kControl, kNotUtf8, std::string("cook")};
  }
  if (const auto* list = std::get_if<KeyList>(&declared->keys->value)) return *list;
  const auto& range = std::get<KeyRange>(declared->keys->value);
  std::vector<KeyValue> keys;
  for (std::int64_t key = range.first; key <= range.last; ++key) keys.emplace_back(key);
  return keys;
}

inline std::vector<KeyTuple> sample_groups(const ReleasePlan& plan, const Statistic& statistic) {
  std::vector<KeyTuple> groups = {{}};
  for (const auto& column : statistic.by) {
    std::vector<KeyTuple> longer;
    for (const KeyTuple& group : groups) {
      for (const KeyValue& key : sample_keys(plan, column.value)) {
        longer.push_back(group);
        longer.back().push_back(key);
      }
    }
    groups = std::move(longer);
  }
  return groups;
}

// sample_cells: the cells for which a group has answers, with their sizes.
inline void add_sample_lines(const ReleasePlan& plan, const Statistic& statistic,
                             const KeyTuple& group, SampleMaker& make,
                             std::vector<AnswerLine>& lines) {
  if (const auto* bins = std::get_if<BinStatistic>(&statistic.kind)) {
    for (std::size_t i = 0; i + 1 < bins->edges.size(); ++i) {
      const bool last = i + 2 == bins->edges.size();
      const std::string cell = "[" + bins->edges[i].to_string() + ", " +
                               bins->edges[i + 1].to_string() + (last ? "]" : ")");
      const auto bump = static_cast<std::int64_t>((i + 1) * (bins->edges.size() - i));
      lines.push_back(make.number(group, cell, 400 * bump, 412));
    }
  } else if (const auto* quantiles = std::get_if<QuantileStatistic>(&statistic.kind)) {
    std::int64_t value = 8'000;
    for (const Rational& level : quantiles->levels) {
      value += 9'500 + value / 2;
      lines.push_back({group, level.to_string(), std::nullopt, Rational(value / 500 * 500), {}});
    }
  } else if (const auto* top = std::get_if<TopStatistic>(&statistic.kind)) {
    const auto keys = sample_keys(plan, top->column.name.value);
    for (std::size_t i = 0; i < static_cast<std::size_t>(top->k); ++i) {
      AnswerLine line = make.number(group, std::to_string(i + 1), 5000, 412);
      line.choice = keys.at(i);
      if (!statistic.discover) line.value = std::nullopt;
      if (!statistic.discover) line.interval = std::nullopt;
      lines.push_back(line);
    }
  } else if (const auto* category = std::get_if<CategoryStatistic>(&statistic.kind)) {
    for (const KeyValue& key : sample_keys(plan, category->column.name.value)) {
      lines.push_back(make.number(group, text_of(key), 20'000, 412));
    }
    if (category->other) lines.push_back(make.number(group, "other", 300, 412));
  } else {
    const bool is_mean = std::holds_alternative<MeanStatistic>(statistic.kind);
    lines.push_back(make.number(group, "", is_mean ? 41'000 : 53'214,
                                is_mean ? Rational(41234, 100) : Rational(412)));
    if (std::holds_alternative<FoundSumStatistic>(statistic.kind)) {
      lines.back().bounds = Range{0, 131'072};
    }
    // A ratio by what may be 0.
    if (std::holds_alternative<RatioStatistic>(statistic.kind) &&
        group.back() == KeyValue(std::int64_t{1})) {
      lines.back().value.reset();
      lines.back().interval.reset();
    }
  }
}

inline Release sample_release(const ReleasePlan& plan) {
  const Spending spending{.cost = plan.cost, .plan = plan.digest};
  Release release{.entry = {.id = 7,
                            .time = "2026-11-15T17:38:48Z",
                            .spending = spending,
                            .price = plan.cost,
                            .total = Cost::approximate(Rational(5, 2), rational("4e-7")),
                            .hash = std::string(64, 'a'),
                            .completed = std::nullopt},
                  .completed = true,
                  .left = Cost::approximate(Rational(1, 2), rational("6e-7")),
                  .answers = {}};
  SampleMaker make;
  for (const PlannedStatistic& planned : plan.statistics) {
    StatisticAnswers answers{planned.statistic.name.value, {}};
    if (planned.statistic.name.value != "nothing found") {
      for (const KeyTuple& group : sample_groups(plan, planned.statistic)) {
        add_sample_lines(plan, planned.statistic, group, make, answers.lines);
      }
    }
    release.answers.push_back(std::move(answers));
  }
  return release;
}

// csv_rows: an independent reader, as in RFC 4180.
inline std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"') {
      rows.back().back() += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == ',') {
      rows.back().emplace_back();
    } else if (!quoted && text.compare(i, 2, "\r\n") == 0) {
      ++i;
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      rows.back().back() += text[i];
    }
  }
  return rows;
}

inline std::size_t all_answers(const Release& release) {
  std::size_t count = 0;
  for (const StatisticAnswers& one : release.answers) count += one.lines.size();
  return count;
}

}  // namespace lastbit::report
