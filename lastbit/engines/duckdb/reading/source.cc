#include "lastbit/engines/duckdb/reading/source.h"

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/sources/parquet_footer.h"

namespace lastbit::engine {
namespace {

std::vector<NamedColumn> text_columns(const DataSource& source, const std::filesystem::path& path) {
  const source::TextFile file = open_text(source, path);
  std::vector<NamedColumn> columns;
  const auto add = [&](const auto& opened) {
    for (const std::string& name : opened->columns()) columns.push_back({name, "VARCHAR"});
  };
  std::visit(add, file);
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
  const std::filesystem::path path = checked_path(source.path);
  std::vector<NamedColumn> columns =
      is_text(source.format) ? text_columns(source, path) : parquet_columns(path);
  if (columns.empty()) {
    refuse_file(path, "has no columns",
                source.format == FileFormat::kJson ? "begin with an object that has all keys"
                                                   : "give a file with columns");
  }
  return columns;
}

}  // namespace lastbit::engine
