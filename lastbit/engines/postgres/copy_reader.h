// CopyReader: the rows of a binary COPY as batches of columns. For this module only.
//
// Guarantee      whatever the bytes are, nothing else is read. How they are cut into pieces changes
//                no row.
// Fails          kBadInput if the bytes are not what PostgreSQL sends for these columns; no message
//                depends on a field otherwise.
// Definition     proofs/reading.md#postgres
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/engines/kernel/arrow_batch.h"
#include "lastbit/release/fields/column_type.h"

namespace lastbit::engine {

// WireForm: in which form a binary COPY sends the values of a type.
enum class WireForm {
  kBool,
  kInt2,
  kInt4,
  kInt8,
  kFloat4,
  kFloat8,
  kNumeric,
  kDate,       // days after 2000-01-01
  kTime,       // microseconds after midnight
  kTimestamp,  // microseconds after 2000-01-01
  kUuid,
  kText,
  kPaddedText,  // of char(n)
};

struct CopyColumn {
  std::string name;
  WireForm form = WireForm::kText;
  ColumnType type{ColumnKind::kText};
  FieldType wanted = FieldType::kText;  // what can_be_read allows
};

class CopyReader {
 public:
  using TakeBatch = std::function<void(std::span<const ColumnBatch>)>;

  // `place` is what messages call the source. `take` gets a batch for each column, or if there is
  // none, one that has only rows.
  CopyReader(std::string place, const std::vector<CopyColumn>& columns, TakeBatch take);

  // add: the next bytes.
  void add(std::string_view bytes);
  // finish: gives the last rows.
  void finish();

 private:
  enum class Store { kIntegers, kWides, kReals, kTexts };
  // Column: the values of a batch so far, in one of the stores.
  struct Column {
    CopyColumn what;
    Store store = Store::kIntegers;
    std::vector<std::int64_t> integers;
    std::vector<Int128> wides;
    std::vector<double> reals;
    std::string bytes;
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::uint8_t> validity;
  };

  std::size_t read_some(std::string_view bytes);
  std::size_t read_header(std::string_view bytes);
  std::size_t read_row(std::string_view bytes);
  static Store store_of(const CopyColumn& column);
  // The readers of values append one, and say whether it is a field; what is missing has any value.
  static bool read_missing(Column& column);
  bool read_value(Column& column, std::string_view bytes) const;
  bool read_number(Column& column, std::string_view bytes) const;
  static bool read_text_value(Column& column, std::string_view bytes);
  static ColumnValues values_of(const Column& column);
  void give();
  [[noreturn]] void refuse() const;

  std::string place_;
  std::vector<Column> columns_;
  TakeBatch take_;
  std::vector<ColumnBatch> batch_;
  std::string left_;  // the beginning of a row that has not arrived yet
  std::size_t rows_ = 0;
  std::size_t text_bytes_ = 0;
  enum class State { kHeader, kRows, kEnd };
  State state_ = State::kHeader;
};

}  // namespace lastbit::engine
