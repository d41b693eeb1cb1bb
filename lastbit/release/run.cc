#include "lastbit/release/run.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "lastbit/accounting/book.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/plan/shares/choose_accounting.h"

namespace lastbit {
namespace {

std::filesystem::path beside(const ReleaseFile& release, const std::string& path) {
  return std::filesystem::path(release.filename).parent_path() / path;
}

// The text itself if it fits on one line, otherwise with escapes.
std::string in_one_line(const std::string& text) {
  std::string safe = quote(text, text.size());
  return safe.size() == text.size() + 2 ? text : safe;
}

// A derived column is named by what it is derived from: under one name there can be many.
std::string unit_name(const ReleaseFile& release) {
  const auto* id = std::get_if<IdUnit>(&release.unit);
  if (id == nullptr) return "row";
  const Derivation* derived = release.find_derived(id->column.value);
  if (derived == nullptr) return in_one_line("column " + id->column.value);
  return in_one_line("column " + canonical_text(meaning_of(derived->expression)));
}

// The folder is left out: data that was moved is the same data.
std::string data_name(const Source& source) {
  if (!source.name.empty()) return in_one_line(source.name);
  if (source.format.value == SourceFormat::kPostgres) return in_one_line(written_path(source));
  std::string file = std::filesystem::path(source.path.value).filename().string();
  for (const auto& path : source.more_paths) {
    file += ", " + std::filesystem::path(path.value).filename().string();
  }
  return in_one_line(source.table ? fmt::format("{}: {}", file, source.table->value) : file);
}

// A ledger that was tampered with may have forgotten what was spent, so nothing more is spent from
// it.
void require_whole(const ReleasePlan& plan, const Ledger& ledger) {
  const std::optional<LedgerDamage> damage = ledger.verify().damage;
  if (!damage) return;
  throw Error(ErrorCode::kBadInput, quote(ledger_address(plan).text(), 300),
              "the ledger is damaged: " + damage->problem,
              "put back a copy that `lastbit ledger verify` accepts; nothing was read or spent");
}

// with_other_accounting: the error, with a remedy that names an accounting that the ledger can pay.
Error with_other_accounting(const Error& error, const ReleasePlan& plan, const Cost& left) {
  const auto& written = plan.release.budget.accounting;
  if (!written || plan.release.budget.cap.value.kind() != LossKind::kApproximate) return error;
  ReleaseFile open = plan.release;
  open.budget.accounting.reset();
  try {
    const ReleasePlan other = plan_release(open, left);
    if (!release_internal::fits_into(other.cost, other.converted, left)) return error;
    const std::string remedy =
        other.mixed ? "remove `accounting` from the budget"
                    : fmt::format("write accounting = \"{}\" in the budget, or remove it",
                                  accounting_name(other.accounting));
    return Error(error.code(), error.place(), error.problem(),
                 remedy + ": the ledger can pay that");
  } catch (const Error&) {
    return error;
  }
}

}  // namespace

ReleasePlan plan_file(const std::filesystem::path& release_file, const Engine& engine) {
  const ReadSchema schema = schema_reader(engine);
  ReleaseFile release = read_release(release_file, public_reader(engine), schema);
  const std::vector<SchemaColumn> columns = schema(release);
  return plan_release(check_against_schema(std::move(release), columns));
}

ReleasePlan plan_for_ledger(ReleasePlan plan, const Cost& left) {
  const auto payable = [&](const ReleasePlan& one) {
    return release_internal::fits_into(one.mixed ? one.cost_for(left.kind()) : one.cost,
                                       one.converted, left);
  };
  const bool open = plan.release.budget.cap.value.kind() == LossKind::kApproximate;
  if (!open || payable(plan)) return plan;
  ReleasePlan other = plan_release(plan.release, left);
  if (!payable(other) && left.kind() != LossKind::kPure) return plan;
  other.ledger = std::move(plan.ledger);
  return other;
}

std::filesystem::path source_path(const ReleaseFile& release) {
  return beside(release, release.source.path.value);
}

LedgerAddress ledger_address(const ReleasePlan& plan) {
  return LedgerAddress::parse(plan.ledger,
                              std::filesystem::path(plan.release.filename).parent_path());
}

Spending spending_of(const ReleasePlan& plan, LossKind kind) {
  const std::string file = std::filesystem::path(plan.release.filename).filename().string();
  const std::size_t count = plan.statistics.size();
  return {.cost = plan.cost_for(kind),
          .plan = plan.digest,
          .data = data_name(plan.release.source),
          .unit = unit_name(plan.release),
          .description =
              fmt::format("{}: {} statistic{}", quote(file, 200), count, count == 1 ? "" : "s"),
          .mechanisms = plan.mechanisms};
}

std::optional<Error> find_refusal(const ReleasePlan& plan, const Ledger& ledger,
                                  const SpendingIntent& intent) {
  try {
    ledger.require_allowed(spending_of(plan, ledger.budget().kind()), intent);
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kRefused) return error;
    const bool cannot_pay = error.code() == ErrorCode::kBudget ||
                            error.code() == ErrorCode::kMismatch ||
                            error.code() == ErrorCode::kBadInput;
    if (!cannot_pay) throw;
    return std::nullopt;
  }
}

ExactAnswers aggregate_source(const ReleasePlan& plan, const Engine& engine, BitSource& bits,
                              const ReleaseOptions& options) {
  for (const Aggregation& aggregation : plan.aggregations) check_aggregation(aggregation);
  const auto key = engine::SecretKey::draw(bits);
  return engine.aggregate(plan.release, plan.aggregations, key, options.limits, options.progress);
}

PreparedRelease prepare_release(const ReleasePlan& plan, const Engine& engine, const Ledger& ledger,
                                BitSource& bits, const ReleaseOptions& options) {
  const Spending spending = spending_of(plan, ledger.budget().kind());
  require_whole(plan, ledger);
  // The spending would be refused anyway; this refuses it before the rows are read.
  try {
    ledger.require_allowed(spending, options.intent);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kBudget) throw;
    throw with_other_accounting(error, plan, ledger.budget().left(ledger.spent()));
  }
  return {plan, options.intent, aggregate_source(plan, engine, bits, options)};
}

BookedRelease::BookedRelease(PreparedRelease prepared, Ledger& ledger)
    : prepared_(std::move(prepared)),
      ledger_(ledger),
      entry_(
          ledger.spend(spending_of(prepared_.plan_, ledger.budget().kind()), prepared_.intent_)) {}

Release BookedRelease::answer(BitSource& bits) && {
  std::vector<StatisticAnswers> answers = release_answers(prepared_.plan_, prepared_.exact_, bits);
  const bool completed = note_end(ledger_, entry_.id);
  Cost left = ledger_.budget().left(entry_.total);
  return {std::move(entry_), completed, std::move(left), std::move(answers)};
}

Release run_release(const ReleasePlan& plan, const Engine& engine, Ledger& ledger, BitSource& bits,
                    const ReleaseOptions& options) {
  return BookedRelease(prepare_release(plan, engine, ledger, bits, options), ledger).answer(bits);
}

}  // namespace lastbit
