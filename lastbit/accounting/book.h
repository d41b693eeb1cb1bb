// Books a cost and then draws, in the right order, in one call.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "lastbit/accounting/ledger.h"

namespace lastbit {

// Booked: what was drawn, and the entry that pays for it.
template <class Value>
struct Booked {
  Value value;
  LedgerEntry entry;  // as it was booked
  // Whether the ledger could record that the release ended. The cost counts in any case.
  bool completed = false;
};

// note_end: records in the ledger that the release of this entry ended; false if it cannot. The
// answers exist and are paid for, so they are not discarded because this fails.
bool note_end(Ledger& ledger, std::int64_t entry);

// book_then
// Spends, calls `draw`, and records in the ledger that it ended.
// Requires  typed: `draw` takes nothing and returns a value.  caller: `draw` costs no more than the
//           spending says; noise is drawn only inside it, not by what it returns and not by
//           anything that ran before.
// Ensures   `draw` is called once, after the cost is on disk, or never.
// Fails     as Ledger::spend; then `draw` was not called. With whatever `draw` throws; then the
//           cost stays booked, and the ledger does not say that the release ended.
// Proof     proofs/accounting.md#write-ahead
template <std::invocable Draw>
  requires(!std::is_void_v<std::invoke_result_t<Draw>>)
Booked<std::remove_cvref_t<std::invoke_result_t<Draw>>> book_then(
    Ledger& ledger, const Spending& spending, Draw&& draw, const SpendingIntent& intent = {}) {
  LedgerEntry entry = ledger.spend(spending, intent);
  std::remove_cvref_t<std::invoke_result_t<Draw>> value = std::invoke(std::forward<Draw>(draw));
  const bool completed = note_end(ledger, entry.id);
  return {std::move(value), std::move(entry), completed};
}

}  // namespace lastbit
