// ContentPlan: what the measures of an aggregation look at in a row, each content once, and what is
// done with it. Proof: proofs/engine.md#definition
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/engines/kernel/field_content.h"
#include "lastbit/release/plan/aggregation.h"

namespace lastbit::engine {

// ContentField: a content, as a function of a field of the source or a derived one.
struct ContentField {
  FieldUse field;
  FieldContent content;
  friend bool operator==(const ContentField&, const ContentField&) = default;
};

// TallyStep: how one measure counts a row.
enum class TallyKind {
  kRows,      // every row
  kPresent,   // rows with a content
  kUnits,     // units that count
  kDistinct,  // different contents
  kSum,
  kSquares,
  kPair,
  kProduct,
  kProductSquares,  // kProduct with the sums of squares
  kLadder,          // contents: the cell, the steps
  kCells,
};
struct TallyStep {
  TallyKind kind = TallyKind::kRows;
  // Numbers of contents; the second is that of kPair, kProduct, kProductSquares and kLadder.
  std::size_t first = 0;
  std::size_t second = 0;
  std::size_t entries = 1;  // how many the measure has

  std::size_t contents() const;  // how many it looks at
};

struct ContentPlan {
  // The order of the contents is the order in which rows are compared.
  std::vector<ContentField> contents;
  std::vector<TallyStep> measures;
};

// plan_contents
// Requires  caller: check_aggregation accepts the aggregation.
ContentPlan plan_contents(const Aggregation& aggregation);

}  // namespace lastbit::engine
