#include "lastbit/report/release/release_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lastbit/base/csv.h"
#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/numerics/decimal.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

std::string rendered(const AnswerTable& answers, const Paint& paint, std::size_t width) {
  std::vector<Table::Column> columns;
  for (const auto& [title, number] : answers.columns) {
    columns.push_back({title, number ? Align::kRight : Align::kLeft});
  }
  Table table(columns);
  for (const auto& row : answers.rows) {
    std::vector<Table::Cell> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      cells.emplace_back(row[i],
                         answers.columns[i].title == "answer" ? Colour::kBold : Colour::kNone);
    }
    table.add(std::move(cells));
  }
  return table.render(paint, width);
}

std::string more_words(std::size_t count) {
  return fmt::format("  … and {} more in answers.csv\n", grouped(count));
}

std::string section(const PlannedStatistic& planned, const StatisticAnswers& answers,
                    const Paint& paint, std::size_t width, std::size_t most) {
  const Statistic& statistic = planned.statistic;
  const std::string kind =
      fmt::format("{} ({})", kind_words(statistic), shown_text(statistic.name.value));
  const std::size_t inner = std::max<std::size_t>(width, 3) - 2;
  std::string text = fmt::format("  {}\n  {}\n",
                                 paint(Colour::kBold, cut(name_words(statistic.name.value), inner)),
                                 paint(Colour::kDim, cut(kind, inner)));
  if (answers.lines.empty()) {
    return text + "  No key was frequent enough to be shown.\n\n";
  }
  text += rendered(answer_table(statistic, answers.lines, most), paint, width);
  if (answers.lines.size() > most) text += more_words(answers.lines.size() - most);
  const std::string rank = rank_words(planned);
  return text + (rank.empty() ? "" : indented(wrapped(rank, inner), 2)) + "\n";
}

std::string closing_words(const ReleasePlan& plan, const Release& release, const Paint& paint,
                          std::size_t width) {
  const LedgerEntry& entry = release.entry;
  const auto sentence = [&](const std::string& words) {
    return indented(wrapped(words, width - 2), 2);
  };
  return sentence(
             "An interval, from … to …, holds the truth with the probability above ±. Among many, "
             "some do not.") +
         sentence(fmt::format("Spent {}; {} is left in {}.", cost_words(entry.price),
                              paint(Colour::kBold, cost_words(release.left, Rounding::kDown)),
                              shown_text(plan.ledger))) +
         fmt::format("  Entry {} of {}, to note down: {}\n", entry.id, entry.time, entry.hash);
}

CsvField csv_number(const Rational& value, Rounding rounding) {
  constexpr int kDigits = 17;
  const std::string exact = value.to_string();
  const bool is_decimal = exact.find('/') == std::string::npos;
  return CsvField::word(is_decimal ? exact : decimal_text(value, kDigits, rounding));
}

// group_text: as in region=north;sex=1, with \ before characters that have a meaning here.
std::string group_text(const Statistic& statistic, const KeyTuple& group) {
  const auto escaped = [](std::string_view text) {
    std::string out;
    for (const char c : text) {
      if (c == '\\' || c == '=' || c == ';') out += '\\';
      out += c;
    }
    return out;
  };
  std::string text;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (i > 0) text += ';';
    text += escaped(statistic.by.at(i).value) + "=" + escaped(text_of(group[i]));
  }
  return text;
}

std::string answer_line(const Statistic& statistic, const AnswerLine& line) {
  const auto& interval = line.interval;
  return csv_line(
      {CsvField::text(statistic.name.value), CsvField::text(group_text(statistic, line.group)),
       CsvField::text(line.cell), CsvField::text(line.choice ? text_of(*line.choice) : ""),
       line.value ? csv_number(*line.value, Rounding::kNearestEven) : CsvField::nothing(),
       interval ? csv_number(interval->lower, Rounding::kDown) : CsvField::nothing(),
       interval ? csv_number(interval->upper, Rounding::kUp) : CsvField::nothing(),
       csv_number(statistic.confidence.value, Rounding::kDown)});
}

}  // namespace

std::string release_table(const ReleasePlan& plan, const Release& release, const Paint& paint,
                          std::size_t width, std::size_t most) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  std::string text = fmt::format("\n  {}\n\n", paint(Colour::kBold, title_of(plan.release)));
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    text += section(plan.statistics[i], release.answers[i], paint, width, most);
  }
  return text + closing_words(plan, release, paint, width);
}

std::string answers_csv(const ReleasePlan& plan, const Release& release) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  std::string text = "statistic,group,cell,choice,answer,lower,upper,confidence\r\n";
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    for (const AnswerLine& line : release.answers[i].lines) {
      text += answer_line(plan.statistics[i].statistic, line);
    }
  }
  return text;
}

}  // namespace lastbit::report
