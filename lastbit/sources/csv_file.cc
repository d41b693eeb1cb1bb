#include "lastbit/sources/csv_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "lastbit/base/utf8.h"
#include "lastbit/sources/csv_marks.h"

namespace lastbit::source {
namespace {

// whole_records: in a well-formed file a byte is inside quotes exactly if an odd number of quotes
// precedes it in its record, and records end outside quotes. If the file is malformed, the cut may
// be anywhere: reading the chunk will refuse it.
std::size_t whole_records(std::string_view bytes) {
  bool inside = std::ranges::count(bytes, '"') % 2 != 0;
  for (std::size_t at = bytes.size(); at > 0; --at) {
    const char c = bytes[at - 1];
    if (c == '"') inside = !inside;
    if (c == '\n' && !inside) return at;
  }
  return 0;
}

// first_record: whether a header is complete depends on no byte after it.
std::size_t first_record(std::string_view bytes) {
  bool inside = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (bytes[at] == '"') inside = !inside;
    if (bytes[at] == '\n' && !inside) return at + 1;
  }
  return 0;
}

// Field: where a field lies in the text; for a quoted one, what is between the quotes.
struct Field {
  std::size_t begin;
  std::size_t end;
  bool quoted = false;
  bool doubled = false;  // whether it holds doubled quotes
};

enum class After { kField, kRecord };

// CsvScanner: the automaton over the marks of a text that starts where a record starts.
class CsvScanner {
 public:
  // `offset` is where the text starts in the file; `last` says whether the file ends where it ends.
  CsvScanner(std::string_view text, char delimiter, std::uint64_t offset, bool last)
      : text_(text), delimiter_(delimiter), offset_(offset), last_(last), marks_(text, delimiter) {}

  std::size_t at() const { return at_; }
  bool ended() const { return at_ == text_.size(); }
  // at_line_end: whether there is no byte between here and the end of the line.
  bool at_line_end() const {
    const std::string_view rest = text_.substr(at_, 2);
    return rest.starts_with('\n') || rest == "\r\n";
  }

  // read_field: the field that starts here, and what comes after its end.
  After read_field(Field& field) {
    if (at_ < text_.size() && text_[at_] == '"') return read_quoted(field);
    const std::size_t mark = marks_.next();
    field = {at_, mark};
    if (mark < text_.size() && text_[mark] == '"') {
      refuse(mark, "a quote stands inside a field that does not start with one",
             "quote the whole field and double the quotes in it");
    }
    return end_field(mark);
  }

  [[noreturn]] void refuse(std::size_t at, std::string problem, std::string remedy) const {
    throw Malformed{offset_ + at, std::move(problem), std::move(remedy)};
  }

 private:
  After read_quoted(Field& field) {
    marks_.next();  // the opening quote
    field = {at_ + 1, at_ + 1, true, false};
    while (true) {
      const std::size_t mark = marks_.next();
      if (mark == text_.size()) {
        refuse(at_, "a quoted field has no closing quote",
               "close the quote, or double quotes in it");
      }
      if (text_[mark] != '"') continue;
      if (mark + 1 < text_.size() && text_[mark + 1] == '"') {
        marks_.next();
        field.doubled = true;
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
  std::uint64_t offset_;
  bool last_;
  CsvMarks marks_;
  std::size_t at_ = 0;
};

std::string undoubled(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] == '"') ++i;
  }
  return out;
}

void require_utf8(std::string_view text, std::uint64_t offset) {
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid == text.size()) return;
  throw Malformed{offset + invalid, "there are bytes that are not UTF-8", "save the file as UTF-8"};
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

// The names in the header, and where the first record after it starts.
std::pair<std::vector<std::string>, std::uint64_t> read_header(const std::filesystem::path& path,
                                                               char delimiter,
                                                               std::size_t block_bytes) {
  ChunkReader reader(path, 0, first_record, block_bytes);
  Chunk chunk;
  reader.next(chunk);
  std::string_view text = chunk.bytes;
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    throw Malformed{0, "the file is UTF-16", "save it as UTF-8"};
  }
  const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  text.remove_prefix(start);
  CsvScanner scanner(text, delimiter, start, chunk.last);
  std::vector<std::string> names;
  Field field{};
  After after = After::kField;
  while (after == After::kField) {
    after = scanner.read_field(field);
    const std::string_view name = text.substr(field.begin, field.end - field.begin);
    names.push_back(field.doubled ? undoubled(name) : std::string(name));
  }
  require_length(scanner.at(), start);
  require_utf8(text.substr(0, scanner.at()), start);
  return {std::move(names), start + scanner.at()};
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& path, CsvFormat format, std::size_t block_bytes)
    : format_(std::move(format)) {
  auto [names, start] = read_header(path, format_.delimiter, block_bytes);
  columns_ = named_columns(names);
  chunks_ = std::make_unique<ChunkReader>(path, start, whole_records, block_bytes);
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
    if (field.doubled) return table.keep(undoubled(raw));
    if (field.quoted) return raw;
    const bool missing =
        only_empty ? raw.empty()
                   : std::ranges::find(format_.null_texts, raw) != format_.null_texts.end();
    return missing ? RawField() : RawField(raw);
  };

  CsvScanner scanner(text, format_.delimiter, offset, chunk.last);
  while (!scanner.ended() && table.rows() < RawTable::kRowsAtOnce) {
    const std::size_t start = scanner.at();
    Field field{};
    if (columns_.size() > 1 && scanner.at_line_end()) {
      scanner.read_field(field);
      continue;
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
          fmt::format("the record has {} fields and the header has {}", column, columns_.size()),
          "check the delimiter, and quote fields that hold one");
    }
    require_length(scanner.at() - start, offset + start);
    table.end_row();
  }
  return from + scanner.at();
}

}  // namespace lastbit::source
