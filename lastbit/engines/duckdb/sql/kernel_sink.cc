#include "lastbit/engines/duckdb/sql/kernel_sink.h"

#include <new>

#include "lastbit/base/error.h"

namespace lastbit::engine {

// A failure is remembered: the statement goes on, so that its own failures remain those of the
// source.
void KernelSink::run(std::span<const FieldBatch> arguments, std::size_t rows, Output& out) const {
  for (std::size_t row = 0; row < rows; ++row) out.set(row, std::int64_t{1});
  if (failed_) return;
  try {
    KeyedRows keyed;
    keyed.rows = rows;
    keyed.unit = arguments.front();
    keyed.keys = arguments.subspan(1, keys_);
    keyed.contents = arguments.subspan(1 + keys_);
    kernel_->add_keyed(keyed);
    rows_ += static_cast<std::int64_t>(rows);
  } catch (...) {
    failed_ = true;
  }
}

std::optional<PartialAnswer> KernelSink::finish(std::int64_t rows, const Progress& progress) {
  if (failed_ || rows_ != rows) return std::nullopt;
  bool ended = false;
  const Progress tell = [&](double part) {
    ended = true;
    if (progress) progress(part);
    ended = false;
  };
  try {
    return kernel_->finish(tell);
  } catch (const Error& error) {
    if (ended || error.code() != ErrorCode::kBadInput) throw;
  } catch (const std::bad_alloc&) {
    if (ended) throw;
  }
  return std::nullopt;
}

}  // namespace lastbit::engine
