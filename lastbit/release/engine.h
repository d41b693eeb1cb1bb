// Engine: what computes exact aggregates of private rows. It is a release's only access to its
// data, so a new engine is a class with two functions, a third if it reads public files too, and a
// fourth if custodians may inspect its rows.
//
// Guarantee      of every engine: `aggregate` returns a function of the aggregation, the secret key
//                and the multiset of rows that the source holds, with the bounds of
//                release/plan/aggregation.h. Order, threads, memory and format change nothing.
//                Proof: proofs/engine.md#bounding, proofs/engine.md#release
// Not promised   that it takes the same time for all data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/release/file/public_table.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/inspect/row_facts.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit {
namespace engine {

// Progress: called now and then, from the caller's thread, with the fraction of the work done, from
// 0 to 1. An exception that it throws ends the work.
using Progress = std::function<void(double)>;

// EngineLimits: what an engine may use.
struct EngineLimits {
  static constexpr std::uint64_t kLeastMemory = 16'000'000;
  // Where rows may be written when they do not fit in memory: a directory, in which a folder is
  // made that others cannot read, and removed afterwards. What is written is private and not
  // encrypted. Nothing: nowhere, and data that does not fit is an error.
  std::optional<std::filesystem::path> spill_directory;
  // At least kLeastMemory. Nothing: most of the machine's memory.
  std::optional<std::uint64_t> memory_bytes;
  std::optional<unsigned> threads;  // nothing: one per core
};

}  // namespace engine

// ExactAnswers: for each of several aggregations, its groups. They are private.
using ExactAnswers = std::vector<std::vector<GroupAnswer>>;

class Engine {
 public:
  virtual ~Engine() = default;

  // read_schema: the names and types of the columns of the release's source, and nothing from any
  // row; for JSON the keys of the first object (docs/release-file.md#source).
  // Fails  kBadInput if the source is not a readable file of its format.
  virtual std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const = 0;

  // read_public: these columns of a public file. An engine that reads no files need not have it.
  // Fails  as ReadPublicTable; kNotSupported.
  virtual PublicTable read_public(const Source& source,
                                  const std::vector<std::string>& columns) const;

  // aggregate: the answer to each aggregation. If all keys are public, all groups in the order of
  // their keys, the last column changing fastest, with zeros for groups without rows. If keys are
  // found, the groups that have rows of counted units, in the order of their keys.
  // Requires  caller: check_aggregation accepts each.
  // Fails     kBadInput if the source cannot be read as declared, has more rows than an aggregation
  //           allows, or changes while it is read. No message depends on a field, and no field
  //           causes any other failure.
  virtual ExactAnswers aggregate(const ReleaseFile& release,
                                 std::span<const Aggregation> aggregations,
                                 const engine::SecretKey& key, const engine::EngineLimits& limits,
                                 const engine::Progress& progress) const = 0;

  // examine: facts about the rows, without noise, for the custodian alone (inspect/inspect.h). No
  // release asks for them. An engine need not have it.
  // Fails  as aggregate; kNotSupported.
  virtual RowFacts examine(const ReleaseFile& release, const RowQuestions& questions,
                           const engine::EngineLimits& limits,
                           const engine::Progress& progress) const;
};

// public_reader: reads public tables with the engine, which must outlive it.
ReadPublicTable public_reader(const Engine& engine);
// schema_reader: reads the schema of one source with the engine, which must outlive it. It reads
// once, unless that fails.
ReadSchema schema_reader(const Engine& engine);

}  // namespace lastbit
