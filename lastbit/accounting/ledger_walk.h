// Reads a ledger from its first record to its last, and checks all of it.
#pragma once

#include <optional>
#include <string>

#include "lastbit/accounting/ledger.h"
#include "lastbit/accounting/record.h"
#include "lastbit/accounting/sqlite_file.h"

namespace lastbit::accounting_internal {

// budget_of: the budget that a header describes; a text that describes none is a kBadInput Error.
Budget budget_of(const SqliteFile& file, const Header& header);
// total_of: a running total, which must be of the budget's kind and within it, else kBadInput.
Cost total_of(const SqliteFile& file, const Budget& budget, const std::string& text);

// walk: Ledger::verify inside a transaction of the caller.
LedgerContents walk(const SqliteFile& file, const Header& header, const Budget& budget,
                    const std::optional<std::string>& noted_head);

}  // namespace lastbit::accounting_internal
