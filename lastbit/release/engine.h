// Engine: what computes exact aggregates of private rows. A release knows no other way to its data, so
// that a new engine is a class with two functions.
//
// Guarantee      that every engine must give: `aggregate` returns a function of the aggregation, the
//                secret key and the multiset of rows that the source holds, with the bounds of
//                release/plan/aggregation.h. Order, threads, memory and format change nothing.
//                Proof: proofs/engine.md#bounding, proofs/engine.md#release
// Not promised   that it takes the same time for all data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/keyed_choice.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit {
namespace engine {

// Progress: is told now and then, from the thread of the caller, which part of the work is done, from
// 0 to 1. What it throws ends the work.
using Progress = std::function<void(double)>;

// EngineLimits: what an engine may use.
struct EngineLimits {
  static constexpr std::uint64_t kLeastMemory = 16'000'000;
  // Where rows may be written when they do not fit the memory: a directory, in which a folder is
  // made that others cannot look into, and removed. What is written is private and not encrypted.
  // Nothing: nowhere, and data that do not fit are an error.
  std::optional<std::filesystem::path> spill_directory;
  // At least kLeastMemory. Nothing: most of the machine's.
  std::optional<std::uint64_t> memory_bytes;
  std::optional<unsigned> threads;  // nothing: one per core
};

}  // namespace engine

// ExactAnswers: the groups of each of several aggregations. They are private.
using ExactAnswers = std::vector<std::vector<GroupAnswer>>;

class Engine {
 public:
  virtual ~Engine() = default;

  // read_schema: the columns of the release's source, names and types, and nothing of a row; for JSON
  // the keys of the first object (docs/release-file.md#source).
  // Fails  kBadInput for a source that is no readable file of its format.
  virtual std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const = 0;

  // aggregate: the answer to each aggregation. All public groups in the order of their keys, the last
  // column changing fastest, those without rows with zeros; where keys are found, the groups that have
  // rows of units that count, in the order of their keys.
  // Requires  caller: check_aggregation accepts each.
  // Fails     kBadInput for a source that cannot be read as declared, has more rows than an
  //           aggregation allows, or changes meanwhile. No message depends on a field, and nothing
  //           else fails on account of one.
  virtual ExactAnswers aggregate(const ReleaseFile& release,
                                 std::span<const Aggregation> aggregations,
                                 const engine::SecretKey& key, const engine::EngineLimits& limits,
                                 const engine::Progress& progress) const = 0;
};

}  // namespace lastbit
