// LineEditor: lines that a person types, with editing and a history that lasts; or lines of a file
// or pipe, as they are.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/terminal/command.h"

namespace lastbit::cli {

// history_file: where what was typed is kept, for this person only: lastbit/history in
// $XDG_STATE_HOME, or in ~/.local/state; nothing if neither is known.
std::optional<std::filesystem::path> history_file();

class LineEditor {
 public:
  // Reads the history, if standard input is a terminal.
  explicit LineEditor(Sink& out);
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  bool is_terminal() const { return terminal_; }
  // next: the next line; nothing at the end. The prompt is shown where somebody types.
  std::optional<std::string> next(const std::string& prompt);
  // remember: adds a text to the history, in one line. What cannot be written is forgotten.
  void remember(const std::string& text);

 private:
  Sink& out_;
  bool terminal_;
  bool edits_ = false;
  std::optional<std::filesystem::path> history_;
};

}  // namespace lastbit::cli
