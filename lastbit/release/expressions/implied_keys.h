// implied_keys: the values that an expression can have, where its text alone says so: true and
// false of a condition, the texts of a CASE, the months of month(…).
#pragma once

#include <optional>
#include <string_view>

#include "lastbit/release/file/columns.h"

namespace lastbit {

// Guarantees  an expression with this text has no other value. Nothing where the values are not
//             known, or the text is not an expression.
std::optional<KeySet> implied_keys(std::string_view text);

}  // namespace lastbit
