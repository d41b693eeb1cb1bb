// Whether a release file fits the data that it names.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/fields/column_type.h"
#include "lastbit/release/file/release_file.h"

namespace lastbit {

// SchemaColumn: a column as the source declares it. It holds no value of any row.
struct SchemaColumn {
  std::string name;
  std::string type_name;           // what the source calls its type, for messages
  std::optional<ColumnType> type;  // nothing if no release can use it
};

// ReadSchema: the columns of the source of a release, as Engine::read_schema reads them.
using ReadSchema = std::function<std::vector<SchemaColumn>(const ReleaseFile& release)>;

// check_against_schema
// The release with the type of every column that it uses.
// Ensures   each column that the release names is there (names are compared exactly), and can be
//           used as the release uses it. Formats without types keep those of the release.
// Fails     kBadInput as parse_release: all misspelt columns, with the nearest name, and all types
//           that do not fit, each with its place in the release file.
ReleaseFile check_against_schema(ReleaseFile release, std::span<const SchemaColumn> columns);

namespace release_internal {

// missing_column_remedy: for a column that is not among `names`, those of the schema and derived
// ones. A header that was read as a single name probably has another delimiter.
std::string missing_column_remedy(const Source& source, std::span<const SchemaColumn> schema,
                                  std::string_view name, const std::vector<std::string>& names);

}  // namespace release_internal

}  // namespace lastbit
