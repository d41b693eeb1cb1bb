// The starter release file that `lastbit init` writes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"

namespace lastbit::cli {

// toml_key: the name as a key of TOML, in quotes where it needs them.
std::string toml_key(std::string_view name);

// starter_text
// A release file about `source` with one count, and an example for each of its columns behind a #.
// Ensures   it parses as it is, and with the # taken from every line where no space follows it. It
//           says nothing of the data but the names and types of its columns.
std::string starter_text(const Source& source, std::span<const SchemaColumn> columns);

}  // namespace lastbit::cli
