#include "lastbit/accounting/sqlite_file.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "lastbit/accounting/while_waiting.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::accounting_internal {
namespace {

// All texts of a ledger are far shorter; a hostile file may claim a gigabyte.
constexpr int kMaxValueBytes = 1 << 20;

// The schema of a hostile file may hold functions and views that run when it is read; both pragmas
// and the defensive flag keep them from doing harm. Durability rests on journal and synchronous.
constexpr const char* kSettings =
    "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
    "PRAGMA temp_store = MEMORY; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON;";

std::string system_text(sqlite3* connection) {
  const int number = connection == nullptr ? 0 : sqlite3_system_errno(connection);
  return number == 0 ? "the system gives no reason" : std::generic_category().message(number);
}

// wait_for_others: SQLite calls it each time a lock is not free, with how often it has before;
// whether it should try again. Exceptions cannot pass through SQLite.
int wait_for_others(void* data, int times) noexcept {
  constexpr std::array kPauses = {1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100};
  Wait& wait = *static_cast<Wait*>(data);
  const auto now = std::chrono::steady_clock::now();
  if (times == 0) wait = {wait.patience, now + wait.patience, nullptr};
  if (now >= wait.end) return 0;
  const auto index = std::min(static_cast<std::size_t>(times), kPauses.size() - 1);
  try {
    WhileWaiting::look();
  } catch (...) {
    wait.thrown = std::current_exception();
    return 0;
  }
  std::this_thread::sleep_until(
      std::min(wait.end, now + std::chrono::milliseconds(kPauses[index])));
  return 1;
}

}  // namespace

void CloseConnection::operator()(sqlite3* connection) const {
  if (!abandoned) sqlite3_close_v2(connection);
}

SqliteFile::SqliteFile(const std::filesystem::path& path, FileAccess access,
                       std::chrono::milliseconds patience)
    : name_(lastbit::quote(path.string(), 200)), wait_(new Wait{patience}) {
  // An absolute path begins with a slash, so that SQLite reads it neither as a URI nor as :memory:.
  std::error_code problem;
  const std::filesystem::path absolute = std::filesystem::absolute(path, problem);
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE;
  if (access == FileAccess::kCreate) flags |= SQLITE_OPEN_CREATE;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(absolute.c_str(), &connection, flags, nullptr);
  connection_.reset(connection);
  if (code != SQLITE_OK) fail(code);
  configure(access);
}

void SqliteFile::configure(FileAccess access) const {
  sqlite3_busy_handler(handle(), wait_for_others, wait_.get());
  sqlite3_limit(handle(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  run(kSettings);
  if (access == FileAccess::kRead) {
    run("PRAGMA query_only = ON");
    return;
  }
  if (sqlite3_db_readonly(handle(), "main") != 0) fail(SQLITE_READONLY);
  // Another program may have changed the journal; with this mode a ledger at rest is a single file.
  Statement journal(*this, "PRAGMA journal_mode = DELETE");
  if (!journal.step() || journal.text(0) != "delete") {
    throw damaged("has a journal of another kind that another program is using");
  }
}

void SqliteFile::run(const char* sql) const {
  const int code = sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

void SqliteFile::fail(int code) const {
  const auto storage = [&](std::string problem, const char* remedy) {
    return Error(ErrorCode::kStorage, name_, std::move(problem), remedy);
  };
  if (wait_->thrown) std::rethrow_exception(std::exchange(wait_->thrown, nullptr));
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw storage(
          fmt::format("is in use by another process, for more than {} ms", wait_->patience.count()),
          "try again when the other release has ended; this one was not spent");
    case SQLITE_FULL:
      throw storage("cannot grow: the disk is full, or the file has reached its limit",
                    "make room and try again; this one was not spent");
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw storage("may not be written",
                    "give this user the right to write the file and its folder");
    case SQLITE_CANTOPEN:
      throw storage(fmt::format("cannot be opened ({})", system_text(handle())),
                    "check the path, and the rights to the file and its folder");
    case SQLITE_IOERR:
      throw storage(
          fmt::format("cannot be read or written ({})", system_text(handle())),
          "check the disk; release nothing, since the spending may not have been recorded");
    case SQLITE_NOMEM:
      throw storage("cannot be read: memory ran out", "try again with more memory");
    case SQLITE_NOTADB:
      throw damaged("is not a ledger");
    case SQLITE_CORRUPT:
    case SQLITE_CONSTRAINT:
    case SQLITE_TOOBIG:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR:
      throw damaged("is damaged");
    default:
      break;
  }
  broken_invariant(fmt::format("SQLite result {}", code), std::source_location::current());
}

void SqliteFile::fail_read_only() const { fail(SQLITE_READONLY); }

Error SqliteFile::damaged(std::string problem) const {
  return {
      ErrorCode::kBadInput, name_, std::move(problem),
      "name a file made by `lastbit ledger init`, or restore this one from a copy; a new ledger "
      "would forget what was spent"};
}

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Statement::Statement(const SqliteFile& file, const char* sql) : file_(file) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(file.handle(), sql, -1, &statement, nullptr);
  statement_.reset(statement);
  if (code != SQLITE_OK) file.fail(code);
}

void Statement::bind(int parameter, std::string_view text) {
  const int code = sqlite3_bind_text64(statement_.get(), parameter + 1, text.data(), text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) file_.fail(code);
}

void Statement::bind(int parameter, std::int64_t number) {
  const int code = sqlite3_bind_int64(statement_.get(), parameter + 1, number);
  if (code != SQLITE_OK) file_.fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) file_.fail(code);
  return false;
}

std::string Statement::text(int column) const {
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  if (bytes == nullptr) return "";
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return {reinterpret_cast<const char*>(bytes), size};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

Transaction::Transaction(const SqliteFile& file, Kind kind) : file_(file) {
  file.run(kind == Kind::kWrite ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // A failed statement may have already ended the transaction; then there is nothing to undo.
  if (open_) sqlite3_exec(file_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  file_.run("COMMIT");
  open_ = false;
}

}  // namespace lastbit::accounting_internal
