#include "lastbit/engines/duckdb/duckdb_engine.h"

#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/reading/public_table.h"
#include "lastbit/engines/duckdb/sql/bounded_sql.h"
#include "lastbit/engines/duckdb/sql/row_facts.h"
#include "lastbit/release/file/source_paths.h"
#include "lastbit/release/run.h"

namespace lastbit {
namespace engine {
namespace {

FileFormat file_format(SourceFormat format) {
  switch (format) {
    case SourceFormat::kCsv:
    case SourceFormat::kTsv:
      return FileFormat::kCsv;
    case SourceFormat::kParquet:
      return FileFormat::kParquet;
    case SourceFormat::kJson:
      return FileFormat::kJson;
    case SourceFormat::kDuckDb:
    case SourceFormat::kArrow:  // refused below
    case SourceFormat::kPostgres:
      break;
  }
  return FileFormat::kDuckDb;
}

DataSource data_source(const Source& source, std::vector<std::filesystem::path> paths) {
  return {.path = paths.front(),
          .format = file_format(source.format.value),
          .delimiter = source.delimiter,
          .null_texts = source.nulls,
          .table = source.table ? source.table->value : std::string(),
          .more_paths = {paths.begin() + 1, paths.end()},
          .quote = source.quote,
          .escape = source.escape,
          .names = source.names,
          .encoding = source.encoding,
          .notation = source.notation};
}

DataSource data_source(const ReleaseFile& release) {
  invariant(release.source.format.value != SourceFormat::kPostgres, "the source is a file");
  if (release.source.format.value == SourceFormat::kArrow) {
    throw Error(ErrorCode::kNotSupported, release.filename,
                "the source of format arrow is in the memory of a program, not in a file",
                "let that program release it, as lastbit.Session does in Python, or name a file");
  }
  return data_source(
      release.source,
      source_paths(release.source, std::filesystem::path(release.filename).parent_path()));
}

}  // namespace
}  // namespace engine

PublicTable DuckDbEngine::read_public(const Source& source,
                                      const std::vector<std::string>& columns) const {
  return engine::read_public_table(engine::data_source(source, {source.path.value}), columns);
}

std::vector<SchemaColumn> DuckDbEngine::read_schema(const ReleaseFile& release) const {
  std::vector<SchemaColumn> columns;
  for (const auto& column : engine::source_columns(engine::data_source(release))) {
    columns.push_back(engine::schema_column(column));
  }
  return columns;
}

ExactAnswers DuckDbEngine::aggregate(const ReleaseFile& release,
                                     std::span<const Aggregation> aggregations,
                                     const engine::SecretKey& key,
                                     const engine::EngineLimits& limits,
                                     const engine::Progress& progress) const {
  engine::LockedEngine engine(engine::data_source(release), limits);
  ExactAnswers answers = engine::run_aggregations(engine, aggregations, key, progress);
  engine.require_unchanged();
  return answers;
}

RowFacts DuckDbEngine::examine(const ReleaseFile& release, const RowQuestions& questions,
                               const engine::EngineLimits& limits,
                               const engine::Progress& progress) const {
  const engine::DataSource source = engine::data_source(release);
  engine::LockedEngine engine(source, limits);
  RowFacts facts = engine::examine_rows(engine, source, questions, progress);
  engine.require_unchanged();
  return facts;
}

}  // namespace lastbit
