// Ledger: a privacy budget that outlives the process: one SQLite file, or a name in a PostgreSQL
// database that a team shares.
//
// Guarantee      when spend() returns, the cost is on disk; only then may noise be drawn. So
//                whatever process is killed, and whenever, the ledger holds the cost of each noisy
//                number that exists (proofs/accounting.md#write-ahead). The total never exceeds the
//                cap, with any number of processes (proofs/accounting.md#concurrent). Sums are
//                exact. A ledger may count too much: the cost of a release that never ended stays.
//                The first entry fixes the unit and the data that the ledger is about; others, and
//                a plan that was spent before, are refused unless the caller confirms them
//                (proofs/accounting.md#people).
// Not promised   protection against changes made with other programs. Records are chained by
//                SHA-256, so verify() finds every change to a record that others follow; but the
//                chain has no secret. Anyone who can write the file can also compute a new chain,
//                cut off its end, or replace it with an old copy. Only a head recorded elsewhere
//                reveals that (proofs/accounting.md#chain). On a server, its administrators are
//                these people; what the server reports as durable is believed.
// Left to the caller  one ledger for one set of people; all costs about the same neighbours, as
//                far as names do not show it; costs and texts that do not depend on the data.
//                Nothing private belongs in a ledger.
// Fails          kBudget: more was asked for than is left; kRefused: it is about another unit or
//                other data, or was spent before, and nobody confirmed it; nothing was spent.
//                kStorage: it cannot be opened, reached, locked or written, or nobody knows
//                whether it was; draw nothing. kBadInput: it is not a ledger, or it is damaged.
//                kMismatch: the cost is of a kind that the budget cannot pay. kBadParameter: a text
//                is not one line of UTF-8, or the ledger was carried through a fork. One Ledger may
//                not be used by two threads at once; each may open its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/accounting/ledger_address.h"

namespace lastbit {

// Spending: what a release declares before it begins. Each text is one line of at most 2000 bytes.
struct Spending {
  Cost cost;
  std::string plan = {};         // a digest of what will be released; empty: never a repeat
  std::string data = {};         // what the user calls the data; not computed from it
  std::string unit = {};         // whose privacy the cost is about, as in "row" or "column person"
  std::string description = {};  // for people
  std::string mechanisms = {};   // which mechanisms will run, with their versions
};

// SpendingIntent: what the caller confirms, where the ledger would assume a mistake.
struct SpendingIntent {
  bool same_people = false;  // a new unit or new data, about the same people
  bool again = false;        // a plan that was spent before, again
};

// LedgerSubject: what entries are about.
struct LedgerSubject {
  std::string unit;              // empty in ledgers from before units were recorded
  std::string data;              // empty if it has no name
  std::int64_t first_entry = 0;  // the first entry about it

  // to_string: as in 'survey.csv' (unit: row).
  std::string to_string() const;
};

// LedgerEntry: a Spending as the ledger holds it.
struct LedgerEntry {
  std::int64_t id = 0;  // 1, 2, 3, …
  std::string time;     // by the system clock, UTC; the order of entries is that of their ids
  Spending spending;
  Cost price;                            // what it took from the budget, in the budget's kind
  Cost total;                            // what was spent after it
  std::string hash;                      // of its record
  std::optional<std::string> completed;  // when its release ended; nothing if it never did
};

// LedgerDamage: the first record that is wrong, and how.
struct LedgerDamage {
  std::int64_t record;  // 0 for the file as a whole
  std::string problem;
};

// LedgerContents: all of a ledger, at one moment.
struct LedgerContents {
  Budget budget;
  std::string description;
  std::string created;
  std::vector<LedgerEntry> entries;  // those before the damage, if there is any
  // What the entries are about, in the order of first entries. For all but the first, the caller
  // confirmed that they are about the same people.
  std::vector<LedgerSubject> subjects;
  std::int64_t records = 0;            // correct records: entries and completions
  Cost spent;                          // the sum over `entries`
  std::string head;                    // the hash of the last correct record
  std::optional<LedgerDamage> damage;  // empty if the whole chain is correct
  // The address that a closed ledger was moved to; it pays for nothing more.
  std::optional<std::string> moved_to = std::nullopt;
};

class Ledger {
 public:
  enum class Access {
    kSpend,
    kRead,  // also for files that this user may not write
  };
  static constexpr std::chrono::milliseconds kPatience{60'000};

  // create: a new ledger, which appears whole or not at all. An address where anything exists, even
  // a link, is a kBadInput Error: starting over would forget what was spent.
  static Ledger create(const LedgerAddress& address, const Budget& budget,
                       const std::string& description);
  // open: an existing ledger. A file must be a regular one with one name, of this format, with the
  // schema and the header that create wrote. The records are checked by verify(); spend() and
  // complete() check the last one, which holds the total. It waits up to `patience` for the locks
  // of others.
  static Ledger open(const LedgerAddress& address, Access access = Access::kSpend,
                     std::chrono::milliseconds patience = kPatience);
  // find: the same, or nothing if there is no such file, or no ledger of that name in the database.
  static std::optional<Ledger> find(const LedgerAddress& address, Access access = Access::kSpend,
                                    std::chrono::milliseconds patience = kPatience);

  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;
  ~Ledger();

  const Budget& budget() const;
  // spend: books the cost; call it before the first random bit is drawn.
  LedgerEntry spend(const Spending& spending, const SpendingIntent& intent = {});
  // require_allowed: throws what spend() would throw now, and spends nothing. For refusing early:
  // others may spend in the meantime, so spend() checks again.
  void require_allowed(const Spending& spending, const SpendingIntent& intent = {}) const;
  // complete: records that the release of this entry ended. An id that no entry has, or one that is
  // already completed, is a kBadParameter Error.
  void complete(std::int64_t id);
  // spent: the total of all entries, from the last record, which is checked.
  Cost spent() const;
  // verify: reads everything, checks the file, every record and the chain, and adds the costs up
  // again. With `noted_head`, a head that verify() once gave, that hash must be in the chain;
  // otherwise the ledger was cut off, rewritten or replaced.
  LedgerContents verify(const std::optional<std::string>& noted_head = std::nullopt) const;

 private:
  struct State;
  explicit Ledger(std::unique_ptr<State> state);
  State& usable() const;

  std::unique_ptr<State> state_;
};

}  // namespace lastbit
