// What `lastbit plan` shows: what a release will cost and how large its errors will be, before
// anything is spent. docs/reports.md explains it to readers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// LedgerPosition: what a ledger allows, what was spent of it, and why it would refuse a cost that
// it can pay.
struct LedgerPosition {
  Budget budget;
  Cost spent;
  std::optional<Error> refusal = std::nullopt;
};

struct PlanReport {
  ReleasePlan plan;
  std::optional<LedgerPosition> ledger = std::nullopt;  // nothing if there is none yet
  Integer rows = kGuessedRows;                          // per group, where an error depends on it
  // For each statistic, what it would cost to halve its error; may be empty.
  std::vector<std::optional<Cost>> half_error = {};
  // half_error_of: for one statistic; nothing if it is not known.
  std::optional<Cost> half_error_of(std::size_t statistic) const {
    return statistic < half_error.size() ? half_error[statistic] : std::nullopt;
  }

  static constexpr std::int64_t kGuessedRows = 10'000;
};

// plan_report: a report on this plan, with the costs of half the errors.
PlanReport plan_report(ReleasePlan plan, std::optional<LedgerPosition> ledger, const Integer& rows);

// plan_table: for a terminal with lines of `width` cells. Costs are rounded up, what is left is
// rounded down, errors are rounded up.
std::string plan_table(const PlanReport& report, const Paint& paint, std::size_t width);

// plan_summary: only the prices, the errors and the ledger.
std::string plan_summary(const PlanReport& report, const Paint& paint, std::size_t width);

// plan_json: all of it, exactly. The keys are in docs/reports.md.
nlohmann::ordered_json plan_json(const PlanReport& report);

// Parts that the document of a release has too.
nlohmann::ordered_json cost_as_json(const Cost& cost);
nlohmann::ordered_json plan_header_json(const ReleasePlan& plan);
nlohmann::ordered_json planned_json(const PlannedStatistic& planned, const Integer& rows);

}  // namespace lastbit::report
