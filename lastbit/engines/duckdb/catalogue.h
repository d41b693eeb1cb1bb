// What the engine says about a source that it reads itself, and whether we may go by it. For
// this module only.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {

// read_catalogue: the names and types of a table's columns in the database file that the engine
// calls `database`.
// Fails  kBadInput where there is no such table (names are compared exactly), where it is a view,
//        which is a program that may look at all rows for each, or where it has a generated column.
std::vector<NamedColumn> read_catalogue(LockedEngine& engine, const std::string& database,
                                        const std::string& table);

// require_agreement: a kBadInput Error where the engine reads one of the columns otherwise than the
// schema says, or cannot tell its name from another: A and a are one to it.
void require_agreement(LockedEngine& engine, std::span<const std::string> columns,
                       const Statement& rows);

}  // namespace lastbit::engine
