// How the answers of a release come out. They are paid for when this begins, so that nothing here
// gives up before every way was tried.
#pragma once

#include <optional>

#include "cli/commands/release_folder.h"
#include "cli/terminal/output.h"
#include "cli/terminal/progress.h"
#include "lastbit/release/run.h"

namespace lastbit::cli {

// watched: reads the data within `limits`, with a bar of kProgressSteps steps.
inline constexpr std::uint64_t kProgressSteps = 1000;
ReleaseOptions watched(engine::EngineLimits limits, Progress& progress);

// publish: the answers on `out`, as a table or as a JSON document, and in the folder. Without a
// folder the table is whole.
// Fails     a Failure of exit code 74 where one of the places cannot be written, after the other was;
//           where the files cannot, all answers are on `out`. It says that the spending stays.
void publish(const ReleasePlan& plan, const Release& release, std::optional<ReleaseFolder>& folder,
             bool json, Sink& out);

}  // namespace lastbit::cli
