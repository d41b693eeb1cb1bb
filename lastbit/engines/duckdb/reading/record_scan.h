// RecordScan: the records of a text file as a table function of the engine, read by our own reader
// on all of the engine's threads. For this module only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/reading/row_function.h"
#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/field.h"
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
  // Requires  caller: checked_files gave the files; all have the same columns, these among them.
  RecordScan(DataSource source, std::vector<SourceFile> files, std::vector<ScannedColumn> columns);

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
    // file: which file is being read.
    std::size_t file() const { return file_; }
    // offset_of: where in the file a text of the current rows starts; nothing for one that is
    // written with escapes.
    std::optional<std::uint64_t> offset_of(std::string_view text) const;

   private:
    RecordScan& scan_;
    std::vector<source::FieldBuffer> buffers_;  // one for each of the scan's typed fields
    std::vector<FieldBatch> batches_;
    std::vector<FieldBatch> arguments_;
    std::size_t file_ = 0;  // the chunk's; files before it are read
    source::Chunk chunk_;
    std::size_t at_ = 0;  // in the chunk: what was read of it
    source::RawTable table_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
  };

  // fail: records why the scan ended; of several problems, the first in the files.
  void fail(const source::Malformed& malformed, std::size_t file);
  void fail(const Error& error);
  void fail_for_memory() { out_of_memory_ = true; }
  bool out_of_memory() const { return out_of_memory_; }
  // throw_problem: throws the recorded problem, if any.
  void throw_problem() const;
  // done: the fraction of the files read so far, from 0 to 1.
  double done() const;

 private:
  DataSource source_;
  std::vector<SourceFile> files_;
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
  std::vector<source::TextFile> opened_;             // the files, once begin() was called

  std::atomic<bool> out_of_memory_ = false;
  mutable std::mutex mutex_;  // guards the three below, and the files while they are being opened
  std::optional<source::Malformed> malformed_;
  std::size_t malformed_file_ = 0;
  std::optional<Error> error_;
};

// register_scan: makes the scan callable as the table function `name` through a duckdb_connection,
// with the columns e0, e1, …; false if the engine refuses.
bool register_scan(void* connection, const std::string& name, std::shared_ptr<RecordScan> scan);

}  // namespace lastbit::engine
