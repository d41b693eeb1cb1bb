// A SQLite database file, opened the way a ledger needs it: what was committed is on disk, and
// nothing in the file runs as code.
#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "lastbit/base/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace lastbit::accounting_internal {

enum class FileAccess {
  kRead,    // reads; writes only to undo what a killed process left half written
  kWrite,   // a file that is not writable is refused at once
  kCreate,  // a file that does not exist yet
};

// CloseConnection: how a connection ends.
struct CloseConnection {
  void operator()(sqlite3* connection) const;
  bool abandoned = false;
};

// Wait: one wait for the locks of others.
struct Wait {
  std::chrono::milliseconds patience;
  std::chrono::steady_clock::time_point end = {};
  std::exception_ptr thrown = nullptr;  // by what the thread does while it waits
};

// SqliteFile: one connection.
//
// Ensures   a committed transaction is on disk when commit() returns, if the system's fsync works:
//           rollback journal, synchronous = EXTRA. It waits for a busy file, up to `patience`,
//           unless WhileWaiting ends that.
// Fails     kStorage when the file is locked too long, full, read-only or failing; kBadInput when
//           it is not a database or is damaged. Messages name the file and what to do.
class SqliteFile {
 public:
  SqliteFile(const std::filesystem::path& path, FileAccess access,
             std::chrono::milliseconds patience);

  // name: the path, quoted for messages.
  const std::string& name() const { return name_; }
  sqlite3* handle() const { return connection_.get(); }
  // abandon: forgets the connection without closing it. For the child of a fork: closing it there
  // would disturb the parent's.
  void abandon() { connection_.get_deleter().abandoned = true; }
  // run: executes statements whose results do not matter.
  void run(const char* sql) const;
  // fail: throws the Error for a result code of SQLite, or what ended a wait.
  [[noreturn]] void fail(int code) const;
  // fail_read_only: what spending from a file opened for reading throws.
  [[noreturn]] void fail_read_only() const;
  // damaged: the Error for a file that is not what it should be.
  lastbit::Error damaged(std::string problem) const;

 private:
  void configure(FileAccess access) const;

  std::string name_;
  std::unique_ptr<Wait> wait_;  // the connection knows its address
  std::unique_ptr<sqlite3, CloseConnection> connection_;
};

// Statement: a prepared statement; parameters and columns are counted from 0.
class Statement {
 public:
  Statement(const SqliteFile& file, const char* sql);

  void bind(int parameter, std::string_view text);
  void bind(int parameter, std::int64_t number);
  // step: whether there is a row; read it before the next step.
  bool step();
  std::string text(int column) const;
  std::int64_t integer(int column) const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  const SqliteFile& file_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

// Transaction: begun by its constructor, undone by its destructor unless committed.
class Transaction {
 public:
  enum class Kind {
    kRead,  // one consistent view
    kWrite  // nobody else writes from now on, so what is read here stays true until the commit
  };
  Transaction(const SqliteFile& file, Kind kind);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  const SqliteFile& file_;
  bool open_ = true;
};

}  // namespace lastbit::accounting_internal
