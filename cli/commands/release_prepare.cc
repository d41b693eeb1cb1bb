#include "cli/commands/release_prepare.h"

#include "cli/terminal/interruption.h"
#include "lastbit/engines/engines.h"

namespace lastbit::cli {

PreparedRelease prepare_with_signals(const ReleasePlan& plan, const Ledger& ledger,
                                     const ReleaseOptions& options) {
  Interruption interruption;
  ReleaseOptions watched = options;
  watched.progress = [&](double part) {
    interruption.check();
    if (options.progress) options.progress(part);
  };
  PreparedRelease prepared =
      prepare_release(plan, engine_for_files(), ledger, thread_bit_source(), watched);
  // Booking and noise, which come next, are too short to be interrupted.
  interruption.check();
  interruption.release();
  return prepared;
}

}  // namespace lastbit::cli
