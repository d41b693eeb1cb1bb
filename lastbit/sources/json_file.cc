#include "lastbit/sources/json_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <deque>
#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/sources/json_text.h"

namespace lastbit::source {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

[[noreturn]] void refuse_double_key(std::uint64_t offset) {
  throw Malformed{offset, "a record has a key twice", "keep one of the two"};
}

// KeyPlace: a key of a record, unescaped, and where it is in the file.
struct KeyPlace {
  std::string_view name;
  std::uint64_t offset;
  auto operator<=>(const KeyPlace&) const = default;
};

// check_distinct: refuses repeated keys. They are sorted, because keys chosen to collide in a hash
// table could make this slow.
void check_distinct(std::vector<KeyPlace>& keys) {
  if (keys.size() < 2) return;
  std::ranges::sort(keys);
  const auto same = std::ranges::adjacent_find(keys, {}, &KeyPlace::name);
  if (same != keys.end()) refuse_double_key(std::next(same)->offset);
}

void check_utf8(std::string_view text, std::uint64_t offset) {
  const std::size_t invalid = first_invalid_utf8(text);
  if (invalid == text.size()) return;
  throw Malformed{offset + invalid, "a byte is not part of a character in UTF-8",
                  "save the file in UTF-8"};
}

void check_record_size(std::size_t bytes, std::uint64_t offset) {
  if (bytes <= kMaxRecordBytes) return;
  throw Malformed{offset, fmt::format("a record is longer than {} MiB", kMaxRecordBytes >> 20),
                  "shorten it; a missing closing quote also looks like this"};
}

std::size_t find_last_line_end(std::string_view text) { return text.rfind('\n') + 1; }

// FileFront: the front of a file, read block by block as needed.
class FileFront {
 public:
  FileFront(const std::filesystem::path& path, std::size_t block_bytes, TextForm form)
      : blocks_(path, 0, [](std::string_view bytes) { return bytes.size(); }, block_bytes, form) {}

  std::uint64_t offset() const { return offset_; }
  std::string_view bytes() const { return bytes_; }

  void drop(std::size_t count) {
    bytes_.erase(0, count);
    offset_ += count;
  }
  // read_more: appends a block; false at the end of the file.
  bool read_more() {
    Chunk block;
    if (!blocks_.next(block)) return false;
    bytes_ += block.bytes;
    return true;
  }
  void drop_byte_order_mark() {
    while (bytes_.size() < kByteOrderMark.size() && read_more()) continue;
    if (bytes_.starts_with(kByteOrderMark)) drop(kByteOrderMark.size());
  }
  // drop_space: drops white space of any length; false if nothing else was left.
  bool drop_space() {
    do {
      drop(std::min(bytes_.find_first_not_of(kSpace), bytes_.size()));
    } while (bytes_.empty() && read_more());
    return !bytes_.empty();
  }

 private:
  ChunkReader blocks_;
  std::string bytes_;
  std::uint64_t offset_ = 0;  // of the bytes
};

// read_keys: the keys of the record that the file's front starts with.
std::vector<std::string> read_keys(FileFront& front, bool is_array) {
  const auto find_end = [&front, is_array] {
    return is_array ? find_object_end(front.bytes()) : front.bytes().find('\n') + 1;
  };
  JsonText(front.bytes(), front.offset()).require_object();
  std::size_t end = find_end();
  while (end == 0 && front.bytes().size() <= kMaxRecordBytes && front.read_more()) end = find_end();
  std::string_view record = front.bytes().substr(0, end == 0 ? std::string_view::npos : end);
  check_record_size(record.size(), front.offset());
  check_utf8(record, front.offset());
  if (record.ends_with('\n')) record.remove_suffix(1);

  JsonText text(record, front.offset());
  std::deque<std::string> unescaped;
  std::vector<KeyPlace> keys;
  text.read_object([&](const JsonString& key, const JsonValue&) {
    std::string_view name = key.raw;
    if (key.has_escape) name = unescaped.emplace_back(unescape(key.raw));
    keys.push_back({name, text.offset_of(key.raw)});
  });
  std::vector<std::string> names;
  for (const KeyPlace& key : keys) names.emplace_back(key.name);
  check_distinct(keys);
  return names;
}

// RecordReader: reads records one after the other and appends their wanted fields to a table.
class RecordReader {
 public:
  RecordReader(const JsonColumns& columns, std::span<const std::size_t> wanted, RawTable& table)
      : columns_(columns),
        table_(table),
        places_(columns.names().size(), Place{}),
        fields_(wanted.size()) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      invariant(wanted[i] < places_.size(), "a wanted column is one of the file's");
      places_[wanted[i]].wanted = i;
    }
  }

  // read: reads the next record in the text.
  void read(JsonText& text) {
    ++record_;
    guess_ = 0;
    std::ranges::fill(fields_, RawField{});
    others_.clear();
    unescaped_.clear();
    text.read_object([this, &text](const JsonString& key, const JsonValue& value) {
      take_field(text, key, value);
    });
    check_distinct(others_);
    for (std::size_t i = 0; i < fields_.size(); ++i) table_.add(i, fields_[i]);
    table_.end_row();
  }

  // is_full: whether the table holds as many rows as it should.
  bool is_full() const { return table_.rows() >= RawTable::kRowsAtOnce; }

 private:
  static constexpr std::size_t kNotWanted = static_cast<std::size_t>(-1);

  // Place: what is known about a column.
  struct Place {
    std::size_t wanted = kNotWanted;  // its number among those that are wanted
    std::size_t last_record = 0;      // in which it was seen, counted from 1
  };

  void take_field(const JsonText& text, const JsonString& key, const JsonValue& value) {
    std::string_view name = key.raw;
    if (key.has_escape) name = unescaped_.emplace_back(unescape(key.raw));
    const std::size_t column = columns_.find(name, guess_);
    if (column == JsonColumns::kUnknown) {
      others_.push_back({name, text.offset_of(key.raw)});
      return;
    }
    guess_ = column + 1;
    Place& place = places_[column];
    if (place.last_record == record_) refuse_double_key(text.offset_of(key.raw));
    place.last_record = record_;
    if (place.wanted != kNotWanted) fields_[place.wanted] = make_field(value);
  }

  RawField make_field(const JsonValue& value) {
    switch (value.kind) {
      case JsonValue::Kind::kNull:
      case JsonValue::Kind::kArray:
      case JsonValue::Kind::kObject:
        return std::nullopt;
      default:
        if (value.text.has_escape) return table_.keep(unescape(value.text.raw));
        return value.text.raw;
    }
  }

  const JsonColumns& columns_;
  RawTable& table_;
  std::vector<Place> places_;
  std::vector<RawField> fields_;
  std::vector<KeyPlace> others_;       // keys of this record that are not among the columns
  std::deque<std::string> unescaped_;  // keys of this record
  std::size_t record_ = 0;             // its number, counted from 1
  std::size_t guess_ = 0;  // the column whose key comes next if the order is the usual one
};

// Both read records from a byte on, until the table is full, and return where the next one starts.

std::size_t read_lines(const Chunk& chunk, std::size_t from, RecordReader& reader) {
  std::string_view rest = std::string_view(chunk.bytes).substr(from);
  std::uint64_t offset = chunk.offset + from;
  while (!rest.empty() && !reader.is_full()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::size_t size = std::min(end + 1, rest.size());
    check_record_size(size, offset);
    JsonText line(rest.substr(0, end), offset);
    line.skip_space();
    if (!line.at_end()) {
      reader.read(line);
      line.skip_space();
      if (!line.at_end()) line.refuse("a line goes on after its record");
    }
    rest.remove_prefix(size);
    offset += size;
  }
  return chunk.bytes.size() - rest.size();
}

// A chunk of an array consists of records, each with the bracket or comma before it, and in the
// last chunk the closing bracket. The length of a record with what is before it and that of the
// white space after it are limited separately, so that neither depends on which record is the last.
std::size_t read_elements(const Chunk& chunk, std::size_t from, RecordReader& reader) {
  const std::uint64_t offset = chunk.offset + from;
  JsonText text(std::string_view(chunk.bytes).substr(from), offset);
  const bool first = chunk.first && from == 0;
  if (first) {
    text.take('[');
    text.skip_space();
  }
  std::size_t after = 0;  // where the white space after the last record starts
  bool more = first ? text.next_byte() != ']' : text.next_byte() == ',';
  for (std::size_t start = 0; more; more = text.next_byte() == ',') {
    if (reader.is_full()) return from + text.at();
    if (!first || start > 0) text.take(',');
    text.skip_space();
    reader.read(text);
    check_record_size(text.at() - start, offset + start);
    after = text.at();
    text.skip_space();
    start = text.at();
    check_record_size(start - after, offset + after);
  }
  const bool is_closed = chunk.last && text.take(']');
  if (is_closed != chunk.last) text.refuse("an array has neither a comma nor its end here");
  text.skip_space();
  if (!text.at_end()) text.refuse("there is more after a record or after the end of the array");
  check_record_size(text.at() - after, offset + after);
  return chunk.bytes.size();
}

}  // namespace

JsonColumns::JsonColumns(std::vector<std::string> names)
    : names_(std::move(names)), by_name_(names_.size()) {
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::ranges::sort(by_name_, {}, [this](std::size_t i) -> std::string_view { return names_[i]; });
}

std::size_t JsonColumns::find(std::string_view name, std::size_t guess) const {
  if (guess < names_.size() && names_[guess] == name) return guess;
  const auto name_of = [this](std::size_t i) -> std::string_view { return names_[i]; };
  const auto found = std::ranges::lower_bound(by_name_, name, {}, name_of);
  return found != by_name_.end() && names_[*found] == name ? *found : kUnknown;
}

JsonFile::JsonFile(const std::filesystem::path& path, std::size_t block_bytes,
                   Compression compression) {
  const TextForm form{.compression = compression};
  constexpr std::size_t kFrontBytes = 4096;
  refuse_other_format(read_front(path, form, kFrontBytes));
  FileFront front(path, block_bytes, form);
  front.drop_byte_order_mark();
  std::uint64_t start = front.offset();
  bool has_record = front.drop_space();
  is_array_ = has_record && front.bytes().front() == '[';
  if (is_array_) {
    start = front.offset();
    front.drop(1);
    has_record = front.drop_space() && front.bytes().front() != ']';
  }
  if (has_record) columns_ = JsonColumns(read_keys(front, is_array_));
  chunks_ = std::make_unique<ChunkReader>(
      path, start, is_array_ ? find_last_comma : find_last_line_end, block_bytes, form);
}

std::size_t JsonFile::parse_some(const Chunk& chunk, std::size_t from,
                                 std::span<const std::size_t> wanted, RawTable& table) const {
  if (from == 0) check_utf8(chunk.bytes, chunk.offset);
  RecordReader reader(columns_, wanted, table);
  return is_array_ ? read_elements(chunk, from, reader) : read_lines(chunk, from, reader);
}

}  // namespace lastbit::source
