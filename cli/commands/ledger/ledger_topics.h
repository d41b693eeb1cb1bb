// The topics of lastbit ledger, each a command of its own, and what they share.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/terminal/arguments.h"
#include "cli/terminal/command.h"
#include "lastbit/accounting/ledger.h"

namespace lastbit::cli {

int run_ledger_init(CommandArguments arguments, Sink& out);
int run_ledger_show(CommandArguments arguments, Sink& out);
int run_ledger_verify(CommandArguments arguments, Sink& out);
int run_ledger_export(CommandArguments arguments, Sink& out);

// add_ledger_file: the argument that every topic has.
void add_ledger_file(Arguments& parser, std::string& file);

// summary_json: what a ledger holds, without its entries. Numbers are exact text; the damage is
// null if there is none.
nlohmann::ordered_json summary_json(const std::string& file, const LedgerContents& contents);
// contents_json: the same with its entries.
nlohmann::ordered_json contents_json(const std::string& file, const LedgerContents& contents);
// entry_state: "finished" or "not finished".
std::string entry_state(const LedgerEntry& entry);
// subjects_text: what the entries are about, one line each; empty without entries.
std::string subjects_text(const LedgerContents& contents, std::string_view indent);
// damage_text: where the damage is and what it is, as a sentence without its full stop.
std::string damage_text(const LedgerDamage& damage);

}  // namespace lastbit::cli
