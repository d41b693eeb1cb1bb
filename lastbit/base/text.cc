#include "lastbit/base/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "lastbit/base/utf8.h"

namespace lastbit {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The edit distance with swaps of neighbours; three rows of the usual table are enough.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before;
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = above;
    above = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string escaped(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
}

}  // namespace

TextCharacter first_character(std::string_view text) {
  const Character next = read_character(text);
  if (!next.well_formed) return {};
  const bool joins = next.point == 0x200c || next.point == 0x200d;
  return {next.bytes, !is_hidden(next.point), joins};
}

std::string quote(std::string_view text, std::size_t limit) {
  std::string out = "'";
  std::size_t shown = 0;
  while (shown < text.size()) {
    const TextCharacter next = first_character(text.substr(shown));
    if (shown + next.bytes > limit) break;
    const std::string_view character = text.substr(shown, next.bytes);
    out += next.printable ? std::string(character) : escaped(character);
    shown += next.bytes;
  }
  if (shown < text.size())
    out += fmt::format("…' ({} bytes)", text.size());
  else
    out += "'";
  return out;
}

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::optional<std::string> nearest_name(std::string_view name,
                                        std::span<const std::string> candidates) {
  // A longer name is cut: nobody mistypes that many characters, and the table stays small.
  constexpr std::size_t kLongest = 200;
  name = name.substr(0, kLongest);
  std::optional<std::string> best;
  std::size_t fewest = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = edits(name, candidate);
    const std::size_t limit = std::max<std::size_t>(1, candidate.size() / 3);
    if (distance > limit || (best && distance >= fewest)) continue;
    best = candidate;
    fewest = distance;
  }
  return best;
}

}  // namespace lastbit
