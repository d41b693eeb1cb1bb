// WhileWaiting: what a thread does while its ledgers wait for a lock or a server.
#pragma once

#include <functional>

namespace lastbit {

// Ensures   as long as this lives, `check` is called at least three times a second while a ledger
//           of this thread waits for others or for a server. What it throws ends the wait and comes
//           out of the ledger's function; then nothing was booked.
//           A newer one of the same thread takes its place while that lives; with an empty `check`,
//           nothing ends the wait. The wait for the reply to a booking, and that of complete(), are
//           never ended: the release is paid for.
// Requires  caller: they are destroyed in the reverse order, in the thread that made them.
class WhileWaiting {
 public:
  explicit WhileWaiting(std::function<void()> check);
  WhileWaiting(const WhileWaiting&) = delete;
  WhileWaiting& operator=(const WhileWaiting&) = delete;
  ~WhileWaiting();

  // look: calls the check of the newest one of this thread.
  static void look();

 private:
  std::function<void()> check_;
  const WhileWaiting* older_;
};

}  // namespace lastbit
