// Which tables of a plan count the same rows by different columns, and what they know together. For
// this module only.
//
// All functions    after drawing look at released numbers only, so that they cost nothing.
//                  Proof: proofs/release.md#tables-together, proofs/release.md#cut
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/plan/together/counted_tables.h"

namespace lastbit::release_internal {

// RowCounters: statistics of one aggregation that count the same rows, by their numbers among those
// of the file.
struct RowCounters {
  std::size_t aggregation = 0;
  std::string rows;  // which ones, as rows_in_number says
  std::vector<std::size_t> statistics;
};

struct TablesTogether {
  struct Member {
    std::size_t statistic = 0;  // of the file
    std::size_t table = 0;      // of `counted`
    std::size_t place = 0;      // among the estimates of that table
    // correction: of its numbers; null if they stay as they are. totals: of sums of its numbers, by
    // the columns of `by` that are kept.
    CorrectionPointer correction = nullptr;
    // own_table: it learns only from statistics of its own table, because the law of all noises
    // would take long, and the number of rows matters little for its answers.
    bool own_table = false;
    std::map<std::vector<std::size_t>, CorrectionPointer> totals = {};
  };
  CountedTables counted;
  std::vector<GroupColumns> keys;     // of each factor
  std::vector<std::string> complete;  // the columns of the factors that some tables lack
  std::vector<std::string> promised;  // those of them for which the file promises it
  std::vector<Member> members;        // in the order of the tables
};

// learning_loses: whether the statistic states an error for all data, and this correction would
// make it larger. The mean of two noises has a smaller variance, but not at every confidence a
// smaller error, and averages of counts are rounded.
bool learning_loses(const PlannedStatistic& planned, const CorrectionPointer& correction);

// find_tables: takes statistics that learn from each other's tables out of `counters`.
// Ensures   each error that is stated for all data would be no larger with its correction.
// Limits    at most 16 tables learn from each other, and no more than what takes about a second.
std::vector<std::shared_ptr<const TablesTogether>> find_tables(
    const ReleaseFile& release, const std::vector<Aggregation>& aggregations,
    const std::vector<PlannedStatistic>& statistics, std::vector<RowCounters>& counters);

// DrawnStatistic: a statistic of the plan that is not a total, and its numbers with noise.
struct DrawnStatistic {
  const PlannedStatistic* planned = nullptr;
  NoisyTable* drawn = nullptr;
};

// reconcile_tables: moves the drawn numbers of statistics that learn so that all tables agree.
// Counts get numbers to publish, that are possible and add up, unless one would move too far.
// Requires  caller: all statistics that find_tables was given, in the same order.
void reconcile_tables(const TablesTogether& together,
                      const std::vector<DrawnStatistic>& statistics);

}  // namespace lastbit::release_internal
