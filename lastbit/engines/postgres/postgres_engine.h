// PostgresEngine: runs releases on a table of a PostgreSQL server.
//
// Guarantee      that of Engine (release/engine.h), for the rows of the table in one snapshot: what
//                other transactions do meanwhile changes nothing.
// Limits         It reads no public files and does not show rows to custodians.
// Fails          as Engine; kNotSupported without libpq, or with a server that is too old.
// Proof          proofs/reading.md#postgres
#pragma once

#include <span>
#include <vector>

#include "lastbit/release/engine.h"

namespace lastbit {

class PostgresEngine final : public Engine {
 public:
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;
  RowFacts examine(const ReleaseFile& release, const RowQuestions& questions,
                   const engine::EngineLimits& limits,
                   const engine::Progress& progress) const override;
};

}  // namespace lastbit
