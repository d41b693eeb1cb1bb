#include "lastbit/engines/postgres/postgres_engine.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/engines/postgres/postgres_rows.h"

namespace lastbit {
namespace {

using engine::PostgresRows;

// Reading takes most of the time; the rest is counting.
constexpr double kReadingPart = 0.8;

PostgresRows table_rows(const ReleaseFile& release, PostgresRows::While reading) {
  const Source& source = release.source;
  invariant(source.format.value == SourceFormat::kPostgres, "the source is a table on a server");
  const std::string table = source.table ? source.table->value : std::string();
  return PostgresRows(postgres::ParsedAddress::parse(source.path.value, {}).address,
                      postgres::TableName::parse(table), std::move(reading));
}

}  // namespace

std::vector<SchemaColumn> PostgresEngine::read_schema(const ReleaseFile& release) const {
  return table_rows(release, {}).schema();
}

ExactAnswers PostgresEngine::aggregate(const ReleaseFile& release,
                                       std::span<const Aggregation> aggregations,
                                       const engine::SecretKey& key,
                                       const engine::EngineLimits& limits,
                                       const engine::Progress& progress) const {
  ExactAnswers answers;
  const auto tell = [&](double part) {
    const double done = static_cast<double>(answers.size()) + part;
    if (progress) progress(done / static_cast<double>(aggregations.size()));
  };
  const PostgresRows rows = table_rows(release, [&](double part) { tell(kReadingPart * part); });
  for (const Aggregation& aggregation : aggregations) {
    engine::KernelOptions options;
    options.limits = limits;
    const auto counting = [&](double part) { tell(kReadingPart + (1 - kReadingPart) * part); };
    answers.push_back(
        answer_of(aggregation, engine::count_rows(rows, aggregation, key, options, counting)));
  }
  rows.require_unchanged();
  return answers;
}

RowFacts PostgresEngine::examine(const ReleaseFile& release, const RowQuestions& /*questions*/,
                                 const engine::EngineLimits& /*limits*/,
                                 const engine::Progress& /*progress*/) const {
  throw Error(ErrorCode::kNotSupported, release.filename,
              "rows of a table on a server cannot be inspected",
              "copy them to a Parquet file (docs/postgresql.md says how) and inspect that");
}

}  // namespace lastbit
