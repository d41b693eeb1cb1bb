// The topics of lastbit utility, each a command of its own.
#pragma once

#include "cli/terminal/command.h"

namespace lastbit::cli {

int run_utility_accuracy(CommandArguments arguments, Sink& out);
int run_utility_epsilon(CommandArguments arguments, Sink& out);
int run_utility_bias(CommandArguments arguments, Sink& out);
int run_utility_bound(CommandArguments arguments, Sink& out);

}  // namespace lastbit::cli
