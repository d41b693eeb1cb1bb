#include "lastbit/accounting/ledger_file.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::accounting_internal {
namespace {

// "LBit" in ASCII: how file(1) and other programs recognise a ledger.
constexpr std::int64_t kApplicationId = 0x4C426974;
constexpr std::int64_t kFormatWithoutUnits = 1;
constexpr std::int64_t kFormat = 2;
constexpr std::int64_t kFormatWithRhoAndDelta = 3;
constexpr std::int64_t kFormatMoved = 4;

// SQLite keeps these texts as they are, so that a file's schema can be compared with them. A file
// with anything more (a trigger, a view) is refused. They are in descending order of their names,
// and an index follows its table.
struct Object {
  std::string name;
  std::string sql;
};

// The unit column comes last, as if it had been added: new and upgraded files have the same schema.
constexpr const char* kUnitColumn = "unit TEXT NOT NULL DEFAULT ''";

constexpr const char* kMovedTable = "CREATE TABLE moved (address TEXT NOT NULL) STRICT";

std::vector<Object> schema_of(std::int64_t format) {
  const std::string unit = format == kFormatWithoutUnits ? "" : fmt::format(", {}", kUnitColumn);
  std::vector<Object> objects = {
      {"record",
       "CREATE TABLE record (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, entry INTEGER NOT NULL, "
       "time TEXT NOT NULL, plan TEXT NOT NULL, data TEXT NOT NULL, description TEXT NOT NULL, "
       "mechanisms TEXT NOT NULL, cost TEXT NOT NULL, total TEXT NOT NULL, previous TEXT NOT NULL, "
       "hash TEXT NOT NULL" +
           unit + ") STRICT"},
      {"header",
       "CREATE TABLE header (cap TEXT NOT NULL, description TEXT NOT NULL, created TEXT NOT NULL, "
       "nonce TEXT NOT NULL, hash TEXT NOT NULL) STRICT"},
      {"by_entry", "CREATE UNIQUE INDEX by_entry ON record (entry, kind)"},
  };
  if (format == kFormatMoved) objects.insert(objects.begin() + 1, {"moved", kMovedTable});
  return objects;
}

std::int64_t number(const SqliteFile& file, const char* sql) {
  Statement statement(file, sql);
  if (!statement.step()) throw file.damaged("is damaged");
  return statement.integer(0);
}

std::int64_t format_of(const SqliteFile& file) { return number(file, "PRAGMA user_version"); }

void set_format(const SqliteFile& file, std::int64_t format) {
  file.run(("PRAGMA user_version = " + std::to_string(format)).c_str());
}

// has_rho_and_delta: whether the text of a cap is one that only format 3 has. The text need not be
// one of a cost.
bool has_rho_and_delta(const std::string& cap) {
  return cap.starts_with("rho ") && cap.find(", delta ") != std::string::npos;
}

// unit_in: the unit of a record, as SQL. Others may upgrade the file between two of our
// transactions, so each one checks.
std::string unit_in(const SqliteFile& file) {
  return format_of(file) == kFormatWithoutUnits ? "''" : "unit";
}

void require_format(const SqliteFile& file) {
  if (number(file, "PRAGMA application_id") != kApplicationId) {
    throw file.damaged("is not a ledger");
  }
  const std::int64_t format = format_of(file);
  if (format < kFormatWithoutUnits || format > kFormatMoved) {
    throw Error(
        ErrorCode::kBadInput, file.name(),
        "is a ledger of format " + std::to_string(format) + ", and this program knows 1 to 4",
        "use the version of lastbit that wrote it");
  }
}

void require_schema(const SqliteFile& file) {
  Statement objects(file, "SELECT name, sql FROM sqlite_schema ORDER BY name DESC");
  for (const Object& object : schema_of(format_of(file))) {
    if (!objects.step() || objects.text(0) != object.name || objects.text(1) != object.sql) {
      throw file.damaged("has tables that are not those of a ledger");
    }
  }
  if (objects.step()) throw file.damaged("has tables that are not those of a ledger");
}

void write_schema(const SqliteFile& file, const Header& header) {
  Transaction transaction(file, Transaction::Kind::kWrite);
  file.run(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
  set_format(file, has_rho_and_delta(header.cap) ? kFormatWithRhoAndDelta : kFormat);
  for (const Object& object : schema_of(kFormat)) file.run(object.sql.c_str());
  Statement insert(file, "INSERT INTO header VALUES (?, ?, ?, ?, ?)");
  insert.bind(0, header.cap);
  insert.bind(1, header.description);
  insert.bind(2, header.created);
  insert.bind(3, header.nonce);
  insert.bind(4, header.hash());
  insert.step();
  transaction.commit();
}

Header read_header(const SqliteFile& file) {
  const Transaction transaction(file, Transaction::Kind::kRead);
  require_format(file);
  require_schema(file);
  Statement row(file, "SELECT cap, description, created, nonce, hash FROM header");
  if (!row.step()) throw file.damaged("has no header");
  Header header{row.text(0), row.text(1), row.text(2), row.text(3)};
  if (row.text(4) != header.hash() || !is_plain_text(header.description) ||
      !is_plain_text(header.created) || row.step()) {
    throw file.damaged("has a header that does not fit its hash");
  }
  const std::int64_t format = format_of(file);
  const bool may_have_any_cap = format == kFormatMoved;
  if (!may_have_any_cap && has_rho_and_delta(header.cap) != (format == kFormatWithRhoAndDelta)) {
    throw file.damaged("has a budget that does not go with its format");
  }
  return header;
}

// add_units: turns a file of format 1 into one of format 2, inside the caller's write transaction.
void add_units(const SqliteFile& file) {
  if (format_of(file) != kFormatWithoutUnits) return;
  file.run(fmt::format("ALTER TABLE record ADD COLUMN {}", kUnitColumn).c_str());
  set_format(file, kFormat);
}

// select_records: the query whose rows record_of reads, in the order of their ids.
std::string select_records(const SqliteFile& file) {
  return "SELECT id, kind, entry, time, plan, data, description, mechanisms, cost, total, "
         "previous, hash, " +
         unit_in(file) + " FROM record ORDER BY id";
}

Record record_of(const Statement& row) {
  Record record;
  record.id = row.integer(0);
  record.kind = row.text(1);
  record.entry = row.integer(2);
  record.time = row.text(3);
  record.plan = row.text(4);
  record.data = row.text(5);
  record.description = row.text(6);
  record.mechanisms = row.text(7);
  record.cost = row.text(8);
  record.total = row.text(9);
  record.previous = row.text(10);
  record.hash = row.text(11);
  record.unit = row.text(12);
  return record;
}

SqliteFile opened_file(const std::filesystem::path& path, Ledger::Access access,
                       std::chrono::milliseconds patience) {
  return {path, access == Ledger::Access::kRead ? FileAccess::kRead : FileAccess::kWrite, patience};
}

}  // namespace

void LedgerFile::create(const std::filesystem::path& path, const Header& header) {
  const auto exists = [&] {
    return bad_file(path, "exists already",
                    "open it, or choose another name; a new ledger would forget what was spent");
  };
  struct stat found = {};
  if (lstat(path.c_str(), &found) == 0) throw exists();
  const std::filesystem::path unfinished = path.string() + ".new-" + header.nonce;
  bool published = false;
  try {
    write_schema(SqliteFile(unfinished, FileAccess::kCreate, Ledger::kPatience), header);
    published = publish(unfinished, path);
  } catch (const Error& error) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw Error(error.code(), lastbit::quote(path.string(), 200), error.problem(), error.remedy());
  }
  if (!published) {
    std::filesystem::remove(unfinished);
    throw exists();
  }
}

// An absolute path stays valid when the process changes its working directory.
LedgerFile::LedgerFile(std::filesystem::path path, Ledger::Access access,
                       std::chrono::milliseconds patience)
    : path_(std::filesystem::absolute(path)),
      identity_(regular_file(path_)),
      access_(access),
      file_(opened_file(path_, access, patience)),
      header_(read_header(file_)) {}

void LedgerFile::require_writable() const {
  if (access_ == Ledger::Access::kRead) file_.fail_read_only();
}

void LedgerFile::begin(Work work) {
  const bool writes = work == Work::kWrite;
  transaction_ = std::make_unique<Transaction>(
      file_, writes ? Transaction::Kind::kWrite : Transaction::Kind::kRead);
  // Otherwise what is spent here would be missing from the file that others open.
  if (!writes || regular_file(path_) == identity_) return;
  throw bad_file(path_, "was replaced by another file while it was in use",
                 "open the ledger again");
}

void LedgerFile::commit() {
  invariant(transaction_ != nullptr, "a transaction is committed once");
  transaction_->commit();
  transaction_.reset();
}

std::optional<std::string> LedgerFile::moved_to() {
  if (format_of(file_) != kFormatMoved) return std::nullopt;
  Statement row(file_, "SELECT address FROM moved");
  if (!row.step() || !is_plain_text(row.text(0))) throw damaged("is damaged");
  return row.text(0);
}

std::optional<Record> LedgerFile::last_record() {
  Statement row(file_, (select_records(file_) + " DESC LIMIT 1").c_str());
  if (!row.step()) return std::nullopt;
  return record_of(row);
}

void LedgerFile::each_record(const std::function<bool(const Record&)>& visit) {
  Statement rows(file_, select_records(file_).c_str());
  while (rows.step()) {
    if (!visit(record_of(rows))) return;
  }
}

void LedgerFile::insert(const Record& record) {
  add_units(file_);
  Statement insert(file_, "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(0, record.id);
  insert.bind(1, record.kind);
  insert.bind(2, record.entry);
  insert.bind(3, record.time);
  insert.bind(4, record.plan);
  insert.bind(5, record.data);
  insert.bind(6, record.description);
  insert.bind(7, record.mechanisms);
  insert.bind(8, record.cost);
  insert.bind(9, record.total);
  insert.bind(10, record.previous);
  insert.bind(11, record.hash);
  insert.bind(12, record.unit);
  insert.step();
}

std::int64_t LedgerFile::count_entries() {
  return number(file_, "SELECT coalesce(max(entry), 0) FROM record");
}

bool LedgerFile::has_record(std::string_view kind, std::int64_t entry) {
  Statement row(file_, "SELECT 1 FROM record WHERE entry = ? AND kind = ?");
  row.bind(0, entry);
  row.bind(1, kind);
  return row.step();
}

bool LedgerFile::has_spending_about(const std::string& unit, const std::string& data) {
  const std::string sql =
      "SELECT 1 FROM record WHERE kind = ? AND data = ? AND " + unit_in(file_) + " = ?";
  Statement row(file_, sql.c_str());
  row.bind(0, kSpendingKind);
  row.bind(1, data);
  row.bind(2, unit);
  return row.step();
}

std::vector<LedgerSubject> LedgerFile::subjects() {
  const std::string unit = unit_in(file_);
  const std::string sql = "SELECT " + unit +
                          ", data, min(entry) FROM record WHERE kind = ? GROUP BY " + unit +
                          ", data ORDER BY min(entry)";
  Statement rows(file_, sql.c_str());
  rows.bind(0, kSpendingKind);
  std::vector<LedgerSubject> subjects;
  while (rows.step()) subjects.push_back({rows.text(0), rows.text(1), rows.integer(2)});
  return subjects;
}

std::optional<EarlierSpending> LedgerFile::last_spending_of(const std::string& plan) {
  Statement row(
      file_, "SELECT entry, time FROM record WHERE kind = ? AND plan = ? ORDER BY id DESC LIMIT 1");
  row.bind(0, kSpendingKind);
  row.bind(1, plan);
  if (!row.step()) return std::nullopt;
  const std::int64_t entry = row.integer(0);
  return EarlierSpending{entry, row.text(1), has_record(kCompletionKind, entry)};
}

bool LedgerFile::is_sound() {
  Statement check(file_, "PRAGMA integrity_check(1)");
  return check.step() && check.text(0) == "ok";
}

void LedgerFile::close(const std::string& address) {
  add_units(file_);
  file_.run(kMovedTable);
  set_format(file_, kFormatMoved);
  Statement insert(file_, "INSERT INTO moved VALUES (?)");
  insert.bind(0, address);
  insert.step();
}

}  // namespace lastbit::accounting_internal
