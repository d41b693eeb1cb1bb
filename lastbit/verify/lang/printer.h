// Programs back to text.
//
// print_program  the canonical text: parse_program(print_program(p)) == p for every p that
// parse_program can return. Parentheses occur only where they are needed.
#pragma once

#include <string>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

std::string print_program(const Program& program);
std::string print_expression(const Expression& expression);
// print_adjacency: one clause, as in `every |q.1 - q.2| <= 1`.
std::string print_adjacency(const Adjacency& clause);
// print_head: the statement on one line without its end; of `if` and loops only the part before the
// brace.
std::string print_head(const Statement& statement);

}  // namespace lastbit::verify
