// ColumnBatch: a column of a batch in the forms in which columnar formats hold it (Arrow, Parquet,
// COPY), as spans of memory that somebody else owns; and how it becomes a FieldBatch.
//
// Guarantee      nothing outside of the spans is read, whatever offsets and codes say.
// Fails          kBadInput for offsets or codes outside of their texts, or texts that are no UTF-8;
//                no message depends on a field otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/fields/field_batch.h"

namespace lastbit::engine {

// Texts as bytes, the text i from offset i to offset i + 1.
struct TextOffsets {
  std::span<const std::int32_t> offsets;  // one more than rows
  std::string_view bytes;
};
struct LongTextOffsets {
  std::span<const std::int64_t> offsets;
  std::string_view bytes;
};
// Texts as numbers of a dictionary.
struct DictionaryTexts {
  std::span<const std::int32_t> codes;
  std::span<const std::string_view> texts;
};
// Bits, 8 in a byte, the first as the lowest.
struct BitColumn {
  std::span<const std::uint8_t> bytes;
  std::size_t offset = 0;  // of the first row, in bits
};
// Days after 1970-01-01; days that are no date from 0000-01-01 to 9999-12-31 are missing.
struct DayColumn {
  std::span<const std::int32_t> days;
};
using ColumnValues =
    std::variant<std::span<const std::int64_t>, std::span<const Int128>, std::span<const double>,
                 std::span<const std::string_view>, TextOffsets, LongTextOffsets, DictionaryTexts,
                 BitColumn, DayColumn>;

struct ColumnBatch {
  std::size_t rows = 0;
  ColumnValues values;
  BitColumn validity = {};  // without bytes: every row has a value
};

// ColumnReader: reads one column of batch after batch.
class ColumnReader {
 public:
  // read: valid until the next call, and no longer than the batch is.
  FieldBatch read(const ColumnBatch& batch);

 private:
  void read_validity(const ColumnBatch& batch);
  template <class Offsets>
  FieldBatch read_offsets(const Offsets& texts, std::size_t rows);
  FieldBatch read_codes(const DictionaryTexts& texts, std::size_t rows);
  bool is_there(std::size_t row) const {
    return validity_.empty() || (validity_[row / 64] >> (row % 64) & 1) != 0;
  }
  Validity validity() const { return validity_.empty() ? nullptr : validity_.data(); }

  std::vector<std::uint64_t> validity_;
  std::vector<std::int64_t> integers_;
  std::vector<std::string_view> texts_;
};

}  // namespace lastbit::engine
