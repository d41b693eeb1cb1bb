#include "lastbit/engines/duckdb/engine_values.h"

#include <duckdb.h>

namespace lastbit::engine {
namespace {

using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using Value = Owned<duckdb_value, duckdb_destroy_value>;
using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using Function = Owned<duckdb_scalar_function, duckdb_destroy_scalar_function>;

duckdb_type type_code(Carrier carrier) {
  switch (carrier) {
    case Carrier::kInteger:
      return DUCKDB_TYPE_BIGINT;
    case Carrier::kReal:
      return DUCKDB_TYPE_DOUBLE;
    case Carrier::kText:
      break;
  }
  return DUCKDB_TYPE_VARCHAR;
}

Value text_value(const std::string& text) {
  return Value(duckdb_create_varchar_length(text.data(), text.size()));
}

Value list_value(const TextList& texts) {
  const Type type(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  std::vector<Value> values;
  std::vector<duckdb_value> handles;
  for (const std::string& text : texts) {
    handles.push_back(values.emplace_back(text_value(text)).get());
  }
  return Value(duckdb_create_list_value(type.get(), handles.data(), handles.size()));
}

Value fields_value(const TextFields& fields) {
  const Type text(duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR));
  std::vector<duckdb_logical_type> types(fields.size(), text.get());
  std::vector<const char*> names;
  std::vector<Value> values;
  std::vector<duckdb_value> handles;
  for (const auto& [name, value] : fields) {
    names.push_back(name.c_str());
    handles.push_back(values.emplace_back(text_value(value)).get());
  }
  const Type type(duckdb_create_struct_type(types.data(), names.data(), names.size()));
  return Value(duckdb_create_struct_value(type.get(), handles.data()));
}

Value value_of(const Parameter& parameter) {
  if (const auto* number = std::get_if<std::int64_t>(&parameter)) {
    return Value(duckdb_create_int64(*number));
  }
  if (const auto* text = std::get_if<std::string>(&parameter)) return text_value(*text);
  if (const auto* texts = std::get_if<TextList>(&parameter)) return list_value(*texts);
  return fields_value(std::get<TextFields>(parameter));
}

Integer wide_integer(const duckdb_hugeint& value) {
  return Integer(static_cast<Int128>(
      static_cast<UInt128>(static_cast<std::uint64_t>(value.upper)) << 64 | value.lower));
}

void append_entry(Integers& column, void* data, idx_t row) {
  column.emplace_back(static_cast<std::int64_t*>(data)[row]);
}

void append_entry(Reals& column, void* data, idx_t row) {
  column.emplace_back(static_cast<double*>(data)[row]);
}

void append_entry(Texts& column, void* data, idx_t row) {
  duckdb_string_t* text = static_cast<duckdb_string_t*>(data) + row;
  column.emplace_back(std::in_place, duckdb_string_t_data(text), duckdb_string_t_length(*text));
}

void append_entry(WideIntegers& column, void* data, idx_t row) {
  column.push_back(wide_integer(static_cast<duckdb_hugeint*>(data)[row]));
}

void append_chunk(Answer& answer, duckdb_vector vector, idx_t rows) {
  void* data = duckdb_vector_get_data(vector);
  std::uint64_t* validity = duckdb_vector_get_validity(vector);
  const auto append = [&](auto& entries) {
    for (idx_t row = 0; row < rows; ++row) {
      if (validity == nullptr || duckdb_validity_row_is_valid(validity, row)) {
        append_entry(entries, data, row);
      } else {
        entries.emplace_back();
      }
    }
  };
  std::visit(append, answer);
}

// What the engine calls for a RowFunction.
void run_function(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& function =
      **static_cast<std::unique_ptr<RowFunction>*>(duckdb_scalar_function_get_extra_info(info));
  try {
    std::vector<Argument> arguments;
    for (idx_t i = 0; i < duckdb_data_chunk_get_column_count(input); ++i) {
      duckdb_vector vector = duckdb_data_chunk_get_vector(input, i);
      arguments.emplace_back(duckdb_vector_get_data(vector), duckdb_vector_get_validity(vector));
    }
    Output out(static_cast<std::int64_t*>(duckdb_vector_get_data(output)), output);
    function.run(arguments, duckdb_data_chunk_get_size(input), out);
  } catch (...) {
    // No exception may cross the C API; the statement fails instead.
    duckdb_scalar_function_set_error(info, "failed");
  }
}

}  // namespace

std::string_view Argument::text(std::size_t row) const {
  // The C API reads through a pointer that is not const, and changes nothing.
  auto* text = const_cast<duckdb_string_t*>(static_cast<const duckdb_string_t*>(data_) + row);
  return {duckdb_string_t_data(text), duckdb_string_t_length(*text)};
}

void Output::set_null(std::size_t row) {
  auto* vector = static_cast<duckdb_vector>(vector_);
  duckdb_vector_ensure_validity_writable(vector);
  duckdb_validity_set_row_invalid(duckdb_vector_get_validity(vector), row);
}

bool bind_parameters(void* prepared, std::span<const Parameter> parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Value value = value_of(parameters[i]);
    const auto statement = static_cast<duckdb_prepared_statement>(prepared);
    if (duckdb_bind_value(statement, i + 1, value.get()) == DuckDBError) return false;
  }
  return true;
}

void read_result(const void* result, std::span<Answer> answers) {
  while (true) {
    Chunk chunk;
    *chunk.out() = duckdb_fetch_chunk(*static_cast<const duckdb_result*>(result));
    if (chunk.get() == nullptr) return;
    const idx_t rows = duckdb_data_chunk_get_size(chunk.get());
    for (std::size_t i = 0; i < answers.size(); ++i) {
      append_chunk(answers[i], duckdb_data_chunk_get_vector(chunk.get(), i), rows);
    }
  }
}

bool register_function(void* connection, const std::string& name,
                       std::unique_ptr<RowFunction> function) {
  const Function handle(duckdb_create_scalar_function());
  duckdb_scalar_function_set_name(handle.get(), name.c_str());
  for (const Carrier carrier : function->arguments()) {
    const Type type(duckdb_create_logical_type(type_code(carrier)));
    duckdb_scalar_function_add_parameter(handle.get(), type.get());
  }
  const Type whole(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
  duckdb_scalar_function_set_return_type(handle.get(), whole.get());
  duckdb_scalar_function_set_special_handling(handle.get());  // it sees nulls
  duckdb_scalar_function_set_function(handle.get(), run_function);
  auto owner = std::make_unique<std::unique_ptr<RowFunction>>(std::move(function));
  duckdb_scalar_function_set_extra_info(handle.get(), owner.release(), [](void* pointer) {
    delete static_cast<std::unique_ptr<RowFunction>*>(pointer);
  });
  return duckdb_register_scalar_function(static_cast<duckdb_connection>(connection),
                                         handle.get()) == DuckDBSuccess;
}

}  // namespace lastbit::engine
