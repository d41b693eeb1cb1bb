// TextFile: a CSV or JSON file. Both have the same four functions.
#pragma once

#include <memory>
#include <variant>

#include "lastbit/sources/csv_file.h"
#include "lastbit/sources/json_file.h"

namespace lastbit::source {

using TextFile = std::variant<std::unique_ptr<CsvFile>, std::unique_ptr<JsonFile>>;

}  // namespace lastbit::source
