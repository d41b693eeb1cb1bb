// BoundedKernel: computes an aggregation (release/plan/aggregation.h) of rows that come in batches,
// with a limit on what each unit contributes. It knows no database: every engine can feed it.
//
// Guarantee      the answer is that of the definition (proofs/engine.md#definition) for the rows
//                that were added, whatever their order, batches, threads, memory and disk.
//                Proof: proofs/engine.md#kernel
// Fails          kBadInput if rows that are said to be sorted are not, if a group has more rows
//                than the aggregation allows, or if memory or disk do not suffice. No message
//                depends on a field. After a failure there is no answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/partial_answer.h"
#include "lastbit/engines/kernel/row_mapper.h"
#include "lastbit/release/engine.h"

namespace lastbit::engine {

// RowOrder: in which order rows come. kByUnit: those of a unit one after the other, units in
// ascending order, texts by their bytes; it takes little memory.
enum class RowOrder { kAny, kByUnit };

struct KernelOptions {
  RowOrder order = RowOrder::kAny;
  EngineLimits limits = {};
  std::string place = "rows";  // what messages call the source
  // Whether the answer shall say which units it holds, so that it can be merged with others.
  bool mergeable = false;
  // How the source carries units, keys and contents; nothing: as the declared types say.
  std::optional<RowLayout> layout = std::nullopt;
};

class BoundedKernel {
 public:
  // Requires  checked: check_aggregation accepts the aggregation.
  BoundedKernel(Aggregation aggregation, const SecretKey& key, KernelOptions options = {});
  BoundedKernel(const BoundedKernel&) = delete;
  BoundedKernel& operator=(const BoundedKernel&) = delete;
  ~BoundedKernel();

  // columns: what `add` takes.
  const std::vector<RowColumn>& columns() const;

  // add: rows, as a batch of fields for each column. Fields have the values that FieldBatch says
  // for the type of their column; where it is real, whole numbers will do. Texts are valid UTF-8.
  // Unless the rows are sorted, several threads may add rows at the same time.
  void add(std::span<const FieldBatch> fields, std::size_t rows);
  // add_merged: rows each of which stands for as many equal ones as `times` says, 0 or more.
  // Requires  checked: each row is a unit; else kInternal.
  void add_merged(std::span<const FieldBatch> fields, std::span<const std::int64_t> times);
  // add_keyed: rows as carriers.
  void add_keyed(const KeyedRows& rows);

  // finish: what all rows contribute. Call it once, when no thread adds rows any more.
  PartialAnswer finish(const Progress& progress = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lastbit::engine
