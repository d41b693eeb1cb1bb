// RecordScan: the records of a text file as a table function of the engine, read by our own reader
// on all of the engine's threads. For this module only.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/reading/row_function.h"
#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/file/field.h"
#include "lastbit/sources/field_buffer.h"
#include "lastbit/sources/text_file.h"

namespace lastbit::engine {

// ScannedColumn: a column of the table: a field of the file as its carrier, or the result of
// applying the map to fields.
struct ScannedColumn {
  std::vector<RowColumn> fields;  // what the map takes, by their names in the file
  std::shared_ptr<const RowFunction> map = nullptr;  // null: the only field itself, not a kReal
  Carrier carrier = Carrier::kInteger;
};

class RecordScan {
 public:
  // Requires  caller: checked_path gave the path; the file has these columns.
  RecordScan(DataSource source, std::filesystem::path path, std::vector<ScannedColumn> columns);

  const std::vector<ScannedColumn>& columns() const { return columns_; }

  // begin: starts reading at the first record. The engine calls it once for each statement.
  void begin();

  // Reader: the part of the scan that one thread holds.
  class Reader {
   public:
    explicit Reader(RecordScan& scan);
    // advance: makes the next rows current, at most `most`, and returns how many; 0 at the end.
    std::size_t advance(std::size_t most);
    // fields: what the map of a column takes, for the current rows.
    std::span<const FieldBatch> fields(std::size_t column);

   private:
    RecordScan& scan_;
    std::vector<source::FieldBuffer> buffers_;  // one for each of the scan's typed fields
    std::vector<FieldBatch> batches_;
    std::vector<FieldBatch> arguments_;
    source::Chunk chunk_;
    std::size_t at_ = 0;  // in the chunk: what was read of it
    source::RawTable table_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
  };

  // fail: records why the scan ended; of several problems, the first in the file.
  void fail(const source::Malformed& malformed);
  void fail(const Error& error);
  void fail_for_memory() { out_of_memory_ = true; }
  bool out_of_memory() const { return out_of_memory_; }
  // throw_problem: throws the recorded problem, if any.
  void throw_problem() const;
  // done: the fraction of the file read so far, from 0 to 1.
  double done() const;

 private:
  DataSource source_;
  std::filesystem::path path_;
  // TypedField: a field of the file, and the type that it is read as.
  struct TypedField {
    std::size_t place;  // among the wanted ones
    FieldType type;
    friend bool operator==(const TypedField&, const TypedField&) = default;
  };

  std::vector<ScannedColumn> columns_;
  std::vector<std::size_t> wanted_;                  // the numbers of the fields to read
  std::vector<std::string> names_;                   // their names
  std::vector<TypedField> typed_fields_;             // each is read once for all columns
  std::vector<std::vector<std::size_t>> arguments_;  // which of them each column takes
  source::TextFile file_;                            // open once begin() was called

  std::atomic<bool> out_of_memory_ = false;
  mutable std::mutex mutex_;  // guards the two below, and the file while it is being opened
  std::optional<source::Malformed> malformed_;
  std::optional<Error> error_;
};

// register_scan: makes the scan callable as the table function `name` through a duckdb_connection,
// with the columns e0, e1, …; false if the engine refuses.
bool register_scan(void* connection, const std::string& name, std::shared_ptr<RecordScan> scan);

}  // namespace lastbit::engine
