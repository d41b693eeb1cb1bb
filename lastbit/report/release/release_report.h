// What a release looks like: for a terminal, for programs, for spreadsheets and as a page for
// everybody. docs/reports.md explains it to readers.
//
// All functions    take the plan, the ledger's entry and the released answers, which are public:
//                  calling them costs nothing. Whatever names and keys contain is made harmless:
//                  control characters on terminals, markup on pages, formulas in spreadsheets.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// release_table: for a terminal with lines of `width` cells; at most `most` answers of each
// statistic. Numbers have as many digits as their intervals justify; the ends of intervals are
// rounded outward. Below the answers stands what no interval shows.
inline constexpr std::size_t kAnswersOnTerminal = 20;
std::string release_table(const ReleasePlan& plan, const Release& release, const Paint& paint,
                          std::size_t width, std::size_t most = kAnswersOnTerminal);

// release_json: everything, exactly. The keys are in docs/reports.md.
nlohmann::ordered_json release_json(const ReleasePlan& plan, const Release& release);

// answers_csv: one line per answer, as in RFC 4180: statistic, one column for every column of `by`,
// cell, choice, answer, lower, upper, confidence, reliability, suppressed. Answers are exact if
// they have a decimal form of at most 30 digits, otherwise they have 17 digits; the ends of
// intervals are rounded outward. A text that a spreadsheet would take for a formula begins with '
// instead.
std::string answers_csv(const ReleasePlan& plan, const Release& release);

// release_html: one self-contained page: no scripts, fonts or images from elsewhere. It is
// well-formed XML and suits phones, paper and dark mode.
std::string release_html(const ReleasePlan& plan, const Release& release);

}  // namespace lastbit::report
