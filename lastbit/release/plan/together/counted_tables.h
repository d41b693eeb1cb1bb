// CountedTables: tables that count the same rows by different columns know the numbers of all of
// them together. For this module only.
//
// The groups of a table are the combinations of one key of each of its factors, a factor being one
// or more columns with public keys. If each row has one of the keys of a factor, a table adds up
// over
// it to the table without it: one by region and sex also says how many rows each region has, and a
// table by region says how many there are in all. All estimates of one number are averaged, each by
// its precision, so that all tables agree. This looks at released numbers only, so it costs
// nothing.
// Proof: proofs/release.md#tables-together
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "lastbit/release/plan/drafter.h"
#include "lastbit/release/plan/together/reconcile.h"

namespace lastbit::release_internal {

// TableFactor: how many keys it has, and whether each row has one of them.
struct TableFactor {
  std::int64_t keys = 1;
  bool complete = true;
};

// CountedTable: a table, and how each of several statistics says how many rows its groups have.
struct CountedTable {
  std::vector<std::size_t> factors;  // numbers of factors, increasing
  std::vector<RowEstimate> estimates;
};

// The numbers of a table are in the order of its factors, the key of the last one changing fastest.
class CountedTables {
 public:
  // The most factors that are complete; tables with 2^m parts to compare take their time.
  static constexpr std::size_t kMostFactors = 16;

  // Requires  caller: at least one table, each with an estimate and with all factors that are not
  //           complete; at most kMostFactors are.
  CountedTables(std::vector<TableFactor> factors, std::vector<CountedTable> tables);

  const std::vector<TableFactor>& factors() const { return factors_; }
  const std::vector<CountedTable>& tables() const { return tables_; }

  // correction: of the numbers of a statistic of a table, where the groups that agree in the `kept`
  // ones of its factors are added up. With all of its factors, these are the groups themselves.
  // Requires  caller: `kept` is increasing.
  CorrectionPointer correction(std::size_t table, std::size_t statistic,
                               const std::vector<std::size_t>& kept) const;

  // mean_of: what the statistics of a table together say about a group, from what each says.
  Rational mean_of(std::size_t table, const std::vector<Rational>& each) const;
  // combine: from these means of the groups of each table, the numbers that all tables agree on.
  // Ensures   tables add up over complete factors, exactly.
  std::vector<std::vector<Rational>> combine(std::vector<std::vector<Rational>> means) const;

 private:
  using Mask = std::uint32_t;  // a set of complete factors

  Mask mask_of(const std::vector<std::size_t>& factors) const;
  Rational keys_in(Mask mask) const;
  std::int64_t copies_of(std::size_t table, const std::vector<std::size_t>& kept) const;
  Rational weight(std::size_t table, Mask kept, Mask agreeing) const;
  std::int64_t count(std::size_t table, Mask kept, Mask agreeing) const;

  std::vector<TableFactor> factors_;
  std::vector<CountedTable> tables_;
  std::vector<Mask> masks_;                             // of each table
  std::vector<std::vector<Rational>> member_shares_;    // of the statistics of each table
  std::map<Mask, std::vector<Rational>> table_shares_;  // of the tables, in what such a set adds
};

}  // namespace lastbit::release_internal
