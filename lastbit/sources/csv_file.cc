#include "lastbit/sources/csv_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "lastbit/base/utf8.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/sources/csv_marks.h"

namespace lastbit::source {
namespace {

// whole_records: in a well-formed file a byte is inside quotes exactly if an odd number of quotes
// precedes it in its record, and records end outside quotes. If the file is malformed, the cut may
// be anywhere: reading the chunk will refuse it.
std::size_t whole_records(std::string_view bytes, char quote) {
  if (quote == '\0') return bytes.rfind('\n') + 1;
  bool inside = std::ranges::count(bytes, quote) % 2 != 0;
  for (std::size_t at = bytes.size(); at > 0; --at) {
    const char c = bytes[at - 1];
    if (c == quote) inside = !inside;
    if (c == '\n' && !inside) return at;
  }
  return 0;
}

// find_record_end: where the first record ends, or the last of all, by going from front to back:
// whether a byte is escaped depends on those before it. 0 if no record is complete.
std::size_t find_record_end(std::string_view bytes, char quote, char escape, bool first) {
  bool inside = false;
  std::size_t end = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (escape != '\0' && c == escape) {
      ++at;
    } else if (quote != '\0' && c == quote) {
      inside = !inside;
    } else if (c == '\n' && !inside) {
      end = at + 1;
      if (first) return end;
    }
  }
  return end;
}

WholeRecords cutter_of(const CsvFormat& format) {
  const char quote = format.quote;
  const char escape = format.escape;
  if (escape == '\0')
    return [quote](std::string_view bytes) { return whole_records(bytes, quote); };
  return [quote, escape](std::string_view bytes) {
    return find_record_end(bytes, quote, escape, false);
  };
}

// Field: where a field lies in the text; for a quoted one, what is between the quotes.
struct Field {
  std::size_t begin;
  std::size_t end;
  bool quoted = false;
  bool rewritten = false;  // whether it holds doubled quotes or escapes
};

enum class After { kField, kRecord };

// CsvScanner: the automaton over the marks of a text that starts where a record starts.
class CsvScanner {
 public:
  // `offset` is where the text starts in the file; `last` says whether the file ends where it ends.
  CsvScanner(std::string_view text, const CsvFormat& format, std::uint64_t offset, bool last)
      : text_(text),
        delimiter_(format.delimiter),
        quote_(format.quote),
        escape_(format.escape),
        offset_(offset),
        last_(last),
        marks_(text, delimiter_, quote_, escape_) {}

  std::size_t at() const { return at_; }
  bool ended() const { return at_ == text_.size(); }
  // at_line_end: whether there is no byte between here and the end of the line.
  bool at_line_end() const {
    const std::string_view rest = text_.substr(at_, 2);
    return rest.starts_with('\n') || rest == "\r\n";
  }

  // read_field: the field that starts here, and what comes after its end.
  After read_field(Field& field) {
    if (at_ < text_.size() && is_quote(text_[at_])) return read_quoted(field);
    std::size_t mark = marks_.next();
    field = {at_, mark};
    while (mark < text_.size() && is_escape(text_[mark])) {
      pass_escaped(mark);
      mark = marks_.next();
      field = {at_, mark, false, true};
    }
    if (mark < text_.size() && is_quote(text_[mark])) {
      refuse(mark, "a quote stands inside a field that does not start with one",
             "quote the whole field and double the quotes in it");
    }
    return end_field(mark);
  }

  [[noreturn]] void refuse(std::size_t at, std::string problem, std::string remedy) const {
    throw Malformed{offset_ + at, std::move(problem), std::move(remedy)};
  }

 private:
  bool is_quote(char c) const { return quote_ != '\0' && c == quote_; }
  bool is_escape(char c) const { return escape_ != '\0' && c == escape_; }

  // pass_escaped: the byte after the escape at this mark is none.
  void pass_escaped(std::size_t mark) {
    if (mark + 1 == text_.size()) {
      refuse(mark, "nothing follows an escape character", "remove it, or double it");
    }
    const char c = text_[mark + 1];
    const bool is_mark = c == delimiter_ || is_quote(c) || is_escape(c) || c == '\n' || c == '\r';
    if (is_mark) marks_.next();
  }

  After read_quoted(Field& field) {
    marks_.next();  // the opening quote
    field = {at_ + 1, at_ + 1, true, false};
    while (true) {
      const std::size_t mark = marks_.next();
      if (mark == text_.size()) {
        refuse(at_, "a quoted field has no closing quote",
               "close the quote, or double quotes in it");
      }
      if (is_escape(text_[mark])) {
        pass_escaped(mark);
        field.rewritten = true;
        continue;
      }
      if (text_[mark] != quote_) continue;
      if (mark + 1 < text_.size() && text_[mark + 1] == quote_) {
        marks_.next();
        field.rewritten = true;
        continue;
      }
      field.end = mark;
      if (mark + 1 == text_.size()) return end_field(mark + 1);
      const char after = text_[mark + 1];
      if (after != delimiter_ && after != '\n' && after != '\r') {
        refuse(mark, "something follows the closing quote of a field",
               "put the closing quote at the end of the field, and double quotes in it");
      }
      return end_field(marks_.next());
    }
  }

  // The field ends at the mark, or with the text.
  After end_field(std::size_t mark) {
    if (mark == text_.size()) {
      // Only the end of the file ends a record without a line feed.
      if (!last_) refuse(at_, "the record has no end", "check that no quote is missing before it");
      at_ = mark;
      return After::kRecord;
    }
    const char c = text_[mark];
    at_ = mark + 1;
    if (c == delimiter_) return After::kField;
    if (c == '\n') return After::kRecord;
    if (mark + 1 == text_.size() || text_[mark + 1] != '\n') {
      refuse(mark, "a carriage return is not followed by a line feed",
             "end lines with a line feed, and quote fields that hold a carriage return");
    }
    at_ = marks_.next() + 1;
    return After::kRecord;
  }

  std::string_view text_;
  char delimiter_;
  char quote_;
  char escape_;
  std::uint64_t offset_;
  bool last_;
  CsvMarks marks_;
  std::size_t at_ = 0;
};

// meant_text: what a field with doubled quotes or escapes stands for.
std::string meant_text(std::string_view text, const CsvFormat& format) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (format.escape != '\0' && c == format.escape) {
      out += text[++i];  // the scanner has seen that there is one
      continue;
    }
    out += c;
    if (format.quote != '\0' && c == format.quote) ++i;
  }
  return out;
}

void require_utf8(std::string_view text, std::uint64_t offset) {
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid == text.size()) return;
  throw Malformed{
      offset + invalid, "there are bytes that are not UTF-8",
      "save the file as UTF-8, or say in [source] what it is: encoding = \"latin-1\" or "
      "\"windows-1252\""};
}

void require_length(std::size_t size, std::uint64_t offset) {
  if (size <= kMaxRecordBytes) return;
  throw Malformed{offset, fmt::format("a record is longer than {} MiB", kMaxRecordBytes >> 20),
                  "shorten it; a missing closing quote also looks like this"};
}

std::vector<std::string> named_columns(const std::vector<std::string>& names) {
  std::vector<std::string> columns;
  std::set<std::string> taken;
  std::map<std::string, std::size_t> numbers;  // the last number that a name got
  for (const std::string& name : names) {
    const std::string stem = name.empty() ? fmt::format("column{}", columns.size()) : name;
    std::string column = stem;
    std::size_t& number = numbers[stem];
    while (!taken.insert(column).second) column = fmt::format("{}_{}", stem, ++number);
    columns.push_back(std::move(column));
  }
  return columns;
}

// start_of: the length of the byte order mark, if there is one. What is no text is refused.
std::uint64_t start_of(const std::filesystem::path& path, const CsvFormat& format) {
  constexpr std::size_t kFrontBytes = 4096;
  const std::string front = read_front(path, format.form, kFrontBytes);
  const std::size_t start = front.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (!format.names.empty()) {
    refuse_no_utf8(front);
    return start;
  }
  refuse_other_format(front);
  if (front.size() == start) {
    throw Malformed{0, "the file is empty", "give a file with at least a header"};
  }
  return start;
}

// The names in the header, and where the first record after it starts.
std::pair<std::vector<std::string>, std::uint64_t> read_header(const std::filesystem::path& path,
                                                               const CsvFormat& format,
                                                               std::uint64_t start,
                                                               std::size_t block_bytes) {
  const auto first_record = [&format](std::string_view bytes) {
    return find_record_end(bytes, format.quote, format.escape, true);
  };
  ChunkReader reader(path, start, first_record, block_bytes, format.form);
  Chunk chunk;
  reader.next(chunk);
  const std::string_view text = chunk.bytes;
  CsvScanner scanner(text, format, start, chunk.last);
  std::vector<std::string> names;
  Field field{};
  After after = After::kField;
  while (after == After::kField) {
    after = scanner.read_field(field);
    const std::string_view name = text.substr(field.begin, field.end - field.begin);
    names.push_back(field.rewritten ? meant_text(name, format) : std::string(name));
  }
  require_length(scanner.at(), start);
  require_utf8(text.substr(0, scanner.at()), start);
  return {std::move(names), start + scanner.at()};
}

// ragged_remedy: what to do about a record with too many or too few fields.
std::string ragged_remedy(const std::vector<std::string>& columns, const CsvFormat& format) {
  const auto likely = format.names.empty() ? likely_delimiter(columns) : std::nullopt;
  if (!likely || *likely == format.delimiter) {
    return "check the delimiter, and quote fields that hold one";
  }
  return fmt::format("the header looks as if the delimiter were another one: write {} in [source]",
                     delimiter_line(*likely));
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path, CsvFormat format, std::size_t block_bytes)
    : format_(std::move(format)) {
  std::uint64_t start = start_of(path, format_);
  columns_ = format_.names;
  if (columns_.empty()) {
    auto [names, after] = read_header(path, format_, start, block_bytes);
    columns_ = named_columns(names);
    start = after;
  }
  chunks_ =
      std::make_unique<ChunkReader>(path, start, cutter_of(format_), block_bytes, format_.form);
}

std::size_t CsvFile::parse_some(const Chunk& chunk, std::size_t from,
                                std::span<const std::size_t> wanted, RawTable& table) const {
  if (from == 0) require_utf8(chunk.bytes, chunk.offset);
  const std::string_view text = std::string_view(chunk.bytes).substr(from);
  const std::uint64_t offset = chunk.offset + from;
  constexpr std::size_t kUnwanted = static_cast<std::size_t>(-1);
  std::vector<std::size_t> places(columns_.size(), kUnwanted);
  for (std::size_t i = 0; i < wanted.size(); ++i) places[wanted[i]] = i;
  const bool only_empty = format_.null_texts == std::vector<std::string>{""};
  const auto raw_field = [&](const Field& field) -> RawField {
    const std::string_view raw = text.substr(field.begin, field.end - field.begin);
    if (field.quoted) {
      return field.rewritten ? table.keep(meant_text(raw, format_)) : raw;
    }
    const bool missing =
        only_empty ? raw.empty()
                   : std::ranges::find(format_.null_texts, raw) != format_.null_texts.end();
    if (missing) return std::nullopt;
    return field.rewritten ? table.keep(meant_text(raw, format_)) : raw;
  };

  CsvScanner scanner(text, format_, offset, chunk.last);
  while (!scanner.ended() && table.rows() < RawTable::kRowsAtOnce) {
    const std::size_t start = scanner.at();
    Field field{};
    if (columns_.size() > 1 && scanner.at_line_end()) {
      scanner.read_field(field);
      continue;
    }
    // Before the first record, it would be that of the file.
    if (!format_.names.empty() && text.substr(start).starts_with(kByteOrderMark)) {
      scanner.refuse(start, "a record starts with a byte order mark", "remove it");
    }
    std::size_t column = 0;
    for (After after = After::kField; after == After::kField; ++column) {
      after = scanner.read_field(field);
      if (column < places.size() && places[column] != kUnwanted) {
        table.add(places[column], raw_field(field));
      }
    }
    if (column != columns_.size()) {
      scanner.refuse(
          start,
          fmt::format("the record has {} field{} and {} {}", column, column == 1 ? "" : "s",
                      format_.names.empty() ? "the header has" : "`names` has", columns_.size()),
          ragged_remedy(columns_, format_));
    }
    require_length(scanner.at() - start, offset + start);
    table.end_row();
  }
  return from + scanner.at();
}

}  // namespace lastbit::source
