#include "lastbit/engines/kernel/field_content.h"

#include "lastbit/engines/kernel/value_map.h"

namespace lastbit::engine {
namespace {

// The map for a content; null if it is the field itself.
struct MapOf {
  using Map = std::shared_ptr<const RowFunction>;
  Map operator()(const UnitField&) const { return nullptr; }
  Map operator()(const KeyField&) const { return nullptr; }
  Map operator()(const PresentField&) const { return map_presence(); }
  Map operator()(const TrueField&) const { return map_truth(); }
  Map operator()(const WrittenField&) const { return map_presence(); }
  Map operator()(const SteppedField& field) const { return map_steps(field); }
  Map operator()(const BinCounts& bins) const { return map_bins(bins); }
  Map operator()(const BelowCounts& below) const { return map_ranks(below); }
  Map operator()(const CategoryCounts& categories) const { return map_categories(categories); }
};

}  // namespace

std::shared_ptr<const RowFunction> map_of(const FieldContent& content) {
  return std::visit(MapOf{}, content);
}

}  // namespace lastbit::engine
