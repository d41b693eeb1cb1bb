// The tables of ledgers in a PostgreSQL database.
#pragma once

#include <span>

namespace lastbit::accounting_internal {

// server_tables: the statements that create them.
std::span<const char* const> server_tables();

}  // namespace lastbit::accounting_internal
