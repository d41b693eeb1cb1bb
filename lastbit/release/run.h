// A release, from a release file and a source of rows: plan → prepare → book → answer.
//
// Guarantee      the spending is on disk before the first noisy number exists. A failure before
//                that (an unreadable file, too small a budget) costs nothing; after a later failure
//                the cost stays spent. Whether and how something fails does not depend on any field
//                of a row, except as docs/release-file.md says about sources. The types enforce the
//                order: only a booked release can be answered, and only a prepared one booked.
//                Proof: proofs/release.md#order, proofs/engine.md#release
// Left to the caller  that one ledger holds all releases about the same people. The ledger checks
//                     only the names of the unit and of the data.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "lastbit/accounting/ledger.h"
#include "lastbit/random/bit_source.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/plan/plan.h"

namespace lastbit {

struct ReleaseOptions {
  engine::EngineLimits limits = {};
  // Called a few times a second while the data is read, and once at the end. An exception that it
  // throws ends the release, before anything is spent.
  engine::Progress progress = {};
  // What the caller says is intended, where the ledger would refuse it as a likely mistake.
  SpendingIntent intent = {};
};

// plan_file: reads the release file and the schema of its source, and plans. It reads no row and
// opens no ledger.
ReleasePlan plan_file(const std::filesystem::path& release_file, const Engine& engine);

// plan_for_ledger: the plan itself, or another one of the same file, with the same digest, where a
// ledger that has this much left cannot pay the plan and there is one that it can.
ReleasePlan plan_for_ledger(ReleasePlan plan, const Cost& left);

// source_path, ledger_address: where the source of a release and the ledger of a plan are. Paths in
// a release file start from its folder.
std::filesystem::path source_path(const ReleaseFile& release);
LedgerAddress ledger_address(const ReleasePlan& plan);

// spending_of: what to book in a ledger that counts in `kind`. The unit is "row" or "column NAME";
// the data has the name given in the file, otherwise that of the source's file (and table). None of
// this depends on what the source holds.
// Fails  as ReleasePlan::cost_for.
Spending spending_of(const ReleasePlan& plan, LossKind kind);

// find_refusal: the kRefused Error with which a release would end; nothing if it would not, or if
// the ledger cannot pay it anyway.
std::optional<Error> find_refusal(const ReleasePlan& plan, const Ledger& ledger,
                                  const SpendingIntent& intent);

// aggregate_source: the plan's aggregations of its source, with one secret key that is drawn from
// `bits` and forgotten.
// Fails  as Engine::aggregate.
ExactAnswers aggregate_source(const ReleasePlan& plan, const Engine& engine, BitSource& bits,
                              const ReleaseOptions& options);

// PreparedRelease: everything that noise will be added to is known, and nothing is spent. A dry run
// ends here. What it holds is private, and only BookedRelease uses it.
class PreparedRelease {
 public:
  const ReleasePlan& plan() const { return plan_; }

 private:
  PreparedRelease(ReleasePlan plan, SpendingIntent intent, ExactAnswers exact)
      : plan_(std::move(plan)), intent_(intent), exact_(std::move(exact)) {}

  ReleasePlan plan_;
  SpendingIntent intent_;
  ExactAnswers exact_;

  friend PreparedRelease prepare_release(const ReleasePlan&, const Engine&, const Ledger&,
                                         BitSource&, const ReleaseOptions&);
  friend class BookedRelease;
};

// prepare_release: checks that the ledger is whole and allows the spending, then aggregates.
// Fails  kBadInput if the ledger is damaged; kBudget if it has too little left; kRefused if it is
//        about another unit or other data, or already holds this plan, and the options do not say
//        that this is intended; kMismatch if it counts losses of another kind; all of these before
//        any row is read. Then as Engine::aggregate.
PreparedRelease prepare_release(const ReleasePlan& plan, const Engine& engine, const Ledger& ledger,
                                BitSource& bits, const ReleaseOptions& options);

struct Release {
  LedgerEntry entry;  // as it was booked
  // Whether the ledger could record that the release ended. It counts the spending in either case.
  bool completed = false;
  Cost left;  // of the ledger's cap, after this entry
  std::vector<StatisticAnswers> answers;
};

// BookedRelease: the spending is on disk, and there are no answers yet.
class BookedRelease {
 public:
  // Fails  as Ledger::spend; then nothing is spent.
  BookedRelease(PreparedRelease prepared, Ledger& ledger);

  // answer: draws the noise and records the end in the ledger. Call it once: noise drawn a second
  // time would not be paid for.
  Release answer(BitSource& bits) &&;

 private:
  PreparedRelease prepared_;
  Ledger& ledger_;
  LedgerEntry entry_;
};

// run_release: prepares, books and answers.
Release run_release(const ReleasePlan& plan, const Engine& engine, Ledger& ledger, BitSource& bits,
                    const ReleaseOptions& options);

}  // namespace lastbit
