#include "lastbit/accounting/book.h"

#include "lastbit/base/error.h"

namespace lastbit {

bool note_end(Ledger& ledger, std::int64_t entry) {
  try {
    ledger.complete(entry);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace lastbit
