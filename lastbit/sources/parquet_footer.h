// What a Parquet file says about itself: its columns, its rows and where everything is.
//
// DuckDB decodes the pages, but it trusts the footer. A lying footer, in a damaged or forged file,
// could make it take the values of one row for those of another. So the footer is read here, and
// what it says must add up, down to the headers of the pages, before the engine sees the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lastbit::source {

// The longest footer that is read, in bytes, and the most columns and groups of columns.
inline constexpr std::uint64_t kMaxFooterBytes = std::uint64_t{256} << 20;
inline constexpr std::size_t kMaxSchemaElements = std::size_t{1} << 20;

// ParquetColumn: a top-level column, with the name that DuckDB's DESCRIBE gives its type. Types
// that no release can use have an upper-case name as well: LIST, MAP, STRUCT and VARIANT for those
// that are not flat, BSON, UNKNOWN for annotations from later versions, and "UNREAD …" if DuckDB
// would misread the values because the file annotates them only in the newer of two ways.
struct ParquetColumn {
  std::string name;
  std::string type;
  // The column's place among the leaves, which is also that of its chunk in every row group; none
  // unless it is flat, with at most one value per row.
  std::optional<std::size_t> flat_leaf;
  bool optional = false;  // a value may be missing
};

// ParquetChunk: the pages of one leaf column in one row group, `bytes` of them from `start` on.
struct ParquetChunk {
  std::uint64_t start = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_data_page = 0;  // an offset in the file; meaningless without values
  std::int64_t values = 0;
  bool compressed = false;
};

struct ParquetRowGroup {
  std::int64_t rows = 0;
  std::vector<ParquetChunk> chunks;  // one for each leaf
};

struct ParquetFooter {
  // Top-level, in order. Names are not empty, and differ in more than the case of ASCII letters.
  std::vector<ParquetColumn> columns;
  std::int64_t rows = 0;
  std::vector<ParquetRowGroup> row_groups;
  std::uint64_t file_bytes = 0;
};

// read_parquet_footer: reads the first four bytes, the last eight and the metadata before them.
// Ensures   rows is the sum of the groups'; each group has one chunk for each leaf, of the leaf's
//           path and physical type, with as many values as rows where the leaf is not repeated; the
//           chunks' bytes lie between the first four bytes and the footer, and no two overlap.
// Fails     kBadInput for anything else: a file that is not Parquet, is encrypted, truncated or
//           damaged, whose chunks are in other files, whose annotations contradict each other or
//           their physical type, or whose column names are not text or not distinct. No value of a
//           row is quoted.
ParquetFooter read_parquet_footer(const std::filesystem::path& path);

// check_parquet_pages: reads the page headers of the named columns in all row groups, but no page
// bodies.
// Requires  `footer` is that of the file; `columns` are flat columns of it.
// Ensures   the pages fill each chunk; there is at most one dictionary, in front; all others are
//           data pages whose values add up to the chunk's; those of version 2 have a row for each
//           value and no more missing values than values; the positions of missing values are
//           written in the encoding that DuckDB assumes.
// Fails     kBadInput otherwise, also if the file's size has changed.
void check_parquet_pages(const std::filesystem::path& path, const ParquetFooter& footer,
                         std::span<const std::string> columns);

}  // namespace lastbit::source
