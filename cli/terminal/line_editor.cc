#include "cli/terminal/line_editor.h"

#include <editline/readline.h>
#include <locale.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <system_error>

namespace lastbit::cli {
namespace {

constexpr int kMostRemembered = 1000;

// Utf8Locale: while it lives, this thread reads characters as UTF-8, whatever the environment says.
// Otherwise libedit would drop all but ASCII. Nothing else in the program depends on a locale.
class Utf8Locale {
 public:
  Utf8Locale() : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (utf8_ != nullptr) before_ = uselocale(utf8_);
  }
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() {
    if (utf8_ == nullptr) return;
    uselocale(before_);
    freelocale(utf8_);
  }

  bool exists() const { return utf8_ != nullptr; }

 private:
  locale_t utf8_;
  locale_t before_ = nullptr;
};

// is_history: a file that is not too long to read. A pipe might never end.
bool is_history(const std::filesystem::path& file) {
  constexpr std::uintmax_t kLongest = std::uintmax_t{4} << 20;
  std::error_code failed;
  return std::filesystem::is_regular_file(file, failed) &&
         std::filesystem::file_size(file, failed) <= kLongest && !failed;
}

// make_folder_of: makes the folder of a file; others cannot read what is new.
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
  const Utf8Locale utf8;
  edits_ = terminal_ && utf8.exists();
  if (!edits_) return;
  history_ = history_file();
  using_history();
  stifle_history(kMostRemembered);
  if (history_ && is_history(*history_)) read_history(history_->c_str());
}

std::optional<std::string> LineEditor::next(const std::string& prompt) {
  if (terminal_ && !edits_) out_.write(prompt);
  out_.flush();
  if (!edits_) {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  }
  const Utf8Locale utf8;
  const std::unique_ptr<char, decltype(&std::free)> line(readline(prompt.c_str()), &std::free);
  if (line == nullptr) return std::nullopt;
  return std::string(line.get());
}

void LineEditor::remember(const std::string& text) {
  if (!edits_) return;
  const Utf8Locale utf8;
  std::string line = text;
  std::ranges::replace(line, '\n', ' ');
  add_history(line.c_str());
  std::error_code ignored;
  if (!history_ || !make_folder_of(*history_)) return;
  if (std::filesystem::exists(*history_, ignored) && !is_history(*history_)) return;
  write_history(history_->c_str());
  using std::filesystem::perms;
  std::filesystem::permissions(*history_, perms::owner_read | perms::owner_write, ignored);
}

}  // namespace lastbit::cli
