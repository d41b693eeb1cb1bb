// The answers to a query as one table: a row per group, with a column per item of the statement.
//
// All functions    take the plan and the released answers, which are public: ordering them, leaving
//                  some out and calling these functions costs nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/run.h"
#include "lastbit/release/sql/query.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// QueryRow: a group, and its answer to each statistic; null where the key of the group was not
// shown for that statistic.
struct QueryRow {
  KeyTuple group;
  std::vector<const AnswerLine*> answers;
};
// query_rows: in the order that the statement wants; otherwise in that of the keys.
// Requires  caller: each statistic has one answer per group. The answers outlive the rows.
std::vector<QueryRow> query_rows(const AnswerShape& shape,
                                 const std::vector<StatisticAnswers>& answers);

// query_table: for a terminal with lines of `width` cells; ends with what was spent and what is
// left.
std::string query_table(const ReleasePlan& plan, const AnswerShape& shape, const Release& release,
                        const Paint& paint, std::size_t width);

// query_json: the document of the release, with the statement, and the table as `columns` and
// `rows`.
nlohmann::ordered_json query_json(const ReleasePlan& plan, const AnswerShape& shape,
                                  const Release& release, std::string_view statement);

}  // namespace lastbit::report
