#include "lastbit/engines/duckdb/engine_values.h"

#include <duckdb.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "lastbit/engines/kernel/instant_field.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

using Chunk = Owned<duckdb_data_chunk, duckdb_destroy_data_chunk>;
using Value = Owned<duckdb_value, duckdb_destroy_value>;
using Type = Owned<duckdb_logical_type, duckdb_destroy_logical_type>;
using Function = Owned<duckdb_scalar_function, duckdb_destroy_scalar_function>;

Type type_of(const ArgumentType& argument) {
  switch (argument.kind) {
    case ArgumentKind::kInteger:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_BIGINT));
    case ArgumentKind::kWideInteger:
    case ArgumentKind::kNarrowed:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_HUGEINT));
    case ArgumentKind::kReal:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_DOUBLE));
    case ArgumentKind::kDate:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_DATE));
    case ArgumentKind::kTimestamp:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_TIMESTAMP_TZ));
    case ArgumentKind::kLocalTime:
      return Type(duckdb_create_logical_type(argument.scale == 0   ? DUCKDB_TYPE_TIMESTAMP_S
                                             : argument.scale == 3 ? DUCKDB_TYPE_TIMESTAMP_MS
                                             : argument.scale == 9 ? DUCKDB_TYPE_TIMESTAMP_NS
                                                                   : DUCKDB_TYPE_TIMESTAMP));
    case ArgumentKind::kTime:
      return Type(duckdb_create_logical_type(DUCKDB_TYPE_TIME));
    case ArgumentKind::kDecimal:
    case ArgumentKind::kWideDecimal:
      return Type(duckdb_create_decimal_type(static_cast<std::uint8_t>(argument.width),
                                             static_cast<std::uint8_t>(argument.scale)));
    case ArgumentKind::kBytes:
      break;
  }
  return Type(duckdb_create_logical_type(DUCKDB_TYPE_BLOB));
}

// The SQL name of a type that columns can have; "ENUM" for any enumeration; "" for other types and
// for user-named ones: a name need not say what the type is.
std::string plain_type(duckdb_logical_type type) {
  const std::unique_ptr<char, decltype(&duckdb_free)> alias(duckdb_logical_type_get_alias(type),
                                                            duckdb_free);
  if (alias != nullptr) return "";
  constexpr std::array<std::pair<duckdb_type, const char*>, 23> kNames = {
      {{DUCKDB_TYPE_BOOLEAN, "BOOLEAN"},
       {DUCKDB_TYPE_TINYINT, "TINYINT"},
       {DUCKDB_TYPE_SMALLINT, "SMALLINT"},
       {DUCKDB_TYPE_INTEGER, "INTEGER"},
       {DUCKDB_TYPE_BIGINT, "BIGINT"},
       {DUCKDB_TYPE_UTINYINT, "UTINYINT"},
       {DUCKDB_TYPE_USMALLINT, "USMALLINT"},
       {DUCKDB_TYPE_UINTEGER, "UINTEGER"},
       {DUCKDB_TYPE_UBIGINT, "UBIGINT"},
       {DUCKDB_TYPE_HUGEINT, "HUGEINT"},
       {DUCKDB_TYPE_UHUGEINT, "UHUGEINT"},
       {DUCKDB_TYPE_FLOAT, "FLOAT"},
       {DUCKDB_TYPE_DOUBLE, "DOUBLE"},
       {DUCKDB_TYPE_DATE, "DATE"},
       {DUCKDB_TYPE_TIMESTAMP, "TIMESTAMP"},
       {DUCKDB_TYPE_TIMESTAMP_S, "TIMESTAMP_S"},
       {DUCKDB_TYPE_TIMESTAMP_MS, "TIMESTAMP_MS"},
       {DUCKDB_TYPE_TIMESTAMP_NS, "TIMESTAMP_NS"},
       {DUCKDB_TYPE_TIMESTAMP_TZ, "TIMESTAMP WITH TIME ZONE"},
       {DUCKDB_TYPE_TIME, "TIME"},
       {DUCKDB_TYPE_VARCHAR, "VARCHAR"},
       {DUCKDB_TYPE_UUID, "UUID"},
       {DUCKDB_TYPE_ENUM, "ENUM"}}};
  const duckdb_type id = duckdb_get_type_id(type);
  if (id == DUCKDB_TYPE_DECIMAL) {
    return fmt::format("DECIMAL({},{})", duckdb_decimal_width(type), duckdb_decimal_scale(type));
  }
  const auto found = std::ranges::find(kNames, id, &std::pair<duckdb_type, const char*>::first);
  return found == kNames.end() ? "" : found->second;
}

Value text_value(const std::string& text) {
  return Value(duckdb_create_varchar_length(text.data(), text.size()));
}

Value value_of(const Parameter& parameter) {
  if (const auto* number = std::get_if<std::int64_t>(&parameter)) {
    return Value(duckdb_create_int64(*number));
  }
  return text_value(std::get<std::string>(parameter));
}

Int128 wide_integer(const duckdb_hugeint& value) {
  return static_cast<Int128>(static_cast<UInt128>(static_cast<std::uint64_t>(value.upper)) << 64 |
                             value.lower);
}

std::optional<std::int64_t> narrowed(Int128 number) {
  const auto narrow = static_cast<std::int64_t>(number);
  return narrow == number ? std::optional(narrow) : std::nullopt;
}

void append_entry(Integers& column, void* data, idx_t row) {
  column.emplace_back(static_cast<std::int64_t*>(data)[row]);
}

void append_entry(Texts& column, void* data, idx_t row) {
  duckdb_string_t* text = static_cast<duckdb_string_t*>(data) + row;
  column.emplace_back(std::in_place, duckdb_string_t_data(text), duckdb_string_t_length(*text));
}

void append_entry(WideIntegers& column, void* data, idx_t row) {
  column.emplace_back(wide_integer(static_cast<duckdb_hugeint*>(data)[row]));
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

// ArgumentBuffer: a vector of the engine as a batch of fields, with room for fields that need
// conversion.
class ArgumentBuffer {
 public:
  FieldBatch batch_of(duckdb_vector vector, const ArgumentType& type, std::size_t rows) {
    void* data = duckdb_vector_get_data(vector);
    const Validity validity = duckdb_vector_get_validity(vector);
    switch (type.kind) {
      case ArgumentKind::kInteger:
        return {std::span(static_cast<const std::int64_t*>(data), rows), validity};
      case ArgumentKind::kReal:
        return {std::span(static_cast<const double*>(data), rows), validity};
      case ArgumentKind::kWideInteger:
        return {fill(wides_, rows, [&](auto row) { return wide_number(data, row); }), validity};
      case ArgumentKind::kNarrowed:
        return some(integers_, validity, rows,
                    [&](std::size_t row) { return narrowed(wide_number(data, row)); });
      case ArgumentKind::kDecimal:
        return {fill(reals_, rows,
                     [&](auto row) {
                       return decimal_to_double(decimal(data, type.width, row), type.scale);
                     }),
                validity};
      case ArgumentKind::kWideDecimal:
        // A file may hold more digits than it declares.
        return some(wides_, validity, rows, [&](std::size_t row) -> std::optional<Int128> {
          const Int128 number = decimal(data, type.width, row);
          const bool fits = number < kDecimalEnd && number > -kDecimalEnd;
          return fits ? std::optional(number) : std::nullopt;
        });
      case ArgumentKind::kDate: {
        const auto* days = static_cast<const duckdb_date*>(data);
        return some(integers_, validity, rows,
                    [&](std::size_t row) { return day_field(days[row].days); });
      }
      case ArgumentKind::kTimestamp:
      case ArgumentKind::kLocalTime: {
        const auto* numbers = static_cast<const std::int64_t*>(data);
        return some(integers_, validity, rows,
                    [&](std::size_t row) { return instant(numbers[row], type); });
      }
      case ArgumentKind::kTime: {
        const auto* times = static_cast<const std::int64_t*>(data);
        return some(integers_, validity, rows,
                    [&](std::size_t row) { return time_field(times[row], 6); });
      }
      case ArgumentKind::kBytes:
        break;
    }
    auto* strings = static_cast<duckdb_string_t*>(data);
    // If there is no value, there may be no string to look at.
    const FieldBatch all{{}, validity};
    return {fill(texts_, rows,
                 [&](auto row) {
                   if (all.is_missing(row)) return std::string_view();
                   return std::string_view(duckdb_string_t_data(strings + row),
                                           duckdb_string_t_length(strings[row]));
                 }),
            validity};
  }

 private:
  template <class T, class Read>
  static std::span<const T> fill(std::vector<T>& values, std::size_t rows, Read read) {
    values.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) values[row] = read(row);
    return values;
  }

  static Int128 wide_number(void* data, std::size_t row) {
    return wide_integer(static_cast<duckdb_hugeint*>(data)[row]);
  }

  // The width of the number that holds this many digits: the engine's choice, fixed by its
  // documentation.
  static Int128 decimal(void* data, int width, std::size_t row) {
    if (width <= 4) return static_cast<std::int16_t*>(data)[row];
    if (width <= 9) return static_cast<std::int32_t*>(data)[row];
    if (width <= 18) return static_cast<std::int64_t*>(data)[row];
    return wide_number(data, row);
  }

  // some: numbers, of which some do not exist: days and times that our calendar does not have,
  // infinite ones among them, are missing.
  template <class T, class Read>
  FieldBatch some(std::vector<T>& values, Validity validity, std::size_t rows, Read read) {
    const FieldBatch all{{}, validity};
    values.resize(rows);
    validity_.assign((rows + 63) / 64, 0);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::optional<T> value = all.is_missing(row) ? std::nullopt : read(row);
      values[row] = value.value_or(0);
      validity_[row / 64] |= std::uint64_t{value.has_value()} << (row % 64);
    }
    return {std::span<const T>(values), validity_.data()};
  }

  // The engine's timestamps may be infinite.
  static std::optional<std::int64_t> instant(std::int64_t number, const ArgumentType& type) {
    constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();
    if (number == kInfinite || number == -kInfinite) return std::nullopt;
    const bool local = type.kind == ArgumentKind::kLocalTime;
    return instant_field(number, type.scale, local ? type.zone : nullptr);
  }

  std::vector<std::int64_t> integers_;
  std::vector<Int128> wides_;
  std::vector<double> reals_;
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> validity_;
};

// Registered: a function with the types of its arguments.
struct Registered {
  std::vector<ArgumentType> arguments;
  std::shared_ptr<const RowFunction> function;
};

// What the engine calls for a RowFunction.
void run_function(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
  const auto& [types, function] =
      *static_cast<Registered*>(duckdb_scalar_function_get_extra_info(info));
  thread_local std::vector<ArgumentBuffer> buffers;
  thread_local std::vector<FieldBatch> batches;
  try {
    const std::size_t rows = duckdb_data_chunk_get_size(input);
    if (buffers.size() < types.size()) buffers.resize(types.size());
    batches.clear();
    for (std::size_t i = 0; i < types.size(); ++i) {
      batches.push_back(
          buffers[i].batch_of(duckdb_data_chunk_get_vector(input, i), types[i], rows));
    }
    VectorOutput vector(output);
    function->run(batches, rows, vector.out());
  } catch (...) {
    // No exception may cross the C API; the statement fails instead.
    duckdb_scalar_function_set_error(info, "failed");
  }
}

}  // namespace

// The data is read as whole numbers only if that is what it holds.
VectorOutput::VectorOutput(void* vector)
    : vector_(vector),
      out_(static_cast<std::int64_t*>(duckdb_vector_get_data(static_cast<duckdb_vector>(vector))),
           *this) {}

void VectorOutput::set_text(std::size_t row, std::string_view value) {
  auto* vector = static_cast<duckdb_vector>(vector_);
  auto& string = static_cast<duckdb_string_t*>(duckdb_vector_get_data(vector))[row];
  auto& inlined = string.value.inlined;
  if (value.size() > std::size(inlined.inlined)) {
    duckdb_vector_assign_string_element_len(vector, row, value.data(), value.size());
    return;
  }
  // Short texts are stored in the vector itself, which is faster than asking the engine to.
  string = {};
  inlined.length = static_cast<std::uint32_t>(value.size());
  if (!value.empty()) std::memcpy(inlined.inlined, value.data(), value.size());
}

std::uint64_t* VectorOutput::make_validity() {
  auto* vector = static_cast<duckdb_vector>(vector_);
  duckdb_vector_ensure_validity_writable(vector);
  return duckdb_vector_get_validity(vector);
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

std::vector<NamedColumn> prepared_columns(void* prepared) {
  const auto statement = static_cast<duckdb_prepared_statement>(prepared);
  std::vector<NamedColumn> columns;
  for (idx_t i = 0; i < duckdb_prepared_statement_column_count(statement); ++i) {
    const Type type(duckdb_prepared_statement_column_logical_type(statement, i));
    const std::unique_ptr<const char, void (*)(const char*)> name(
        duckdb_prepared_statement_column_name(statement, i),
        [](const char* text) { duckdb_free(const_cast<char*>(text)); });
    columns.push_back({name == nullptr ? "" : name.get(), plain_type(type.get())});
  }
  return columns;
}

bool register_function(void* connection, const std::string& name,
                       std::span<const ArgumentType> arguments, Carrier result,
                       std::shared_ptr<const RowFunction> function, bool has_effects) {
  const Function handle(duckdb_create_scalar_function());
  duckdb_scalar_function_set_name(handle.get(), name.c_str());
  for (const ArgumentType& argument : arguments) {
    duckdb_scalar_function_add_parameter(handle.get(), type_of(argument).get());
  }
  const Type type(duckdb_create_logical_type(result == Carrier::kInteger ? DUCKDB_TYPE_BIGINT
                                                                         : DUCKDB_TYPE_BLOB));
  duckdb_scalar_function_set_return_type(handle.get(), type.get());
  duckdb_scalar_function_set_special_handling(handle.get());  // it sees nulls
  if (has_effects) duckdb_scalar_function_set_volatile(handle.get());
  duckdb_scalar_function_set_function(handle.get(), run_function);
  auto owner = std::make_unique<Registered>(
      Registered{{arguments.begin(), arguments.end()}, std::move(function)});
  duckdb_scalar_function_set_extra_info(handle.get(), owner.release(), [](void* pointer) {
    delete static_cast<Registered*>(pointer);
  });
  return duckdb_register_scalar_function(static_cast<duckdb_connection>(connection),
                                         handle.get()) == DuckDBSuccess;
}

}  // namespace lastbit::engine
