// Query: a statement about a dataset, as a release.
//
// A dataset is a release file without statistics: source, unit, budget, columns, derived columns
// and keys. Statistics that it has are ignored. A statement adds the statistics, so that everything
// that holds for releases (plan, price, ledger, noise) holds for queries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/numerics/rational.h"
#include "lastbit/release/engine.h"
#include "lastbit/release/plan/plan.h"
#include "lastbit/release/sql/select.h"

namespace lastbit {

// QueryTerms: what the whole statement may cost.
struct QueryTerms {
  ShareKind kind = ShareKind::kEpsilon;  // or kRho
  Rational loss;                         // > 0; divided equally among the aggregates
  // The delta for discovering groups, in all. Nothing is discovered if all keys are public.
  std::optional<Rational> discover_delta = std::nullopt;
};

// AnswerColumn: a column of the answer: one of the groups, or the answers of a statistic.
struct AnswerColumn {
  std::string title;
  bool is_group = false;
  std::size_t index = 0;  // in `by`, or among the statistics
};

// AnswerShape: how the answers to a query are shown.
struct AnswerShape {
  std::vector<AnswerColumn> columns;  // groups that SELECT leaves out come first
  std::vector<SortKey> order;         // by index in `columns`
  std::optional<std::uint64_t> limit;
};

struct Query {
  ReleaseFile release;
  AnswerShape shape;
};

// read_query: the release that a statement asks for.
// Requires  checked: `dataset` is the text of a release file with or without statistics.
// Ensures   the release is the one of a file that holds the dataset, the statement's expressions as
//           [derive] and its aggregates as [[statistics]], each with an equal part of the loss; so
//           they share a digest.
// Fails     kBadInput: at its place in `filename` if the dataset is wrong by itself, otherwise at
//           query:1:CHARACTER.
Query read_query(std::string_view dataset, const std::string& filename, std::string_view statement,
                 const QueryTerms& terms);

// DatasetText: a dataset, and the path that messages call it by. Its folder is where relative paths
// start; there need not be a file.
struct DatasetText {
  std::string text;
  std::filesystem::path filename;
};
// read_dataset_text: a dataset on disk.
// Fails     as read_release_text.
DatasetText read_dataset_text(const std::filesystem::path& path);

struct PlannedQuery {
  ReleasePlan plan;
  AnswerShape shape;
};
// plan_query: the same, planned with the schema of the dataset's source. No row is read and no
// ledger opened.
// Fails     as read_query, check_against_schema and plan_release.
PlannedQuery plan_query(const DatasetText& dataset, std::string_view statement,
                        const QueryTerms& terms, const Engine& engine);

// Dataset: what questions can be about.
struct Dataset {
  ReleasePlan plan;                   // of a count of all rows, for the ledger and the unit
  std::vector<SchemaColumn> columns;  // of the source; derived ones are in the plan's release
};
// open_dataset: reads and checks a dataset without any statement.
// Fails     as plan_file.
Dataset open_dataset(const DatasetText& dataset, const Engine& engine);

}  // namespace lastbit
