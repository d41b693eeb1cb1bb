// What a statistic computes, and of which columns. Only this room includes it.
#pragma once

#include <optional>
#include <string>

#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

struct ParsedKind {
  std::string name;                   // as the file writes it
  std::optional<StatisticKind> kind;  // nothing where it has problems
};

// parse_kind: what `value` names, from the keys of its statistic in `reader`; nothing, and a problem,
// where there is no such kind. The columns of the release must have been read.
std::optional<ParsedKind> parse_kind(const TomlValue& value, const ReleaseFile& release,
                                     TableReader& reader);

}  // namespace lastbit::release_internal
