// The answer of `lastbit loss` for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/commands/loss/loss_study.h"
#include "lastbit/report/table.h"

namespace lastbit::cli {

// loss_as_text: bounds and the worst loss as a table, then the witness. `claim` is what --claim says.
std::string loss_as_text(const LossStudy& study, const std::optional<Rational>& claim,
                         const report::Paint& paint);
// loss_as_json: the same with exact numbers as text; an infinite loss is the text "infinity".
nlohmann::ordered_json loss_as_json(const LossStudy& study, const std::optional<Rational>& claim);

}  // namespace lastbit::cli
