// The starter release file that `lastbit init` writes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"

namespace lastbit::cli {

// toml_key: the name as a TOML key, in quotes if it needs them.
std::string toml_key(std::string_view name);

// starter_text
// A release file about `source` with one count, and a commented-out example for each of its
// columns.
// Ensures   it parses as it is, and also without the # of every line in which no space follows the
//           #. It reveals nothing about the data except the names and types of its columns.
std::string starter_text(const Source& source, std::span<const SchemaColumn> columns);

}  // namespace lastbit::cli
