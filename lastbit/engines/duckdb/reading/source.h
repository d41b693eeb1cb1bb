// DataSource: where the rows of a query come from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/type_names.h"
#include "lastbit/release/fields/field_notation.h"
#include "lastbit/release/fields/text_form.h"

namespace lastbit::engine {

enum class FileFormat {
  kCsv,      // a header line, then rows with as many fields; quoted with " as in RFC 4180
  kParquet,  //
  kJson,     // one array of objects, or one object per line
  kDuckDb,   // a table of a database file, which is opened read-only
};

struct DataSource {
  std::filesystem::path path;  // for CSV and JSON, it may be a pattern (source_paths.h)
  FileFormat format = FileFormat::kCsv;
  // For kCsv: the one-byte separator between fields, and which unquoted fields mean "missing".
  char delimiter = ',';
  std::vector<std::string> null_texts = {""};
  // For kDuckDb.
  std::string table;
  // For CSV and JSON: further files with the same columns. A name that ends with .gz or .zst says
  // that the file is compressed.
  std::vector<std::filesystem::path> more_paths = {};
  // For kCsv, as in source::CsvFormat; and how fields are written.
  char quote = '"';
  char escape = '\0';
  std::vector<std::string> names = {};
  TextEncoding encoding = TextEncoding::kUtf8;
  FieldNotation notation = {};
};

// is_text: whether our own reader reads files of this format.
inline bool is_text(FileFormat format) {
  return format == FileFormat::kCsv || format == FileFormat::kJson;
}

// source_columns: the columns of the source, with their names and SQL types. Looks at no row: it
// reads the header of a CSV file, the footer of a Parquet file, the catalogue of a database file.
// For JSON, the names are the keys of the first object.
// Fails  kBadInput if the source is not a readable file of its format, or has several files whose
//        columns differ.
std::vector<NamedColumn> source_columns(const DataSource& source);

}  // namespace lastbit::engine
