// The rules a program must obey beyond its syntax, and the types of its variables.
//
// check_program  fills in `locals` (every variable and loop counter, in the order of their first
//                appearance) and the list that each adjacency is about.
// Types          a variable is bool or a number, by its first assignment; a number is int when
//                everything ever assigned to it is whole, else real.
// Refuses        names that are unknown or may be read before they are assigned; bool where a
//                number belongs and vice versa; a real index or loop bound; assignments to
//                parameters and counters; requirements, claims and lengths that are not public;
//                division by the number 0, samplers that no number can satisfy, and the like.
// Cost           linear in the program; type inference follows assignments, it does not iterate.
#pragma once

#include "lastbit/verify/lang/source.h"
#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

inline constexpr std::size_t kMaxLocals = 1000;

void check_program(Program& program, const Source& source);

}  // namespace lastbit::verify
