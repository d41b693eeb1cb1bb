// The first fields of a text file that are not values of their type. For this module only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/inspect/row_facts.h"

namespace lastbit::engine {

// find_unreadable: for each column, its first unreadable fields, at most `most`. It reads the file
// from the start, no farther than needed, with one thread.
// Requires  caller: checked_path gave the path; the file has these columns.
// Fails     kBadInput, as any reader of the file.
std::vector<std::vector<UnreadableField>> find_unreadable(const DataSource& source,
                                                          const std::filesystem::path& path,
                                                          std::span<const RowColumn> columns,
                                                          std::size_t most);

}  // namespace lastbit::engine
