#include "cli/commands/plan_output.h"

#include "cli/terminal/exit_code.h"
#include "lastbit/base/error.h"
#include "lastbit/report/release/plan_position.h"

namespace lastbit::cli {

using report::would_pay;

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
