#include "lastbit/engines/kernel/content_plan.h"

#include <algorithm>
#include <utility>

namespace lastbit::engine {
namespace {

class ContentPlanner {
 public:
  explicit ContentPlanner(ContentPlan& plan) : plan_(plan) {}

  void add(const Tally& tally) {
    TallyStep step = std::visit([this](const auto& kind) { return step_of(kind); }, tally);
    step.entries = entry_count(tally);
    plan_.measures.push_back(step);
  }

 private:
  std::size_t content(const FieldUse& field, FieldContent what) {
    ContentField wanted{field, std::move(what)};
    const auto known = std::ranges::find(plan_.contents, wanted);
    const auto number = static_cast<std::size_t>(known - plan_.contents.begin());
    if (known == plan_.contents.end()) plan_.contents.push_back(std::move(wanted));
    return number;
  }
  std::size_t content(const SteppedField& field) { return content(field.field, field); }
  TallyStep pair(TallyKind kind, const SteppedField& first, const SteppedField& second) {
    const std::size_t one = content(first);
    return {kind, one, content(second)};
  }

  TallyStep step_of(const RowCount& count) {
    if (!count.field) return {TallyKind::kRows};
    return {TallyKind::kPresent, content(*count.field, PresentField{})};
  }
  TallyStep step_of(const UnitCount& /*count*/) { return {TallyKind::kUnits}; }
  TallyStep step_of(const DistinctCount& count) {
    return {TallyKind::kDistinct, content(count.field, UnitField{})};
  }
  TallyStep step_of(const StepSum& sum) { return {TallyKind::kSum, content(sum.field)}; }
  TallyStep step_of(const SquareSum& sum) { return {TallyKind::kSquares, content(sum.field)}; }
  TallyStep step_of(const PairSum& sum) { return pair(TallyKind::kPair, sum.first, sum.second); }
  TallyStep step_of(const ProductSum& sum) {
    return pair(sum.squares ? TallyKind::kProductSquares : TallyKind::kProduct, sum.first,
                sum.second);
  }
  TallyStep step_of(const LadderSum& ladder) {
    const BelowCounts cells = ladder_cells(ladder);
    const std::size_t cell = content(cells.field, cells);
    return {TallyKind::kLadder, cell, content(ladder.field)};
  }
  TallyStep step_of(const BinCounts& bins) {
    return {TallyKind::kCells, content(bins.field, bins)};
  }
  TallyStep step_of(const BelowCounts& below) {
    return {TallyKind::kCells, content(below.field, below)};
  }
  TallyStep step_of(const CategoryCounts& categories) {
    return {TallyKind::kCells, content(categories.field, categories)};
  }

  ContentPlan& plan_;
};

}  // namespace

std::size_t TallyStep::contents() const {
  switch (kind) {
    case TallyKind::kRows:
    case TallyKind::kUnits:
      return 0;
    case TallyKind::kPair:
    case TallyKind::kProduct:
    case TallyKind::kProductSquares:
    case TallyKind::kLadder:
      return 2;
    default:
      return 1;
  }
}

ContentPlan plan_contents(const Aggregation& aggregation) {
  ContentPlan plan;
  ContentPlanner planner(plan);
  for (const Tally& tally : aggregation.measures) planner.add(tally);
  return plan;
}

}  // namespace lastbit::engine
