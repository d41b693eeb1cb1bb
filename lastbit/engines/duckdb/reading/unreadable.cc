#include "lastbit/engines/duckdb/reading/unreadable.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lastbit/engines/duckdb/reading/record_scan.h"
#include "lastbit/sources/byte_stream.h"

namespace lastbit::engine {
namespace {

// Found: an unreadable field, in which file it is, and where in its text it starts.
struct Found {
  UnreadableField field;
  std::size_t file = 0;
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
    added.file = reader.file();
    added.offset = reader.offset_of(text);
  }
}

FoundFields read_found(RecordScan& scan, std::size_t columns, std::size_t most) {
  FoundFields found(columns);
  RecordScan::Reader reader(scan);
  std::uint64_t first = 1;  // the number of the first of the current rows in its file
  std::size_t file = 0;
  const auto is_full = [&](const std::vector<Found>& one) { return one.size() == most; };
  while (!std::ranges::all_of(found, is_full)) {
    std::size_t rows = 0;
    try {
      rows = reader.advance(source::RawTable::kRowsAtOnce);
    } catch (const source::Malformed& malformed) {
      scan.fail(malformed, reader.file());
      scan.throw_problem();
    }
    if (rows == 0) break;
    if (std::exchange(file, reader.file()) != reader.file()) first = 1;
    for (std::size_t i = 0; i < columns; ++i) {
      add_found(reader, reader.fields(i), rows, first, most, found[i]);
    }
    first += rows;
  }
  return found;
}

// set_lines: the lines on which these fields of a file start, in one pass over it.
void set_lines(source::ByteStream& text, std::vector<Found*>& fields) {
  std::ranges::sort(fields, {}, [](const Found* one) { return one->offset.value_or(0); });
  constexpr std::uint64_t kStep = 1 << 16;
  std::string block;
  std::uint64_t line = 1;
  std::uint64_t at = 0;
  for (Found* one : fields) {
    const std::uint64_t offset = one->offset.value_or(0);
    while (at < offset) {
      block.clear();
      text.read(block, static_cast<std::size_t>(std::min(offset - at, kStep)));
      if (block.empty()) return;
      line += static_cast<std::uint64_t>(std::ranges::count(block, '\n'));
      at += block.size();
    }
    one->field.line = line;
  }
}

}  // namespace

std::vector<std::vector<UnreadableField>> find_unreadable(const DataSource& source,
                                                          const std::vector<SourceFile>& files,
                                                          std::span<const RowColumn> columns,
                                                          std::size_t most) {
  std::vector<ScannedColumn> scanned;
  for (const RowColumn& column : columns) {
    scanned.push_back({.fields = {{column.name, FieldType::kText}, column}});
  }
  RecordScan scan(source, files, std::move(scanned));
  scan.begin();
  FoundFields found = read_found(scan, columns.size(), most);
  std::vector<std::vector<Found*>> of_file(files.size());
  for (std::vector<Found>& column : found) {
    for (Found& one : column) {
      if (files.size() > 1) one.field.file = files[one.file].path.filename().string();
      if (one.offset) of_file[one.file].push_back(&one);
    }
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (of_file[i].empty()) continue;
    source::ByteStream text(files[i].path, form_of(source, files[i]));
    set_lines(text, of_file[i]);
  }
  std::vector<std::vector<UnreadableField>> fields;
  for (std::vector<Found>& column : found) {
    std::vector<UnreadableField>& added = fields.emplace_back();
    for (Found& one : column) added.push_back(std::move(one.field));
  }
  return fields;
}

}  // namespace lastbit::engine
