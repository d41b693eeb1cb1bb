#include "lastbit/report/release/plan_position.h"

#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/plan_ledger.h"

namespace lastbit::report {

PlanReport report_plan(ReleasePlan plan, const SpendingIntent& intent, const Integer& rows) {
  std::optional<LedgerPosition> position;
  if (const auto ledger = find_ledger(plan, Ledger::Access::kRead)) {
    position =
        LedgerPosition{ledger->budget(), ledger->spent(), find_refusal(plan, *ledger, intent)};
  }
  return plan_report(std::move(plan), std::move(position), rows);
}

bool would_pay(const PlanReport& report) {
  if (!report.ledger) return true;
  const auto& [budget, spent, refusal] = *report.ledger;
  if (refusal) return false;
  try {
    return budget.after(spent, report.plan.cost_for(budget.kind())).has_value();
  } catch (const Error& error) {
    const bool another_kind =
        error.code() == ErrorCode::kMismatch || error.code() == ErrorCode::kBadInput;
    if (!another_kind) throw;
    return false;  // it counts another kind of loss, as the plan says
  }
}

}  // namespace lastbit::report
