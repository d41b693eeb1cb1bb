// PartsEngine: an engine for rows that lie elsewhere. It plans and merges; whoever owns it brings
// the question to the rows, and the parts back.
//
// Guarantee      that of Engine (release/engine.h), if every row is in exactly one of the parts,
//                and, where units are columns, all rows of a unit are in one of them. Parts whose
//                units may overlap are refused. Proof: proofs/engine.md#cluster
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/summed_rows.h"
#include "lastbit/release/engine.h"

namespace lastbit {

// RowsNeeded: what the rows must bring along, and in which order.
struct RowsNeeded {
  std::vector<std::string> columns;  // each once, without those that are added up
  bool by_unit = false;              // sorted by their units, where a part holds all rows of a unit
  // The column whose order is that of the units; "" if they have to be computed (unit_keys.h).
  std::string unit = {};
  // Whether rows with the same columns come once, with their number, because they are few; and
  // what else is added up of them.
  bool merged = false;
  std::vector<engine::SummedField> sums = {};
};
// AskParts: brings a question (parts/question.h) to the rows, and gives the parts of each
// aggregation; nothing at all if there is no place.
using PartTexts = std::vector<std::vector<std::string>>;
using AskParts = std::function<PartTexts(const std::string& question, const RowsNeeded& needed)>;

class PartsEngine : public Engine {
 public:
  PartsEngine(std::vector<SchemaColumn> columns, AskParts ask)
      : columns_(std::move(columns)), ask_(std::move(ask)) {}
  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  // Requires  checked: all aggregations have the same unit; else kInternal.
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;

 private:
  std::vector<SchemaColumn> columns_;
  AskParts ask_;
};

}  // namespace lastbit
