#include "lastbit/engines/engines.h"

#include "lastbit/base/error.h"
#include "lastbit/engines/postgres/postgres_engine.h"

#ifdef LASTBIT_DUCKDB
#include "lastbit/engines/duckdb/duckdb_engine.h"
#endif

namespace lastbit {
namespace {

#ifdef LASTBIT_DUCKDB
using EngineForFiles = DuckDbEngine;
#else
// NoEngine: says what is missing.
class NoEngine final : public Engine {
 public:
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override {
    refuse(release);
  }
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> /*aggregations*/,
                         const engine::SecretKey& /*key*/, const engine::EngineLimits& /*limits*/,
                         const engine::Progress& /*progress*/) const override {
    refuse(release);
  }

 private:
  [[noreturn]] static void refuse(const ReleaseFile& release) {
    throw Error(ErrorCode::kNotSupported, release.filename, "this build of lastbit reads no files",
                "build it with DuckDB, which ./run build fetches");
  }
};
using EngineForFiles = NoEngine;
#endif

// EngineBySource: tables on servers, and everything else.
class EngineBySource final : public Engine {
 public:
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override {
    return chosen(release).read_schema(release);
  }
  PublicTable read_public(const Source& source,
                          const std::vector<std::string>& columns) const override {
    return files_.read_public(source, columns);
  }
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override {
    return chosen(release).aggregate(release, aggregations, key, limits, progress);
  }
  RowFacts examine(const ReleaseFile& release, const RowQuestions& questions,
                   const engine::EngineLimits& limits,
                   const engine::Progress& progress) const override {
    return chosen(release).examine(release, questions, limits, progress);
  }

 private:
  const Engine& chosen(const ReleaseFile& release) const {
    if (release.source.format.value == SourceFormat::kPostgres) return postgres_;
    return files_;
  }

  EngineForFiles files_;
  PostgresEngine postgres_;
};

}  // namespace

const Engine& engine_for_files() {
  static const EngineBySource engine;
  return engine;
}

}  // namespace lastbit
