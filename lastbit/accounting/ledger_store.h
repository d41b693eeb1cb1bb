// What a ledger is kept in: a file, or tables on a server.
//
// The rules (the cap, the chain, the subjects, the plans seen) are the same wherever a ledger is;
// they are in ledger.cc, ledger_rules.cc and ledger_walk.cc. A store only reads and adds records,
// inside a transaction.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/record.h"
#include "lastbit/base/error.h"

namespace lastbit::accounting_internal {

// EarlierSpending: an entry that spent the same plan.
struct EarlierSpending {
  std::int64_t entry;
  std::string time;
  bool completed;
};

// LedgerStore: one open ledger. Everything after begin() needs a transaction.
// Fails  kStorage when it cannot be reached, locked or written; kBadInput when it is not a ledger
//        or is damaged. Messages name the store and what to do.
class LedgerStore {
 public:
  enum class Work {
    kRead,  // one consistent view
    kWrite  // nobody else writes from now on, so what is read here stays true until the commit
  };

  LedgerStore() = default;
  LedgerStore(const LedgerStore&) = delete;
  LedgerStore& operator=(const LedgerStore&) = delete;
  virtual ~LedgerStore() = default;

  // name: where it is, quoted for messages.
  virtual const std::string& name() const = 0;
  // header: what create() wrote. It never changes.
  virtual const Header& header() const = 0;
  // damaged: the Error for a store that is not what it should be.
  virtual Error damaged(std::string problem) const = 0;
  // require_writable: a kStorage Error if it was opened for reading.
  virtual void require_writable() const = 0;
  // abandon: forgets the store without closing it. For the child of a fork: closing it there would
  // disturb the parent's.
  virtual void abandon() = 0;

  // begin: also checks, for writing, that this is still the ledger that was opened.
  virtual void begin(Work work) = 0;
  // commit: when it returns, what was inserted is durable; when it throws, the Error says whether
  // anything may have been.
  virtual void commit() = 0;
  // undo: ends the transaction if it was not committed. It never fails: what was not committed does
  // not count.
  virtual void undo() noexcept = 0;

  // moved_to: the address that the records went to; then nothing more is added here.
  virtual std::optional<std::string> moved_to() = 0;
  // last_record: the record with the largest id, as it is stored.
  virtual std::optional<Record> last_record() = 0;
  // each_record: all of them in the order of their ids, until `visit` returns false.
  virtual void each_record(const std::function<bool(const Record&)>& visit) = 0;
  virtual void insert(const Record& record) = 0;
  // count_entries: the largest entry number; 0 if there are no entries.
  virtual std::int64_t count_entries() = 0;
  virtual bool has_record(std::string_view kind, std::int64_t entry) = 0;
  // has_spending_about: whether an entry is about this unit and data.
  virtual bool has_spending_about(const std::string& unit, const std::string& data) = 0;
  // subjects: the units and data that entries are about, in the order of their first entries.
  virtual std::vector<LedgerSubject> subjects() = 0;
  // last_spending_of: the last entry of this plan.
  virtual std::optional<EarlierSpending> last_spending_of(const std::string& plan) = 0;
  // is_shared: whether others can add records with programs of their own, but not change any. Then
  // the last record alone does not tell what was spent.
  virtual bool is_shared() const = 0;
  // is_sound: whether what holds the records passes its own checks.
  virtual bool is_sound() = 0;
};

// StoreTransaction: begun by its constructor, undone by its destructor unless committed.
class StoreTransaction {
 public:
  StoreTransaction(LedgerStore& store, LedgerStore::Work work) : store_(store) {
    try {
      store_.begin(work);
    } catch (...) {
      store_.undo();
      throw;
    }
  }
  StoreTransaction(const StoreTransaction&) = delete;
  StoreTransaction& operator=(const StoreTransaction&) = delete;
  ~StoreTransaction() { store_.undo(); }
  void commit() { store_.commit(); }

 private:
  LedgerStore& store_;
};

}  // namespace lastbit::accounting_internal
