#include "lastbit/engines/duckdb/reading/record_scan.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "lastbit/engines/duckdb/engine_values.h"
#include "lastbit/engines/duckdb/reading/source_files.h"

namespace lastbit::engine {
namespace {

using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using TableFunction = Owned<duckdb_table_function, duckdb_destroy_table_function>;
using SharedScan = std::shared_ptr<RecordScan>;

const std::vector<std::string>& columns_of(const source::TextFile& file) {
  return std::visit(
      [](const auto& opened) -> const std::vector<std::string>& { return opened->columns(); },
      file);
}

// ThreadState: the reader of one of the engine's threads, with room for the fields of a column.
struct ThreadState {
  explicit ThreadState(RecordScan& scan) : reader(scan) {}
  RecordScan::Reader reader;
  source::FieldBuffer buffer;
};

template <class T>
void destroy(void* pointer) {
  delete static_cast<T*>(pointer);
}

RecordScan& scan_of(void* extra_info) { return **static_cast<SharedScan*>(extra_info); }

void bind(duckdb_bind_info info) {
  const RecordScan& scan = scan_of(duckdb_bind_get_extra_info(info));
  const auto add = [&](std::size_t number, Carrier carrier) {
    const Type type(duckdb_create_logical_type(carrier == Carrier::kInteger ? DUCKDB_TYPE_BIGINT
                                                                            : DUCKDB_TYPE_BLOB));
    duckdb_bind_add_result_column(info, fmt::format("e{}", number).c_str(), type.get());
  };
  for (std::size_t i = 0; i < scan.columns().size(); ++i) add(i, carrier_of(scan.columns()[i]));
  // A query that only counts rows still needs a column.
  if (scan.columns().empty()) add(0, Carrier::kInteger);
}

void init(duckdb_init_info info) {
  constexpr idx_t kManyThreads = 1024;  // the engine uses as many as it has
  RecordScan& scan = scan_of(duckdb_init_get_extra_info(info));
  duckdb_init_set_max_threads(info, kManyThreads);
  try {
    scan.begin();
  } catch (const Error& error) {
    scan.fail(error);
    duckdb_init_set_error(info, "failed");
  }
}

void init_thread(duckdb_init_info info) {
  RecordScan& scan = scan_of(duckdb_init_get_extra_info(info));
  duckdb_init_set_init_data(info, std::make_unique<ThreadState>(scan).release(),
                            destroy<ThreadState>);
}

void write_bytes(const source::FieldBatch& batch, std::size_t rows, duckdb_vector vector) {
  auto* strings = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector));
  for (std::size_t row = 0; row < rows; ++row) {
    if (batch.is_missing(row)) {
      duckdb_vector_ensure_validity_writable(vector);
      duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
      continue;
    }
    const auto text = batch.value<std::string_view>(row);
    auto& short_text = strings[row].value.inlined;
    if (text.size() <= std::size(short_text.inlined)) {
      strings[row] = {};
      short_text.length = static_cast<std::uint32_t>(text.size());
      if (!text.empty()) std::memcpy(short_text.inlined, text.data(), text.size());
    } else {
      duckdb_vector_assign_string_element_len(vector, row, text.data(), text.size());
    }
  }
}

void write_integers(const source::FieldBatch& batch, std::size_t rows, duckdb_vector vector) {
  Output out(static_cast<std::int64_t*>(duckdb_vector_get_data(vector)), vector);
  for (std::size_t row = 0; row < rows; ++row) {
    if (batch.is_missing(row)) {
      out.set_null(row);
    } else {
      out.set(row, batch.value<std::int64_t>(row));
    }
  }
}

void write_column(const ScannedColumn& column, std::span<const source::RawField> fields,
                  source::FieldBuffer& buffer, duckdb_vector vector) {
  const source::FieldBatch batch = buffer.read(fields, column.type);
  if (column.map) {
    Output out(static_cast<std::int64_t*>(duckdb_vector_get_data(vector)), vector);
    column.map->run({&batch, 1}, fields.size(), out);
  } else if (carrier_of(column) == Carrier::kBytes) {
    write_bytes(batch, fields.size(), vector);
  } else {
    write_integers(batch, fields.size(), vector);
  }
}

void scan_rows(duckdb_function_info info, duckdb_data_chunk output) {
  RecordScan& scan = scan_of(duckdb_function_get_extra_info(info));
  auto& [reader, buffer] = *static_cast<ThreadState*>(duckdb_function_get_local_init_data(info));
  try {
    const std::size_t rows = reader.advance(duckdb_vector_size());
    const std::vector<ScannedColumn>& columns = scan.columns();
    for (std::size_t i = 0; i < columns.size() && rows > 0; ++i) {
      write_column(columns[i], reader.fields(i), buffer, duckdb_data_chunk_get_vector(output, i));
    }
    if (columns.empty()) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(output, 0);
      std::fill_n(static_cast<std::int64_t*>(duckdb_vector_get_data(vector)), rows, 0);
    }
    duckdb_data_chunk_set_size(output, rows);
    return;
  } catch (const source::Malformed& malformed) {
    scan.fail(malformed);
  } catch (const Error& error) {
    scan.fail(error);
  } catch (...) {
    scan.fail_for_memory();  // nothing else is thrown here
  }
  // No exception may cross the C API; the statement fails instead.
  duckdb_function_set_error(info, "failed");
}

}  // namespace

Carrier carrier_of(const ScannedColumn& column) {
  return column.map == nullptr && column.type == FieldType::kText ? Carrier::kBytes
                                                                  : Carrier::kInteger;
}

RecordScan::RecordScan(DataSource source, std::filesystem::path path,
                       std::vector<ScannedColumn> columns)
    : source_(std::move(source)), path_(std::move(path)), columns_(std::move(columns)) {
  const source::TextFile file = open_text(source_, path_);
  const std::vector<std::string>& names = columns_of(file);
  for (const ScannedColumn& column : columns_) {
    const auto name = std::ranges::find(names, column.name);
    invariant(name != names.end(), "scanned columns are columns of the file");
    const auto number = static_cast<std::size_t>(name - names.begin());
    const auto place = std::ranges::find(wanted_, number);
    places_.push_back(static_cast<std::size_t>(place - wanted_.begin()));
    if (place == wanted_.end()) wanted_.push_back(number);
  }
}

void RecordScan::begin() {
  source::TextFile file = open_text(source_, path_);
  const std::vector<std::string>& names = columns_of(file);
  out_of_memory_ = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::size_t number = wanted_[places_[i]];
    if (number < names.size() && names[number] == columns_[i].name) continue;
    refuse_file(path_, "changed while it was read", "wait until it is complete, or copy it");
  }
  const std::lock_guard lock(mutex_);
  file_ = std::move(file);
}

void RecordScan::fail(const source::Malformed& malformed) {
  const std::lock_guard lock(mutex_);
  if (!malformed_ || malformed.offset < malformed_->offset) malformed_ = malformed;
}

void RecordScan::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

void RecordScan::throw_problem() const {
  const std::lock_guard lock(mutex_);
  if (malformed_) source::refuse_malformed(path_, *malformed_);
  if (error_) throw Error(*error_);
}

double RecordScan::done() const {
  const std::lock_guard lock(mutex_);
  return std::visit([](const auto& file) { return file ? file->done() : 0; }, file_);
}

RecordScan::Reader::Reader(RecordScan& scan) : scan_(scan), table_(scan.wanted_.size()) {}

std::size_t RecordScan::Reader::advance(std::size_t most) {
  const auto read_more = [this](auto& file) {
    table_.clear();
    if (at_ == chunk_.bytes.size()) {
      at_ = 0;
      if (!file->next(chunk_)) return false;
    }
    at_ = file->parse_some(chunk_, at_, scan_.wanted_, table_);
    return true;
  };
  while (end_ == table_.rows()) {
    begin_ = end_ = 0;
    if (!std::visit(read_more, scan_.file_)) {
      chunk_.bytes.clear();
      return 0;
    }
  }
  begin_ = end_;
  end_ = std::min(begin_ + most, table_.rows());
  return end_ - begin_;
}

std::span<const source::RawField> RecordScan::Reader::fields(std::size_t column) const {
  return std::span(table_.column(scan_.places_[column])).subspan(begin_, end_ - begin_);
}

bool register_scan(void* connection, const std::string& name, std::shared_ptr<RecordScan> scan) {
  const TableFunction function(duckdb_create_table_function());
  duckdb_table_function_set_name(function.get(), name.c_str());
  duckdb_table_function_set_extra_info(
      function.get(), std::make_unique<SharedScan>(std::move(scan)).release(), destroy<SharedScan>);
  duckdb_table_function_set_bind(function.get(), bind);
  duckdb_table_function_set_init(function.get(), init);
  duckdb_table_function_set_local_init(function.get(), init_thread);
  duckdb_table_function_set_function(function.get(), scan_rows);
  return duckdb_register_table_function(static_cast<duckdb_connection>(connection),
                                        function.get()) == DuckDBSuccess;
}

}  // namespace lastbit::engine
