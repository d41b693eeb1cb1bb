// parse_program: the text of a mechanism becomes a Program.
//
// Requires       nothing: the text may be hostile.
// Ensures        the Program is well formed and well typed: every name is known and assigned before
//                it is read, `locals` holds the inferred types, requirements and claims mention
//                public parameters only, and no expression or nesting is deeper than kMaxDepth.
//                parse_program(print_program(p)) == p.
// Fails          kBadText at FILE:LINE:COLUMN, with the source line, a caret and a remedy.
// Guide          docs/language.md
#pragma once

#include <string_view>

#include "lastbit/verify/logic/program.h"

namespace lastbit::verify {

inline constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxParameters = 1000;

Program parse_program(std::string_view text, std::string_view file_name = "program");

}  // namespace lastbit::verify
