// A ledger in a file: its tables, and how records are read and added.
//
// Format 2 has a column for the unit. Files of format 1 are read as they are, without units, and
// become files of format 2 when something is added to them. Format 3 has the tables of format 2 and
// a cap in rho and delta, which programs from before it cannot count: they refuse its number. All
// other caps stay in format 2, for these programs. Format 4 is a file whose records went to a
// server: it also says where they are, takes nothing more, and is refused by programs from before.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/ledger_path.h"
#include "lastbit/accounting/ledger_store.h"
#include "lastbit/accounting/sqlite_file.h"

namespace lastbit::accounting_internal {

class LedgerFile final : public LedgerStore {
 public:
  // create: a new file without records, which appears whole or not at all.
  // Fails  kBadInput if anything has that name; kStorage if it cannot be written.
  static void create(const std::filesystem::path& path, const Header& header);
  // The file must have one of our formats and exactly its schema, and a header that matches its
  // hash; anything else is a kBadInput Error.
  LedgerFile(std::filesystem::path path, Ledger::Access access, std::chrono::milliseconds patience);

  const std::string& name() const override { return file_.name(); }
  const Header& header() const override { return header_; }
  Error damaged(std::string problem) const override { return file_.damaged(std::move(problem)); }
  void require_writable() const override;
  void abandon() override { file_.abandon(); }

  void begin(Work work) override;
  void commit() override;
  void undo() noexcept override { transaction_.reset(); }

  std::optional<std::string> moved_to() override;
  std::optional<Record> last_record() override;
  void each_record(const std::function<bool(const Record&)>& visit) override;
  // insert: turns a file of format 1 into one of format 2. What its records say, and their hashes,
  // stay as they are.
  void insert(const Record& record) override;
  std::int64_t count_entries() override;
  bool has_record(std::string_view kind, std::int64_t entry) override;
  bool has_spending_about(const std::string& unit, const std::string& data) override;
  std::vector<LedgerSubject> subjects() override;
  std::optional<EarlierSpending> last_spending_of(const std::string& plan) override;
  // Whoever can write the file can change all of it.
  bool is_shared() const override { return false; }
  bool is_sound() override;

  // close: notes that the records go to this address. Nothing more is added here once this is
  // committed.
  void close(const std::string& address);

 private:
  std::filesystem::path path_;
  FileIdentity identity_;
  Ledger::Access access_;
  SqliteFile file_;
  Header header_;
  std::unique_ptr<Transaction> transaction_;
};

}  // namespace lastbit::accounting_internal
