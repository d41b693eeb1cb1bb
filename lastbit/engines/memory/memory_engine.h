// MemoryEngine: aggregates rows that a program holds in memory, following the definition of an
// aggregation word for word. It is small and slow: other engines are tested against it.
//
// Guarantee      that of Engine (release/engine.h), for the rows of the table. The source that a
//                release file names is ignored.
// Proof          proofs/engine.md#definition
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/release/engine.h"

namespace lastbit {

// MemoryValue: a field of its column's type; of an unsigned number, a Decimal without decimals. NaN
// is a missing value.
using MemoryValue =
    std::variant<bool, std::int64_t, double, std::string, Date, Instant, TimeOfDay, Decimal>;

struct MemoryColumn {
  std::string name;
  FieldType type = FieldType::kText;
};

struct MemoryTable {
  using Row = std::vector<std::optional<MemoryValue>>;  // one field for each column
  std::vector<MemoryColumn> columns;
  std::vector<Row> rows;
};

class MemoryEngine final : public Engine {
 public:
  // Requires  checked: each row has a field for each column, of its type; else kBadParameter.
  explicit MemoryEngine(MemoryTable table);

  std::vector<SchemaColumn> read_schema(const ReleaseFile& release) const override;
  ExactAnswers aggregate(const ReleaseFile& release, std::span<const Aggregation> aggregations,
                         const engine::SecretKey& key, const engine::EngineLimits& limits,
                         const engine::Progress& progress) const override;

  // aggregate_rows: the answer to one aggregation.
  // Requires  caller: check_aggregation accepts it.
  std::vector<GroupAnswer> aggregate_rows(const Aggregation& aggregation,
                                          const engine::SecretKey& key) const;

 private:
  MemoryTable table_;
};

}  // namespace lastbit
