#include "lastbit/accounting/ledger_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::accounting_internal {
namespace {

// "LBit" in ASCII: how file(1) and other programs recognise a ledger.
constexpr std::int64_t kApplicationId = 0x4C426974;
constexpr std::int64_t kFormatWithoutUnits = 1;
constexpr std::int64_t kFormat = 2;
constexpr std::int64_t kFormatWithRhoAndDelta = 3;

// SQLite keeps these texts as they are, so that a file's schema can be compared with them. A file
// with anything more (a trigger, a view) is refused. They are in descending order of their names,
// and an index follows its table.
struct Object {
  std::string name;
  std::string sql;
};

// The unit column comes last, as if it had been added: new and upgraded files have the same schema.
constexpr const char* kUnitColumn = "unit TEXT NOT NULL DEFAULT ''";

std::array<Object, 3> schema_of(std::int64_t format) {
  const std::string unit = format == kFormatWithoutUnits ? "" : fmt::format(", {}", kUnitColumn);
  return {{
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
  }};
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
  if (format < kFormatWithoutUnits || format > kFormatWithRhoAndDelta) {
    throw Error(
        ErrorCode::kBadInput, file.name(),
        "is a ledger of format " + std::to_string(format) + ", and this program knows 1 to 3",
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

[[noreturn]] void cannot_publish(const std::filesystem::path& path, int number) {
  throw Error(ErrorCode::kStorage, lastbit::quote(path.string(), 200),
              "cannot be created (" + std::generic_category().message(number) + ")",
              "check that the folder exists, that there is room and that you may write there");
}

void sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const int synced = descriptor < 0 ? -1 : fsync(descriptor);
  const int number = errno;
  if (descriptor >= 0) close(descriptor);
  if (synced != 0) cannot_publish(path, number);
}

}  // namespace

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
  if (has_rho_and_delta(header.cap) != (format_of(file) == kFormatWithRhoAndDelta)) {
    throw file.damaged("has a budget that does not go with its format");
  }
  return header;
}

void upgrade(const SqliteFile& file) {
  if (format_of(file) != kFormatWithoutUnits) return;
  file.run(fmt::format("ALTER TABLE record ADD COLUMN {}", kUnitColumn).c_str());
  set_format(file, kFormat);
}

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

std::optional<Record> last_record(const SqliteFile& file, const Header& header) {
  Statement row(file, (select_records(file) + " DESC LIMIT 1").c_str());
  if (!row.step()) return std::nullopt;
  Record record = record_of(row);
  const bool follows = record.id > 1 || record.previous == header.hash();
  if (record.id < 1 || !follows || record.hash != record.computed_hash()) {
    throw file.damaged("is damaged: its last record does not fit its hash");
  }
  return record;
}

void insert_record(const SqliteFile& file, const Record& record) {
  Statement insert(file, "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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

std::int64_t count_entries(const SqliteFile& file) {
  return number(file, "SELECT coalesce(max(entry), 0) FROM record");
}

bool has_record(const SqliteFile& file, std::string_view kind, std::int64_t entry) {
  Statement row(file, "SELECT 1 FROM record WHERE entry = ? AND kind = ?");
  row.bind(0, entry);
  row.bind(1, kind);
  return row.step();
}

bool has_spending_about(const SqliteFile& file, const std::string& unit, const std::string& data) {
  const std::string sql =
      "SELECT 1 FROM record WHERE kind = ? AND data = ? AND " + unit_in(file) + " = ?";
  Statement row(file, sql.c_str());
  row.bind(0, kSpendingKind);
  row.bind(1, data);
  row.bind(2, unit);
  return row.step();
}

std::vector<LedgerSubject> subjects_of(const SqliteFile& file) {
  const std::string unit = unit_in(file);
  const std::string sql = "SELECT " + unit +
                          ", data, min(entry) FROM record WHERE kind = ? GROUP BY " + unit +
                          ", data ORDER BY min(entry)";
  Statement rows(file, sql.c_str());
  rows.bind(0, kSpendingKind);
  std::vector<LedgerSubject> subjects;
  while (rows.step()) subjects.push_back({rows.text(0), rows.text(1), rows.integer(2)});
  return subjects;
}

std::optional<EarlierSpending> last_spending_of(const SqliteFile& file, const std::string& plan) {
  Statement row(
      file, "SELECT entry, time FROM record WHERE kind = ? AND plan = ? ORDER BY id DESC LIMIT 1");
  row.bind(0, kSpendingKind);
  row.bind(1, plan);
  if (!row.step()) return std::nullopt;
  const std::int64_t entry = row.integer(0);
  return EarlierSpending{entry, row.text(1), has_record(file, kCompletionKind, entry)};
}

bool publish(const std::filesystem::path& from, const std::filesystem::path& to) {
  int result = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // Not every file system can do this; adding the new name and then removing the old one has the
  // same effect.
  if (result != 0 && (errno == EINVAL || errno == ENOSYS)) {
    result = link(from.c_str(), to.c_str());
    if (result == 0) unlink(from.c_str());
  }
  if (result != 0 && errno == EEXIST) return false;
  if (result != 0) cannot_publish(to, errno);
  sync_folder_of(to);
  return true;
}

}  // namespace lastbit::accounting_internal
