#include "lastbit/report/release/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/release/kinds/registry.h"
#include "lastbit/report/release/notes.h"
#include "lastbit/report/table.h"

namespace lastbit::report {
namespace {

std::string listed(const std::vector<Located<std::string>>& columns, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (i > 0) text += i + 1 == columns.size() ? std::string(last) : ", ";
    text += columns[i].value;
  }
  return text;
}

// A delta above this is a chance of failure that nobody would call small.
const Rational kLargeDelta(1, 1000);

// comparable_epsilon: the epsilon of a loss; for a rho, the epsilon that it implies with a delta of
// 1e-6.
Rational comparable_epsilon(const Cost& cost) {
  if (cost.kind() != LossKind::kConcentrated) return cost.epsilon();
  return approximate_epsilon(cost.rho(), Rational(1, 1'000'000));
}

// Which columns a table of answers needs.
struct Needed {
  bool cell = false;
  bool choice = false;
  bool value = false;
  bool interval = false;
  bool bounds = false;
};
Needed needed_by(const std::vector<AnswerLine>& lines) {
  Needed needed;
  for (const AnswerLine& line : lines) {
    needed.cell |= !line.cell.empty();
    needed.choice |= line.choice.has_value();
    needed.value |= line.value.has_value() || line.suppressed || !line.choice;
    needed.interval |= line.interval.has_value();
    needed.bounds |= line.bounds.has_value();
  }
  return needed;
}

std::string bounds_words(const AnswerLine& line) {
  if (!line.bounds) return "";
  return fmt::format("[{}, {}]", line.bounds->lower.to_string(), line.bounds->upper.to_string());
}

std::string value_words(const AnswerLine& line, const NumberStyle& style) {
  if (line.value) return style.text(*line.value);
  if (line.suppressed) return "suppressed";
  return line.choice ? "" : "–";
}

std::vector<std::string> row_of(const AnswerLine& line, const Needed& needed,
                                const NumberStyle& style) {
  std::vector<std::string> row;
  for (const KeyValue& key : line.group) row.push_back(shown_key(text_of(key)));
  if (needed.cell) row.push_back(shown_key(line.cell));
  if (needed.choice) row.push_back(line.choice ? shown_key(text_of(*line.choice)) : "");
  if (needed.value) {
    row.push_back(value_words(line, style));
  }
  if (needed.interval) {
    const auto error = half_width(line);
    row.push_back(error ? style.text(*error, Rounding::kUp) : "");
    row.push_back(line.interval ? style.text(line.interval->lower, Rounding::kDown) : "");
    row.push_back(line.interval ? style.text(line.interval->upper, Rounding::kUp) : "");
  }
  if (needed.bounds) row.push_back(bounds_words(line));
  return row;
}

}  // namespace

std::string shown_key(std::string_view text) {
  constexpr std::size_t kMostCells = 200;
  constexpr std::size_t kMostBytes = 16 * kMostCells;  // anything beyond is ignored
  return cut(shown_text(text.substr(0, kMostBytes)), kMostCells);
}

std::string name_words(std::string_view name) {
  std::string words = shown_text(name);
  // Names of several words are written with _ or with spaces.
  const bool is_code =
      words.find(' ') == std::string::npos && words.find_first_not_of('_') != std::string::npos;
  if (is_code) std::ranges::replace(words, '_', ' ');
  const std::size_t first = words.find_first_not_of(' ');
  if (first == std::string::npos) return words;
  words.erase(0, first);
  words.erase(words.find_last_not_of(' ') + 1);
  if (words.front() >= 'a' && words.front() <= 'z') {
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  }
  return words;
}

std::string kind_words(const Statistic& statistic) {
  std::string words = describe_kind(statistic.kind);
  if (!statistic.by.empty()) words += ", by " + listed(statistic.by, " and ");
  if (statistic.where) words += ", where " + statistic.where->text.value;
  return shown_text(words);
}

std::string by_words(const Statistic& statistic) { return shown_text(listed(statistic.by, ", ")); }

std::string mechanism_words(const PlannedStatistic& planned) {
  std::vector<std::string> names;
  for (const PlannedPart& part : planned.parts) {
    const std::string_view name = name_of(part.mechanism);
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  return shown_text(joined(names, ", "));
}

std::string rank_words(const PlannedStatistic& planned) {
  if (finds_bounds(planned.statistic.kind)) {
    return "Values outside the bounds found count as the nearer bound, and intervals are about the "
           "values so counted.";
  }
  const bool in_rows = planned.accuracy.unit == ErrorUnit::kRows;
  if (!in_rows || !planned.accuracy.always) return "";
  if (std::holds_alternative<RankingFigure>(figure_of(planned.statistic.kind))) {
    return fmt::format(
        "The category in a place has at most {} rows fewer than the one that belongs there, with "
        "{} "
        "confidence for all places of a group together.",
        error_text(*planned.accuracy.always), percent_text(planned.statistic.confidence.value));
  }
  return fmt::format("Off by at most {} rows, each with {} confidence.",
                     error_text(*planned.accuracy.always),
                     percent_text(planned.statistic.confidence.value));
}

std::string unit_words(const PrivacyUnit& unit) {
  const auto* by_id = std::get_if<IdUnit>(&unit);
  if (by_id == nullptr) return "one row";
  return shown_text("one " + by_id->column.value);
}

std::string noise_words(const Cost& cost) {
  const Rational epsilon = comparable_epsilon(cost);
  const bool often_fails = cost.delta() > kLargeDelta;
  if (often_fails || epsilon > Rational(3)) {
    return "Noise was drawn for every number, but little: at this loss the page may tell a lot "
           "about individuals in the data.";
  }
  return fmt::format(
      "Noise was drawn for every number, so that the page tells {} about any individual in the "
      "data.",
      epsilon > Rational(1) ? "little" : "next to nothing");
}

std::string loss_warning(const Cost& cost) {
  constexpr int kMost = 10;
  const bool concentrated = cost.kind() == LossKind::kConcentrated;
  if ((concentrated ? cost.rho() : cost.epsilon()) <= Rational(kMost)) return "";
  return fmt::format(
      "Above {} {} the answers may give away nearly everything about individual units.",
      concentrated ? "rho" : "epsilon", kMost);
}

std::optional<Rational> same_confidence(const ReleasePlan& plan) {
  std::optional<Rational> same;
  for (const PlannedStatistic& planned : plan.statistics) {
    const Rational& confidence = planned.statistic.confidence.value;
    if (same && *same != confidence) return std::nullopt;
    same = confidence;
  }
  return same;
}

std::string title_of(const ReleaseFile& release) {
  if (!release.title.empty()) return shown_text(release.title);
  const std::string stem = std::filesystem::path(release.filename).stem().string();
  return stem.empty() ? "Private statistics" : shown_text(stem);
}

std::string interval_words(const AnswerLine& line, const NumberStyle& style) {
  const auto error = half_width(line);
  if (!error || !line.interval) return "";
  const Rational nearer = line.interval->upper - line.interval->lower - *error;
  constexpr int kMuch = 10;  // a tenth
  if ((*error - nearer) * Rational(kMuch) <= *error) {
    return "± " + style.text(*error, Rounding::kUp);
  }
  return fmt::format("({} to {})", style.text(line.interval->lower, Rounding::kDown),
                     style.text(line.interval->upper, Rounding::kUp));
}

AnswerTable answer_table(const Statistic& statistic, const std::vector<AnswerLine>& lines,
                         std::size_t most) {
  const Needed needed = needed_by(lines);
  const NumberStyle style = NumberStyle::for_lines(lines);
  AnswerTable table;
  for (const auto& column : statistic.by) table.columns.push_back({shown_text(column.value)});
  if (needed.cell) table.columns.push_back({shown_text(cell_title_of(statistic.kind))});
  if (needed.choice) table.columns.push_back({"value"});
  if (needed.value) table.columns.push_back({"answer", true});
  if (needed.interval) {
    table.columns.push_back({"± " + percent_text(statistic.confidence.value), true});
    table.columns.push_back({"from", true});
    table.columns.push_back({"to", true});
  }
  if (needed.bounds) table.columns.push_back({"bounds found"});
  const std::size_t count = std::min(most, lines.size());
  table.rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    table.rows.push_back(row_of(lines[i], needed, style));
    table.marks.emplace_back(reliability_mark(lines[i]));
  }
  return table;
}

}  // namespace lastbit::report
