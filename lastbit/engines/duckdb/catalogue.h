// What the engine says about a source that it reads itself, and whether we can rely on it. For this
// module only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {

// read_catalogue: the names and types of a table's columns in the database file that the engine
// calls `database`.
// Fails  kBadInput if there is no such table (names are compared exactly), if it is a view (a
//        program that may read all rows for each row), or if it has a generated column.
std::vector<NamedColumn> read_catalogue(LockedEngine& engine, const std::string& database,
                                        const std::string& table);

// require_agreement: a kBadInput Error if the engine reads one of the columns differently from what
// the schema says, or cannot tell its name from another: to the engine, A and a are the same.
void require_agreement(LockedEngine& engine, std::span<const std::string> columns,
                       const Statement& rows);

}  // namespace lastbit::engine
