// Texts of a derivation, taken apart into words and code. Used by the outputs of this module.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace lastbit::verify {

struct Segment {
  std::string text;
  bool is_code = false;
};

// segments: the parts outside and between backticks, in order; none is empty.
inline std::vector<Segment> segments(std::string_view text) {
  std::vector<Segment> found;
  bool is_code = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('`'), text.size());
    if (end > 0) found.push_back({std::string(text.substr(0, end)), is_code});
    text.remove_prefix(std::min(end + 1, text.size()));
    is_code = !is_code;
  }
  return found;
}

// lines: the lines of a text, without their ends.
inline std::vector<std::string> lines(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    found.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

}  // namespace lastbit::verify
