// Reads a ledger from its first record to its last, and checks all of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/ledger_store.h"

namespace lastbit::accounting_internal {

// budget_of: the budget that a header describes; a text that describes none is a kBadInput Error.
Budget budget_of(const LedgerStore& store);

// Tail: what the next record follows.
struct Tail {
  std::int64_t id;
  std::string hash;
  Cost spent;
};
// tail_of: a last record that does not match its own hash, a first record that does not follow the
// header, and a total that is not within the budget are kBadInput Errors. In a shared store all
// records are read: a record that follows the chain can still have a wrong total.
Tail tail_of(LedgerStore& store, const Budget& budget);

// walk: Ledger::verify inside a transaction of the caller.
LedgerContents walk(LedgerStore& store, const Budget& budget,
                    const std::optional<std::string>& noted_head);

}  // namespace lastbit::accounting_internal
