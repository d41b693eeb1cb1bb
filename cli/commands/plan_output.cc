#include "cli/commands/plan_output.h"

#include <optional>
#include <utility>

#include "cli/commands/release_ledger.h"

namespace lastbit::cli {

report::PlanReport report_plan(ReleasePlan plan, const SpendingIntent& intent,
                               const Integer& rows) {
  std::optional<report::LedgerPosition> position;
  if (const auto ledger = find_ledger(plan, Ledger::Access::kRead)) {
    position = report::LedgerPosition{ledger->budget(), ledger->spent(),
                                      find_refusal(plan, *ledger, intent)};
  }
  return report::plan_report(std::move(plan), std::move(position), rows);
}

bool would_pay(const report::PlanReport& report) {
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

}  // namespace lastbit::cli
