// The part of DuckDB's C interface that Lastbit uses, for the version of the library that
// package.json pins. tools/check_duckdb_header.py compares it with that version; README.md says how
// to change it.
//
// Copyright 2018-2025 Stichting DuckDB Foundation. MIT License, as of the packages of DuckDB.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum DUCKDB_TYPE {
  DUCKDB_TYPE_INVALID = 0,
  DUCKDB_TYPE_BOOLEAN = 1,
  DUCKDB_TYPE_TINYINT = 2,
  DUCKDB_TYPE_SMALLINT = 3,
  DUCKDB_TYPE_INTEGER = 4,
  DUCKDB_TYPE_BIGINT = 5,
  DUCKDB_TYPE_UTINYINT = 6,
  DUCKDB_TYPE_USMALLINT = 7,
  DUCKDB_TYPE_UINTEGER = 8,
  DUCKDB_TYPE_UBIGINT = 9,
  DUCKDB_TYPE_FLOAT = 10,
  DUCKDB_TYPE_DOUBLE = 11,
  DUCKDB_TYPE_TIMESTAMP = 12,
  DUCKDB_TYPE_DATE = 13,
  DUCKDB_TYPE_TIME = 14,
  DUCKDB_TYPE_INTERVAL = 15,
  DUCKDB_TYPE_HUGEINT = 16,
  DUCKDB_TYPE_UHUGEINT = 32,
  DUCKDB_TYPE_VARCHAR = 17,
  DUCKDB_TYPE_BLOB = 18,
  DUCKDB_TYPE_DECIMAL = 19,
  DUCKDB_TYPE_TIMESTAMP_S = 20,
  DUCKDB_TYPE_TIMESTAMP_MS = 21,
  DUCKDB_TYPE_TIMESTAMP_NS = 22,
  DUCKDB_TYPE_ENUM = 23,
  DUCKDB_TYPE_LIST = 24,
  DUCKDB_TYPE_STRUCT = 25,
  DUCKDB_TYPE_MAP = 26,
  DUCKDB_TYPE_ARRAY = 33,
  DUCKDB_TYPE_UUID = 27,
  DUCKDB_TYPE_UNION = 28,
  DUCKDB_TYPE_BIT = 29,
  DUCKDB_TYPE_TIME_TZ = 30,
  DUCKDB_TYPE_TIMESTAMP_TZ = 31,
  DUCKDB_TYPE_ANY = 34,
  DUCKDB_TYPE_BIGNUM = 35,
  DUCKDB_TYPE_SQLNULL = 36,
  DUCKDB_TYPE_STRING_LITERAL = 37,
  DUCKDB_TYPE_INTEGER_LITERAL = 38,
  DUCKDB_TYPE_TIME_NS = 39,
  DUCKDB_TYPE_GEOMETRY = 40,
  DUCKDB_TYPE_VARIANT = 41,
} duckdb_type;

typedef enum duckdb_pending_state {
  DUCKDB_PENDING_RESULT_READY = 0,
  DUCKDB_PENDING_RESULT_NOT_READY = 1,
  DUCKDB_PENDING_ERROR = 2,
  DUCKDB_PENDING_NO_TASKS_AVAILABLE = 3,
} duckdb_pending_state;

typedef enum duckdb_state { DuckDBSuccess = 0, DuckDBError = 1 } duckdb_state;

typedef uint64_t idx_t;

typedef struct {
  int32_t days;
} duckdb_date;

typedef struct {
  uint64_t lower;
  int64_t upper;
} duckdb_hugeint;

typedef struct {
  double percentage;
  uint64_t rows_processed;
  uint64_t total_rows_to_process;
} duckdb_query_progress_type;

typedef struct {
  union {
    struct {
      uint32_t length;
      char prefix[4];
      char* ptr;
    } pointer;
    struct {
      uint32_t length;
      char inlined[12];
    } inlined;
  } value;
} duckdb_string_t;

typedef struct {
  idx_t deprecated_column_count;
  idx_t deprecated_row_count;
  idx_t deprecated_rows_changed;
  struct duckdb_column* deprecated_columns;
  char* deprecated_error_message;
  void* internal_data;
} duckdb_result;

typedef struct _duckdb_bind_info* duckdb_bind_info;
typedef struct _duckdb_config* duckdb_config;
typedef struct _duckdb_connection* duckdb_connection;
typedef struct _duckdb_create_type_info* duckdb_create_type_info;
typedef struct _duckdb_data_chunk* duckdb_data_chunk;
typedef struct _duckdb_database* duckdb_database;
typedef struct _duckdb_function_info* duckdb_function_info;
typedef struct _duckdb_init_info* duckdb_init_info;
typedef struct _duckdb_logical_type* duckdb_logical_type;
typedef struct _duckdb_pending_result* duckdb_pending_result;
typedef struct _duckdb_prepared_statement* duckdb_prepared_statement;
typedef struct _duckdb_scalar_function* duckdb_scalar_function;
typedef struct _duckdb_table_function* duckdb_table_function;
typedef struct _duckdb_value* duckdb_value;
typedef struct _duckdb_vector* duckdb_vector;

typedef void (*duckdb_delete_callback_t)(void* data);
typedef void (*duckdb_scalar_function_t)(duckdb_function_info info, duckdb_data_chunk input,
                                         duckdb_vector output);
typedef void (*duckdb_table_function_bind_t)(duckdb_bind_info info);
typedef void (*duckdb_table_function_init_t)(duckdb_init_info info);
typedef void (*duckdb_table_function_t)(duckdb_function_info info, duckdb_data_chunk output);

void duckdb_bind_add_result_column(duckdb_bind_info info, const char* name,
                                   duckdb_logical_type type);
void* duckdb_bind_get_extra_info(duckdb_bind_info info);
duckdb_state duckdb_bind_value(duckdb_prepared_statement prepared_statement, idx_t param_idx,
                               duckdb_value val);
void duckdb_close(duckdb_database* database);
idx_t duckdb_column_count(duckdb_result* result);
duckdb_state duckdb_connect(duckdb_database database, duckdb_connection* out_connection);
duckdb_state duckdb_create_config(duckdb_config* out_config);
duckdb_logical_type duckdb_create_decimal_type(uint8_t width, uint8_t scale);
duckdb_value duckdb_create_int64(int64_t val);
duckdb_logical_type duckdb_create_logical_type(duckdb_type type);
duckdb_scalar_function duckdb_create_scalar_function();
duckdb_table_function duckdb_create_table_function();
duckdb_value duckdb_create_varchar_length(const char* text, idx_t length);
idx_t duckdb_data_chunk_get_size(duckdb_data_chunk chunk);
duckdb_vector duckdb_data_chunk_get_vector(duckdb_data_chunk chunk, idx_t col_idx);
void duckdb_data_chunk_set_size(duckdb_data_chunk chunk, idx_t size);
uint8_t duckdb_decimal_scale(duckdb_logical_type type);
uint8_t duckdb_decimal_width(duckdb_logical_type type);
void duckdb_destroy_config(duckdb_config* config);
void duckdb_destroy_data_chunk(duckdb_data_chunk* chunk);
void duckdb_destroy_logical_type(duckdb_logical_type* type);
void duckdb_destroy_pending(duckdb_pending_result* pending_result);
void duckdb_destroy_prepare(duckdb_prepared_statement* prepared_statement);
void duckdb_destroy_result(duckdb_result* result);
void duckdb_destroy_scalar_function(duckdb_scalar_function* scalar_function);
void duckdb_destroy_table_function(duckdb_table_function* table_function);
void duckdb_destroy_value(duckdb_value* value);
void duckdb_disconnect(duckdb_connection* connection);
duckdb_state duckdb_execute_pending(duckdb_pending_result pending_result,
                                    duckdb_result* out_result);
duckdb_data_chunk duckdb_fetch_chunk(duckdb_result result);
void duckdb_free(void* ptr);
void* duckdb_function_get_extra_info(duckdb_function_info info);
void* duckdb_function_get_local_init_data(duckdb_function_info info);
void duckdb_function_set_error(duckdb_function_info info, const char* error);
duckdb_type duckdb_get_type_id(duckdb_logical_type type);
void* duckdb_init_get_extra_info(duckdb_init_info info);
void duckdb_init_set_error(duckdb_init_info info, const char* error);
void duckdb_init_set_init_data(duckdb_init_info info, void* init_data,
                               duckdb_delete_callback_t destroy);
void duckdb_init_set_max_threads(duckdb_init_info info, idx_t max_threads);
const char* duckdb_library_version();
char* duckdb_logical_type_get_alias(duckdb_logical_type type);
void duckdb_logical_type_set_alias(duckdb_logical_type type, const char* alias);
duckdb_state duckdb_open(const char* path, duckdb_database* out_database);
duckdb_state duckdb_open_ext(const char* path, duckdb_database* out_database, duckdb_config config,
                             char** out_error);
const char* duckdb_pending_error(duckdb_pending_result pending_result);
duckdb_pending_state duckdb_pending_execute_task(duckdb_pending_result pending_result);
duckdb_state duckdb_pending_prepared(duckdb_prepared_statement prepared_statement,
                                     duckdb_pending_result* out_result);
duckdb_state duckdb_prepare(duckdb_connection connection, const char* query,
                            duckdb_prepared_statement* out_prepared_statement);
idx_t duckdb_prepared_statement_column_count(duckdb_prepared_statement prepared_statement);
duckdb_logical_type duckdb_prepared_statement_column_logical_type(
    duckdb_prepared_statement prepared_statement, idx_t col_idx);
const char* duckdb_prepared_statement_column_name(duckdb_prepared_statement prepared_statement,
                                                  idx_t col_idx);
duckdb_state duckdb_query(duckdb_connection connection, const char* query,
                          duckdb_result* out_result);
duckdb_query_progress_type duckdb_query_progress(duckdb_connection connection);
duckdb_state duckdb_register_logical_type(duckdb_connection con, duckdb_logical_type type,
                                          duckdb_create_type_info info);
duckdb_state duckdb_register_scalar_function(duckdb_connection con,
                                             duckdb_scalar_function scalar_function);
duckdb_state duckdb_register_table_function(duckdb_connection con, duckdb_table_function function);
const char* duckdb_result_error(duckdb_result* result);
idx_t duckdb_row_count(duckdb_result* result);
void duckdb_scalar_function_add_parameter(duckdb_scalar_function scalar_function,
                                          duckdb_logical_type type);
void* duckdb_scalar_function_get_extra_info(duckdb_function_info info);
void duckdb_scalar_function_set_error(duckdb_function_info info, const char* error);
void duckdb_scalar_function_set_extra_info(duckdb_scalar_function scalar_function, void* extra_info,
                                           duckdb_delete_callback_t destroy);
void duckdb_scalar_function_set_function(duckdb_scalar_function scalar_function,
                                         duckdb_scalar_function_t function);
void duckdb_scalar_function_set_name(duckdb_scalar_function scalar_function, const char* name);
void duckdb_scalar_function_set_return_type(duckdb_scalar_function scalar_function,
                                            duckdb_logical_type type);
void duckdb_scalar_function_set_special_handling(duckdb_scalar_function scalar_function);
void duckdb_scalar_function_set_volatile(duckdb_scalar_function scalar_function);
duckdb_state duckdb_set_config(duckdb_config config, const char* name, const char* option);
const char* duckdb_string_t_data(duckdb_string_t* string);
uint32_t duckdb_string_t_length(duckdb_string_t string);
void duckdb_table_function_set_bind(duckdb_table_function table_function,
                                    duckdb_table_function_bind_t bind);
void duckdb_table_function_set_extra_info(duckdb_table_function table_function, void* extra_info,
                                          duckdb_delete_callback_t destroy);
void duckdb_table_function_set_function(duckdb_table_function table_function,
                                        duckdb_table_function_t function);
void duckdb_table_function_set_init(duckdb_table_function table_function,
                                    duckdb_table_function_init_t init);
void duckdb_table_function_set_local_init(duckdb_table_function table_function,
                                          duckdb_table_function_init_t init);
void duckdb_table_function_set_name(duckdb_table_function table_function, const char* name);
bool duckdb_validity_row_is_valid(uint64_t* validity, idx_t row);
void duckdb_validity_set_row_invalid(uint64_t* validity, idx_t row);
int64_t duckdb_value_int64(duckdb_result* result, idx_t col, idx_t row);
char* duckdb_value_varchar(duckdb_result* result, idx_t col, idx_t row);
void duckdb_vector_assign_string_element_len(duckdb_vector vector, idx_t index, const char* str,
                                             idx_t str_len);
void duckdb_vector_ensure_validity_writable(duckdb_vector vector);
void* duckdb_vector_get_data(duckdb_vector vector);
uint64_t* duckdb_vector_get_validity(duckdb_vector vector);
idx_t duckdb_vector_size();

#ifdef __cplusplus
}
#endif
