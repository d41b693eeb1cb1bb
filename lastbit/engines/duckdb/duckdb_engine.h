// DuckDbEngine: aggregates CSV, JSON and Parquet files and tables of DuckDB files, through an
// embedded DuckDB that can see nothing else.
#pragma once

#include "lastbit/release/engine.h"

namespace lastbit {

class DuckDbEngine final : public Engine {
 public:
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  PublicTable read_public(const Source& source,
                          const std::vector<std::string>& columns) const override;
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;
  RowFacts examine(const ReleaseFile& release, const RowQuestions& questions,
                   const engine::EngineLimits& limits,
                   const engine::Progress& progress) const override;
};

}  // namespace lastbit
