#include "lastbit/release/file/toml_value.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/file/toml_mistakes.h"

namespace lastbit::release_internal {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// TextIndex: converts between bytes and lines and columns in constant time, since a hostile file
// may be one line of half a million numbers.
class TextIndex {
 public:
  explicit TextIndex(std::string_view text) : text_(text), lines_{0} {
    std::size_t character = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (continues_character(text[i])) continue;
      if (character % kStride == 0) marks_.push_back(i);
      ++character;
      if (text[i] == '\n') lines_.push_back(character);
    }
    characters_ = character;
  }

  // The byte at which a character begins; the size of the text for places outside it.
  std::size_t byte_at(FilePosition position) const {
    if (position.line < 1 || position.line > lines_.size()) return text_.size();
    const std::size_t character = lines_[position.line - 1] + position.column - 1;
    if (character >= characters_) return text_.size();
    std::size_t byte = marks_[character / kStride];
    for (std::size_t left = character % kStride; left > 0; --left) {
      do ++byte;
      while (byte < text_.size() && continues_character(text_[byte]));
    }
    return byte;
  }

 private:
  static constexpr std::size_t kStride = 64;
  std::string_view text_;
  std::vector<std::size_t> lines_;  // the number of the first character of each line
  std::vector<std::size_t> marks_;  // the byte at which every 64th character begins
  std::size_t characters_ = 0;
};

[[noreturn]] void refuse(const std::string& filename, FilePosition position, std::string problem,
                         std::string remedy) {
  Problems problems(filename);
  problems.add(position, std::move(problem), std::move(remedy));
  problems.throw_if_any();
  throw Error(ErrorCode::kInternal, filename, "a problem was lost", "report this");
}

FilePosition position_of(std::string_view text, std::size_t byte) {
  FilePosition position{1, 1};
  for (const char c : text.substr(0, byte)) {
    if (c == '\n') {
      ++position.line;
      position.column = 1;
    } else if (!continues_character(c)) {
      ++position.column;
    }
  }
  return position;
}

// DepthScan: refuses nesting and dotted keys that would make the parser, or the destructor of its
// result, recurse until the stack overflows. It reads strings and comments as TOML does up to the
// first error in the text, where the parser stops.
class DepthScan {
 public:
  DepthScan(std::string_view text, const std::string& filename)
      : text_(text), filename_(filename) {}

  void run() {
    while (at_ < text_.size()) step(text_[at_]);
  }

 private:
  static constexpr std::size_t kMaxDots = 16;
  static constexpr std::size_t kMaxOpen = 32;

  void step(char c) {
    if (c == '"' || c == '\'') return skip_string(c);
    if (c == '#') return skip_comment();
    if (c == '.') ++dots_;
    if (c == ',' || c == '=' || c == '[' || c == '{' || c == '\n') dots_ = 0;
    if (c == '[' || c == '{') ++open_;
    if ((c == ']' || c == '}') && open_ > 0) --open_;
    if (dots_ > kMaxDots || open_ > kMaxOpen) {
      refuse(filename_, position_of(text_, at_), "the file is nested too deeply here",
             "a release file needs at most four levels");
    }
    ++at_;
  }

  void skip_comment() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_string(char quote) {
    const std::string triple(3, quote);
    const bool long_form = text_.substr(at_, 3) == triple;
    at_ += long_form ? 3 : 1;
    while (at_ < text_.size()) {
      if (text_[at_] == '\\' && quote == '"') {
        at_ += 2;
      } else if (long_form && text_.substr(at_, 3) == triple) {
        at_ += 3;
        // Up to two more quotes belong to the string that ends here.
        for (int more = 0; more < 2 && text_.substr(at_, 1) == triple.substr(0, 1); ++more) ++at_;
        return;
      } else if (!long_form && (text_[at_] == quote || text_[at_] == '\n')) {
        at_ += text_[at_] == quote ? 1 : 0;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  const std::string& filename_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
  std::size_t open_ = 0;
};

FilePosition start_of(const toml::source_region& region) {
  return {region.begin.line, region.begin.column};
}

// Converter: turns the library's tree into ours. Floats are read again from the text, because the
// library keeps only the nearest double.
class Converter {
 public:
  Converter(std::string_view text, const std::string& filename)
      : text_(text), index_(text), filename_(filename) {}

  TomlValue convert(const toml::node& node) const {
    const FilePosition position = start_of(node.source());
    if (const auto* table = node.as_table()) return {converted(*table), position};
    if (const auto* array = node.as_array()) return {converted(*array), position};
    if (const auto* flag = node.as_boolean()) return {flag->get(), position};
    if (const auto* text = node.as_string()) return {text->get(), position};
    if (const auto* whole = node.as_integer()) {
      return {TomlNumber{std::to_string(whole->get())}, position};
    }
    if (const auto* number = node.as_floating_point()) {
      return {TomlNumber{literal(number->get(), position)}, position};
    }
    if (const auto* date = node.as_date()) {
      const toml::date day = date->get();
      return {Date(std::chrono::year(day.year), std::chrono::month(day.month),
                   std::chrono::day(day.day)),
              position};
    }
    return {TomlTime{}, position};
  }

 private:
  TomlArray converted(const toml::array& array) const {
    TomlArray result;
    result.reserve(array.size());
    for (const toml::node& element : array) result.push_back(convert(element));
    return result;
  }

  TomlTable converted(const toml::table& table) const {
    TomlTable result;
    for (const auto& [key, value] : table) {
      result.entries.push_back({std::string(key.str()), start_of(key.source()), convert(value)});
    }
    std::ranges::sort(result.entries, {}, [](const TomlEntry& entry) {
      return std::pair(entry.position.line, entry.position.column);
    });
    return result;
  }

  std::string literal(double nearest, FilePosition position) const {
    if (std::isnan(nearest)) return "nan";
    if (std::isinf(nearest)) return "inf";
    std::string digits;
    for (std::size_t i = index_.byte_at(position); i < text_.size(); ++i) {
      const bool belongs = std::string_view("0123456789+-.eE_").find(text_[i]) != std::string::npos;
      if (!belongs) break;
      if (text_[i] != '_') digits += text_[i];
    }
    if (!stands_for(digits, nearest)) {
      refuse(filename_, position, "the number cannot be read exactly",
             "write it as text, as in \"0.1\" or \"1/3\"");
    }
    return digits;
  }

  // Whether the digits are a number whose nearest double is this one or one of its neighbours.
  static bool stands_for(const std::string& digits, double nearest) {
    try {
      const Rational exact = Rational::parse(digits);
      return exact.down() <= nearest && nearest <= exact.up();
    } catch (const Error&) {
      return false;
    }
  }

  std::string_view text_;
  TextIndex index_;
  const std::string& filename_;
};

void require_text(std::string_view text, const std::string& filename) {
  if (text.size() > ReleaseFile::kMaxBytes) {
    refuse(filename, {1, 1}, fmt::format("the file has more than {} bytes", ReleaseFile::kMaxBytes),
           "name a release file; is this the data?");
  }
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    refuse(filename, {1, 1}, "the file is UTF-16", "save it as UTF-8");
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    refuse(filename, position_of(text, nul), "the file holds a NUL byte",
           "a release file is UTF-8 text; is this the data?");
  }
  if (const std::size_t broken = first_invalid_utf8(text); broken < text.size()) {
    refuse(filename, position_of(text, broken), "the file is not UTF-8 here", "save it as UTF-8");
  }
}

}  // namespace

TomlValue read_toml(std::string_view text, const std::string& filename) {
  require_text(text, filename);
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  DepthScan(text, filename).run();
  try {
    const toml::table document = toml::parse(text);
    return Converter(text, filename).convert(document);
  } catch (const toml::parse_error& error) {
    TomlMistake mistake = explain_toml(text, start_of(error.source()), error.description());
    refuse(filename, mistake.position, std::move(mistake.problem), std::move(mistake.remedy));
  }
}

std::string_view kind_in_words(const TomlValue& value) {
  constexpr std::string_view kWords[] = {"a truth value", "a number", "a text", "a date",
                                         "a time",        "a list",   "a table"};
  return kWords[value.content.index()];
}

}  // namespace lastbit::release_internal
