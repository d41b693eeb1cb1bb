// Any bytes as a CSV file. The input is the file; a unit separator (0x1F) in front means that the
// next byte is the delimiter, a group separator (0x1D) after that, or in front, that the next two
// are the quote and the escape (a zero byte: none), and what follows the last record separator
// (0x1E) is a record to put into the file.
//
// Checked        the records are those that a plain reader of one byte after the other finds, for
//                two sizes of blocks; a record put in at any boundary, or taken out, changes the
//                list of records by just that record.
#include <memory>
#include <utility>

#include "lastbit/sources/byte_stream.h"
#include "lastbit/sources/csv_file.h"
#include "tests/reading/fuzz_support.h"

namespace lastbit::source_testing {
namespace {

// is_utf8: by decoding, where the readers compare bytes with ranges.
bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = byte(0) < 0x80 ? 1 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
    if ((byte(0) >= 0x80 && byte(0) < 0xC0) || byte(0) >= 0xF8 || text.size() < size) return false;
    std::uint32_t character = size == 1 ? byte(0) : byte(0) & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return false;
      character = character << 6 | (byte(i) & 0x3F);
    }
    constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (character < kLeast[size] || character > 0x10FFFF) return false;
    if (character >= 0xD800 && character < 0xE000) return false;
    text.remove_prefix(size);
  }
  return true;
}

bool is_other_format(std::string_view text) {
  try {
    source::refuse_other_format(text);
    return false;
  } catch (const source::Malformed&) {
    return true;
  }
}

// PlainReader: the definition in csv_file.h once more, one byte after the other.
class PlainReader {
 public:
  explicit PlainReader(const source::CsvFormat& format)
      : delimiter_(format.delimiter), quote_(format.quote), escape_(format.escape) {}

  // read: the records; nothing where the file is malformed.
  std::optional<std::vector<Record>> read(std::string_view text) {
    if (is_other_format(text)) return std::nullopt;
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    if (text.empty() || !is_utf8(text)) return std::nullopt;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool ends_line = text.substr(i, 2) == "\r\n";
      if (!take(text[i], ends_line)) return std::nullopt;
    }
    if (state_ == State::kQuoted || escaped_) return std::nullopt;
    if ((columns_ == 0 || !is_blank()) && !end_record()) return std::nullopt;
    return std::move(records_);
  }

 private:
  // Where the next byte is: at the start of a field, in an unquoted one, in a quoted one, or after
  // a quote in a quoted one.
  enum class State { kStart, kPlain, kQuoted, kQuote };

  bool is_blank() const { return record_.empty() && state_ == State::kStart; }

  bool take(char c, bool ends_line) {
    if (escaped_) {
      escaped_ = false;
      field_ += c;
      return true;
    }
    if (escape_ != '\0' && c == escape_) {
      escaped_ = true;
      if (state_ == State::kStart) state_ = State::kPlain;
      return state_ != State::kQuote;
    }
    const bool quotes = quote_ != '\0' && c == quote_;
    if (state_ == State::kQuoted) {
      if (quotes) {
        state_ = State::kQuote;
      } else {
        field_ += c;
      }
      return true;
    }
    if (quotes) {
      if (state_ == State::kQuote) field_ += c;
      return std::exchange(state_, State::kQuoted) != State::kPlain;
    }
    if (c == delimiter_) return end_field();
    if (c == '\r') return ends_line;
    if (c == '\n') return end_record();
    field_ += c;
    return std::exchange(state_, State::kPlain) != State::kQuote;
  }

  bool end_field() {
    record_.emplace_back(std::exchange(field_, {}));
    state_ = State::kStart;
    return true;
  }

  bool end_record() {
    if (is_blank() && columns_ > 1) return true;
    end_field();
    Record record = std::exchange(record_, {});
    if (columns_ == 0) {
      columns_ = record.size();
      return true;
    }
    records_.push_back(std::move(record));
    return records_.back().size() == columns_;
  }

  char delimiter_;
  char quote_;
  char escape_;
  bool escaped_ = false;     // whether the next byte stands for itself
  std::size_t columns_ = 0;  // as many as the header has, once it was read
  State state_ = State::kStart;
  std::string field_;
  Record record_;
  std::vector<Record> records_;
};

class CsvFuzz {
 public:
  CsvFuzz(std::string_view input, source::CsvFormat format)
      : format_(std::move(format)), choices_(input) {}

  void check(std::string_view file, std::optional<std::string_view> piece) {
    std::vector<Cut> cuts;
    const auto found = read(file, 1, &cuts);
    require(found == read(file, 2 + choices_.below(100)), "cuts change nothing");
    const auto plain = PlainReader(format_).read(file);
    require(found.has_value() == plain.has_value(), "what is read is what is defined");
    if (!found || cuts.empty()) return;
    require(found->records == *plain, "the records are those of the plain reader");
    cuts.push_back({file.size(), found->records.size()});
    check_removal(file, *found, cuts);
    if (piece) check_insertion(file, *found, cuts, *piece);
  }

 private:
  std::optional<Found> read(std::string_view file, std::size_t block_bytes,
                            std::vector<Cut>* cuts = nullptr) {
    static MemoryFile memory;
    const std::filesystem::path& path = memory.write(file);
    return read_records(
        [&] { return std::make_unique<source::CsvFile>(path, format_, block_bytes); }, cuts);
  }

  // With blocks of one byte, a chunk is one record or a blank line.
  void check_removal(std::string_view file, const Found& found, const std::vector<Cut>& cuts) {
    const std::size_t i = choices_.below(cuts.size() - 1);
    const auto without =
        read(replace_part(file, cuts[i].offset, cuts[i + 1].offset, ""), 1 + choices_.below(100));
    require(without.has_value(), "a file without one of its records is valid");
    if (cuts[i].records == cuts[i + 1].records) {
      require(*without == found, "a blank line is no record");
    } else {
      const Record& removed = found.records[cuts[i].records];
      require(insert_record(*without, removed, cuts[i].records) == found,
              "a record can be removed");
    }
  }

  // ends_record: whether it ends with a line feed that is not escaped, as it is after an odd number
  // of escape characters.
  bool ends_record(std::string_view text) const {
    if (!text.ends_with('\n')) return false;
    text.remove_suffix(1);
    std::size_t escapes = 0;
    while (format_.escape != '\0' && text.ends_with(format_.escape)) {
      text.remove_suffix(1);
      ++escapes;
    }
    return escapes % 2 == 0;
  }

  void check_insertion(std::string_view file, const Found& found, const std::vector<Cut>& cuts,
                       std::string_view piece) {
    const std::string line = std::string(piece) + '\n';
    if (!ends_record(line)) return;
    const auto alone = read(std::string(file.substr(0, cuts.front().offset)) + line, 1000);
    if (!alone || alone->records.size() != 1) return;
    const Cut cut = cuts[choices_.below(cuts.size())];
    // Behind a last record without a line end there is no boundary.
    if (cut.offset == file.size() && !ends_record(file)) return;
    const auto with =
        read(replace_part(file, cut.offset, cut.offset, line), 1 + choices_.below(100));
    require(with == insert_record(found, alone->records.front(), cut.records),
            "a record can be inserted");
  }

  source::CsvFormat format_;
  Choices choices_;
};

void check_input(std::string_view input) {
  std::string_view content = input;
  source::CsvFormat format{.null_texts = {}};
  if (content.size() >= 2 && content.front() == '\x1f') {
    format.delimiter = content[1];
    content.remove_prefix(2);
  }
  if (content.size() >= 3 && content.front() == '\x1d') {
    format.quote = content[1];
    format.escape = content[2];
    content.remove_prefix(3);
  }
  const auto usable = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != '\n' && c != '\r';
  };
  const bool different = format.delimiter != format.quote && format.delimiter != format.escape &&
                         (format.quote == '\0' || format.quote != format.escape);
  if (!usable(format.delimiter) || !usable(format.quote) || !usable(format.escape)) return;
  if (!different) return;
  const auto [file, piece] = split_last(content, '\x1e');
  CsvFuzz(input, std::move(format)).check(file, piece);
}

}  // namespace
}  // namespace lastbit::source_testing

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lastbit::source_testing::check_input({reinterpret_cast<const char*>(data), size});
  return 0;
}
