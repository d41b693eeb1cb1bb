// Interruption: a signal that asks the program to end is answered when everything is cleaned up.
//
// While private rows lie in a folder for what does not fit the memory, ending at once would leave them
// there. So the signal is noted, and whoever works looks for it now and then.
#pragma once

#include <csignal>

namespace lastbit::cli {

// Interrupted: thrown through the work, which cleans up after itself.
struct Interrupted {
  int signal;
};

// From its making to release(), SIGINT, SIGTERM and SIGHUP are noted; a second one ends the program
// as ever. Ignored signals stay ignored. One at a time, in one thread.
class Interruption {
 public:
  Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption();

  // check: throws Interrupted where a signal came.
  void check() const;
  // release: gives signals back the meaning that they had before.
  void release();
};

// end_by: ends the program by this signal, as if it had never been noted.
[[noreturn]] void end_by(const Interrupted& interrupted);

}  // namespace lastbit::cli
