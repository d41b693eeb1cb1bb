// UnitKeys: the units of rows as the kernel holds them, whole numbers or strings of bytes, so that
// whoever sorts rows by unit need not know what units are.
//
// Guarantee      rows in the order of these keys, numbers by size and strings by their bytes, are
//                in the order RowOrder::kByUnit. Proof: proofs/engine.md#cluster
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lastbit/engines/kernel/row_mapper.h"
#include "lastbit/engines/kernel/row_source.h"

namespace lastbit::engine {

class UnitKeys {
 public:
  // Requires  checked: the aggregation has a unit column; else kInternal.
  explicit UnitKeys(const Aggregation& aggregation);
  UnitKeys(const UnitKeys&) = delete;
  UnitKeys& operator=(const UnitKeys&) = delete;

  // columns: what the unit is made of.
  const std::vector<RowColumn>& columns() const { return mapper_.columns(); }
  bool is_text() const { return carrier_ == Carrier::kBytes; }

  // give: the keys of all rows, in their order: `rows` of them with each call.
  using TakeKeys = std::function<void(const FieldBatch& keys, std::size_t rows)>;
  void give(const RowSource& rows, const TakeKeys& take);

 private:
  Aggregation only_unit_;
  ContentPlan plan_;
  RowMapper mapper_;
  Carrier carrier_;
  RowMapper::Room room_;
};

// is_plain_unit: the unit is a column of whole numbers, truth values, dates or texts, whose keys
// are in the order of the column itself.
bool is_plain_unit(const Aggregation& aggregation);

}  // namespace lastbit::engine
