// What the tests of JSON files share. For tests only; not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/sources/json_file.h"
#include "lastbit/sources/test_support.h"

namespace lastbit::source_testing {

using source::Chunk;
using source::ChunkReader;
using source::JsonFile;
using source::Malformed;
using source::RawTable;

// concat: the parts one after the other.
inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

inline std::vector<std::size_t> all_columns(const JsonFile& file) {
  std::vector<std::size_t> columns(file.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

// append_rows: every row in brackets, missing fields as a tilde.
inline void append_rows(std::string& text, const RawTable& table, std::size_t columns) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    text += '<';
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) text += '|';
      text += table.column(column)[row].value_or("~");
    }
    text += '>';
  }
}

inline std::string rows_of(JsonFile& file) {
  const std::vector<std::size_t> columns = all_columns(file);
  std::string rows;
  Chunk chunk;
  while (file.next(chunk)) {
    source::for_each_table(file, chunk, columns, [&](const RawTable& table) {
      append_rows(rows, table, columns.size());
    });
  }
  return rows;
}

// read: the columns and rows of a file with that text, or why it is malformed.
inline std::string read(std::string_view text, std::size_t block_bytes = ChunkReader::kBlockBytes) {
  const source::TemporaryFile file(text);
  try {
    JsonFile json(file.path(), block_bytes);
    std::string found;
    for (const std::string& column : json.columns()) found += column + " ";
    return found + rows_of(json);
  } catch (const Malformed& malformed) {
    EXPECT_LE(malformed.offset, text.size());
    EXPECT_FALSE(malformed.remedy.empty());
    return "malformed: " + malformed.problem;
  }
}

inline bool is_malformed(std::string_view text) { return read(text).starts_with("malformed: "); }

}  // namespace lastbit::source_testing
