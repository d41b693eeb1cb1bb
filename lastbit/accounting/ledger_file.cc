#include "lastbit/accounting/ledger_file.h"

#include <fcntl.h>
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

// "LBit" in ASCII: how file(1) and other programs can tell a ledger.
constexpr std::int64_t kApplicationId = 0x4C426974;
constexpr std::int64_t kFormat = 1;

// SQLite keeps these texts as they are, so that a file's schema can be compared with them. A file
// with anything more (a trigger, a view) is refused. They come in falling order of their names, and
// an index after its table.
struct Object {
  const char* name;
  const char* sql;
};
constexpr std::array<Object, 3> kSchema = {{
    {"record",
     "CREATE TABLE record (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, entry INTEGER NOT NULL, "
     "time TEXT NOT NULL, plan TEXT NOT NULL, data TEXT NOT NULL, description TEXT NOT NULL, "
     "mechanisms TEXT NOT NULL, cost TEXT NOT NULL, total TEXT NOT NULL, previous TEXT NOT NULL, "
     "hash TEXT NOT NULL) STRICT"},
    {"header",
     "CREATE TABLE header (cap TEXT NOT NULL, description TEXT NOT NULL, created TEXT NOT NULL, "
     "nonce TEXT NOT NULL, hash TEXT NOT NULL) STRICT"},
    {"by_entry", "CREATE UNIQUE INDEX by_entry ON record (entry, kind)"},
}};

std::int64_t number(const SqliteFile& file, const char* sql) {
  Statement statement(file, sql);
  if (!statement.step()) throw file.damaged("is damaged");
  return statement.integer(0);
}

void require_format(const SqliteFile& file) {
  if (number(file, "PRAGMA application_id") != kApplicationId) {
    throw file.damaged("is not a ledger");
  }
  const std::int64_t format = number(file, "PRAGMA user_version");
  if (format != kFormat) {
    throw Error(ErrorCode::kBadInput, file.name(),
                "is a ledger of format " + std::to_string(format) + ", and this program knows 1",
                "use the version of lastbit that wrote it");
  }
}

void require_schema(const SqliteFile& file) {
  Statement objects(file, "SELECT name, sql FROM sqlite_schema ORDER BY name DESC");
  for (const Object& object : kSchema) {
    if (!objects.step() || objects.text(0) != object.name || objects.text(1) != object.sql) {
      throw file.damaged("has tables that are not those of a ledger");
    }
  }
  if (objects.step()) throw file.damaged("has tables that are not those of a ledger");
}

[[noreturn]] void cannot_publish(const std::filesystem::path& path, int number) {
  throw Error(ErrorCode::kStorage, lastbit::quoted(path.string(), 200),
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
  file.run(("PRAGMA user_version = " + std::to_string(kFormat)).c_str());
  for (const Object& object : kSchema) file.run(object.sql);
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
  return header;
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
  return record;
}

std::optional<Record> last_record(const SqliteFile& file, const Header& header) {
  Statement row(file, (std::string(kSelectRecords) + " DESC LIMIT 1").c_str());
  if (!row.step()) return std::nullopt;
  Record record = record_of(row);
  const bool follows = record.id > 1 || record.previous == header.hash();
  if (record.id < 1 || !follows || record.hash != record.computed_hash()) {
    throw file.damaged("is damaged: its last record does not fit its hash");
  }
  return record;
}

void insert_record(const SqliteFile& file, const Record& record) {
  Statement insert(file, "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
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

bool publish(const std::filesystem::path& from, const std::filesystem::path& to) {
  int result = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
  // Not every file system can; a second name and then one less comes to the same.
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
