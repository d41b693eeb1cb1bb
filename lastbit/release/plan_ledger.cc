#include "lastbit/release/plan_ledger.h"

#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/release/run.h"

namespace lastbit {

std::optional<Ledger> find_ledger(const ReleasePlan& plan, Ledger::Access access) {
  const auto path = ledger_path(plan);
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
  return Ledger::open(path, access);
}

ReleasePlan redirect_to_ledger(ReleasePlan plan,
                               const std::optional<std::filesystem::path>& ledger) {
  if (ledger) plan.ledger = std::filesystem::absolute(*ledger).string();
  const auto found = find_ledger(plan, Ledger::Access::kRead);
  if (!found) return plan;
  return plan_for_ledger(std::move(plan), found->budget().left(found->spent()));
}

void require_payable(const ReleasePlan& plan, const Ledger& ledger) {
  try {
    static_cast<void>(ledger.budget().price(plan.cost_for(ledger.budget().kind())));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kMismatch) throw;
    throw Error(ErrorCode::kBadInput, ledger_path(plan).string(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit
