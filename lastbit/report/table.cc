#include "lastbit/report/table.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"

namespace lastbit::report {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;

std::string_view escape_of(Colour colour) {
  switch (colour) {
    case Colour::kNone:
      return "";
    case Colour::kBold:
      return "\x1b[1m";
    case Colour::kDim:
      return "\x1b[2m";
    case Colour::kGreen:
      return "\x1b[32m";
    case Colour::kRed:
      return "\x1b[1;31m";
    case Colour::kYellow:
      return "\x1b[33m";
  }
  return "";
}

std::string padded(std::string_view painted, std::size_t missing, Align align) {
  const std::string spaces(missing, ' ');
  return align == Align::kRight ? spaces + std::string(painted) : std::string(painted) + spaces;
}

std::string drop_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

Paint Paint::for_terminal(int descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_color != nullptr && *no_color != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return Paint(!refused && !dumb && ::isatty(descriptor) == 1);
}

std::string Paint::operator()(Colour colour, std::string_view text) const {
  if (!colours_ || colour == Colour::kNone || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_of(colour), text);
}

std::string indented(const std::string& text, std::size_t spaces) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && c != '\n') out.append(spaces, ' ');
    out += c;
    at_start = c == '\n';
  }
  return out;
}

std::string cut(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::string kept;
  std::size_t used = 1;  // the cell of the …
  while (!text.empty()) {
    const Character next = read_character(text);
    used += display_width(next);
    if (used > width) break;
    kept += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return kept + "…";
}

std::string wrapped(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const std::size_t cells = display_width(word);
    const bool fits = used + 1 + cells <= width;
    if (used > 0) out += fits ? ' ' : '\n';
    used = (used > 0 && fits ? used + 1 : 0) + cells;
    out += word;
  }
  return out + "\n";
}

std::size_t terminal_width(int descriptor) {
  if (::isatty(descriptor) != 1) return kNoLimit;
  std::size_t columns = 0;
  if (const char* set = std::getenv("COLUMNS")) {
    std::from_chars(set, set + std::string_view(set).size(), columns);
  }
  winsize size{};
  if (columns == 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  return columns == 0 ? kNoLimit : columns;
}

void Table::add(std::vector<Cell> row) {
  invariant(row.size() == columns_.size(), "a table row has one cell per column");
  rows_.push_back(std::move(row));
}

// Columns of text shrink, the widest first, down to a few cells.
std::vector<std::size_t> Table::widths_within(std::size_t limit) const {
  constexpr std::size_t kLeast = 8;
  std::vector<std::size_t> widths;
  std::size_t total = kIndent + kGap * (columns_.size() - 1);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(display_width(columns_[i].title));
    for (const auto& row : rows_) widths[i] = std::max(widths[i], display_width(row[i].text));
    total += widths[i];
  }
  for (; total > limit; --total) {
    std::size_t* widest = nullptr;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const bool may_shrink = columns_[i].align == Align::kLeft && widths[i] > kLeast;
      if (may_shrink && (widest == nullptr || *widest < widths[i])) widest = &widths[i];
    }
    if (widest == nullptr) break;
    --*widest;
  }
  return widths;
}

std::string Table::render(const Paint& paint, std::size_t limit) const {
  const auto widths = widths_within(limit);
  const auto line_of = [&](const std::vector<Cell>& row) {
    std::string line(kIndent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line.append(kGap, ' ');
      const std::string text = cut(row[i].text, widths[i]);
      line +=
          padded(paint(row[i].colour, text), widths[i] - display_width(text), columns_[i].align);
    }
    return drop_trailing_spaces(std::move(line)) + "\n";
  };
  std::vector<Cell> header;
  header.reserve(columns_.size());
  for (const Column& column : columns_) header.emplace_back(column.title, Colour::kDim);
  std::string text = line_of(header);
  for (const auto& row : rows_) text += line_of(row);
  return text;
}

}  // namespace lastbit::report
