#include "lastbit/engines/duckdb/reading/unreadable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/engines/duckdb/reading/record_scan.h"

namespace lastbit::engine {
namespace {

// Found: an unreadable field, and where in the file it starts.
struct Found {
  UnreadableField field;
  std::optional<std::uint64_t> offset;
};
using FoundFields = std::vector<std::vector<Found>>;

// add_found: those of a column, in the current rows; its fields are the text and the value.
void add_found(const RecordScan::Reader& reader, std::span<const FieldBatch> fields,
               std::size_t rows, std::uint64_t first, std::size_t most, std::vector<Found>& found) {
  constexpr std::size_t kMostBytes = 400;  // of which fewer are shown
  for (std::size_t row = 0; row < rows && found.size() < most; ++row) {
    if (fields[0].is_missing(row) || !fields[1].is_missing(row)) continue;
    const std::string_view text = fields[0].value<std::string_view>(row);
    Found& added = found.emplace_back();
    added.field.row = first + row;
    added.field.text = std::string(text.substr(0, kMostBytes));
    added.offset = reader.offset_of(text);
  }
}

FoundFields read_found(RecordScan& scan, std::size_t columns, std::size_t most) {
  FoundFields found(columns);
  RecordScan::Reader reader(scan);
  std::uint64_t first = 1;
  const auto is_full = [&](const std::vector<Found>& one) { return one.size() == most; };
  while (!std::ranges::all_of(found, is_full)) {
    const std::size_t rows = reader.advance(source::RawTable::kRowsAtOnce);
    if (rows == 0) break;
    for (std::size_t i = 0; i < columns; ++i) {
      add_found(reader, reader.fields(i), rows, first, most, found[i]);
    }
    first += rows;
  }
  return found;
}

// set_lines: the lines on which the fields start, in one pass over the file.
void set_lines(const std::filesystem::path& path, FoundFields& found) {
  std::vector<Found*> in_order;
  for (std::vector<Found>& column : found) {
    for (Found& one : column) {
      if (one.offset) in_order.push_back(&one);
    }
  }
  std::ranges::sort(in_order, {}, [](const Found* one) { return *one->offset; });
  std::ifstream file(path, std::ios::binary);
  std::array<char, 1 << 16> block;
  std::uint64_t line = 1;
  std::uint64_t at = 0;
  for (Found* one : in_order) {
    while (at < *one->offset && file) {
      const std::uint64_t left = std::min<std::uint64_t>(*one->offset - at, block.size());
      file.read(block.data(), static_cast<std::streamsize>(left));
      const std::streamsize got = file.gcount();
      line += static_cast<std::uint64_t>(std::count(block.begin(), block.begin() + got, '\n'));
      at += static_cast<std::uint64_t>(got);
    }
    if (at == *one->offset) one->field.line = line;
  }
}

}  // namespace

std::vector<std::vector<UnreadableField>> find_unreadable(const DataSource& source,
                                                          const std::filesystem::path& path,
                                                          std::span<const RowColumn> columns,
                                                          std::size_t most) {
  std::vector<ScannedColumn> scanned;
  for (const RowColumn& column : columns) {
    scanned.push_back({.fields = {{column.name, FieldType::kText}, column}});
  }
  RecordScan scan(source, path, std::move(scanned));
  FoundFields found;
  try {
    scan.begin();
    found = read_found(scan, columns.size(), most);
  } catch (const source::Malformed& malformed) {
    source::refuse_malformed(path, malformed);
  }
  set_lines(path, found);
  std::vector<std::vector<UnreadableField>> fields;
  for (std::vector<Found>& column : found) {
    std::vector<UnreadableField>& added = fields.emplace_back();
    for (Found& one : column) added.push_back(std::move(one.field));
  }
  return fields;
}

}  // namespace lastbit::engine
