#include "lastbit/report/release/notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "lastbit/base/escape.h"
#include "lastbit/release/plan/reliability.h"
#include "lastbit/report/numbers/answer_numbers.h"
#include "lastbit/report/numbers/number_text.h"

namespace lastbit::report {
namespace {

constexpr std::size_t kNoteIndent = 2;

// names_of: the statistics of a note, as in "count, mean_income and 3 more".
std::string names_of(const ReleasePlan& plan, const std::vector<std::size_t>& statistics) {
  constexpr std::size_t kMostNames = 3;
  constexpr std::size_t kMostCells = 40;
  const std::size_t count = statistics.size();
  // "and 1 more" would take as much room as the name.
  const std::size_t shown = count <= kMostNames + 1 ? count : kMostNames;
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) names += ", ";
    const std::string& name = plan.statistics.at(statistics[i]).statistic.name.value;
    names += cut(shown_text(name), kMostCells);
  }
  if (shown < count) names += fmt::format(" and {} more", count - shown);
  return names;
}

}  // namespace

std::string_view reliability_mark(const AnswerLine& line) {
  const auto reliability = reliability_of(line);
  if (reliability == Reliability::kCaution) return "?";
  return reliability == Reliability::kUnreliable ? "??" : "";
}

std::vector<Note> notes_of(const ReleasePlan& plan) {
  std::vector<Note> notes;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    for (const std::string& text : plan.statistics[i].notes) {
      const auto same = std::ranges::find(notes, text, &Note::text);
      if (same == notes.end()) {
        notes.push_back({text, {i}});
      } else if (same->statistics.back() != i) {
        same->statistics.push_back(i);
      }
    }
  }
  return notes;
}

NoteWriter::NoteWriter(const ReleasePlan& plan, const Paint& paint, std::size_t width)
    : plan_(plan), paint_(paint), width_(std::max<std::size_t>(width, 8) - kNoteIndent) {}

std::string NoteWriter::sentence(std::string_view text) const {
  return indented(wrapped(text, width_), kNoteIndent);
}

std::string NoteWriter::warning(std::string_view text) const {
  constexpr std::size_t kMark = 2;
  std::string lines = indented(wrapped(text, width_ - kMark), kNoteIndent + kMark);
  return std::string(kNoteIndent, ' ') + paint_(Colour::kYellow, "!") + " " +
         lines.substr(kNoteIndent + kMark);
}

std::string NoteWriter::note(const Note& note) const {
  const bool all = note.statistics.size() == plan_.statistics.size();
  const std::string text = shown_text(note.text);
  return warning(all ? text : fmt::format("{}: {}", names_of(plan_, note.statistics), text));
}

std::string NoteWriter::marks(const std::vector<const AnswerLine*>& lines) const {
  const auto has = [&](std::string_view mark) {
    return std::ranges::any_of(
        lines, [&](const AnswerLine* line) { return reliability_mark(*line) == mark; });
  };
  std::string text;
  if (has("?")) text += "? use with caution: ± is more than a third of the answer. ";
  if (has("??")) text += "?? unreliable: ± is more than two thirds of the answer.";
  return text.empty() ? text : sentence(text);
}

std::string NoteWriter::cut_answers(const std::vector<const AnswerLine*>& lines) const {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(lines, [](const AnswerLine* line) { return line->cut; }));
  if (count == 0) return "";
  return sentence(
      fmt::format("Noise had moved {} answer{} to where no true value can be, such as below 0; {} "
                  "cut. So small counts are too large on average.",
                  grouped(count), count == 1 ? "" : "s", count == 1 ? "it is" : "they are"));
}

std::string NoteWriter::spent(const Release& release) const {
  const bool several =
      release.left.kind() == LossKind::kApproximate || release.left.delta().sign() > 0;
  return sentence(fmt::format("Spent {}; {} {} left in {}.", cost_words(release.entry.price),
                              paint_(Colour::kBold, cost_words(release.left, Rounding::kDown)),
                              several ? "are" : "is", shown_text(plan_.ledger)));
}

}  // namespace lastbit::report
