#include "lastbit/accounting/ledger_server.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <thread>
#include <utility>

#include "lastbit/accounting/server_tables.h"
#include "lastbit/accounting/while_waiting.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/random/bit_source.h"

namespace lastbit::accounting_internal {
namespace {

using postgres::Parameter;
using postgres::Row;
using postgres::Rows;
using std::chrono::milliseconds;

constexpr const char* kFormatOfServer = "1";
constexpr const char* kNoRight = "42501";  // SQLSTATE insufficient_privilege
// How much longer a statement may take than it waits for a lock; how much longer than that a client
// waits for the server's reason; how long the server keeps the lock of a client that stopped in the
// middle of a spending.
constexpr milliseconds kStatementTime{4'000};
constexpr milliseconds kReasonTime{1'000};
constexpr milliseconds kIdleTime{30'000};
// How long a connection may take to be made, at least and at most.
constexpr milliseconds kShortest{1'000};
constexpr milliseconds kLongest{10'000};
constexpr milliseconds kPause{100};
constexpr std::int64_t kRowsAtOnce = 1000;

constexpr const char* kHeader =
    "SELECT format, cap, description, created, nonce, hash FROM lastbit.ledger WHERE name = $1";
constexpr const char* kLockedHeader =
    "SELECT format, cap, description, created, nonce, hash FROM lastbit.ledger WHERE name = $1 "
    "FOR UPDATE";

// select_records: the query whose rows record_of reads.
std::string select_records_where(const char* rest) {
  return fmt::format(
      "SELECT id, kind, entry, time, plan, data, description, mechanisms, unit, cost, total, "
      "previous, hash FROM lastbit.record WHERE ledger = $1 {}",
      rest);
}

std::string random_nonce() {
  BitSource& bits = thread_bit_source();
  return fmt::format("{:016x}{:016x}", bits.word(), bits.word());
}

std::string text_of(const Parameter& field) { return field.value_or(""); }

// Settling: sets a flag while it lives.
class Settling {
 public:
  explicit Settling(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
  Settling(const Settling&) = delete;
  Settling& operator=(const Settling&) = delete;
  ~Settling() { flag_ = before_; }

 private:
  bool& flag_;
  bool before_;
};

// spent_nothing: the same error, which also says so.
Error spent_nothing(const Error& error, const std::string& place) {
  return {error.code(), place, error.problem(), error.remedy() + "; nothing was spent"};
}

}  // namespace

LedgerServer::LedgerServer(const ServerLedger& place, Ledger::Access access, milliseconds patience)
    : place_(place),
      name_(quote(LedgerAddress(place).text(), 300)),
      access_(access),
      patience_(std::max(patience, milliseconds(1))) {
  connect();
}

std::unique_ptr<LedgerServer> LedgerServer::find(const ServerLedger& place, Ledger::Access access,
                                                 milliseconds patience) {
  std::unique_ptr<LedgerServer> server(new LedgerServer(place, access, patience));
  const Rows table = server->query("SELECT pg_catalog.to_regclass('lastbit.ledger')", {});
  if (table.empty() || !table.front().front()) return nullptr;
  auto header = server->read_header(kHeader);
  if (!header) return nullptr;
  server->header_ = *std::move(header);
  if (access == Ledger::Access::kSpend) {
    server->require_durable();
    server->require_own_tables();
  }
  return server;
}

std::unique_ptr<LedgerServer> LedgerServer::start(const ServerLedger& place, const Header& header,
                                                  milliseconds patience) {
  std::unique_ptr<LedgerServer> server(new LedgerServer(place, Ledger::Access::kSpend, patience));
  server->header_ = header;
  server->is_new_ = true;
  server->begin_once(Work::kWrite);
  server->create_tables();
  server->require_own_tables();
  server->insert_header();
  return server;
}

Error LedgerServer::damaged(std::string problem) const {
  return {ErrorCode::kBadInput, name_, std::move(problem),
          "name a ledger made by `lastbit ledger init`, or restore the database from a copy; a new "
          "ledger would forget what was spent"};
}

void LedgerServer::require_writable() const {
  if (access_ == Ledger::Access::kSpend) return;
  throw Error(ErrorCode::kStorage, name_, "was opened for reading", "open it for spending");
}

void LedgerServer::connect() {
  try {
    connection_ = std::make_unique<postgres::Connection>(
        place_.server,
        postgres::SessionOptions{.failure = ErrorCode::kStorage,
                                 .connect = std::clamp(patience_, kShortest, kLongest),
                                 .statement = patience_ + kStatementTime,
                                 .lock = patience_,
                                 .idle_in_transaction = kIdleTime,
                                 .silence = patience_ + kStatementTime + kReasonTime,
                                 .application_name = "lastbit ledger",
                                 .while_waiting = [this] {
                                   if (!settling_) WhileWaiting::look();
                                 }});
  } catch (const Error& error) {
    throw spent_nothing(error, name_);
  }
  if (connection_->server_setting("server_encoding") == "UTF8") return;
  throw Error(ErrorCode::kNotSupported, name_,
              "is in a database that is not in UTF-8, which would change texts",
              "use a database with the encoding UTF8; nothing was spent");
}

void LedgerServer::require_own_tables() {
  const Rows rows = query(intact_tables(), {});
  if (!rows.empty() && rows.front().front() == "2") return;
  throw Error(ErrorCode::kBadInput, name_,
              "its tables are not as `lastbit ledger init` makes them: they may lose or change "
              "records",
              "use a database where nobody else made or changed the schema `lastbit`; nothing was "
              "spent");
}

void LedgerServer::require_durable() {
  const Rows fsync = query("SELECT pg_catalog.current_setting('fsync')", {});
  if (!fsync.empty() && fsync.front().front() == "on") return;
  throw Error(ErrorCode::kStorage, name_,
              "the server does not wait for its disk (fsync = off): what it books may be lost",
              "set fsync = on in postgresql.conf; nothing was spent");
}

Rows LedgerServer::query(const char* sql, const Parameters& parameters) {
  try {
    return connection_->query(sql, parameters);
  } catch (const Error& error) {
    if (connection_->sqlstate() != kNoRight) throw spent_nothing(error, name_);
    throw Error(
        error.code(), name_, error.problem(),
        "ask the owner of its tables for the rights that docs/shared-ledger.md lists; nothing "
        "was spent");
  }
}

std::optional<Header> LedgerServer::read_header(const char* sql) {
  const Rows rows = query(sql, {place_.name});
  if (rows.empty()) return std::nullopt;
  const Row& row = rows.front();
  if (row[0] != kFormatOfServer) {
    throw Error(ErrorCode::kBadInput, name_,
                "is a ledger of another format than this program knows",
                "use the version of lastbit that wrote it");
  }
  Header header{text_of(row[1]), text_of(row[2]), text_of(row[3]), text_of(row[4])};
  if (row[5] != header.hash() || !is_plain_text(header.description) ||
      !is_plain_text(header.created)) {
    throw damaged("has a header that does not fit its hash");
  }
  return header;
}

void LedgerServer::begin(Work work) {
  // A connection may end while a release reads its data. Nothing was asked for yet, so it is safe
  // to connect again, once.
  if (connection_->is_open()) {
    try {
      begin_once(work);
      return;
    } catch (const Error&) {
      if (connection_->is_open()) throw;
    }
  }
  connect();
  begin_once(work);
}

void LedgerServer::begin_once(Work work) {
  open_ = true;
  nonce_.clear();
  if (work == Work::kRead) {
    query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", {});
    require_same(kHeader);
    return;
  }
  // A server that is set to read only, such as one that another has replaced, stays so.
  query("BEGIN ISOLATION LEVEL READ COMMITTED", {});
  require_durable();
  // Stronger settings, which wait for standby servers as well, stay as they are.
  query(
      "SELECT pg_catalog.set_config('synchronous_commit', 'on', true) WHERE "
      "pg_catalog.current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')",
      {});
  if (!is_new_) require_same(kLockedHeader);
}

void LedgerServer::require_same(const char* sql) {
  const auto found = read_header(sql);
  if (found && found->hash() == header_.hash()) return;
  throw Error(ErrorCode::kBadInput, name_, "was replaced by another ledger while it was in use",
              "open the ledger again; nothing was spent");
}

void LedgerServer::commit() {
  invariant(open_, "a transaction is committed once");
  const Settling settling(settling_);
  try {
    connection_->query("COMMIT");
    open_ = false;
    is_new_ = false;
  } catch (const Error& error) {
    open_ = false;
    if (connection_->is_open()) throw spent_nothing(error, name_);
    settle();
  }
}

void LedgerServer::undo() noexcept {
  if (!open_) return;
  const Settling settling(settling_);
  try {
    if (connection_->is_open()) connection_->query("ROLLBACK");
    open_ = false;
  } catch (...) {
    // The connection is closed now, and the server undoes what was not committed.
    open_ = false;
  }
}

// settle: the reply to COMMIT was lost. Whoever gets the lock knows that the old transaction has
// ended, one way or the other; without it the lookup could come before the end.
void LedgerServer::settle() {
  const auto deadline = std::chrono::steady_clock::now() + patience_;
  const std::string nonce = nonce_;
  bool known = false;
  bool booked = false;
  while (!known && !is_new_ && std::chrono::steady_clock::now() < deadline) {
    try {
      connect();
      begin_once(Work::kWrite);
      nonce_ = nonce;
      booked = is_booked();
      known = true;
    } catch (const Error&) {
      std::this_thread::sleep_for(kPause);
    }
    undo();
  }
  if (booked) return;
  if (known) {
    throw Error(ErrorCode::kStorage, name_,
                "the connection to the server was lost, and nothing was booked",
                "run this again; nothing was spent");
  }
  throw Error(ErrorCode::kStorage, name_,
              "the connection to the server was lost, and nobody knows whether this was booked",
              "draw nothing; look with `lastbit ledger show` when the server is back");
}

bool LedgerServer::is_booked() {
  return !query("SELECT 1 FROM lastbit.record WHERE nonce = $1", {nonce_}).empty();
}

std::optional<Record> LedgerServer::last_record() {
  const Rows rows = query(select_records_where("ORDER BY id DESC LIMIT 1").c_str(), {place_.name});
  if (rows.empty()) return std::nullopt;
  return record_of(rows.front());
}

void LedgerServer::each_record(const std::function<bool(const Record&)>& visit) {
  const std::string sql = select_records_where("AND id > $2 ORDER BY id LIMIT $3");
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  while (true) {
    const Rows rows =
        query(sql.c_str(), {place_.name, std::to_string(last), std::to_string(kRowsAtOnce)});
    for (const Row& row : rows) {
      const Record record = record_of(row);
      if (!visit(record)) return;
      last = record.id;
    }
    if (rows.size() < kRowsAtOnce) return;
  }
}

void LedgerServer::insert(const Record& record) {
  nonce_ = random_nonce();
  const Rows stored = query(
      "INSERT INTO lastbit.record (ledger, id, kind, entry, time, plan, data, description, "
      "mechanisms, unit, cost, total, previous, hash, nonce) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) "
      "RETURNING id, kind, entry, time, plan, data, description, mechanisms, unit, cost, total, "
      "previous, hash",
      {place_.name, std::to_string(record.id), record.kind, std::to_string(record.entry),
       record.time, record.plan, record.data, record.description, record.mechanisms, record.unit,
       record.cost, record.total, record.previous, record.hash, nonce_});
  // A trigger that somebody added could change a record, or drop it without an error.
  if (stored.size() == 1 && record_of(stored.front()) == record) return;
  throw Error(ErrorCode::kStorage, name_, "the server stored another record than it was given",
              "remove what changes the rows of lastbit.record; nothing was spent");
}

std::int64_t LedgerServer::count_entries() {
  const Rows rows =
      query("SELECT coalesce(pg_catalog.max(entry), 0) FROM lastbit.record WHERE ledger = $1",
            {place_.name});
  if (rows.empty()) throw damaged("is damaged");
  return integer(rows.front().front());
}

bool LedgerServer::has_record(std::string_view kind, std::int64_t entry) {
  return !query("SELECT 1 FROM lastbit.record WHERE ledger = $1 AND entry = $2 AND kind = $3",
                {place_.name, std::to_string(entry), std::string(kind)})
              .empty();
}

bool LedgerServer::has_spending_about(const std::string& unit, const std::string& data) {
  return !query(
              "SELECT 1 FROM lastbit.record WHERE ledger = $1 AND kind = $2 AND data = $3 AND "
              "unit = $4 LIMIT 1",
              {place_.name, std::string(kSpendingKind), data, unit})
              .empty();
}

std::vector<LedgerSubject> LedgerServer::subjects() {
  const Rows rows = query(
      "SELECT unit, data, pg_catalog.min(entry) FROM lastbit.record WHERE ledger = $1 AND kind = "
      "$2 "
      "GROUP BY unit, data ORDER BY 3",
      {place_.name, std::string(kSpendingKind)});
  std::vector<LedgerSubject> subjects;
  for (const Row& row : rows) {
    subjects.push_back({text_of(row[0]), text_of(row[1]), integer(row[2])});
  }
  return subjects;
}

std::optional<EarlierSpending> LedgerServer::last_spending_of(const std::string& plan) {
  const Rows rows = query(
      "SELECT entry, time FROM lastbit.record WHERE ledger = $1 AND kind = $2 AND plan = $3 "
      "ORDER BY id DESC LIMIT 1",
      {place_.name, std::string(kSpendingKind), plan});
  if (rows.empty()) return std::nullopt;
  const std::int64_t entry = integer(rows.front()[0]);
  return EarlierSpending{entry, text_of(rows.front()[1]), has_record(kCompletionKind, entry)};
}

void LedgerServer::create_tables() {
  // Two may create the first ledger of a database at once.
  query("SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('lastbit ledger'))", {});
  const Rows table = query("SELECT pg_catalog.to_regclass('lastbit.ledger')", {});
  if (!table.empty() && table.front().front()) return;
  // Whoever owns an empty schema need not have the right to create one.
  const Rows schema = query("SELECT pg_catalog.to_regnamespace('lastbit')", {});
  if (schema.empty() || !schema.front().front()) query("CREATE SCHEMA lastbit", {});
  for (const char* statement : server_tables()) query(statement, {});
}

void LedgerServer::insert_header() {
  if (!query("SELECT 1 FROM lastbit.ledger WHERE name = $1", {place_.name}).empty()) {
    throw Error(ErrorCode::kBadInput, name_, "exists already",
                "open it, or choose another name; a new ledger would forget what was spent");
  }
  // A copy of a file that was moved has the header of the file. Two ledgers with one chain would
  // pay one budget twice.
  const Rows twin =
      query("SELECT name FROM lastbit.ledger WHERE hash = $1 LIMIT 1", {header_.hash()});
  if (!twin.empty()) {
    throw Error(ErrorCode::kBadInput, name_,
                fmt::format("the same chain is in this database already, as the ledger {}",
                            quote(text_of(twin.front()[0]), 200)),
                "use that ledger, and remove the copy of its file; nothing was moved");
  }
  query(
      "INSERT INTO lastbit.ledger (name, format, cap, description, created, nonce, hash) VALUES "
      "($1, $2, $3, $4, $5, $6, $7)",
      {place_.name, kFormatOfServer, header_.cap, header_.description, header_.created,
       header_.nonce, header_.hash()});
}

std::int64_t LedgerServer::integer(const Parameter& field) const {
  const std::string text = text_of(field);
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) throw damaged("is damaged");
  return value;
}

Record LedgerServer::record_of(const Row& row) const {
  return {.id = integer(row[0]),
          .kind = text_of(row[1]),
          .entry = integer(row[2]),
          .time = text_of(row[3]),
          .plan = text_of(row[4]),
          .data = text_of(row[5]),
          .description = text_of(row[6]),
          .mechanisms = text_of(row[7]),
          .unit = text_of(row[8]),
          .cost = text_of(row[9]),
          .total = text_of(row[10]),
          .previous = text_of(row[11]),
          .hash = text_of(row[12])};
}

}  // namespace lastbit::accounting_internal
