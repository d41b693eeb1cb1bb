// What a release looks like: for a terminal, for programs, for spreadsheets and as a page for
// everybody. docs/reports.md explains it to its readers.
//
// All functions    are of the plan, the ledger's entry and the released answers, which are public:
//                  calling them costs nothing. Whatever names and keys hold is defused: control
//                  characters on terminals, markup on pages, formulas in spreadsheets.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "lastbit/release/plan/plan.h"
#include "lastbit/release/run.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// release_table: for a terminal whose lines have `width` cells; at most `most` answers of each
// statistic. Numbers have the digits that their intervals justify, whose ends are rounded outward.
inline constexpr std::size_t kAnswersOnTerminal = 20;
std::string release_table(const ReleasePlan& plan, const Release& release, const Paint& paint,
                          std::size_t width, std::size_t most = kAnswersOnTerminal);

// release_json: everything, exactly. The keys are in docs/reports.md.
nlohmann::ordered_json release_json(const ReleasePlan& plan, const Release& release);

// answers_csv: a line for each answer, as RFC 4180 says: statistic, group, cell, choice, answer, lower,
// upper, confidence. Answers are exact where they have a decimal of at most 30 digits, else of 17
// digits, with the ends of intervals rounded outward. A text that a spreadsheet would take for a
// formula begins with ' instead.
std::string answers_csv(const ReleasePlan& plan, const Release& release);

// release_html: one page that needs nothing else: no script, no font, no image from elsewhere. It is
// well-formed XML, fits phones, paper and dark modules.
std::string release_html(const ReleasePlan& plan, const Release& release);

}  // namespace lastbit::report
