// choice_of: a key whose value is one of several names. For this module only.
#pragma once

#include <fmt/core.h>

#include <optional>
#include <string>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

// choice_of: the choice that an entry names, by the names that name_of gives them.
template <class Choices>
auto choice_of(const TomlEntry& entry, const Choices& choices, Problems& problems)
    -> std::optional<Located<typename Choices::value_type>> {
  const auto text = read_text(entry.value, in_code(entry.key), problems);
  if (!text) return std::nullopt;
  std::vector<std::string> names;
  for (const auto choice : choices) {
    names.emplace_back(name_of(choice));
    if (*text == names.back()) return {{choice, entry.value.position}};
  }
  problems.add(entry.value.position,
               fmt::format("{} cannot be {}", in_code(entry.key), quote(*text)),
               did_you_mean(*text, names));
  return std::nullopt;
}

}  // namespace lastbit::release_internal
