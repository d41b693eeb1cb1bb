// The values of expressions in one state of an executed program. For execute.cc.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/semantics/value.h"

namespace lastbit::verify {

// ExecutionNames: where a state holds the values of variables, and the lists, which never change.
struct ExecutionNames {
  std::map<std::string, std::size_t> slots;
  std::map<std::string, std::vector<Rational>> lists;
  Rational base;
};

// evaluate: nothing if the run is impossible there. Truth values are 0 and 1. `and` and `or` do not
// look at their second operand if the first decides. A value that is not an exact number is an
// Error (kNotSupported), a meaningless expression an Error (kMismatch).
std::optional<LogNumber> evaluate(const ExecutionNames& names, const std::vector<LogNumber>& values,
                                  const Expression& expression);

}  // namespace lastbit::verify
