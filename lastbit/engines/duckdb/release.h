// A release, from a file of statistics and a file of rows: the steps in their order.
//
// Guarantee      the spending is on the disk before the first noisy number exists. What fails
//                before that (a file that cannot be read, a budget that does not suffice) costs
//                nothing; what fails after it stays spent. Whether and how something fails does not
//                depend on a field of a row, except as docs/release-file.md says of sources.
//                Proof: proofs/release.md#order, proofs/engine.md#release
// Left to the caller  that one ledger holds all releases about the same people. Of this the ledger
//                checks the names of the unit and of the data.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/engines/duckdb/source.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {

struct ReleaseOptions {
  engine::EngineLimits limits = {};
  // Is called from the thread of the release, a few times a second while the data are read and when
  // they were, with the part that is done, from 0 to 1. What it throws ends the release, before
  // anything is spent.
  std::function<void(double)> progress = {};
  // What is said to be meant, where the ledger would refuse it as a likely mistake.
  SpendingIntent intent = {};
};

// source_schema: the columns of the source, names and types, and nothing of a row; for JSON the
// keys of the first object (docs/release-file.md#source).
// Fails  kBadInput for a source that is no readable file of its format.
std::vector<SchemaColumn> source_schema(const ReleaseFile& release);

// plan_file: reads the release file and the schema of its source, and plans. No row is looked at
// and no ledger opened.
ReleasePlan plan_file(const std::filesystem::path& release_file);

// ledger_path: where the plan's ledger is. Paths in a release file start from its folder.
std::filesystem::path ledger_path(const ReleasePlan& plan);

// spending_of: what a ledger that counts in `kind` is to book. The unit is "row" or "column NAME";
// the data has the name that the file gives it, or else that of the source's file (and table).
// Nothing of it depends on what the source holds.
// Fails  as ReleasePlan::cost_for.
Spending spending_of(const ReleasePlan& plan, LossKind kind);

// ExactAnswers: those of the engine to each aggregation of a plan. They are private.
using ExactAnswers = std::vector<std::vector<GroupAnswer>>;

// aggregate_source: what the plan's aggregations are for its source, with one secret key that is
// drawn from `bits` and forgotten.
// Fails  kBadInput for a source that cannot be read as declared, has too many rows for the plan, or
//        changes meanwhile.
ExactAnswers aggregate_source(const ReleasePlan& plan, BitSource& bits,
                              const ReleaseOptions& options);

struct Release {
  LedgerEntry entry;  // as it was booked
  // Whether the ledger could note that the release ended. It counts the spending all the same.
  bool completed = false;
  Cost left;  // of the ledger's cap, after this entry
  std::vector<StatisticAnswers> answers;
};

// run_release: checks that the ledger is whole and allows the spending, aggregates, spends, draws
// the noise, and notes the end in the ledger. `before_spending` is called when everything else is
// ready; what it throws costs nothing.
// Fails  kBadInput where the ledger is damaged; kBudget where it has too little left; kRefused
//        where it is about another unit or other data, or holds this plan already, and the options
//        do not say that this is meant: both before any row is read, if the ledger was so then;
//        kMismatch where it counts losses of another kind; what aggregate_source and the ledger
//        say.
Release run_release(const ReleasePlan& plan, Ledger& ledger, BitSource& bits,
                    const ReleaseOptions& options,
                    const std::function<void()>& before_spending = {});

}  // namespace lastbit
