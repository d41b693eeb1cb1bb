// map_expression: a row expression as a RowFunction.
#pragma once

#include <memory>

#include "lastbit/engines/kernel/row_function.h"
#include "lastbit/release/expressions/expression.h"

namespace lastbit::engine {

// map_expression: takes the fields of columns_of(expression), and gives what `map` makes of the
// expression's value; null: the value itself, as bytes for texts. Its value is not a kReal then.
std::shared_ptr<const RowFunction> map_expression(const RowExpression& expression,
                                                  std::shared_ptr<const RowFunction> map);

}  // namespace lastbit::engine
