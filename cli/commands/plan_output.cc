#include "cli/commands/plan_output.h"

#include <optional>
#include <utility>

#include "cli/commands/release_ledger.h"
#include "cli/terminal/exit_code.h"
#include "lastbit/base/error.h"

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

int exit_code_of(const report::PlanReport& report) {
  if (!report.ledger || would_pay(report)) return kExitOk;
  const auto& [budget, spent, refusal] = *report.ledger;
  if (refusal) return kExitViolation;
  try {
    static_cast<void>(budget.price(report.plan.cost_for(budget.kind())));
    return kExitViolation;
  } catch (const Error&) {  // another kind of loss, as would_pay found
    return kExitBadInput;
  }
}

}  // namespace lastbit::cli
