#include "lastbit/engines/kernel/row_mapper.h"

#include <algorithm>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/expression_map.h"
#include "lastbit/engines/kernel/value_map.h"

namespace lastbit::engine {
namespace {

// content_carrier: of what is made of a field of the type.
Carrier content_carrier(FieldType type, const FieldContent& content) {
  const bool itself =
      std::holds_alternative<UnitField>(content) || std::holds_alternative<KeyField>(content);
  if (!itself) return Carrier::kInteger;
  if (type == FieldType::kText) return Carrier::kBytes;
  // Numbers of more than 64 bits are carried as digits, unless they are public keys.
  return std::holds_alternative<UnitField>(content) && is_wide(type) ? Carrier::kBytes
                                                                     : Carrier::kInteger;
}

// holds: whether fields of the type may come as such values.
bool holds(FieldType type, const FieldBatch::Values& values) {
  const bool integers = std::holds_alternative<std::span<const std::int64_t>>(values);
  switch (type.kind()) {
    case FieldType::kText:
      return std::holds_alternative<std::span<const std::string_view>>(values);
    case FieldType::kReal:
      return integers || std::holds_alternative<std::span<const double>>(values);
    case FieldType::kDecimal:
    case FieldType::kUnsigned:
      return std::holds_alternative<std::span<const Int128>>(values);
    default:
      return integers;
  }
}

}  // namespace

FieldBatch CarrierBuffer::run(const RowFunction& function, Carrier carrier,
                              std::span<const FieldBatch> fields, std::size_t rows) {
  rows_ = rows;
  validity_.clear();
  if (carrier == Carrier::kInteger) {
    integers_.resize(rows);
  } else {
    bytes_.clear();
    places_.assign(rows, {});
  }
  Output out(integers_.data(), *this);
  function.run(fields, rows, out);
  const Validity validity = validity_.empty() ? nullptr : validity_.data();
  if (carrier == Carrier::kInteger) return {std::span<const std::int64_t>(integers_), validity};
  texts_.clear();
  for (const auto& [begin, length] : places_) texts_.emplace_back(bytes_.data() + begin, length);
  return {std::span<const std::string_view>(texts_), validity};
}

void CarrierBuffer::set_text(std::size_t row, std::string_view value) {
  places_[row] = {bytes_.size(), value.size()};
  bytes_ += value;
}

std::uint64_t* CarrierBuffer::make_validity() {
  validity_.assign((rows_ + 63) / 64, ~std::uint64_t{0});
  return validity_.data();
}

RowLayout kernel_layout(const Aggregation& aggregation, const ContentPlan& plan) {
  RowLayout layout;
  if (const auto* unit = std::get_if<UnitColumn>(&aggregation.unit)) {
    layout.unit = content_carrier(unit->type, UnitField{});
  }
  for (const GroupColumns& part : aggregation.groups) {
    const auto* found = std::get_if<FoundKeys>(&part);
    layout.keys.push_back(found != nullptr ? content_carrier(found->column.type, KeyField{})
                                           : Carrier::kInteger);
  }
  for (const ContentField& field : plan.contents) {
    layout.contents.push_back(content_carrier(field.field.type, field.content));
  }
  return layout;
}

RowMapper::RowMapper(const Aggregation& aggregation, const ContentPlan& plan) {
  if (aggregation.where) {
    Mapped condition;
    for (const RowColumn& wanted : columns_of(*aggregation.where)) {
      condition.arguments.push_back(column(wanted));
    }
    condition.map = map_expression(*aggregation.where, map_truth());
    condition_ = std::move(condition);
  }
  if (const auto* unit = std::get_if<UnitColumn>(&aggregation.unit)) {
    unit_ = mapped(aggregation, {unit->name, unit->type}, UnitField{});
  }
  for (const GroupColumns& part : aggregation.groups) {
    Aggregation one;
    one.groups = {part};
    const std::vector<KeyColumn> keys = key_columns(one);
    for (const KeyColumn& key : keys) {
      group_columns_.push_back(mapped(aggregation, {key.name, key.type}, KeyField{}));
    }
    const auto* listed = std::get_if<ListedKeys>(&part);
    parts_.push_back({keys.size(), listed != nullptr ? map_tuples(*listed) : nullptr});
  }
  for (const ContentField& content : plan.contents) {
    contents_.push_back(mapped(aggregation, content.field, content.content));
  }
}

std::size_t RowMapper::column(const RowColumn& wanted) {
  const auto known = std::ranges::find(columns_, wanted);
  const auto number = static_cast<std::size_t>(known - columns_.begin());
  if (known == columns_.end()) columns_.push_back(wanted);
  return number;
}

RowMapper::Mapped RowMapper::mapped(const Aggregation& aggregation, const FieldUse& field,
                                    const FieldContent& content) {
  const RowExpression* derived = find_derived(aggregation, field.name);
  const FieldType type = derived != nullptr ? derived->type : field.type;
  Mapped result;
  result.map = map_of(content);
  result.carrier = content_carrier(type, content);
  if (result.map == nullptr && is_wide(type)) {
    result.map = result.carrier == Carrier::kBytes ? map_digits() : map_field();
  }
  if (derived == nullptr) {
    result.arguments = {column({field.name, field.type})};
    return result;
  }
  for (const RowColumn& wanted : columns_of(*derived)) result.arguments.push_back(column(wanted));
  result.map = map_expression(*derived, result.map);
  return result;
}

FieldBatch RowMapper::run(const Mapped& mapped, std::span<const FieldBatch> fields,
                          std::size_t rows, std::size_t buffer, Room& room) const {
  if (mapped.map == nullptr) return fields[mapped.arguments.front()];
  room.arguments_.clear();
  for (const std::size_t argument : mapped.arguments) room.arguments_.push_back(fields[argument]);
  return room.buffers_[buffer].run(*mapped.map, mapped.carrier, room.arguments_, rows);
}

KeyedRows RowMapper::map(std::span<const FieldBatch> fields, std::size_t rows, Room& room) const {
  invariant(fields.size() == columns_.size(), "there is a batch for each column");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    invariant(holds(columns_[i].type, fields[i].values), "fields are of their column's type");
  }
  std::size_t buffer = 0;
  room.buffers_.resize(2 + group_columns_.size() + parts_.size() + contents_.size());
  KeyedRows result;
  result.rows = rows;
  if (condition_) result.condition = run(*condition_, fields, rows, buffer++, room);
  if (unit_) result.unit = run(*unit_, fields, rows, buffer++, room);
  room.group_fields_.clear();
  for (const Mapped& group : group_columns_) {
    room.group_fields_.push_back(run(group, fields, rows, buffer++, room));
  }
  room.keys_.clear();
  std::size_t first = 0;
  for (const KeyPart& part : parts_) {
    const std::span<const FieldBatch> all = room.group_fields_;
    const auto used = all.subspan(first, part.columns);
    first += part.columns;
    room.keys_.push_back(part.tuples == nullptr ? used.front()
                                                : room.buffers_[buffer++].run(
                                                      *part.tuples, Carrier::kInteger, used, rows));
  }
  room.contents_.clear();
  for (const Mapped& content : contents_) {
    room.contents_.push_back(run(content, fields, rows, buffer++, room));
  }
  result.keys = room.keys_;
  result.contents = room.contents_;
  return result;
}

FieldBatch slice(const FieldBatch& batch, std::size_t first, std::size_t rows) {
  FieldBatch part;
  part.values = std::visit(
      [&](const auto& values) -> FieldBatch::Values { return values.subspan(first, rows); },
      batch.values);
  part.validity = batch.validity == nullptr ? nullptr : batch.validity + first / 64;
  return part;
}

}  // namespace lastbit::engine
