// The topics of lastbit ledger, each a command of its own, and what they share.
#pragma once

#include <string>

#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"

namespace lastbit::cli {

int run_ledger_init(CommandArguments arguments, Sink& out);
int run_ledger_show(CommandArguments arguments, Sink& out);
int run_ledger_verify(CommandArguments arguments, Sink& out);
int run_ledger_export(CommandArguments arguments, Sink& out);
int run_ledger_move(CommandArguments arguments, Sink& out);

// add_ledger_file: the argument that every topic has.
void add_ledger_file(Arguments& parser, std::string& file);

}  // namespace lastbit::cli
