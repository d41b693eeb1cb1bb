// Values and functions passed to the engine, and results read from it. Our headers do not include
// the database's, so handles of its C API are bare pointers here. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
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

// VectorOutput: a duckdb_vector as an Output.
class VectorOutput final : private Output::Store {
 public:
  explicit VectorOutput(void* vector);
  Output& out() { return out_; }

 private:
  void set_text(std::size_t row, std::string_view value) override;
  std::uint64_t* make_validity() override;

  void* vector_;
  Output out_;
};

// bind_parameters: binds them to a duckdb_prepared_statement; false if the engine refuses.
bool bind_parameters(void* prepared, std::span<const Parameter> parameters);

// read_result: appends the columns of a duckdb_result, passed by its address, to the answers.
void read_result(const void* result, std::span<Answer> answers);

// prepared_columns: the columns of a duckdb_prepared_statement, with plain types (locked_engine.h).
// Runs nothing.
std::vector<NamedColumn> prepared_columns(void* prepared);

// register_function: makes the function callable through a duckdb_connection; false if the engine
// refuses. It is called for every row if it has effects, otherwise perhaps once for equal ones.
bool register_function(void* connection, const std::string& name,
                       std::span<const ArgumentType> arguments, Carrier result,
                       std::shared_ptr<const RowFunction> function, bool has_effects = false);

}  // namespace lastbit::engine
