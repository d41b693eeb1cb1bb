// What a ledger says about a plan.
#pragma once

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::report {

// report_plan: the plan, with the position of its ledger if there is one.
PlanReport report_plan(ReleasePlan plan, const SpendingIntent& intent, const Integer& rows);

// would_pay: whether the ledger would pay; one that is still to be made will.
bool would_pay(const PlanReport& report);

}  // namespace lastbit::report
