#include "lastbit/verify/lang/source.h"

#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/utf8.h"

namespace lastbit::verify {
namespace {

// How much of a line is shown, and how much of that is at least before the caret.
constexpr std::size_t kShown = 90;
constexpr std::size_t kBefore = 60;

// Columns count bytes. The text before a mistake is ASCII, so an editor counts the same.
char printable(char c) {
  if (c == '\t') return ' ';
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f ? c : '?';
}

std::string_view line_of(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

Source::Source(std::string_view text, std::string_view file_name) : text_(text), file_(file_name) {
  if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

Error Source::error(Position at, std::string_view problem, std::string_view remedy) const {
  return Error(ErrorCode::kBadText, fmt::format("{}:{}:{}", file_, at.line, at.column),
               fmt::format("{}\n{}", problem, excerpt(at)), std::string(remedy));
}

std::string Source::excerpt(Position at) const {
  std::string_view line = line_of(text_, at.line);
  auto caret = static_cast<std::size_t>(std::max(at.column, 1) - 1);
  if (caret > kBefore && line.size() > kShown) {
    const std::size_t cut = std::min(caret - kBefore, line.size());
    line.remove_prefix(cut);
    caret -= cut;
  }
  std::string shown(line.substr(0, kShown));
  std::ranges::transform(shown, shown.begin(), printable);
  const std::string number = fmt::format("{}", at.line);
  return fmt::format("  {} | {}\n  {:{}} | {:{}}^", number, shown, "", number.size(), "", caret);
}

}  // namespace lastbit::verify
