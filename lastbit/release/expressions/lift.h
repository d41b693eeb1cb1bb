// lift_texts: the parts of an expression that read one text column and nothing else.
// Proof: proofs/expressions.md#batches
#pragma once

#include <cstddef>
#include <vector>

#include "lastbit/release/expressions/expression.h"

namespace lastbit {

// kMaxLiftedParts: an engine computes each part by itself, for whole batches of rows.
inline constexpr std::size_t kMaxLiftedParts = 8;

// LiftedExpression: `whole` names each part like a column. A part reads one column, which is a
// text; its value is a whole number, a truth value or a date.
struct LiftedExpression {
  RowExpression whole;
  std::vector<DerivedColumn> parts;
};

// lift_texts: texts repeat, and an engine that stores each once can compute a part once for each,
// while a function of several columns takes every row.
// Guarantees  replace_columns(whole, parts) is the expression, and no part is named like one of its
//             columns. There are no parts if the expression reads one column only.
LiftedExpression lift_texts(RowExpression expression);

}  // namespace lastbit
