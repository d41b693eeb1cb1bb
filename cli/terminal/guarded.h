// What every program in this folder does around its work: open standard output, and turn anything
// thrown into a message and an exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/terminal/output.h"

namespace lastbit::cli {

// guarded: the exit code of `run`, or of the error that it throws. Errors go to standard error,
// after the name of the program; as a JSON document if the arguments have --json.
int guarded(const std::string& program, const std::vector<std::string>& arguments,
            const std::function<int(Sink&)>& run);

}  // namespace lastbit::cli
