// The tables of a ledger's file: what they look like, and how records are read and added.
#pragma once

#include <filesystem>
#include <optional>

#include "lastbit/accounting/record.h"
#include "lastbit/accounting/sqlite_file.h"

namespace lastbit::accounting_internal {

// write_schema: makes the tables and the header's row, in one transaction.
void write_schema(const SqliteFile& file, const Header& header);
// read_header: the header of a file that has exactly our format and schema and whose header fits its
// hash; everything else is a kBadInput Error.
Header read_header(const SqliteFile& file);

// columns of `record`, in the order that record_of reads.
inline constexpr const char* kSelectRecords =
    "SELECT id, kind, entry, time, plan, data, description, mechanisms, cost, total, previous, "
    "hash "
    "FROM record ORDER BY id";
Record record_of(const Statement& row);

// last_record: the record with the largest id; nothing if there is none. A record that does not fit
// its own hash, or no budget of this kind, is a kBadInput Error.
std::optional<Record> last_record(const SqliteFile& file, const Header& header);
void insert_record(const SqliteFile& file, const Record& record);
// count_entries: the largest number of a spending; 0 without any.
std::int64_t count_entries(const SqliteFile& file);
bool has_record(const SqliteFile& file, std::string_view kind, std::int64_t entry);

// publish: gives the file `from` the name `to`, unless there is anything of that name: then false.
// The new name is on the disk when this returns. Other failures are kStorage Errors.
bool publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace lastbit::accounting_internal
