#include "lastbit/postgres/libpq.h"

#include <dlfcn.h>

#include "lastbit/base/error.h"

namespace lastbit::postgres_internal {
namespace {

constexpr const char* kLibrary = "libpq.so.5";

Error cannot_load(const char* problem) {
  return Error(ErrorCode::kNotSupported, "PostgreSQL", problem,
               "install PostgreSQL's client library; in Debian the package is libpq5");
}

template <typename Function>
void find(void* library, const char* name, Function*& function) {
  void* const found = dlsym(library, name);
  if (found == nullptr) throw cannot_load("the library libpq.so.5 lacks a function");
  function = reinterpret_cast<Function*>(found);
}

void find_connecting(void* library, Libpq& functions) {
  find(library, "PQconnectStartParams", functions.connect_start);
  find(library, "PQconnectPoll", functions.connect_poll);
  find(library, "PQfinish", functions.finish);
  find(library, "PQstatus", functions.status);
  find(library, "PQerrorMessage", functions.error_message);
  find(library, "PQsocket", functions.socket);
  find(library, "PQparameterStatus", functions.parameter_status);
  find(library, "PQserverVersion", functions.server_version);
  find(library, "PQdb", functions.database);
  find(library, "PQuser", functions.user);
  find(library, "PQsetNoticeProcessor", functions.set_notice_processor);
  find(library, "PQsetnonblocking", functions.set_nonblocking);
  find(library, "PQgetCancel", functions.get_cancel);
  find(library, "PQcancel", functions.cancel);
  find(library, "PQfreeCancel", functions.free_cancel);
}

void find_asking(void* library, Libpq& functions) {
  find(library, "PQsendQueryParams", functions.send_query);
  find(library, "PQflush", functions.flush);
  find(library, "PQconsumeInput", functions.consume_input);
  find(library, "PQisBusy", functions.is_busy);
  find(library, "PQgetResult", functions.get_reply);
  find(library, "PQresultStatus", functions.reply_status);
  find(library, "PQresultErrorField", functions.reply_error_field);
  find(library, "PQntuples", functions.row_count);
  find(library, "PQnfields", functions.column_count);
  find(library, "PQgetvalue", functions.value);
  find(library, "PQgetlength", functions.value_length);
  find(library, "PQgetisnull", functions.is_null);
  find(library, "PQclear", functions.clear);
  find(library, "PQgetCopyData", functions.get_copy_data);
  find(library, "PQfreemem", functions.free_memory);
}

Libpq loaded() {
  // It stays loaded: a thread that cancels a query may outlive the connection.
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw cannot_load("the library libpq.so.5 is not installed");
  Libpq functions{};
  find_connecting(library, functions);
  find_asking(library, functions);
  return functions;
}

}  // namespace

const Libpq& libpq() {
  static const Libpq functions = loaded();
  return functions;
}

}  // namespace lastbit::postgres_internal
