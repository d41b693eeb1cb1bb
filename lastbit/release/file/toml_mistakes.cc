#include "lastbit/release/file/toml_mistakes.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/file/problems.h"

namespace lastbit::release_internal {
namespace {

std::string_view line_of(std::string_view text, std::size_t number) {
  for (; number > 1; --number) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool is_word_like(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           c == '-' || c == '.' || c == '/' || c == ' ' || static_cast<unsigned char>(c) >= 0x80;
  });
}

// Explainer: tries one mistake after the other.
class Explainer {
 public:
  Explainer(std::string_view text, FilePosition position, std::string_view description)
      : line_(line_of(text, position.line)), position_(position), description_(description) {
    // A value stands behind the last = before the place; what follows the place may hold another.
    for (std::size_t left = position.column - 1; left > 0 && at_ < line_.size(); --left) {
      at_ += read_character(line_.substr(at_)).bytes;
    }
    const std::size_t sign = line_.rfind('=', at_);
    if (sign == std::string_view::npos) return;
    const std::string_view before = trimmed(line_.substr(0, sign));
    key_ = before.substr(before.find_last_of("{,") + 1);
    key_ = trimmed(key_);
    value_ = trimmed(line_.substr(sign + 1));
  }

  TomlMistake explain() const {
    for (const auto attempt :
         {&Explainer::smart_quotes, &Explainer::line_ends, &Explainer::comment, &Explainer::twice,
          &Explainer::open_text, &Explainer::open_bracket, &Explainer::comma_in_number,
          &Explainer::table_in_lines, &Explainer::other_sign, &Explainer::quotes_within,
          &Explainer::truth, &Explainer::number, &Explainer::date, &Explainer::no_value,
          &Explainer::bare_text}) {
      if (auto mistake = (this->*attempt)()) return *std::move(mistake);
    }
    if (says("parsing root table")) {
      return at_place("this line is neither a key with its value nor the name of a table",
                      "write key = value, or [table]");
    }
    return at_place(fmt::format("this is not TOML: {}", quote(description_, 200)),
                    "docs/release-file.md shows a whole file");
  }

 private:
  using Mistake = std::optional<TomlMistake>;

  bool says(std::string_view words) const {
    return description_.find(words) != std::string_view::npos;
  }
  TomlMistake at_place(std::string problem, std::string remedy) const {
    return {position_, std::move(problem), std::move(remedy)};
  }

  // Quotes that word processors make of straight ones.
  static std::optional<std::string_view> smart_quote_in(std::string_view text, bool anywhere) {
    constexpr std::array<std::string_view, 8> kQuotes = {"“", "”", "„", "‟", "‘", "’", "«", "»"};
    for (const std::string_view quote : kQuotes) {
      const std::size_t place = text.find(quote);
      if (place == 0 || (anywhere && place != std::string_view::npos)) return quote;
    }
    return std::nullopt;
  }
  Mistake smart_quotes() const {
    const auto found = smart_quote_in(line_.substr(at_), false);
    if (!found) return std::nullopt;
    return at_place(fmt::format("{} is a typographic quote", *found),
                    "write straight quotes, as in \"north\"");
  }

  Mistake line_ends() const {
    if (!says("after '\\r'")) return std::nullopt;
    return at_place("lines end with carriage returns alone", "save the file with line feeds");
  }

  Mistake comment() const {
    const std::string_view line = trimmed(line_);
    if (!line.starts_with("//") && !line.starts_with("--") && !line.starts_with("/*") &&
        !line.starts_with(';')) {
      return std::nullopt;
    }
    return TomlMistake{{position_.line, line_.find_first_not_of(" \t") + 1},
                       "this is not a comment",
                       "begin comments with #"};
  }

  Mistake twice() const {
    if (!says("cannot redefine existing")) return std::nullopt;
    const std::size_t open = description_.find('\'');
    const std::size_t close = description_.rfind('\'');
    if (open >= close) return std::nullopt;
    const std::string_view name = description_.substr(open + 1, close - open - 1);
    if (says("table header")) {
      return at_place(fmt::format("[{}] is in the file twice", shortened(name)),
                      "write all its keys below the first one");
    }
    return at_place(fmt::format("{} is given twice", in_code(name)),
                    "remove one, or begin another table above it, such as [[statistics]]");
  }

  Mistake open_text() const {
    const bool text = says("parsing string") || says("parsing literal string");
    if (!text || !(says("control characters") || says("end-of-file"))) return std::nullopt;
    return at_place("a text has no closing quote",
                    smart_quote_in(line_, true) ? "write straight quotes at both ends"
                                                : "end it with the quote that it begins with");
  }

  Mistake open_bracket() const {
    if (!says("end-of-file")) return std::nullopt;
    if (says("array")) return at_place("a list has no closing bracket", "end it with ]");
    if (says("inline table")) return at_place("a table has no closing brace", "end it with }");
    return std::nullopt;
  }

  Mistake table_in_lines() const {
    if (!says("inline table")) return std::nullopt;
    if (says("saw '\\n'") || says("saw '\\r'")) {
      return at_place("a table in braces goes on in the next line",
                      "write it in one line, or as a table of its own: [budget], and its keys "
                      "below, one per line");
    }
    if (says("comma")) {
      return at_place("a comma is wrong in this table", "separate keys by one comma each");
    }
    return std::nullopt;
  }

  Mistake other_sign() const {
    if (!says("expected '='")) return std::nullopt;
    const std::string_view before = line_.substr(0, at_);
    const std::string_view key = trimmed(before.substr(before.find_last_of("{,[") + 1));
    if (says("saw ':'")) {
      return at_place(fmt::format("{} is followed by a colon", in_code(key)),
                      fmt::format("write {} = …", shortened(key)));
    }
    return at_place(fmt::format("there is no = after {}", in_code(key)),
                    fmt::format("write {} = …", shortened(key)));
  }

  // where = "region = "north""
  Mistake quotes_within() const {
    if (!says("expected a comment or whitespace") || !value_.starts_with('"')) return std::nullopt;
    if (std::ranges::count(value_, '"') < 3) return std::nullopt;
    return at_place("the text ends at its second quote",
                    "write quotes inside a text as single ones: \"region = 'north'\"");
  }

  Mistake truth() const {
    if (!says("parsing boolean")) return std::nullopt;
    return at_place("this is not a value", "write true or false, in lower case");
  }

  // Whether 0,5 or 100,000 stands before the place.
  bool follows_comma() const {
    std::size_t end = at_;
    while (end > 0 && line_[end - 1] == ' ') --end;
    std::size_t at = end;
    while (at > 0 && is_digit(line_[at - 1])) --at;
    return at < end && at > 1 && line_[at - 1] == ',' && is_digit(line_[at - 2]);
  }
  Mistake comma_in_number() const {
    if (!follows_comma() && !(says("saw ','") && starts_with_digit(value_))) return std::nullopt;
    return at_place("a number has a comma in it",
                    "write a decimal point, as in 0.5, and large numbers as 200000 or 200_000");
  }
  static bool starts_with_digit(std::string_view value) {
    if (value.starts_with('-') || value.starts_with('+')) value.remove_prefix(1);
    return !value.empty() && is_digit(value.front());
  }

  Mistake number() const {
    const bool starts = !value_.empty() && (is_digit(value_[0]) || value_[0] == '-' ||
                                            value_[0] == '+' || value_[0] == '.');
    if (!starts) return std::nullopt;
    const std::string_view digits = value_.substr(0, value_.find_first_of("}]#"));
    const std::string shown = quote(trimmed(digits));
    if (says("leading zeroes")) {
      return at_place(fmt::format("{} begins with a zero", shown),
                      "leave the zero out, or write a text in quotes");
    }
    if (digits.find('%') != std::string_view::npos) {
      return at_place("a number has a percent sign", "write a fraction, as in 0.05 for 5 %");
    }
    if (says("expected a comment or whitespace") && is_digit(first_seen())) {
      return at_place("a number has a space in it", "write 200000 or 200_000");
    }
    return std::nullopt;
  }

  Mistake date() const {
    const bool date = says("parsing date") || says("4-digit year") || says("2-digit month") ||
                      says("2-digit day") || says("parsing time");
    if (!date) return std::nullopt;
    return at_place("this is not a valid date", "write a date such as 2026-03-01, without quotes");
  }

  Mistake no_value() const {
    if (!value_.empty() || key_.empty() || says("expected '='")) return std::nullopt;
    return at_place(fmt::format("nothing follows {} =", in_code(key_)), "write its value");
  }

  Mistake bare_text() const {
    const bool value = says("could not determine value type") || says("expected 'inf'") ||
                       says("expected 'nan'") || says("parsing value") || says("parsing boolean") ||
                       (says("value-terminator") && !starts_with_digit(value_));
    if (!value || key_.empty()) return std::nullopt;
    const std::string_view word = trimmed(value_.substr(0, value_.find_first_of(",}]#")));
    if (is_word_like(word)) {
      return at_place(fmt::format("{} is not in quotes", quote(word)),
                      fmt::format("write {} = \"{}\"", shortened(key_), shortened(word)));
    }
    return at_place("this is not a value", "put texts and expressions in quotes");
  }

  // The character that the library saw, if it names one.
  char first_seen() const {
    const std::size_t place = description_.find("saw '");
    return place == std::string_view::npos || place + 5 >= description_.size()
               ? ' '
               : description_[place + 5];
  }
  // A name as messages repeat it, without its own quotes.
  static std::string shortened(std::string_view name) {
    const std::string safe = quote(name);
    return safe.substr(1, safe.rfind('\'') - 1);
  }

  std::string_view line_;
  std::size_t at_ = 0;  // the byte of the place in the line
  std::string_view key_;
  std::string_view value_;
  FilePosition position_;
  std::string_view description_;
};

}  // namespace

TomlMistake explain_toml(std::string_view text, FilePosition position,
                         std::string_view description) {
  position.line = std::max<std::size_t>(position.line, 1);
  position.column = std::max<std::size_t>(position.column, 1);
  return Explainer(text, position, description).explain();
}

}  // namespace lastbit::release_internal
