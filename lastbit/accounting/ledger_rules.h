// What a ledger refuses because it is most likely a mistake. All of it is checked inside a
// transaction of the caller: a read transaction before a release begins, and the write transaction
// that spends, so that of two first entries only one is the first.
//
// The records are read without their hashes: these rules guard against slips, not against changes
// made with other programs. See proofs/accounting.md#people.
#pragma once

#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/ledger_store.h"

namespace lastbit::accounting_internal {

// require_plain_texts: a kBadParameter Error for a text that a ledger does not take.
void require_plain_texts(const Spending& spending);

// require_known_subject: a kRefused Error if there are entries, but none about this unit and data.
void require_known_subject(LedgerStore& store, const Spending& spending);

// require_open: a kRefused Error if the records went elsewhere.
void require_open(LedgerStore& store);

// require_new_plan: a kRefused Error if the plan was spent before. `price` is what it would take.
void require_new_plan(LedgerStore& store, const std::string& plan, const Cost& price);

}  // namespace lastbit::accounting_internal
