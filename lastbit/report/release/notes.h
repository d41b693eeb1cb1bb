// What stands below tables of answers on a terminal: what no interval shows, and what marks mean.
// All of it is about public things, and safe to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// reliability_mark: "?" for answers to be used with caution, "??" for unreliable ones, otherwise
// nothing.
std::string_view reliability_mark(const AnswerLine& line);

// Note: a line to read with the answers of some statistics of a plan, which are given by their
// numbers.
struct Note {
  std::string text;
  std::vector<std::size_t> statistics;
};
// notes_of: those of all statistics of the plan, each once, in the order of the statistics.
std::vector<Note> notes_of(const ReleasePlan& plan);

// NoteWriter: notes as lines of at most `width` cells.
class NoteWriter {
 public:
  NoteWriter(const ReleasePlan& plan, const Paint& paint, std::size_t width);

  // sentence: plain words.
  std::string sentence(std::string_view text) const;
  // warning: words after a "!".
  std::string warning(std::string_view text) const;
  // note: after the names of the statistics, unless it is about all of them.
  std::string note(const Note& note) const;
  // marks: what the marks of these answers mean. cut_answers: how many were cut to what is
  // possible, and what that does. Both are empty if there are none.
  std::string marks(const std::vector<const AnswerLine*>& lines) const;
  std::string cut_answers(const std::vector<const AnswerLine*>& lines) const;
  // spent: what the release cost, and what is left.
  std::string spent(const Release& release) const;

 private:
  const ReleasePlan& plan_;
  const Paint& paint_;
  std::size_t width_;
};

}  // namespace lastbit::report
