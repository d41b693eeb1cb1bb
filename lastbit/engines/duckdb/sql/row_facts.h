// examine_rows: facts about the rows of a source, for its custodian. For this module only.
#pragma once

#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/release/inspect/row_facts.h"

namespace lastbit::engine {

// examine_rows: the answers to the questions, as Engine::examine. Fields are those of a FieldTable
// (reading/field_table.h), the same that aggregations use.
// Requires  caller: the engine was opened with this source.
// Fails     kBadInput, also if memory does not suffice.
RowFacts examine_rows(LockedEngine& engine, const DataSource& source, const RowQuestions& questions,
                      const Progress& progress = {});

}  // namespace lastbit::engine
