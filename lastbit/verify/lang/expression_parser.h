// Expressions, from words to values of type Expression. Names and types are checked in types.h.
//
// Canonical      a number is one node: -1, 1/3 and -(1/3) are numbers, not operations on numbers.
// Fails          kBadText at FILE:LINE:COLUMN; also if the tree would be deeper than kMaxDepth, so
//                that code that walks it may recurse.
#pragma once

#include <vector>

#include "lastbit/verify/lang/token_stream.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

// The deepest expression, and the deepest nesting of blocks.
inline constexpr int kMaxDepth = 200;

enum class Sides { kRefused, kAllowed };  // whether name.1 and name.2 may occur

Expression parse_expression(TokenStream& tokens, Sides sides = Sides::kRefused);

// parse_conditions: comparisons joined by `and`, each on its own; a chain a <= b < c is two.
std::vector<Expression> parse_conditions(TokenStream& tokens, Sides sides = Sides::kRefused);

// parse_arguments: the parentheses of a call of `name`, with exactly `count` expressions in them.
std::vector<Expression> parse_arguments(TokenStream& tokens, std::string_view name,
                                        std::size_t count);

}  // namespace lastbit::verify
