// Examples: a claim about inputs that do not exist is true, and says nothing.
#pragma once

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

// require_examples: there are private inputs, and for each of them parameters that meet the
// requirements and two adjacent inputs that differ there.
// Limits    examples are looked for, within a fixed amount of work, among rational numbers that the
//           requirements and the adjacency suggest. Requirements may use + - * /, |x|, min, max,
//           clamp, floor and ceil; with other functions, or entries of lists, none is found.
// Fails     kNotSupported where none was found. A program that makes no sense is an Error as in
//           start().
// Proof     proofs/coupling.md#examples
void require_examples(const Program& program);

}  // namespace lastbit::verify
