#include "lastbit/engines/duckdb/reading/source.h"

#include <fmt/core.h>

#include <cstddef>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/sources/parquet_footer.h"

namespace lastbit::engine {
namespace {

// require_same_columns: the columns of a further file, which must be those of the first one.
// Without a header, what is read as its columns is a record, so the message does not quote it.
void require_same_columns(const std::vector<std::string>& columns, const SourceFile& file,
                          const std::vector<std::string>& first_columns, const SourceFile& first) {
  if (columns == first_columns) return;
  std::size_t place = 0;
  while (place < columns.size() && place < first_columns.size() &&
         columns[place] == first_columns[place]) {
    ++place;
  }
  const std::string other = lastbit::quote(first.path.string(), 200);
  refuse_file(file.path,
              place < first_columns.size()
                  ? fmt::format("has other columns than {}: column {} is not {}", other, place + 1,
                                lastbit::quote(first_columns[place]))
                  : fmt::format("has more columns than {}", other),
              "give all files the same header; for files without one, write `names` in [source]");
}

std::vector<NamedColumn> text_columns(const DataSource& source) {
  const std::vector<SourceFile> files = checked_files(source);
  const std::vector<std::string> names = columns_of(open_text(source, files.front()));
  for (std::size_t i = 1; i < files.size(); ++i) {
    require_same_columns(columns_of(open_text(source, files[i])), files[i], names, files.front());
  }
  std::vector<NamedColumn> columns;
  for (const std::string& name : names) columns.push_back({name, "VARCHAR"});
  return columns;
}

std::vector<NamedColumn> parquet_columns(const std::filesystem::path& path) {
  std::vector<NamedColumn> columns;
  for (const source::ParquetColumn& column : source::read_parquet_footer(path).columns) {
    columns.push_back({column.name, column.type});
  }
  return columns;
}

}  // namespace

std::vector<NamedColumn> source_columns(const DataSource& source) {
  if (source.format == FileFormat::kDuckDb) return LockedEngine(source).schema();
  check_delimiter(source);
  std::vector<NamedColumn> columns =
      is_text(source.format) ? text_columns(source) : parquet_columns(checked_path(source.path));
  if (columns.empty()) {
    refuse_file(source.path, "has no columns",
                source.format == FileFormat::kJson ? "begin with an object that has all keys"
                                                   : "give a file with columns");
  }
  return columns;
}

}  // namespace lastbit::engine
