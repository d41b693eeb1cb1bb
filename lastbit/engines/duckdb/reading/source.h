// DataSource: where the rows of a query come from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/type_names.h"

namespace lastbit::engine {

enum class FileFormat {
  kCsv,      // a header line, then rows of as many fields; quoted with ", as RFC 4180 says
  kParquet,  //
  kJson,     // one array of objects, or one object per line
  kDuckDb,   // a table of a database file, which is opened for reading
};

struct DataSource {
  std::filesystem::path path;
  FileFormat format = FileFormat::kCsv;
  // For kCsv: what stands between fields, one byte, and which unquoted fields mean "missing".
  char delimiter = ',';
  std::vector<std::string> null_texts = {""};
  // For kDuckDb.
  std::string table;
};

// is_text: whether our own reader makes rows of such a file.
inline bool is_text(FileFormat format) {
  return format == FileFormat::kCsv || format == FileFormat::kJson;
}

// source_columns: the columns of the source, names and types in SQL's words. No row is looked at:
// of a CSV file the header is read, of a Parquet file the footer, of a database file its catalogue.
// JSON has no names but the keys of its first object.
// Fails  kBadInput for a source that is no readable file of its format.
std::vector<NamedColumn> source_columns(const DataSource& source);

}  // namespace lastbit::engine
