#include "cli/commands/release_ledger.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/release/run.h"
#include "lastbit/report/release/words.h"

namespace lastbit::cli {

namespace {

std::string cap_options(const Cost& cap) {
  switch (cap.kind()) {
    case LossKind::kPure:
      return fmt::format("--epsilon {}", cap.epsilon().to_string());
    case LossKind::kApproximate:
      return fmt::format("--epsilon {} --delta {}", cap.epsilon().to_string(),
                         cap.delta().to_string());
    case LossKind::kConcentrated:
      break;
  }
  const std::string rho = fmt::format("--rho {}", cap.rho().to_string());
  if (cap.delta().sign() == 0) return rho;
  return fmt::format("{} --delta {}", rho, cap.delta().to_string());
}

}  // namespace

LedgerOptions::LedgerOptions(Arguments& parser) : parser_(parser) {
  parser.add_option("--ledger", address_, "Use this ledger instead of the one in the file",
                    "PATH|URL");
  parser.add_flag("--same-people", intent_.same_people,
                  "This unit and data are about the same people as the ledger's others");
  parser.add_flag("--again", intent_.again, "Spend again a plan that the ledger already holds");
}

void LedgerOptions::redirect(ReleasePlan& plan) const {
  std::optional<std::string> address;
  if (parser_.has("--ledger")) {
    if (address_.empty()) {
      throw parser_.wrong("--ledger has no name", "give it the path of a ledger, or leave it out");
    }
    address = address_;
  }
  plan = redirect_to_ledger(std::move(plan), address);
}

std::string suggest_ledger_command(const ReleasePlan& plan) {
  return fmt::format("lastbit ledger init {} {}", shell_text(ledger_address(plan).text()),
                     cap_options(plan.release.budget.cap.value));
}

Ledger require_ledger(const ReleasePlan& plan, Ledger::Access access) {
  auto ledger = find_ledger(plan, access);
  if (ledger) return std::move(*ledger);
  throw Error(ErrorCode::kBadInput, ledger_address(plan).text(), "there is no ledger yet",
              fmt::format("create one for all releases about these people, with the most that they "
                          "may spend together: {}",
                          suggest_ledger_command(plan)));
}

}  // namespace lastbit::cli
