#include "lastbit/engines/duckdb/reading/record_scan.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "lastbit/engines/duckdb/engine_values.h"
#include "lastbit/engines/duckdb/reading/source_files.h"

namespace lastbit::engine {
namespace {

using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using TableFunction = Owned<duckdb_table_function, duckdb_destroy_table_function>;
using SharedScan = std::shared_ptr<RecordScan>;

// index_in: where the value is in the list, to which it is added unless it is there already.
template <class T>
std::size_t index_in(std::vector<T>& list, const T& value) {
  const auto found = std::ranges::find(list, value);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(value);
  return index;
}

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
  for (std::size_t i = 0; i < scan.columns().size(); ++i) add(i, scan.columns()[i].carrier);
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
  duckdb_init_set_init_data(info, std::make_unique<RecordScan::Reader>(scan).release(),
                            destroy<RecordScan::Reader>);
}

void write_column(const ScannedColumn& column, std::span<const FieldBatch> fields, std::size_t rows,
                  duckdb_vector vector) {
  VectorOutput vector_output(vector);
  Output& out = vector_output.out();
  if (column.map) {
    column.map->run(fields, rows, out);
  } else if (column.carrier == Carrier::kBytes) {
    write_fields<std::string_view>(fields[0], rows, out);
  } else {
    write_fields<std::int64_t>(fields[0], rows, out);
  }
}

void scan_rows(duckdb_function_info info, duckdb_data_chunk output) {
  RecordScan& scan = scan_of(duckdb_function_get_extra_info(info));
  auto& reader = *static_cast<RecordScan::Reader*>(duckdb_function_get_local_init_data(info));
  try {
    const std::size_t rows = reader.advance(duckdb_vector_size());
    const std::vector<ScannedColumn>& columns = scan.columns();
    for (std::size_t i = 0; i < columns.size() && rows > 0; ++i) {
      write_column(columns[i], reader.fields(i), rows, duckdb_data_chunk_get_vector(output, i));
    }
    if (columns.empty()) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(output, 0);
      std::fill_n(static_cast<std::int64_t*>(duckdb_vector_get_data(vector)), rows, 0);
    }
    duckdb_data_chunk_set_size(output, rows);
    return;
  } catch (const source::Malformed& malformed) {
    scan.fail(malformed, reader.file());
  } catch (const Error& error) {
    scan.fail(error);
  } catch (...) {
    scan.fail_for_memory();  // nothing else is thrown here
  }
  // No exception may cross the C API; the statement fails instead.
  duckdb_function_set_error(info, "failed");
}

}  // namespace

RecordScan::RecordScan(DataSource source, std::vector<SourceFile> files,
                       std::vector<ScannedColumn> columns)
    : source_(std::move(source)), files_(std::move(files)), columns_(std::move(columns)) {
  const source::TextFile file = open_text(source_, files_.front());
  const std::vector<std::string>& names = columns_of(file);
  for (const ScannedColumn& column : columns_) {
    std::vector<std::size_t>& arguments = arguments_.emplace_back();
    for (const RowColumn& field : column.fields) {
      const auto name = std::ranges::find(names, field.name);
      invariant(name != names.end(), "scanned columns are columns of the file");
      const std::size_t place = index_in(names_, field.name);
      if (names_.size() > wanted_.size()) {
        wanted_.push_back(static_cast<std::size_t>(name - names.begin()));
      }
      arguments.push_back(index_in(typed_fields_, TypedField{place, field.type}));
    }
  }
}

void RecordScan::begin() {
  std::vector<source::TextFile> opened;
  for (const SourceFile& file : files_) {
    const std::vector<std::string>& names =
        columns_of(opened.emplace_back(open_text(source_, file)));
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i] < names.size() && names[wanted_[i]] == names_[i]) continue;
      refuse_file(file.path, "changed while it was read", "wait until it is complete, or copy it");
    }
  }
  out_of_memory_ = false;
  const std::lock_guard lock(mutex_);
  opened_ = std::move(opened);
}

void RecordScan::fail(const source::Malformed& malformed, std::size_t file) {
  const std::lock_guard lock(mutex_);
  const bool first = !malformed_ || std::pair(file, malformed.offset) <
                                        std::pair(malformed_file_, malformed_->offset);
  if (!first) return;
  malformed_ = malformed;
  malformed_file_ = file;
}

void RecordScan::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

void RecordScan::throw_problem() const {
  const std::lock_guard lock(mutex_);
  if (malformed_) {
    const SourceFile& file = files_[malformed_file_];
    source::refuse_malformed(file.path, *malformed_, form_of(source_, file));
  }
  if (error_) throw Error(*error_);
}

double RecordScan::done() const {
  const std::lock_guard lock(mutex_);
  double done = 0;
  for (const source::TextFile& file : opened_) {
    done += std::visit([](const auto& opened) { return opened->done(); }, file);
  }
  return opened_.empty() ? 0 : done / static_cast<double>(opened_.size());
}

RecordScan::Reader::Reader(RecordScan& scan)
    : scan_(scan),
      buffers_(scan.typed_fields_.size()),
      batches_(scan.typed_fields_.size()),
      table_(scan.wanted_.size()) {}

std::size_t RecordScan::Reader::advance(std::size_t most) {
  const auto next = [this] {
    return std::visit([this](auto& file) { return file->next(chunk_); }, scan_.opened_[file_]);
  };
  while (end_ == table_.rows()) {
    begin_ = end_ = 0;
    table_.clear();
    if (at_ == chunk_.bytes.size()) {
      at_ = 0;
      while (file_ < scan_.opened_.size() && !next()) ++file_;
      if (file_ == scan_.opened_.size()) {
        chunk_.bytes.clear();
        return 0;
      }
    }
    at_ = std::visit(
        [this](auto& file) { return file->parse_some(chunk_, at_, scan_.wanted_, table_); },
        scan_.opened_[file_]);
  }
  begin_ = end_;
  end_ = std::min(begin_ + most, table_.rows());
  for (std::size_t i = 0; i < batches_.size(); ++i) {
    const auto& [place, type] = scan_.typed_fields_[i];
    const std::span fields = table_.column(place);
    batches_[i] =
        buffers_[i].read(fields.subspan(begin_, end_ - begin_), type, scan_.source_.notation);
  }
  return end_ - begin_;
}

std::span<const FieldBatch> RecordScan::Reader::fields(std::size_t column) {
  arguments_.clear();
  for (const std::size_t i : scan_.arguments_[column]) arguments_.push_back(batches_[i]);
  return arguments_;
}

std::optional<std::uint64_t> RecordScan::Reader::offset_of(std::string_view text) const {
  const char* const first = chunk_.bytes.data();
  const std::less<> before;
  if (before(text.data(), first) || !before(text.data(), first + chunk_.bytes.size())) {
    return std::nullopt;
  }
  return chunk_.offset + static_cast<std::uint64_t>(text.data() - first);
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
