// The first fields of text files that are not values of their type. For this module only.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/inspect/row_facts.h"

namespace lastbit::engine {

// find_unreadable: for each column, its first unreadable fields, at most `most`. It reads the files
// from the start, no farther than needed, with one thread.
// Requires  caller: checked_files gave the files; they have these columns.
// Fails     kBadInput, as any reader of the files.
std::vector<std::vector<UnreadableField>> find_unreadable(const DataSource& source,
                                                          const std::vector<SourceFile>& files,
                                                          std::span<const RowColumn> columns,
                                                          std::size_t most);

}  // namespace lastbit::engine
