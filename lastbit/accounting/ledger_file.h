// The tables of a ledger file: their schema, and how records are read and added.
//
// Format 2 has a column for the unit. Files of format 1 are read as they are, without units, and
// become files of format 2 when something is added to them. Format 3 has the tables of format 2 and
// a cap in rho and delta, which programs from before it cannot count: they refuse its number. All
// other caps stay in format 2, for these programs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/record.h"
#include "lastbit/accounting/sqlite_file.h"

namespace lastbit::accounting_internal {

// write_schema: creates the tables and the header row, in one transaction.
void write_schema(const SqliteFile& file, const Header& header);
// read_header: the header of a file that has one of our formats and exactly its schema, and whose
// header matches its hash; anything else is a kBadInput Error.
Header read_header(const SqliteFile& file);
// upgrade: turns a file of format 1 into one of format 2, inside the caller's write transaction.
// What its records say, and their hashes, stay as they are.
void upgrade(const SqliteFile& file);

// select_records: the query whose rows record_of reads, in the order of their ids.
std::string select_records(const SqliteFile& file);
Record record_of(const Statement& row);

// last_record: the record with the largest id; nothing if there is none. A record that does not
// match its own hash, or a first record that does not follow the header, is a kBadInput Error.
std::optional<Record> last_record(const SqliteFile& file, const Header& header);
void insert_record(const SqliteFile& file, const Record& record);
// count_entries: the largest entry number; 0 if there are no entries.
std::int64_t count_entries(const SqliteFile& file);
bool has_record(const SqliteFile& file, std::string_view kind, std::int64_t entry);
// has_spending_about: whether an entry is about this unit and data.
bool has_spending_about(const SqliteFile& file, const std::string& unit, const std::string& data);
// subjects_of: the units and data that entries are about, in the order of their first entries.
std::vector<LedgerSubject> subjects_of(const SqliteFile& file);
// last_spending_of: the last entry of this plan.
struct EarlierSpending {
  std::int64_t entry;
  std::string time;
  bool completed;
};
std::optional<EarlierSpending> last_spending_of(const SqliteFile& file, const std::string& plan);

// publish: gives the file `from` the name `to`; returns false if that name exists already. The new
// name is on disk when this returns. Other failures are kStorage Errors.
bool publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace lastbit::accounting_internal
