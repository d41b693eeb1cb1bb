// Moves a ledger from a file to a server.
#pragma once

#include <filesystem>

#include "lastbit/accounting/ledger.h"

namespace lastbit {

// move_ledger
// Carries the chain of a file to a database, record by record, and closes the file.
// Ensures   when it returns, the ledger at `to` holds the chain of the file, which was verified on
//           both sides, and the file pays for nothing more and says where the ledger is. Whenever
//           it is killed, at most one of the two pays, and the file holds all of its records; after
//           it was closed, the same call goes on where it ended.
//           A file that is still open, of a chain that the database has under any name, such as a
//           copy, is refused: two ledgers would pay one budget.
// Fails     kBadInput if the file is damaged, if `to` is a file, or if the database has another
//           ledger of that name or this chain under another name; kRefused if the file was being
//           moved to another address; kStorage if the file or the server cannot be locked or
//           written; kBadText or kBadParameter if `file` looks like a URL.
// Proof     proofs/accounting.md#move
LedgerContents move_ledger(const std::filesystem::path& file, const LedgerAddress& to);

}  // namespace lastbit
