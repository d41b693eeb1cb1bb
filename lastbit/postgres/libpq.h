// The part of libpq that a connection uses, loaded when it is first asked for. The declarations are
// those of the library's stable interface (libpq.so.5), so that no header of it is needed to build.
#pragma once

#include <cstddef>

namespace lastbit::postgres_internal {

struct Session;       // PGconn
struct Reply;         // PGresult
struct CancelTicket;  // PGcancel
using SwallowNotice = void (*)(void*, const char*);

// The values of ConnStatusType, PostgresPollingStatusType and ExecStatusType that are looked at.
inline constexpr int kConnectionOk = 0;
inline constexpr int kConnectionBad = 1;
inline constexpr int kPollingFailed = 0;
inline constexpr int kPollingWriting = 2;
inline constexpr int kPollingOk = 3;
inline constexpr int kCommandOk = 1;
inline constexpr int kTuplesOk = 2;
inline constexpr int kCopyOut = 3;
// The field of an error that holds its SQLSTATE.
inline constexpr int kSqlStateField = 'C';

struct Libpq {
  Session* (*connect_start)(const char* const*, const char* const*, int);
  int (*connect_poll)(Session*);
  void (*finish)(Session*);
  int (*status)(const Session*);
  char* (*error_message)(const Session*);
  int (*socket)(const Session*);
  const char* (*parameter_status)(const Session*, const char*);
  int (*server_version)(const Session*);
  char* (*database)(const Session*);
  char* (*user)(const Session*);
  SwallowNotice (*set_notice_processor)(Session*, SwallowNotice, void*);
  int (*set_nonblocking)(Session*, int);
  int (*send_query)(Session*, const char*, int, const unsigned*, const char* const*, const int*,
                    const int*, int);
  int (*flush)(Session*);
  int (*consume_input)(Session*);
  int (*is_busy)(Session*);
  Reply* (*get_reply)(Session*);
  int (*reply_status)(const Reply*);
  char* (*reply_error_field)(const Reply*, int);
  int (*row_count)(const Reply*);
  int (*column_count)(const Reply*);
  char* (*value)(const Reply*, int, int);
  int (*value_length)(const Reply*, int, int);
  int (*is_null)(const Reply*, int, int);
  void (*clear)(Reply*);
  int (*get_copy_data)(Session*, char**, int);
  void (*free_memory)(void*);
  CancelTicket* (*get_cancel)(Session*);
  int (*cancel)(CancelTicket*, char*, int);
  void (*free_cancel)(CancelTicket*);
};

// libpq: the loaded library.
// Fails  kNotSupported if it is not installed, or is not the library of that name.
const Libpq& libpq();

}  // namespace lastbit::postgres_internal
