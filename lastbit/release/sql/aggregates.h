// The aggregates of a statement. For this folder only.
#pragma once

#include <optional>

#include "lastbit/release/sql/statement_text.h"

namespace lastbit::sql_internal {

// read_aggregate: the aggregate that a part of the statement is; nothing if it calls none.
// Fails  kBadInput for aggregates that cannot be released, for functions that do not exist, and for
//        anything computed from aggregates.
std::optional<AggregateCall> read_aggregate(const StatementText& text, TokenSpan part);

// refuse_aggregates: refuses a part that may look at one row only, if it calls an aggregate.
void refuse_aggregates(const StatementText& text, TokenSpan part, std::string_view problem,
                       std::string_view remedy);

}  // namespace lastbit::sql_internal
