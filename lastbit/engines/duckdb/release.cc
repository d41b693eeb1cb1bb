#include "lastbit/engines/duckdb/release.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_release.h"

namespace lastbit {
namespace {

// The text itself where it can stand in one line, else with escapes.
std::string in_one_line(const std::string& text) {
  std::string safe = quoted(text, text.size());
  return safe.size() == text.size() + 2 ? text : safe;
}

std::string unit_name(const PrivacyUnit& unit) {
  const auto* id = std::get_if<IdUnit>(&unit);
  return id == nullptr ? "row" : in_one_line("column " + id->column.value);
}

// The folder is left out: data that moves is the same data.
std::string data_name(const Source& source) {
  if (!source.name.empty()) return in_one_line(source.name);
  const std::string file = std::filesystem::path(source.path.value).filename().string();
  return in_one_line(source.table ? fmt::format("{}: {}", file, source.table->value) : file);
}

// A ledger that was changed may have forgotten what was spent, so nothing more is spent from it.
void require_whole(const ReleasePlan& plan, const Ledger& ledger) {
  const std::optional<LedgerDamage> damage = ledger.verify().damage;
  if (!damage) return;
  throw Error(ErrorCode::kBadInput, quoted(ledger_path(plan).string(), 200),
              "the ledger is damaged: " + damage->problem,
              "put back a copy that `lastbit ledger verify` accepts; nothing was read or spent");
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

Spending spending_of(const ReleasePlan& plan, LossKind kind) {
  const std::string file = std::filesystem::path(plan.release.filename).filename().string();
  const std::size_t count = plan.statistics.size();
  return {.cost = plan.cost_for(kind),
          .plan = plan.digest,
          .data = data_name(plan.release.source),
          .unit = unit_name(plan.release.unit),
          .description =
              fmt::format("{}: {} statistic{}", quoted(file, 200), count, count == 1 ? "" : "s"),
          .mechanisms = plan.mechanisms};
}

Release run_release(const ReleasePlan& plan, Ledger& ledger, BitSource& bits,
                    const ReleaseOptions& options, const std::function<void()>& before_spending) {
  const Spending spending = spending_of(plan, ledger.budget().kind());
  require_whole(plan, ledger);
  // The spending would be refused anyway; this is before the rows are read.
  ledger.require_allowed(spending, options.intent);
  const ExactAnswers exact = aggregate_source(plan, bits, options);
  if (before_spending) before_spending();
  LedgerEntry entry = ledger.spend(spending, options.intent);
  std::vector<StatisticAnswers> answers = release_answers(plan, exact, bits);
  const bool completed = note_end(ledger, entry.id);
  Cost left = ledger.budget().left(entry.total);
  return {std::move(entry), completed, std::move(left), std::move(answers)};
}

}  // namespace lastbit
