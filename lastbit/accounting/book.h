// Booking and drawing in the right order, in one call.
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
  // Whether the ledger could note that the release ended. It counts the spending all the same.
  bool completed = false;
};

// note_end: notes in the ledger that the release of this entry ended; false where it cannot. The
// answers are there and paid for: they are not thrown away because their end cannot be noted.
bool note_end(Ledger& ledger, std::int64_t entry);

// book_then
// Spends, calls `draw`, and notes in the ledger that it ended.
// Requires  typed: `draw` takes nothing and returns a value.  caller: `draw` costs no more than the
//           spending says; noise is drawn inside of it only, by nothing that it returns and by
//           nothing that ran before.
// Ensures   `draw` is called once, after the spending is on the disk, or never.
// Fails     as Ledger::spend; then `draw` was not called. With whatever `draw` throws; then the
//           spending stays, and the ledger does not say that the release ended.
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
