// What release.h does with the source of a release file.
#include <utility>

#include "lastbit/engines/duckdb/bounded_sql.h"
#include "lastbit/engines/duckdb/release.h"

namespace lastbit {
namespace {

std::filesystem::path beside(const ReleaseFile& release, const std::string& path) {
  return std::filesystem::path(release.filename).parent_path() / path;
}

engine::FileFormat file_format(SourceFormat format) {
  switch (format) {
    case SourceFormat::kCsv:
    case SourceFormat::kTsv:
      return engine::FileFormat::kCsv;
    case SourceFormat::kParquet:
      return engine::FileFormat::kParquet;
    case SourceFormat::kJson:
      return engine::FileFormat::kJson;
    case SourceFormat::kDuckDb:
      break;
  }
  return engine::FileFormat::kDuckDb;
}

engine::DataSource data_source(const ReleaseFile& release) {
  const Source& source = release.source;
  return {.path = beside(release, source.path.value),
          .format = file_format(source.format.value),
          .delimiter = source.delimiter,
          .null_texts = source.nulls,
          .table = source.table ? source.table->value : std::string()};
}

}  // namespace

std::filesystem::path ledger_path(const ReleasePlan& plan) {
  return beside(plan.release, plan.ledger);
}

std::vector<SchemaColumn> source_schema(const ReleaseFile& release) {
  return engine::source_columns(data_source(release));
}

ExactAnswers aggregate_source(const ReleasePlan& plan, BitSource& bits,
                              const ReleaseOptions& options) {
  for (const Aggregation& aggregation : plan.aggregations) check_aggregation(aggregation);
  const engine::SecretKey key = engine::SecretKey::draw(bits);
  engine::LockedEngine engine(data_source(plan.release), options.limits);
  ExactAnswers answers = run_aggregations(engine, plan.aggregations, key, options.progress);
  engine.require_unchanged();
  return answers;
}

}  // namespace lastbit
