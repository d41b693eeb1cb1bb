// The values of expressions in one state of an executed program. For execute.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/semantics/value.h"

namespace lastbit::verify {

// ExecutionNames: where the values of variables stand in a state, and the lists, which never change.
struct ExecutionNames {
  std::map<std::string, std::size_t> slots;
  std::map<std::string, std::vector<Rational>> lists;
  Rational base;
};

// evaluate: nothing when the run is impossible there. Truth values are 0 and 1. `and` and `or` do
// not look at their second operand when the first decides. What is no exact number is an Error
// (kNotSupported), an expression that makes no sense an Error (kMismatch).
std::optional<LogNumber> evaluate(const ExecutionNames& names, const std::vector<LogNumber>& values,
                                  const Expression& expression);

}  // namespace lastbit::verify
