// One text for all release files that mean the same.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/release/file/release_file.h"

namespace lastbit {

// canonical_text
// The meaning of a release as a release file in canonical form, for digests and for auditors.
// Ensures   files that differ in comments, layout, the order of tables, keys and statistics, in how
//           a number is written, in titles, labels and other words for readers, in what they
//           declare and do not use, or in where a bound is declared have the same text. Parsing the
//           text gives a release with that text.
std::string canonical_text(const ReleaseFile& release);

// toml_string: the text as a TOML string in double quotes, whatever bytes it contains.
std::string toml_string(std::string_view text);

// release_digest: SHA-256 of the canonical text, in hexadecimal.
std::string release_digest(const ReleaseFile& release);

}  // namespace lastbit
