// How the answers of a release are output. They are already paid for, so nothing here gives up
// before every way has been tried.
#pragma once

#include <optional>
#include <string>

#include "cli/commands/release_folder.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "lastbit/release/run.h"

namespace lastbit::cli {

// watched: reads the data within `limits`, showing a bar of kProgressSteps steps.
inline constexpr std::uint64_t kProgressSteps = 1000;
ReleaseOptions watched(engine::EngineLimits limits, Progress& progress);

// publish: writes the answers to `out`, as a table or as a JSON document, and into the folder.
// Without a folder the table is complete.
// Fails     a Failure with exit code 74 if one of the places cannot be written, after the other
//           was; if the files cannot, all answers are on `out`. It says that the cost stays spent.
void publish(const ReleasePlan& plan, const Release& release, std::optional<ReleaseFolder>& folder,
             bool json, Sink& out);

// write_paid: writes the answers that an entry of the ledger paid for to `out`.
// Fails     a Failure with exit code 74 that says that the cost stays spent.
void write_paid(const std::string& text, const LedgerEntry& entry, Sink& out);

}  // namespace lastbit::cli
