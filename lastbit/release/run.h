// A release, from a file of statistics and a source of rows: plan → prepare → book → answer.
//
// Guarantee      the spending is on the disk before the first noisy number exists. What fails
//                before that (a file that cannot be read, a budget that does not suffice) costs
//                nothing; what fails after it stays spent. Whether and how something fails does not
//                depend on a field of a row, except as docs/release-file.md says of sources. The
//                types keep the order: answers are made of a booked release only, and a release is
//                booked once it is prepared. Proof: proofs/release.md#order, proofs/engine.md#release
// Left to the caller  that one ledger holds all releases about the same people. Of this the ledger
//                checks the names of the unit and of the data.
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
  // Is called a few times a second while the data are read, and when they were. What it throws ends
  // the release, before anything is spent.
  engine::Progress progress = {};
  // What is said to be meant, where the ledger would refuse it as a likely mistake.
  SpendingIntent intent = {};
};

// plan_file: reads the release file and the schema of its source, and plans. No row is looked at
// and no ledger opened.
ReleasePlan plan_file(const std::filesystem::path& release_file, const Engine& engine);

// source_path, ledger_path: where the source of a release and the ledger of a plan are. Paths in a
// release file start from its folder.
std::filesystem::path source_path(const ReleaseFile& release);
std::filesystem::path ledger_path(const ReleasePlan& plan);

// spending_of: what a ledger that counts in `kind` is to book. The unit is "row" or "column NAME";
// the data has the name that the file gives it, or else that of the source's file (and table).
// Nothing of it depends on what the source holds.
// Fails  as ReleasePlan::cost_for.
Spending spending_of(const ReleasePlan& plan, LossKind kind);

// find_refusal: the kRefused Error that a release would end with; nothing where it would not, or
// where the ledger cannot pay it anyway.
std::optional<Error> find_refusal(const ReleasePlan& plan, const Ledger& ledger,
                                  const SpendingIntent& intent);

// aggregate_source: what the plan's aggregations are for its source, with one secret key that is
// drawn from `bits` and forgotten.
// Fails  as Engine::aggregate.
ExactAnswers aggregate_source(const ReleasePlan& plan, const Engine& engine, BitSource& bits,
                              const ReleaseOptions& options);

// PreparedRelease: everything is known that the noise will be added to, and nothing is spent. A dry
// run ends here. What it holds is private, and only answer_release takes it out.
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
// Fails  kBadInput where the ledger is damaged; kBudget where it has too little left; kRefused
//        where it is about another unit or other data, or holds this plan already, and the options
//        do not say that this is meant; kMismatch where it counts losses of another kind; all of
//        them before any row is read. Then as Engine::aggregate.
PreparedRelease prepare_release(const ReleasePlan& plan, const Engine& engine, const Ledger& ledger,
                                BitSource& bits, const ReleaseOptions& options);

struct Release {
  LedgerEntry entry;  // as it was booked
  // Whether the ledger could note that the release ended. It counts the spending all the same.
  bool completed = false;
  Cost left;  // of the ledger's cap, after this entry
  std::vector<StatisticAnswers> answers;
};

// BookedRelease: the spending is on the disk, and there are no answers yet.
class BookedRelease {
 public:
  // Fails  as Ledger::spend; then nothing is spent.
  BookedRelease(PreparedRelease prepared, Ledger& ledger);

  // answer: draws the noise and notes the end in the ledger. Call it once: noise that is drawn a
  // second time would not be paid for.
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
