// PublicFiles: the public tables that a release file names, read and checked. For this module only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lastbit/release/file/public_table.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

class PublicFiles {
 public:
  // `read` may be empty: then no release file can name a public file. The release outlives this;
  // its source must have been read.
  PublicFiles(const ReleaseFile& release, ReadPublicTable read)
      : release_(release), read_(std::move(read)) {}

  // read: these columns of the file that the entry names, as in file = "codes.csv" or file = { path
  // = "codes.duckdb", table = "codes" }; nothing, and a problem, if there is no such table.
  std::optional<PublicTable> read(const TomlEntry& file, const std::vector<std::string>& columns,
                                  Problems& problems) const;
  // read_keys: the different keys of a column of that file, in the order of the file.
  std::optional<KeyList> read_keys(const TomlEntry& file, const std::string& column, FieldType type,
                                   Problems& problems) const;

 private:
  bool is_private(const Source& source) const;

  const ReleaseFile& release_;
  ReadPublicTable read_;
};

// key_in: a public field as a key of this type; nothing if it cannot be read so.
std::optional<KeyValue> key_in(const std::string& field, FieldType type);

}  // namespace lastbit::release_internal
