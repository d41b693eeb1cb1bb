#include "lastbit/base/passwords.h"

#include <algorithm>

#include "lastbit/base/text.h"

namespace lastbit {
namespace {

constexpr std::string_view kMark = "://";
constexpr std::string_view kEllipsis = "…";
constexpr std::string_view kEnds = " \t\n\r'\"`";

bool is_scheme_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
         std::string_view("+-.:").find(c) != std::string_view::npos;
}

// scheme_before: the longest text before `mark` that can be a scheme.
std::string_view scheme_before(std::string_view text, std::size_t mark) {
  std::size_t start = mark;
  while (start > 0 && is_scheme_character(text[start - 1])) --start;
  return text.substr(start, mark - start);
}

bool is_database(std::string_view scheme) { return scheme == "postgresql" || scheme == "postgres"; }

// shows_no_password: about what follows the :// of the address of a database, up to its end, and
// whether an @ comes later: the end may be one inside a password.
bool shows_no_password(std::string_view rest, bool at_later) {
  if (rest.find("password") != std::string_view::npos) return false;
  const std::size_t at = rest.rfind('@');
  if (at != std::string_view::npos && !at_later) {
    return rest.substr(0, at).find_first_of(":/?") == std::string_view::npos;
  }
  // Where a text was cut off, an @ may have been.
  const bool unclear = at_later || rest.ends_with(kEllipsis);
  return !unclear || rest.find(':') == std::string_view::npos;
}

}  // namespace

std::string without_passwords(std::string_view text) {
  std::string shown;
  for (std::size_t mark = text.find(kMark); mark != std::string_view::npos;
       mark = text.find(kMark)) {
    const std::string_view scheme = scheme_before(text, mark);
    shown.append(text.substr(0, mark + kMark.size()));
    text.remove_prefix(mark + kMark.size());
    std::size_t end = std::min(text.find_first_of(kEnds), text.size());
    const std::size_t at = text.substr(0, text.find(kMark)).rfind('@');
    const bool at_later = at != std::string_view::npos && at > end;
    if (is_database(scheme) && shows_no_password(text.substr(0, end), at_later)) {
      shown.append(text.substr(0, end));
    } else {
      if (at_later) end = std::min(text.find_first_of(kEnds, at), text.size());
      if (end > 0) shown.append(kEllipsis);
    }
    text.remove_prefix(end);
  }
  return shown.append(text);
}

std::string_view scheme_of(std::string_view text) {
  const std::size_t mark = text.find(kMark);
  if (mark == std::string_view::npos) return {};
  const std::string_view scheme = scheme_before(text, mark);
  return scheme.size() == mark ? scheme : std::string_view();
}

}  // namespace lastbit
