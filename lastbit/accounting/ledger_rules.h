// What a ledger refuses because it is most likely a mistake. All of it is asked inside a
// transaction of the caller: a reading one before a release begins, and the writing one that
// spends, so that of two first spendings only one is the first.
//
// The records are read without their hashes: these rules are against slips, not against whoever
// writes the file with other programs. See proofs/accounting.md#people.
#pragma once

#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/sqlite_file.h"

namespace lastbit::accounting_internal {

// require_plain_texts: a kBadParameter Error for a text that a ledger does not take.
void require_plain_texts(const Spending& spending);

// require_known_subject: a kRefused Error where there are spendings, and none about this unit and
// data.
void require_known_subject(const SqliteFile& file, const Spending& spending);

// require_new_plan: a kRefused Error where the plan was spent before. `price` is what it would
// take.
void require_new_plan(const SqliteFile& file, const std::string& plan, const Cost& price);

}  // namespace lastbit::accounting_internal
