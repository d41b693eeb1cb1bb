// The subcommands. Each takes the arguments after its name, writes to `out` and returns the exit
// code; any failure is thrown as an Error.
#pragma once

#include <span>
#include <string>

#include "cli/terminal/output.h"

namespace lastbit::cli {

using CommandArguments = std::span<const std::string>;

int run_account(CommandArguments arguments, Sink& out);
int run_check(CommandArguments arguments, Sink& out);
int run_demo(CommandArguments arguments, Sink& out);
int run_explain(CommandArguments arguments, Sink& out);
int run_generate(CommandArguments arguments, Sink& out);
int run_init(CommandArguments arguments, Sink& out);
int run_inspect(CommandArguments arguments, Sink& out);
int run_ledger(CommandArguments arguments, Sink& out);
int run_loss(CommandArguments arguments, Sink& out);
int run_plan(CommandArguments arguments, Sink& out);
int run_prove(CommandArguments arguments, Sink& out);
int run_query(CommandArguments arguments, Sink& out);
int run_release_command(CommandArguments arguments, Sink& out);
int run_shell(CommandArguments arguments, Sink& out);
int run_snap(CommandArguments arguments, Sink& out);
int run_stability(CommandArguments arguments, Sink& out);
int run_accuracy(CommandArguments arguments, Sink& out);

}  // namespace lastbit::cli
