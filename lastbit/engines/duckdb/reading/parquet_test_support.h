// Parquet files that lie, written by a small writer of Thrift's compact protocol. For tests only;
// not installed.
#pragma once

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/engines/duckdb/test_support.h"
#include "lastbit/sources/parquet_footer.h"

namespace lastbit::source {

class Fields {
 public:
  Fields& i32(int id, std::int64_t value) { return integer(id, 5, value); }
  Fields& i64(int id, std::int64_t value) { return integer(id, 6, value); }
  Fields& flag(int id, bool value) { return raw(id, value ? 1 : 2, ""); }
  Fields& byte(int id, char value) { return raw(id, 3, std::string(1, value)); }
  Fields& text(int id, const std::string& value) { return raw(id, 8, sized(value)); }
  Fields& fields(int id, const Fields& value) { return raw(id, 12, value.end()); }
  Fields& list(int id, int type, const std::vector<std::string>& values) {
    std::string all = {static_cast<char>(0xf0 | type)};
    all += varint(values.size());
    for (const std::string& value : values) all += value;
    return raw(id, 9, all);
  }
  Fields& raw(int id, int type, const std::string& value) {
    bytes_ += static_cast<char>(type);
    bytes_ += varint(static_cast<std::uint64_t>(id) << 1);
    bytes_ += value;
    return *this;
  }
  std::string end() const { return bytes_ + '\0'; }

  static std::string sized(const std::string& text) { return varint(text.size()) + text; }
  static std::string varint(std::uint64_t value) {
    std::string out;
    for (; value > 0x7f; value >>= 7) out += static_cast<char>((value & 0x7f) | 0x80);
    return out + static_cast<char>(value);
  }

 private:
  Fields& integer(int id, int type, std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return raw(id, type, varint((bits << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0)));
  }

  std::string bytes_;
};

// Told: what a file with the columns x and y and one row group of three rows says about itself. By
// default it is the truth. Zero or empty means that a field is left out, where a comment says so.
struct Told {
  std::int64_t rows = 3;
  std::int64_t group_rows = 3;
  std::int64_t values = 3;
  std::int64_t more_bytes = 0;      // than the chunk of x has
  std::int64_t moved = 0;           // how much farther on x is claimed to be
  std::int64_t dictionary_at = 0;   // left out
  std::int64_t uncompressed = 100;  //
  std::int32_t physical = 1;
  std::int32_t codec = 1;
  std::vector<std::string> path = {"x"};
  std::string name = "x";
  std::string other_name = "y";
  std::int32_t children = 2;
  std::int32_t repetition = 1;
  std::string file;                // that x is in; left out
  Fields in_chunk;                 // more fields of the chunk of x
  Fields in_footer;                // more fields of the footer
  std::vector<std::string> pages;  // of x, instead of the true one
  bool y_is_x = false;             // the chunk of y is where that of x is
};

inline Fields data_page(std::int64_t values, std::int64_t bytes = 5, std::int64_t levels = 3) {
  return Fields()
      .i32(1, 0)
      .i32(2, bytes + 2)
      .i32(3, bytes)
      .fields(5, Fields().i32(1, values).i32(2, 0).i32(3, levels).i32(4, 3));
}
inline Fields data_page_v2(std::int64_t values, std::int64_t nulls, std::int64_t rows,
                           std::int64_t levels = 2, std::int64_t repetition = 0) {
  const Fields counts = Fields().i32(1, values).i32(2, nulls).i32(3, rows).i32(4, 0).i32(5, levels);
  return Fields().i32(1, 3).i32(2, 7).i32(3, 5).fields(8, Fields(counts).i32(6, repetition));
}
inline Fields dictionary_page(std::int64_t values) {
  return Fields().i32(1, 2).i32(2, 7).i32(3, 5).fields(7, Fields().i32(1, values).i32(2, 0));
}
inline std::string page(const Fields& header, std::size_t bytes = 5) {
  return header.end() + std::string(bytes, 'v');
}

inline std::string framed(const std::string& data, const std::string& footer) {
  std::string length;
  for (unsigned i = 0; i < 4; ++i) length += static_cast<char>(footer.size() >> (8 * i));
  return "PAR1" + data + footer + length + "PAR1";
}

inline std::string chunk(const Told& told, std::int64_t at, std::int64_t bytes) {
  std::vector<std::string> path;
  for (const std::string& name : told.path) path.push_back(Fields::sized(name));
  Fields meta;
  meta.i32(1, told.physical).list(2, 5, {}).list(3, 8, path).i32(4, told.codec);
  meta.i64(5, told.values).i64(6, told.uncompressed).i64(7, bytes).i64(9, at);
  if (told.dictionary_at != 0) meta.i64(11, told.dictionary_at);
  Fields all;
  if (!told.file.empty()) all.text(1, told.file);
  std::string bytes_of_all = all.i64(2, 0).fields(3, meta).end();
  bytes_of_all.pop_back();
  return bytes_of_all + told.in_chunk.end();
}

inline std::string forged(const Told& told) {
  std::string x;
  for (const std::string& one : told.pages) x += one;
  if (told.pages.empty()) x = page(data_page(3));
  const std::string y = page(data_page(3));
  const auto element = [&](const std::string& name, std::int32_t physical) {
    return Fields().i32(1, physical).i32(3, told.repetition).text(4, name).end();
  };
  Told of_y;
  of_y.path = {told.other_name};
  const auto bytes = static_cast<std::int64_t>(x.size()) + told.more_bytes;
  const std::string chunk_x = chunk(told, 4 + told.moved, bytes);
  const std::string chunk_y = chunk(of_y, told.y_is_x ? 4 : 4 + static_cast<std::int64_t>(x.size()),
                                    static_cast<std::int64_t>(y.size()));
  const std::string root = Fields().text(4, "root").i32(5, told.children).end();
  Fields footer;
  footer.i32(1, 1).list(2, 12, {root, element(told.name, 1), element(told.other_name, 1)});
  footer.i64(3, told.rows);
  const std::vector<std::string> groups = {
      Fields().list(1, 12, {chunk_x, chunk_y}).i64(2, 9).i64(3, told.group_rows).end()};
  footer.list(4, 12, groups);
  std::string all = footer.end();
  all.pop_back();
  return framed(x + y, all + told.in_footer.end());
}

class ParquetFileTest : public ::testing::Test {
 protected:
  // DuckDB caches files by their path, so each has its own.
  std::filesystem::path fresh() { return scratch_.path(fmt::format("{}.parquet", ++files_)); }
  std::filesystem::path write(const std::string& bytes) {
    std::filesystem::path path = fresh();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // What is wrong with a file, in the words of the refusal; otherwise the types of its columns.
  std::string verdict(const std::string& bytes) {
    const std::filesystem::path path = write(bytes);
    std::string result;
    try {
      const ParquetFooter footer = read_parquet_footer(path);
      std::vector<std::string> flat;
      for (const ParquetColumn& column : footer.columns) {
        result += (result.empty() ? "" : ", ") + column.type;
        if (column.flat_leaf) flat.push_back(column.name);
      }
      check_parquet_pages(path, footer, flat);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kBadInput) << error.what();
      EXPECT_NE(error.place().find("parquet"), std::string::npos);
      result = error.problem();
    }
    std::filesystem::remove(path);
    return result;
  }
  std::string verdict_on(const std::function<void(Told&)>& lie) {
    Told told;
    lie(told);
    return verdict(forged(told));
  }

  engine::Scratch scratch_;
  int files_ = 0;
};

inline constexpr const char* kFooter = "is damaged: its footer is malformed";
inline constexpr const char* kRows = "is damaged: its counts of rows do not add up";
inline constexpr const char* kSchema = "is damaged: its schema does not add up";
inline constexpr const char* kPlaces = "is damaged: its footer places data where none can be";
inline constexpr const char* kOthers = "is damaged: a row group has other columns than the schema";
inline constexpr const char* kPages =
    "is damaged: the pages of column 'x' do not add up to what the file says";
inline constexpr const char* kTwoMeanings =
    "says of its column 'x' in two places what it holds, and they contradict each other";
inline constexpr const char* kNoSuch =
    "says of its column 'x' what values of its physical type cannot be";

}  // namespace lastbit::source
