// Values and functions on their way into the engine, and results on their way out. Headers of ours
// do not see the database's, so handles of its C API are bare pointers here. For this module
// only.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {

// Owned: a handle of the C API, freed by its own function.
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
  const Handle* in() const { return &handle_; }
  Handle get() const { return handle_; }

 private:
  Handle handle_{};
};

// bind_parameters: to a duckdb_prepared_statement; false when the engine refuses.
bool bind_parameters(void* prepared, std::span<const Parameter> parameters);

// read_result: appends the columns of a duckdb_result, by its address, to the answers.
void read_result(const void* result, std::span<Answer> answers);

// prepared_columns: those of a duckdb_prepared_statement, with plain types (locked_engine.h).
// Nothing is run.
std::vector<NamedColumn> prepared_columns(void* prepared);

// register_function: makes the function callable through a duckdb_connection; false when the engine
// refuses.
bool register_function(void* connection, const std::string& name,
                       std::span<const ArgumentType> arguments,
                       std::shared_ptr<const RowFunction> function);

}  // namespace lastbit::engine
