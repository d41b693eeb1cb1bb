// Interruption: delays a signal that asks the program to end until everything is cleaned up.
//
// While private rows lie in a spill folder, ending at once would leave them there. So the signal is
// recorded, and the code that works checks for it now and then.
#pragma once

#include <csignal>

namespace lastbit::cli {

// Interrupted: thrown through the work, which cleans up after itself.
struct Interrupted {
  int signal;
};

// From construction to release(), SIGINT, SIGTERM and SIGHUP are recorded; a second one ends the
// program as usual. Ignored signals stay ignored. One at a time, in one thread.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // check: throws Interrupted if a signal came.
  void check() const;
  // release: restores the previous handling of signals.
  void release();
};

// end_by: ends the program by this signal, as if it had never been caught.
[[noreturn]] void end_by(const Interrupted& interrupted);

}  // namespace lastbit::cli
