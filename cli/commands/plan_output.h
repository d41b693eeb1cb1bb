// What a ledger says about a plan, for the commands that show plans.
#pragma once

#include <cstdint>

#include "lastbit/report/release/plan_report.h"

namespace lastbit::cli {

// kMostPlannedRows: the largest --rows.
inline constexpr std::uint64_t kMostPlannedRows = 1'000'000'000'000;

// exit_code_of: as the release would end: kExitOk if it would be paid for, kExitViolation if the
// ledger would refuse, kExitBadInput if it counts losses of another kind.
int exit_code_of(const report::PlanReport& report);

}  // namespace lastbit::cli
