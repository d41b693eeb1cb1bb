// What is wrong with text that is not TOML, in plain words. For this module only.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/release/file/columns.h"

namespace lastbit::release_internal {

struct TomlMistake {
  FilePosition position;
  std::string problem;
  std::string remedy;
};

// explain_toml: the mistake at a place where the TOML library stopped, which `description` says in
// its own words. Typical mistakes are told from the line; others keep the library's words.
TomlMistake explain_toml(std::string_view text, FilePosition position,
                         std::string_view description);

}  // namespace lastbit::release_internal
