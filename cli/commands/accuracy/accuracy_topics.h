// The topics of lastbit accuracy, each a command of its own.
#pragma once

#include "cli/terminal/command.h"

namespace lastbit::cli {

int run_accuracy_error(CommandArguments arguments, Sink& out);
int run_accuracy_epsilon(CommandArguments arguments, Sink& out);
int run_accuracy_bias(CommandArguments arguments, Sink& out);
int run_accuracy_bounds(CommandArguments arguments, Sink& out);

}  // namespace lastbit::cli
