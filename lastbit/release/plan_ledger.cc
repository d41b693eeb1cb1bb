#include "lastbit/release/plan_ledger.h"

#include <filesystem>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/postgres/address.h"
#include "lastbit/release/run.h"

namespace lastbit {

std::optional<Ledger> find_ledger(const ReleasePlan& plan, Ledger::Access access) {
  return Ledger::find(ledger_address(plan), access);
}

ReleasePlan redirect_to_ledger(ReleasePlan plan, const std::optional<std::string>& ledger) {
  if (ledger) plan.ledger = LedgerAddress::parse(*ledger, std::filesystem::current_path()).text();
  const auto found = find_ledger(plan, Ledger::Access::kRead);
  if (!found) return plan;
  return plan_for_ledger(std::move(plan), found->budget().left(found->spent()));
}

std::string published_ledger(const ReleasePlan& plan) {
  return postgres::is_address(plan.ledger) ? LedgerAddress(plan.ledger).public_text() : plan.ledger;
}

void require_payable(const ReleasePlan& plan, const Ledger& ledger) {
  try {
    static_cast<void>(ledger.budget().price(plan.cost_for(ledger.budget().kind())));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kMismatch) throw;
    throw Error(ErrorCode::kBadInput, ledger_address(plan).text(), error.problem(), error.remedy());
  }
}

}  // namespace lastbit
