// FieldContent: what an engine holds for a field, in a carrier (row_function.h).
#pragma once

#include <memory>
#include <variant>

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

struct UnitField {  // the field itself, where only equality matters: of units, and different values
  friend bool operator==(const UnitField&, const UnitField&) = default;
};
struct KeyField {
  bool found = false;  // whether any value can be a key, or only public values
  friend bool operator==(const KeyField&, const KeyField&) = default;
};
struct PresentField {  // 0 where there is a value
  friend bool operator==(const PresentField&, const PresentField&) = default;
};
struct TrueField {  // 1 where the value is true, 0 elsewhere
  friend bool operator==(const TrueField&, const TrueField&) = default;
};
struct WrittenField {  // 0 where the source has anything, also what cannot be read as its type
  friend bool operator==(const WrittenField&, const WrittenField&) = default;
};
using FieldContent = std::variant<UnitField, KeyField, PresentField, TrueField, WrittenField,
                                  SteppedField, BinCounts, BelowCounts, CategoryCounts>;

// map_of: the map from a field to the content; null if the content is the field itself.
std::shared_ptr<const RowFunction> map_of(const FieldContent& content);

}  // namespace lastbit::engine
