// A ledger in a PostgreSQL database: its tables, and how records are read and added.
//
// Guarantee      whoever spends holds the lock of the ledger's row, from before the last record is
//                read until the new one is committed, so spendings come one after another
//                (proofs/accounting.md#server). When commit() returns, the server has reported the
//                record as durable, or the record was found under the same lock.
// Left to the server  that what it reports as durable is: fsync that works, and no standby that
//                takes over without the last transactions. Administrators can change everything.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/ledger_address.h"
#include "lastbit/accounting/ledger_store.h"
#include "lastbit/postgres/connection.h"

namespace lastbit::accounting_internal {

class LedgerServer final : public LedgerStore {
 public:
  // find: the ledger of that name; nothing if the database has none.
  // Fails  kStorage if the server cannot be reached; for spending, also if it does not wait for
  //        its disk (fsync = off).
  static std::unique_ptr<LedgerServer> find(const ServerLedger& place, Ledger::Access access,
                                            std::chrono::milliseconds patience);
  // start: a ledger with this header, in a transaction that the caller has to commit. It creates
  // the tables of ledgers if the database has none.
  // Fails  kBadInput if the database has a ledger of that name, or another with this header.
  static std::unique_ptr<LedgerServer> start(const ServerLedger& place, const Header& header,
                                             std::chrono::milliseconds patience);

  const std::string& name() const override { return name_; }
  const Header& header() const override { return header_; }
  Error damaged(std::string problem) const override;
  void require_writable() const override;
  void abandon() override { connection_->abandon(); }

  void begin(Work work) override;
  void commit() override;
  void undo() noexcept override;

  std::optional<std::string> moved_to() override { return std::nullopt; }
  std::optional<Record> last_record() override;
  void each_record(const std::function<bool(const Record&)>& visit) override;
  void insert(const Record& record) override;
  std::int64_t count_entries() override;
  bool has_record(std::string_view kind, std::int64_t entry) override;
  bool has_spending_about(const std::string& unit, const std::string& data) override;
  std::vector<LedgerSubject> subjects() override;
  std::optional<EarlierSpending> last_spending_of(const std::string& plan) override;
  bool is_shared() const override { return true; }
  // is_sound: a server checks itself.
  bool is_sound() override { return true; }

 private:
  using Parameters = std::vector<postgres::Parameter>;

  LedgerServer(const ServerLedger& place, Ledger::Access access,
               std::chrono::milliseconds patience);

  void connect();
  postgres::Rows query(const char* sql, const Parameters& parameters);
  std::optional<Header> read_header(const char* sql);
  void begin_once(Work work);
  // require_durable: a kStorage Error if the server does not wait for its disk.
  void require_durable();
  // require_own_tables: a kBadInput Error if the tables are not those that create_tables made.
  void require_own_tables();
  // require_same: that the header which this query finds is that of the open ledger.
  void require_same(const char* sql);
  void create_tables();
  void insert_header();
  bool is_booked();
  void settle();
  std::int64_t integer(const postgres::Parameter& field) const;
  Record record_of(const postgres::Row& row) const;

  ServerLedger place_;
  std::string name_;
  Ledger::Access access_;
  std::chrono::milliseconds patience_;
  std::unique_ptr<postgres::Connection> connection_;
  Header header_;
  bool settling_ = false;  // whether a wait may not be ended, because it decides what was booked
  bool open_ = false;      // whether there is a transaction
  bool is_new_ = false;    // whether this transaction creates the ledger
  std::string nonce_;      // of the last record inserted: what to look for after a lost reply
};

}  // namespace lastbit::accounting_internal
