// DataSource: where the rows of a query come from. EngineLimits: what the engine may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/database.h"

namespace lastbit::engine {

enum class FileFormat {
  kCsv,      // a header line, then rows of as many fields; quoted with ", as RFC 4180 says
  kParquet,  //
  kJson,     // one array of objects, or one object a line
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

// source_by_extension: .csv (commas), .tsv (tabs), .parquet, in any case; else a kBadInput Error.
DataSource source_by_extension(const std::filesystem::path& path);

struct EngineLimits {
  // Where rows may be written when they do not fit the memory: a directory, in which a folder is
  // made that others cannot look into, and removed. What is written is private and not encrypted.
  // Nothing: nowhere, and data that do not fit are an error.
  std::optional<std::filesystem::path> spill_directory;
  std::optional<std::uint64_t> memory_bytes;  // nothing: most of the machine's memory
  std::optional<unsigned> threads;            // nothing: one a processor
};

}  // namespace lastbit::engine
