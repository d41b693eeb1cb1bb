// Reading public tables. For this module only.
#pragma once

#include <string>
#include <vector>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/release/file/public_table.h"

namespace lastbit::engine {

// read_public_table: as ReadPublicTable. The rows of a text file are in its order, those of Parquet
// and DuckDB files in the order of their texts.
PublicTable read_public_table(const DataSource& source, const std::vector<std::string>& columns);

}  // namespace lastbit::engine
