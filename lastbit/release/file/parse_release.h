// Parsing the text of a release file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lastbit/release/file/public_table.h"
#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/schema.h"

namespace lastbit {

// parse_release
// The value of a release file (docs/release-file.md), with all defaults filled in. `read` reads the
// public files that it names, beside it; without it, naming one is a problem. `schema` tells the
// columns of the data where the file leaves a doubt: whether a column is misspelt, or is true or
// false by its own declaration.
// Ensures   what the value says is possible, as far as the file alone can tell: positive losses
//           that the budget covers, increasing bounds, keys for every group, types that fit where
//           they are declared. Numbers are exactly those written.
// Fails     kBadInput, whatever the bytes are. The place is `filename`:line:column of the first
//           problem; up to 20 are listed, one per line, in the order of the file.
ReleaseFile parse_release(std::string_view text, const std::string& filename,
                          const ReadPublicTable& read = {}, const ReadSchema& schema = {});

// read_release: the same for a file on disk. One that cannot be read, is not a regular file or is
// longer than ReleaseFile::kMaxBytes is a kBadInput Error.
ReleaseFile read_release(const std::filesystem::path& path, const ReadPublicTable& read = {},
                         const ReadSchema& schema = {});
// read_release_text: its text alone, with the same failures.
std::string read_release_text(const std::filesystem::path& path);

}  // namespace lastbit
