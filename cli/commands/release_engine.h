// The engine behind init, plan, release and demo. A build without DuckDB has none: there everything
// here is a kNotSupported Error.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/release.h"

namespace lastbit::cli {

// planned_release: plan_file. columns_of_source: source_schema. Neither looks at a row.
ReleasePlan planned_release(const std::filesystem::path& file);
std::vector<SchemaColumn> columns_of_source(const ReleaseFile& release);

// ledger_of: ledger_path.
std::filesystem::path ledger_of(const ReleasePlan& plan);

// refusal_of: the kRefused Error that a release would end with, if the ledger can pay it.
std::optional<Error> refusal_of(const ReleasePlan& plan, const Ledger& ledger,
                                const SpendingIntent& intent);

// release_now: run_release, with the secure bits of this thread; SIGINT, SIGTERM and SIGHUP while
// the data are read end it with Interrupted, without a trace.
// rehearse: the same up to the moment before the spending.
void rehearse(const ReleasePlan& plan, Ledger& ledger, const ReleaseOptions& options);
Release release_now(const ReleasePlan& plan, Ledger& ledger, const ReleaseOptions& options);

}  // namespace lastbit::cli
