// The handles of the C API, each freed by its own function, and values on their way into and out of
// the engine. Inside of this room only, for .cc files: it sees the database's header.
#pragma once

#include <duckdb.h>

#include <span>
#include <utility>

#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {

template <typename Handle, auto kDestroy>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Owned& operator=(Owned&&) = delete;
  ~Owned() { kDestroy(&handle_); }
  Handle* out() { return &handle_; }
  Handle get() const { return handle_; }

 private:
  Handle handle_{};
};

using Engine = Owned<duckdb_database, duckdb_close>;
using Connection = Owned<duckdb_connection, duckdb_disconnect>;
using Configuration = Owned<duckdb_config, duckdb_destroy_config>;
using Prepared = Owned<duckdb_prepared_statement, duckdb_destroy_prepare>;
using Pending = Owned<duckdb_pending_result, duckdb_destroy_pending>;
using Result = Owned<duckdb_result, duckdb_destroy_result>;
using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using Value = Owned<duckdb_value, duckdb_destroy_value>;
using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using Appender = Owned<duckdb_appender, duckdb_appender_destroy>;
using Function = Owned<duckdb_scalar_function, duckdb_destroy_scalar_function>;

// value_of: the parameter as the engine takes it.
Value value_of(const Parameter& parameter);

// read_result: appends the columns of the result to the answers.
void read_result(const Result& result, std::span<Answer> answers);

// scalar_function: the function as the engine takes it, which owns `function` from then on.
Function scalar_function(const std::string& name, std::unique_ptr<RowFunction> function);

}  // namespace lastbit::engine
