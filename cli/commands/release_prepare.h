// Preparing a release from the command line, where a person may interrupt it.
#pragma once

#include "lastbit/release/inspect/inspect.h"
#include "lastbit/release/run.h"

namespace lastbit::cli {

// prepare_with_signals: prepare_release with the engine for files and the secure bits of this
// thread. SIGINT, SIGTERM and SIGHUP while the data is read end it with Interrupted, leaving no
// trace.
PreparedRelease prepare_with_signals(const ReleasePlan& plan, const Ledger& ledger,
                                     const ReleaseOptions& options);

// inspect_with_signals: inspect_release in the same way, within the limits of the options.
Inspection inspect_with_signals(const ReleasePlan& plan, const ReleaseOptions& options);

}  // namespace lastbit::cli
