// What a ledger holds, for a terminal and for programs. All of it is public.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lastbit/accounting/ledger.h"
#include "lastbit/report/table.h"

namespace lastbit::report {

// summary_json: what a ledger holds, without its entries. Numbers are exact text; the damage is
// null if there is none.
nlohmann::ordered_json summary_json(const std::string& file, const LedgerContents& contents);
// contents_json: the same with its entries.
nlohmann::ordered_json contents_json(const std::string& file, const LedgerContents& contents);

// ledger_text: what was spent and what is left, for a terminal with lines of `width` cells. Long
// numbers are rounded in the safe direction: up for what is spent, down for what is left. A budget
// in rho is shown in epsilon as well, at this delta.
std::string ledger_text(const std::string& file, const LedgerContents& contents,
                        const Rational& delta, const Paint& paint, std::size_t width);

// entry_state: "finished" or "not finished".
std::string entry_state(const LedgerEntry& entry);
// subjects_text: what the entries are about, one line each; empty without entries.
std::string subjects_text(const LedgerContents& contents, std::string_view indent);
// damage_text: where the damage is and what it is, as a sentence without its full stop.
std::string damage_text(const LedgerDamage& damage);

}  // namespace lastbit::report
