// The tables of ledgers in a PostgreSQL database.
#pragma once

#include <span>

namespace lastbit::accounting_internal {

// server_tables: the statements that create them, in the schema lastbit.
std::span<const char* const> server_tables();

// intact_tables: a query for how many of the two tables keep what is added to them: permanent, with
// the trigger that refuses changes, without rules and row-level security. Their owner can still
// change all; what other triggers do to a new record is compared with the record.
const char* intact_tables();

}  // namespace lastbit::accounting_internal
