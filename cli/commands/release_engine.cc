#include "cli/commands/release_engine.h"

#include <functional>

#include "cli/terminal/interruption.h"

namespace lastbit::cli {

#ifdef LASTBIT_DUCKDB

ReleasePlan planned_release(const std::filesystem::path& file) { return plan_file(file); }

std::vector<SchemaColumn> columns_of_source(const ReleaseFile& release) {
  return source_schema(release);
}

std::filesystem::path ledger_of(const ReleasePlan& plan) { return ledger_path(plan); }

std::optional<Error> refusal_of(const ReleasePlan& plan, const Ledger& ledger,
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

namespace {

// run_interruptibly: signals are noted up to the spending; what comes after it is too short to
// wait.
Release run_interruptibly(const ReleasePlan& plan, Ledger& ledger, const ReleaseOptions& options,
                          const std::function<void()>& before_spending) {
  Interruption interruption;
  ReleaseOptions watched = options;
  watched.progress = [&](double part) {
    interruption.check();
    if (options.progress) options.progress(part);
  };
  return run_release(plan, ledger, thread_bit_source(), watched, [&] {
    interruption.check();
    interruption.release();
    before_spending();
  });
}

}  // namespace

void rehearse(const ReleasePlan& plan, Ledger& ledger, const ReleaseOptions& options) {
  struct Ready {};
  try {
    run_interruptibly(plan, ledger, options, [] { throw Ready{}; });
  } catch (const Ready&) {  // where a release would begin to spend
    return;
  }
  throw Error(ErrorCode::kInternal, plan.release.filename, "a rehearsal went too far",
              "this is a bug; the ledger shows what was spent");
}

Release release_now(const ReleasePlan& plan, Ledger& ledger, const ReleaseOptions& options) {
  return run_interruptibly(plan, ledger, options, [] {});
}

#else

namespace {

[[noreturn]] void refuse(const std::string& place) {
  throw Error(ErrorCode::kNotSupported, place, "this build of lastbit reads no files",
              "build it with DuckDB, which ./run build fetches");
}

}  // namespace

ReleasePlan planned_release(const std::filesystem::path& file) { refuse(file.string()); }

std::vector<SchemaColumn> columns_of_source(const ReleaseFile& release) {
  refuse(release.source.path.value);
}

std::filesystem::path ledger_of(const ReleasePlan& plan) { refuse(plan.release.filename); }

std::optional<Error> refusal_of(const ReleasePlan& plan, const Ledger& /*ledger*/,
                                const SpendingIntent& /*intent*/) {
  refuse(plan.release.filename);
}

void rehearse(const ReleasePlan& plan, Ledger& /*ledger*/, const ReleaseOptions& /*options*/) {
  refuse(plan.release.filename);
}

Release release_now(const ReleasePlan& plan, Ledger& /*ledger*/,
                    const ReleaseOptions& /*options*/) {
  refuse(plan.release.filename);
}

#endif

}  // namespace lastbit::cli
