// DataColumns: the columns of the data, read only where the release file alone leaves a doubt. For
// this module only.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lastbit/release/file/schema.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

class DataColumns {
 public:
  // `read` may be empty: then nothing is known. The release outlives this; its source must be
  // there.
  DataColumns(const ReleaseFile& release, ReadSchema read)
      : release_(release), read_(std::move(read)) {}

  // known: whether the columns can be told. A file that cannot be read has its own message later.
  bool known() { return columns().has_value(); }
  // find: the column of this name; null if there is none, or if nothing is known.
  const SchemaColumn* find(std::string_view name);
  // names: of the data and derived; those that are declared, if the data is not known.
  std::vector<std::string> names();
  // remedy_for: what to do about a column that is not there, if the columns are known.
  std::string remedy_for(std::string_view name, const std::vector<std::string>& others);

 private:
  const std::optional<std::vector<SchemaColumn>>& columns();

  const ReleaseFile& release_;
  ReadSchema read_;
  bool tried_ = false;
  std::optional<std::vector<SchemaColumn>> columns_;
};

// declare_truths: columns that statistics name, and that the file of the data declares as true or
// false, are so declared in the release, unless it says otherwise: their keys are public.
void declare_truths(TableReader& root, DataColumns& data, ReleaseFile& release);

// refuse_missing_groups: notes columns that `by` cuts into groups and that are not there.
void refuse_missing_groups(TableReader& root, DataColumns& data, const ReleaseFile& release,
                           Problems& problems);

// blame_misspelt: lets problems about columns that are not there say so.
void blame_misspelt(const ReleaseFile& release, DataColumns& data, Problems& problems);

}  // namespace lastbit::release_internal
