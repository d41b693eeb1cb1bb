#include "cli/terminal/line_editor.h"

#include <editline/readline.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <system_error>

namespace lastbit::cli {
namespace {

constexpr int kMostRemembered = 1000;

// private_folder: makes the folder of a file; others cannot read what is new.
bool make_folder_of(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path folder = file.parent_path();
  if (std::filesystem::create_directories(folder, failed)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  }
  return std::filesystem::is_directory(folder, failed);
}

}  // namespace

std::optional<std::filesystem::path> history_file() {
  const auto folder = [](const char* name) -> std::optional<std::filesystem::path> {
    const char* value = std::getenv(name);
    if (value == nullptr || *value != '/') return std::nullopt;
    return value;
  };
  if (const auto state = folder("XDG_STATE_HOME")) return *state / "lastbit" / "history";
  if (const auto home = folder("HOME")) return *home / ".local" / "state" / "lastbit" / "history";
  return std::nullopt;
}

LineEditor::LineEditor(Sink& out) : out_(out), terminal_(::isatty(STDIN_FILENO) == 1) {
  if (!terminal_) return;
  history_ = history_file();
  using_history();
  stifle_history(kMostRemembered);
  if (history_) read_history(history_->c_str());
}

std::optional<std::string> LineEditor::next(const std::string& prompt) {
  out_.flush();
  if (!terminal_) {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }
  const std::unique_ptr<char, decltype(&std::free)> line(readline(prompt.c_str()), &std::free);
  if (line == nullptr) return std::nullopt;
  return std::string(line.get());
}

void LineEditor::remember(const std::string& text) {
  if (!terminal_) return;
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  add_history(line.c_str());
  if (!history_ || !make_folder_of(*history_)) return;
  write_history(history_->c_str());
  std::error_code ignored;
  using std::filesystem::perms;
  std::filesystem::permissions(*history_, perms::owner_read | perms::owner_write, ignored);
}

}  // namespace lastbit::cli
