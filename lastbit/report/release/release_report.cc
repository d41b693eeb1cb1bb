#include "lastbit/report/release/release_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/report/numbers/number_text.h"
#include "lastbit/report/release/notes.h"
#include "lastbit/report/release/words.h"

namespace lastbit::report {
namespace {

// rendered: a table of answers. If one of them is to be used with caution, marks stand beside them.
std::string rendered(const AnswerTable& answers, const Paint& paint, std::size_t width) {
  const bool marked =
      std::ranges::any_of(answers.marks, [](const std::string& mark) { return !mark.empty(); });
  std::vector<Table::Column> columns;
  for (const auto& [title, number] : answers.columns) {
    columns.push_back({title, number ? Align::kRight : Align::kLeft});
    if (marked && title == "answer") columns.push_back({""});
  }
  Table table(columns);
  for (std::size_t row = 0; row < answers.rows.size(); ++row) {
    std::vector<Table::Cell> cells;
    for (std::size_t i = 0; i < answers.rows[row].size(); ++i) {
      const bool answer = answers.columns[i].title == "answer";
      cells.emplace_back(answers.rows[row][i], answer ? Colour::kBold : Colour::kNone);
      if (marked && answer) cells.emplace_back(answers.marks[row], Colour::kYellow);
    }
    table.add(std::move(cells));
  }
  return table.render(paint, width);
}

std::string more_words(std::size_t count) {
  return fmt::format("  … and {} more in answers.csv\n", grouped(count));
}

// shown_lines: the answers that the table has room for.
std::vector<const AnswerLine*> shown_lines(const StatisticAnswers& answers, std::size_t most) {
  std::vector<const AnswerLine*> lines;
  for (std::size_t i = 0; i < std::min(most, answers.lines.size()); ++i) {
    lines.push_back(&answers.lines[i]);
  }
  return lines;
}

std::string section(const PlannedStatistic& planned, const StatisticAnswers& answers,
                    const Paint& paint, std::size_t width, std::size_t most) {
  const Statistic& statistic = planned.statistic;
  const std::string& title = statistic.wording.title;
  const std::string heading = title.empty() ? name_words(statistic.name.value) : shown_text(title);
  const std::string kind =
      fmt::format("{} ({})", kind_words(statistic), shown_text(statistic.name.value));
  const std::size_t inner = std::max<std::size_t>(width, 3) - 2;
  std::string text = fmt::format("  {}\n  {}\n", paint(Colour::kBold, cut(heading, inner)),
                                 paint(Colour::kDim, cut(kind, inner)));
  if (answers.lines.empty()) return text + "  No key was frequent enough to be shown.\n";
  text += rendered(answer_table(statistic, answers.lines, most), paint, width);
  if (answers.lines.size() > most) text += more_words(answers.lines.size() - most);
  return text;
}

std::string closing_words(const Release& release, const NoteWriter& write) {
  const LedgerEntry& entry = release.entry;
  return write.sentence(
             "An interval, from … to …, contains the true value with the probability above ±. "
             "Among many, some do not.") +
         write.spent(release) +
         fmt::format("  Ledger entry {}, {}; keep its hash: {}\n", entry.id, entry.time,
                     entry.hash);
}

}  // namespace

std::string release_table(const ReleasePlan& plan, const Release& release, const Paint& paint,
                          std::size_t width, std::size_t most) {
  invariant(plan.statistics.size() == release.answers.size(), "every statistic has its answers");
  const NoteWriter write(plan, paint, width);
  const std::vector<Note> notes = notes_of(plan);
  std::string text = fmt::format("\n  {}\n\n", paint(Colour::kBold, title_of(plan.release)));
  std::vector<const AnswerLine*> shown;
  for (std::size_t i = 0; i < release.answers.size(); ++i) {
    const auto lines = shown_lines(release.answers[i], most);
    text += section(plan.statistics[i], release.answers[i], paint, width, most);
    const std::string rank = rank_words(plan.statistics[i]);
    if (!rank.empty() && !lines.empty()) text += write.sentence(rank);
    text += write.cut_answers(lines);
    for (const Note& note : notes) {
      const bool own = note.statistics.size() == 1 && note.statistics.front() == i;
      if (own) text += write.warning(shown_text(note.text));
    }
    for (const std::string& note : release.answers[i].notes) {
      text += write.warning(shown_text(note));
    }
    text += "\n";
    shown.insert(shown.end(), lines.begin(), lines.end());
  }
  // What several statistics share is said once.
  for (const Note& note : notes) {
    if (note.statistics.size() > 1) text += write.note(note);
  }
  return text + write.marks(shown) + closing_words(release, write);
}

}  // namespace lastbit::report
