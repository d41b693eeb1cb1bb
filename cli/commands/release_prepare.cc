#include "cli/commands/release_prepare.h"

#include "cli/terminal/interruption.h"
#include "lastbit/engines/engines.h"

namespace lastbit::cli {
namespace {

engine::Progress interruptible(const Interruption& interruption, const ReleaseOptions& options) {
  return [&](double part) {
    interruption.check();
    if (options.progress) options.progress(part);
  };
}

}  // namespace

PreparedRelease prepare_with_signals(const ReleasePlan& plan, const Ledger& ledger,
                                     const ReleaseOptions& options) {
  Interruption interruption;
  ReleaseOptions watched = options;
  watched.progress = interruptible(interruption, options);
  PreparedRelease prepared =
      prepare_release(plan, engine_for_files(), ledger, thread_bit_source(), watched);
  // Booking and noise, which come next, are too short to be interrupted.
  interruption.check();
  interruption.release();
  return prepared;
}

Inspection inspect_with_signals(const ReleasePlan& plan, const ReleaseOptions& options) {
  Interruption interruption;
  Inspection inspection = inspect_release(plan, engine_for_files(), options.limits,
                                          interruptible(interruption, options));
  interruption.check();
  interruption.release();
  return inspection;
}

}  // namespace lastbit::cli
