// RowMapper: from the fields of a source to the unit, keys and contents of each row, as carriers.
// For this module and engines/parts. Proof: proofs/engine.md#maps
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/engines/kernel/content_plan.h"
#include "lastbit/engines/kernel/packed_rows.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// KeyedRows: rows as carriers. The keys are one for each part of the groups: the number of the
// listed tuple, or the key itself. Rows without a unit or a key, with a number outside of a range,
// or with nothing to count, are there too.
struct KeyedRows {
  std::size_t rows = 0;
  std::optional<FieldBatch> condition;  // 1 where a row meets it
  std::optional<FieldBatch> unit;       // nothing: each row is a unit
  std::span<const FieldBatch> keys;
  std::span<const FieldBatch> contents;
};

// CarrierBuffer: what a RowFunction gives, in memory.
class CarrierBuffer final : private Output::Store {
 public:
  FieldBatch run(const RowFunction& function, Carrier carrier, std::span<const FieldBatch> fields,
                 std::size_t rows);

 private:
  void set_text(std::size_t row, std::string_view value) override;
  std::uint64_t* make_validity() override;

  std::size_t rows_ = 0;
  std::vector<std::int64_t> integers_;
  std::string bytes_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // in the bytes: begin, length
  std::vector<std::string_view> texts_;
  std::vector<std::uint64_t> validity_;
};

// kernel_layout: the carriers of an aggregation whose source gives fields of the declared types.
RowLayout kernel_layout(const Aggregation& aggregation, const ContentPlan& plan);

class RowMapper {
 public:
  // kBlock: a room maps at most so many rows at a time.
  static constexpr std::size_t kBlock = 2048;

  // Requires  caller: check_aggregation accepts it; both outlive this.
  RowMapper(const Aggregation& aggregation, const ContentPlan& plan);

  // columns: those of the source, in the order of the fields that `map` takes.
  const std::vector<RowColumn>& columns() const { return columns_; }

  // Room: where one thread keeps mapped rows.
  class Room {
   private:
    friend class RowMapper;
    std::deque<CarrierBuffer> buffers_;
    std::vector<FieldBatch> arguments_;
    std::vector<FieldBatch> group_fields_;
    std::vector<FieldBatch> keys_;
    std::vector<FieldBatch> contents_;
  };

  // map: valid until the room is used again, and no longer than the fields are.
  KeyedRows map(std::span<const FieldBatch> fields, std::size_t rows, Room& room) const;

 private:
  // Mapped: a carrier as a function of columns.
  struct Mapped {
    std::vector<std::size_t> arguments;
    std::shared_ptr<const RowFunction> map = nullptr;  // null: the only argument itself
    Carrier carrier = Carrier::kInteger;
  };
  // KeyPart: a part of the groups, made of the next so many columns.
  struct KeyPart {
    std::size_t columns = 1;
    std::shared_ptr<const RowFunction> tuples = nullptr;  // of listed keys
  };

  std::size_t column(const RowColumn& wanted);
  Mapped mapped(const Aggregation& aggregation, const FieldUse& field, const FieldContent& content);
  FieldBatch run(const Mapped& mapped, std::span<const FieldBatch> fields, std::size_t rows,
                 std::size_t buffer, Room& room) const;

  std::vector<RowColumn> columns_;
  std::optional<Mapped> condition_;
  std::optional<Mapped> unit_;
  std::vector<Mapped> group_columns_;
  std::vector<KeyPart> parts_;
  std::vector<Mapped> contents_;
};

// slice: the rows from `first` on, which is a multiple of 64.
FieldBatch slice(const FieldBatch& batch, std::size_t first, std::size_t rows);

}  // namespace lastbit::engine
