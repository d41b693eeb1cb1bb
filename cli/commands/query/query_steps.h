// What `lastbit query` and `lastbit shell` share: the price of a statement, its plan, its answer.
#pragma once

#include <string>

#include "cli/commands/release_ledger.h"
#include "cli/commands/release_limits.h"
#include "cli/terminal/arguments.h"
#include "cli/terminal/number_option.h"
#include "cli/terminal/output.h"
#include "lastbit/release/run.h"
#include "lastbit/release/sql/query.h"
#include "lastbit/report/release/plan_report.h"

namespace lastbit::cli {

// QueryOptions: the price, --discover-delta, --rows, and those of ledgers and engines.
class QueryOptions {
 public:
  explicit QueryOptions(Arguments& parser);
  // terms, rows: usage Failures where they make no sense.
  QueryTerms terms() const;
  Integer rows() const;
  const LedgerOptions& ledger() const { return ledger_; }
  const LimitOptions& limits() const { return limits_; }

 private:
  const Arguments& parser_;
  NumberOption epsilon_;
  NumberOption rho_;
  NumberOption delta_;
  std::string rows_ = std::to_string(report::PlanReport::kGuessedRows);
  LedgerOptions ledger_;
  LimitOptions limits_;
};

// plan_statement: the plan of a statement about a dataset, in the ledger that the options name.
PlannedQuery plan_statement(const std::string& dataset, const std::string& statement,
                            const QueryTerms& terms, const QueryOptions& options);

// show_query_plan: writes what the statement would cost and how accurate it would be, and says
// whether the ledger would pay.
bool show_query_plan(const PlannedQuery& query, const std::string& statement,
                     const QueryOptions& options, bool json, Sink& out);

// answer_query: reads the data, books the cost, and writes the answer.
// Fails     as prepare_release, Ledger::spend and write_paid; Interrupted before anything is spent.
void answer_query(const PlannedQuery& query, const std::string& statement,
                  const QueryOptions& options, bool json, Sink& out);

}  // namespace lastbit::cli
