#include "cli/commands/query/query_steps.h"

#include <fmt/core.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "cli/commands/plan_output.h"
#include "cli/commands/release_output.h"
#include "cli/commands/release_prepare.h"
#include "cli/terminal/progress.h"
#include "lastbit/engines/engines.h"
#include "lastbit/release/plan_ledger.h"
#include "lastbit/report/document.h"
#include "lastbit/report/release/plan_position.h"
#include "lastbit/report/release/query_report.h"

namespace lastbit::cli {

using report::Paint;
using report::PlanReport;
using report::query_json;
using report::query_table;
using report::report_plan;
using report::terminal_width;
using report::would_pay;

QueryOptions::QueryOptions(Arguments& parser)
    : parser_(parser),
      epsilon_(parser, "--epsilon", "The epsilon of a whole statement"),
      rho_(parser, "--rho", "The same in rho, where the dataset counts rho"),
      delta_(parser, "--discover-delta", "The delta for finding groups whose keys are not public"),
      ledger_(parser),
      limits_(parser) {
  parser.add_option("--rows", rows_, "Rows per group, a guess for errors that depend on it (10000)",
                    "N");
}

QueryTerms QueryOptions::terms() const {
  require_positive(parser_, epsilon_);
  require_positive(parser_, rho_);
  require_probability(parser_, delta_);
  const bool by_rho = rho_.optional().has_value();
  if (by_rho == epsilon_.optional().has_value()) {
    throw parser_.wrong(by_rho ? "both --epsilon and --rho are given" : "no price was given",
                        "say what a whole statement may cost: --epsilon 0.2, or --rho 0.01");
  }
  return {by_rho ? ShareKind::kRho : ShareKind::kEpsilon, by_rho ? rho_.value() : epsilon_.value(),
          delta_.optional()};
}

Integer QueryOptions::rows() const {
  return Integer(parser_.whole_number("--rows", rows_, 1, kMostPlannedRows));
}

PlannedQuery plan_statement(const std::string& dataset, const std::string& statement,
                            const QueryTerms& terms, const QueryOptions& options) {
  PlannedQuery query = plan_query(read_dataset_text(dataset), statement, terms, engine_for_files());
  options.ledger().redirect(query.plan);
  return query;
}

bool show_query_plan(const PlannedQuery& query, const std::string& statement,
                     const QueryOptions& options, bool json, Sink& out) {
  const PlanReport report = report_plan(query.plan, options.ledger().intent(), options.rows());
  if (json) {
    auto document = plan_json(report);
    document["statement"] = statement;
    out.write(report::dumped(document));
    return would_pay(report);
  }
  out.write(
      plan_summary(report, Paint::for_terminal(STDOUT_FILENO), terminal_width(STDOUT_FILENO)));
  if (!report.ledger) {
    out.write(fmt::format("  There is no ledger yet: {}\n", suggest_ledger_command(report.plan)));
  }
  return would_pay(report);
}

void answer_query(const PlannedQuery& query, const std::string& statement,
                  const QueryOptions& options, bool json, Sink& out) {
  const ReleasePlan& plan = query.plan;
  Progress progress("reading the data", kProgressSteps);
  ReleaseOptions release_options = watched(options.limits().limits(), progress);
  release_options.intent = options.ledger().intent();
  Ledger ledger = require_ledger(plan, Ledger::Access::kSpend);
  require_payable(plan, ledger);
  PreparedRelease prepared = prepare_with_signals(plan, ledger, release_options);
  const Release release = BookedRelease(std::move(prepared), ledger).answer(thread_bit_source());
  std::string text =
      json ? report::dumped(query_json(plan, query.shape, release, statement))
           : query_table(plan, query.shape, release, Paint::for_terminal(STDOUT_FILENO),
                         terminal_width(STDOUT_FILENO));
  if (!json && !release.completed) {
    text += "  The ledger could not note that this query ended; it counts anyway.\n";
  }
  write_paid(text, release.entry, out);
}

}  // namespace lastbit::cli
