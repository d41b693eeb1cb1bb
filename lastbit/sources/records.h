// Records: what a text file (CSV, JSON) holds before its fields get types.
//
// A file is cut into chunks of whole records, each chunk is read on its own, and the cuts change
// nothing: proofs/reading.md#cutting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/release/fields/text_form.h"

namespace lastbit::source {

// The longest record of a text file, in bytes, including its end. A longer one is malformed.
inline constexpr std::size_t kMaxRecordBytes = std::size_t{16} << 20;

// Malformed: why a file is not of its format. The code that catches it turns it into an Error that
// names the line; no field is quoted.
struct Malformed {
  std::uint64_t
      offset;  // of a byte in the text of the file, at or before the problem and on its line
  std::string problem;  // as in: "a quoted field has no closing quote"
  std::string remedy;
};

// refuse_malformed: throws the kBadInput Error that names the file and the line.
[[noreturn]] void refuse_malformed(const std::filesystem::path& path, const Malformed& malformed,
                                   TextForm form = {});

// Chunk: consecutive bytes of a file that are whole records.
struct Chunk {
  std::string bytes;
  std::uint64_t offset = 0;  // of the first byte in the text of the file
  bool first = false;        // nothing but a header or an opening bracket is before it
  bool last = false;         // nothing is after it
};

// RawField: a field as text, or missing. The bytes are those of the chunk, or kept by the RawTable.
using RawField = std::optional<std::string_view>;

// RawTable: the wanted fields of consecutive records, column by column. It may point into the chunk
// that it was read from.
class RawTable {
 public:
  // How many rows readers add before they pause, so that no file makes a table large.
  static constexpr std::size_t kRowsAtOnce = 2048;

  explicit RawTable(std::size_t columns) : columns_(columns) {}

  std::size_t rows() const { return rows_; }
  const std::vector<RawField>& column(std::size_t column) const { return columns_[column]; }

  void clear() {
    for (std::vector<RawField>& column : columns_) column.clear();
    kept_.clear();
    rows_ = 0;
  }
  void add(std::size_t column, RawField field) { columns_[column].push_back(field); }
  void end_row() { ++rows_; }
  // keep: stores a text, such as one whose escapes were replaced, for as long as the table lives.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

 private:
  std::vector<std::vector<RawField>> columns_;
  std::deque<std::string> kept_;
  std::size_t rows_ = 0;
};

// for_each_table: calls `use` with a table of the wanted fields for every few thousand records of a
// chunk.
template <class File, class Use>
void for_each_table(const File& file, const Chunk& chunk, std::span<const std::size_t> wanted,
                    Use use) {
  RawTable table(wanted.size());
  for (std::size_t at = 0; at < chunk.bytes.size();) {
    table.clear();
    at = file.parse_some(chunk, at, wanted, table);
    use(table);
  }
}

}  // namespace lastbit::source
