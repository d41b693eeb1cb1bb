#include "lastbit/engines/engines.h"

#include "lastbit/base/error.h"

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

}  // namespace

const Engine& engine_for_files() {
  static const EngineForFiles engine;
  return engine;
}

}  // namespace lastbit
