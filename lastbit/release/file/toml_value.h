// TomlValue: a TOML document as a plain value, with positions, and with numbers as they are written.
// Only this module includes it, and only toml_value.cc sees the library that parses TOML.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/release/file/problems.h"
#include "lastbit/release/file/release_file.h"

namespace lastbit::release_internal {

struct TomlEntry;
struct TomlValue;
// TomlNumber: the digits as written in the file, without underscores; also "nan" and "inf".
struct TomlNumber {
  std::string literal;
};
// TomlTime: a time of day, or a date with one; none of our keys takes it.
struct TomlTime {};
using TomlArray = std::vector<TomlValue>;
// TomlTable: entries in the order of the file.
struct TomlTable {
  std::vector<TomlEntry> entries;
};

struct TomlValue {
  std::variant<bool, TomlNumber, std::string, Date, TomlTime, TomlArray, TomlTable> content;
  FilePosition position;
};
struct TomlEntry {
  std::string key;
  FilePosition position;
  TomlValue value;
};

// read_toml: the document, whose value is a table. Text that is not TOML, too long, too deeply nested
// or not UTF-8 is a kBadInput Error at its place in `filename`.
TomlValue read_toml(std::string_view text, const std::string& filename);

// kind_in_words: "a text", "a number", "a list", …
std::string_view kind_in_words(const TomlValue& value);

}  // namespace lastbit::release_internal
