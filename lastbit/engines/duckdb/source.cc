#include "lastbit/engines/duckdb/source.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::engine {

DataSource source_by_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  DataSource source;
  source.path = path;
  if (extension == ".csv") return source;
  if (extension == ".tsv") {
    source.delimiter = '\t';
    return source;
  }
  if (extension == ".parquet") {
    source.format = FileFormat::kParquet;
    return source;
  }
  throw Error(ErrorCode::kBadInput, lastbit::quoted(path.string(), 200),
              "has an extension that says neither CSV nor Parquet",
              "name it .csv (commas), .tsv (tabs) or .parquet");
}

}  // namespace lastbit::engine
