#include "lastbit/report/release/query_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/notes.h"
#include "lastbit/report/release/release_report.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

// precedes: whether one row comes before another by this column; rows without an answer come last.
bool precedes(const QueryRow& a, const QueryRow& b, const AnswerColumn& column, bool descending) {
  if (column.is_group) {
    const KeyValue& x = a.group.at(column.index);
    const KeyValue& y = b.group.at(column.index);
    return descending ? y < x : x < y;
  }
  const AnswerLine* x = a.answers.at(column.index);
  const AnswerLine* y = b.answers.at(column.index);
  const bool has_x = x != nullptr && x->value;
  const bool has_y = y != nullptr && y->value;
  if (!has_x || !has_y) return has_x && !has_y;
  return descending ? *y->value < *x->value : *x->value < *y->value;
}

// ordered: the rows as the statement wants them; equal ones stay in their order.
std::vector<QueryRow> ordered(std::vector<QueryRow> rows, const AnswerShape& shape) {
  std::vector<std::size_t> places(rows.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, [&](std::size_t a, std::size_t b) {
    for (const auto& [item, descending] : shape.order) {
      const AnswerColumn& column = shape.columns.at(item);
      if (precedes(rows[a], rows[b], column, descending)) return true;
      if (precedes(rows[b], rows[a], column, descending)) return false;
    }
    return a < b;
  });
  std::vector<QueryRow> result;
  result.reserve(rows.size());
  for (const std::size_t place : places) result.push_back(std::move(rows[place]));
  return result;
}

bool has_intervals(const StatisticAnswers& answers) {
  return std::ranges::any_of(answers.lines,
                             [](const AnswerLine& line) { return half_width(line).has_value(); });
}

// StyledColumn: how the answers of one column are written, and what stands beside them.
struct StyledColumn {
  NumberStyle style;
  bool interval = false;
  bool marked = false;
};

std::vector<StyledColumn> styles_of(const std::vector<StatisticAnswers>& answers,
                                    const std::vector<QueryRow>& rows) {
  std::vector<StyledColumn> styles;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const bool marked = std::ranges::any_of(rows, [&](const QueryRow& row) {
      return row.answers[i] != nullptr && !reliability_mark(*row.answers[i]).empty();
    });
    styles.push_back({NumberStyle::for_lines(answers[i].lines), has_intervals(answers[i]), marked});
  }
  return styles;
}

std::string answer_words(const AnswerLine* line, const NumberStyle& style) {
  if (line != nullptr && line->value) return style.text(*line->value);
  return line != nullptr && line->suppressed ? "suppressed" : "–";
}

// error_words: as in "412", or, if both ends are wanted and one is much nearer, in "0 to 836".
std::string error_words(const AnswerLine* line, const NumberStyle& style, bool both_ends) {
  if (line == nullptr) return "";
  std::string words = interval_words(*line, style);
  if (both_ends && words.starts_with("(")) return words.substr(1, words.size() - 2);
  const auto error = half_width(*line);
  return error ? style.text(*error, Rounding::kUp) : "";
}

std::vector<Table::Column> titles_of(const ReleasePlan& plan, const AnswerShape& shape,
                                     const std::vector<StyledColumn>& styles) {
  std::vector<Table::Column> titles;
  for (const auto& [title, is_group, index] : shape.columns) {
    titles.push_back({shown_text(title), is_group ? Align::kLeft : Align::kRight});
    if (!is_group && styles[index].marked) titles.push_back({""});
    if (is_group || !styles[index].interval) continue;
    const Rational& confidence = plan.statistics[index].statistic.confidence.value;
    titles.push_back({"± " + percent_text(confidence), Align::kRight});
  }
  return titles;
}

std::vector<Table::Cell> cells_of(const QueryRow& row, const AnswerShape& shape,
                                  const std::vector<StyledColumn>& styles, bool both_ends) {
  std::vector<Table::Cell> cells;
  for (const auto& [title, is_group, index] : shape.columns) {
    if (is_group) {
      cells.emplace_back(shown_key(text_of(row.group.at(index))));
      continue;
    }
    const auto& [style, interval, marked] = styles[index];
    const AnswerLine* line = row.answers.at(index);
    cells.emplace_back(answer_words(line, style), Colour::kBold);
    if (marked) {
      cells.emplace_back(line == nullptr ? "" : std::string(reliability_mark(*line)),
                         Colour::kYellow);
    }
    if (interval) cells.emplace_back(error_words(line, style, both_ends));
  }
  return cells;
}

std::size_t longest_line(std::string_view text) {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    longest = std::max(longest, display_width(line));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return longest;
}

std::vector<const AnswerLine*> lines_of(const std::vector<QueryRow>& rows) {
  std::vector<const AnswerLine*> lines;
  for (const QueryRow& row : rows) {
    std::ranges::copy_if(row.answers, std::back_inserter(lines),
                         [](const AnswerLine* line) { return line != nullptr; });
  }
  return lines;
}

nlohmann::ordered_json cell_json(const AnswerLine* line) {
  if (line == nullptr) return nullptr;
  const auto& interval = line->interval;
  const auto reliability = reliability_of(*line);
  return {{"answer", json_of(line->value)},
          {"answer_double", line->value ? nlohmann::ordered_json(nearest_double(*line->value))
                                        : nlohmann::ordered_json(nullptr)},
          {"lower", json_of(interval ? std::optional(interval->lower) : std::nullopt)},
          {"upper", json_of(interval ? std::optional(interval->upper) : std::nullopt)},
          {"reliability", reliability ? nlohmann::ordered_json(name_of(*reliability))
                                      : nlohmann::ordered_json(nullptr)},
          {"cut", line->cut},
          {"suppressed", line->suppressed}};
}

nlohmann::ordered_json group_json(const KeyValue& key) {
  if (const auto* flag = std::get_if<bool>(&key)) return *flag;
  if (const auto* whole = std::get_if<std::int64_t>(&key)) return *whole;
  return text_of(key);
}

}  // namespace

std::vector<QueryRow> query_rows(const AnswerShape& shape,
                                 const std::vector<StatisticAnswers>& answers) {
  std::map<KeyTuple, std::size_t> places;
  std::vector<QueryRow> rows;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    for (const AnswerLine& line : answers[i].lines) {
      const auto [place, added] = places.emplace(line.group, rows.size());
      if (added) rows.push_back({line.group, {answers.size(), nullptr}});
      rows[place->second].answers[i] = &line;
    }
  }
  if (!shape.order.empty()) rows = ordered(std::move(rows), shape);
  if (shape.limit && *shape.limit < rows.size()) rows.resize(*shape.limit);
  return rows;
}

std::string query_table(const ReleasePlan& plan, const AnswerShape& shape, const Release& release,
                        const Paint& paint, std::size_t width) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  const std::vector<QueryRow> rows = query_rows(shape, release.answers);
  const std::vector<StyledColumn> styles = styles_of(release.answers, rows);
  std::string text = "\n";
  if (rows.empty()) {
    text += shape.limit == 0 ? "  LIMIT 0 shows nothing.\n"
                             : "  No key was frequent enough to be shown.\n";
  } else {
    const auto rendered = [&](const Paint& colours, bool both_ends) {
      Table table(titles_of(plan, shape, styles));
      for (const QueryRow& row : rows) table.add(cells_of(row, shape, styles, both_ends));
      return table.render(colours, width);
    };
    // Both ends take room, which a narrow terminal may not have.
    const bool both_ends = width == kNoLimit || longest_line(rendered(Paint(false), true)) <= width;
    text += rendered(paint, both_ends);
  }
  text += "\n";
  const NoteWriter write(plan, paint, width);
  for (const PlannedStatistic& planned : plan.statistics) {
    const std::string rank = rank_words(planned);
    if (rank.empty()) continue;
    text += write.sentence(fmt::format("{}: {}", shown_text(planned.statistic.name.value), rank));
  }
  for (const Note& note : notes_of(plan)) text += write.note(note);
  for (const StatisticAnswers& answers : release.answers) {
    for (const std::string& note : answers.notes) {
      text += write.warning(fmt::format("{}: {}", shown_text(answers.name), shown_text(note)));
    }
  }
  const std::vector<const AnswerLine*> lines = lines_of(rows);
  text += write.marks(lines) + write.cut_answers(lines);
  return text + write.spent(release);
}

nlohmann::ordered_json query_json(const ReleasePlan& plan, const AnswerShape& shape,
                                  const Release& release, std::string_view statement) {
  nlohmann::ordered_json json = release_json(plan, release);
  json["document"] = "query";
  json["statement"] = statement;
  auto columns = nlohmann::ordered_json::array();
  for (const AnswerColumn& column : shape.columns) {
    columns.push_back({{"name", column.title}, {"group", column.is_group}});
  }
  json["columns"] = std::move(columns);
  auto rows = nlohmann::ordered_json::array();
  for (const QueryRow& row : query_rows(shape, release.answers)) {
    auto cells = nlohmann::ordered_json::array();
    for (const AnswerColumn& column : shape.columns) {
      cells.push_back(column.is_group ? group_json(row.group.at(column.index))
                                      : cell_json(row.answers.at(column.index)));
    }
    rows.push_back(std::move(cells));
  }
  json["rows"] = std::move(rows);
  return json;
}

}  // namespace lastbit::report
