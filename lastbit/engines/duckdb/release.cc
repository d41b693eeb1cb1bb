#include "lastbit/engines/duckdb/release.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/query/parse_release.h"

namespace lastbit {
namespace {

std::string unit_text(const PrivacyUnit& unit) {
  const auto* id = std::get_if<IdUnit>(&unit);
  if (id == nullptr) return "one row";
  const std::string rows =
      fmt::format("{} ({} rows a group", quoted(id->column.value, 200), id->max_rows_per_group);
  return id->max_groups ? fmt::format("{}, {} groups)", rows, *id->max_groups) : rows + ")";
}

// What the ledger is to remember. Names are quoted, since it takes one line of text.
Spending spending_of(const ReleasePlan& plan, Cost cost) {
  const std::string file = std::filesystem::path(plan.release.filename).filename().string();
  const std::size_t count = plan.statistics.size();
  return {.cost = std::move(cost),
          .plan = plan.digest,
          .data = plan.release.source.name,
          .description = fmt::format("{}: {} statistic{}, unit: {}", quoted(file, 200), count,
                                     count == 1 ? "" : "s", unit_text(plan.release.unit)),
          .mechanisms = plan.mechanisms};
}

// A ledger that was changed may have forgotten what was spent, so nothing more is spent from it.
void require_whole(const ReleasePlan& plan, const Ledger& ledger) {
  const std::optional<LedgerDamage> damage = ledger.verify().damage;
  if (!damage) return;
  throw Error(ErrorCode::kBadInput, quoted(ledger_path(plan.release).string(), 200),
              "the ledger is damaged: " + damage->problem,
              "put back a copy that `lastbit ledger verify` accepts; nothing was read or spent");
}

// The ledger would refuse the spending anyway; this is before the rows are read.
void require_left(const ReleasePlan& plan, const Ledger& ledger, const Cost& cost) {
  const Budget& budget = ledger.budget();
  const Cost spent = ledger.spent();
  if (budget.after(spent, cost)) return;
  throw Error(ErrorCode::kBudget, quoted(ledger_path(plan.release).string(), 200),
              fmt::format("{} is asked for, and {} is left of {}", budget.price(cost).to_string(),
                          budget.left(spent).to_string(), budget.cap().to_string()),
              "ask for less in the release file; nothing was read or spent");
}

// The answers are there and paid for: they are not thrown away because their end cannot be noted.
bool note_end(Ledger& ledger, std::int64_t id) {
  try {
    ledger.complete(id);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

ReleasePlan plan_file(const std::filesystem::path& release_file) {
  ReleaseFile release = read_release(release_file);
  const std::vector<SchemaColumn> columns = source_schema(release);
  return plan_release(check_against_schema(std::move(release), columns));
}

Release run_release(const ReleasePlan& plan, Ledger& ledger, BitSource& bits,
                    const ReleaseOptions& options, const std::function<void()>& before_spending) {
  const Cost cost = plan.cost_for(ledger.budget().kind());
  require_whole(plan, ledger);
  require_left(plan, ledger, cost);
  const ExactAnswers exact = aggregate_source(plan, bits, options);
  if (before_spending) before_spending();
  LedgerEntry entry = ledger.spend(spending_of(plan, cost));
  std::vector<StatisticAnswers> answers = release_answers(plan, exact, bits);
  const bool completed = note_end(ledger, entry.id);
  Cost left = ledger.budget().left(entry.total);
  return {std::move(entry), completed, std::move(left), std::move(answers)};
}

}  // namespace lastbit
