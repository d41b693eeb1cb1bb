// implied_keys: the values that an expression can have, where they follow from its text, as true
// and false of a condition, the texts of a CASE, the months of month(…); or from the keys of the
// one column that it names, as the months of date_trunc('month', day) for given days.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/file/columns.h"

namespace lastbit {

// KeyedColumn: a column whose public values are known, and that holds values of their type. The
// keys outlive this.
struct KeyedColumn {
  std::string name;
  const KeySet* keys = nullptr;
};

struct ImpliedKeys {
  KeySet keys;
  std::optional<RowColumn> from;  // the column whose keys they follow from, with the type of these
};

// Guarantees  an expression with this text has no other value in rows where the columns have values
//             among their keys, or none. Nothing where the values are not known, where computing
//             them takes more than `work` operations, from which it takes what it used, or where
//             the text is not an expression.
std::optional<ImpliedKeys> implied_keys(std::string_view text,
                                        const std::vector<KeyedColumn>& columns, std::size_t& work);

// always_has_key: whether an expression with this text has one of the keys in every row, whatever
// the columns hold: a CASE of such constants that has an ELSE, or a condition that is never
// unknown.
bool always_has_key(std::string_view text, const KeySet& keys);

// kKeyWork: a fair amount of work for the keys of all derived columns of a file.
inline constexpr std::size_t kKeyWork = 4'000'000;

}  // namespace lastbit
