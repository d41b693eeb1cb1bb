#include "lastbit/engines/duckdb/reading/public_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/reading/source_files.h"
#include "lastbit/sources/text_file.h"

namespace lastbit::engine {
namespace {

// PublicRows: collects rows up to the limits.
class PublicRows {
 public:
  explicit PublicRows(const std::filesystem::path& path) : path_(path) {}

  void add(std::vector<std::optional<std::string>> row) {
    for (const auto& field : row) bytes_ += field ? field->size() : 0;
    if (table_.rows.size() == PublicTable::kMaxRows || bytes_ > PublicTable::kMaxBytes) {
      refuse_file(path_, "is too large for a public table",
                  fmt::format("name one with at most {} rows and {} MB", PublicTable::kMaxRows,
                              PublicTable::kMaxBytes >> 20));
    }
    table_.rows.push_back(std::move(row));
  }
  PublicTable take() { return std::move(table_); }

 private:
  const std::filesystem::path& path_;
  PublicTable table_;
  std::size_t bytes_ = 0;
};

std::size_t number_of(const std::vector<std::string>& names, const std::string& column,
                      const std::filesystem::path& path) {
  const auto found = std::ranges::find(names, column);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const auto nearest = nearest_name(column, names);
  refuse_file(path, fmt::format("has no column {}", lastbit::quote(column)),
              nearest ? fmt::format("did you mean {}?", lastbit::quote(*nearest))
                      : "name one of its columns");
}

// Columns that are wanted twice are read once: `places` says where each is among those read.
struct WantedColumns {
  std::vector<std::string> names;
  std::vector<std::size_t> places;
};
WantedColumns wanted_columns(const std::vector<std::string>& columns) {
  WantedColumns wanted;
  for (const std::string& column : columns) {
    const auto found = std::ranges::find(wanted.names, column);
    wanted.places.push_back(static_cast<std::size_t>(found - wanted.names.begin()));
    if (found == wanted.names.end()) wanted.names.push_back(column);
  }
  return wanted;
}

template <class File>
void read_records(File& file, const WantedColumns& wanted, const std::filesystem::path& path,
                  PublicRows& rows) {
  std::vector<std::size_t> numbers;
  for (const std::string& name : wanted.names) {
    numbers.push_back(number_of(file.columns(), name, path));
  }
  source::Chunk chunk;
  while (file.next(chunk)) {
    source::for_each_table(file, chunk, numbers, [&](const source::RawTable& table) {
      for (std::size_t row = 0; row < table.rows(); ++row) {
        std::vector<std::optional<std::string>> fields;
        for (const std::size_t place : wanted.places) {
          const source::RawField& field = table.column(place)[row];
          fields.push_back(field ? std::optional(std::string(*field)) : std::nullopt);
        }
        rows.add(std::move(fields));
      }
    });
  }
}

// The engine writes whole numbers, dates and booleans as we read them.
void read_typed(const DataSource& source, const WantedColumns& wanted, PublicRows& rows) {
  LockedEngine engine(source);
  std::string fields;
  std::vector<Answer> answers;
  for (const std::string& name : wanted.names) {
    engine.type_of(name);
    fields +=
        fmt::format("{}CAST({} AS VARCHAR)", fields.empty() ? "" : ", ", quoted_identifier(name));
    answers.emplace_back(Texts());
  }
  const Statement from = engine.typed_rows(wanted.names);
  engine.ask(
      {fmt::format("SELECT {} FROM {} LIMIT {}", fields, from.sql, PublicTable::kMaxRows + 1),
       from.parameters},
      answers);
  std::vector<std::vector<std::optional<std::string>>> all(std::get<Texts>(answers.front()).size());
  for (std::size_t row = 0; row < all.size(); ++row) {
    for (const std::size_t place : wanted.places) {
      all[row].push_back(std::get<Texts>(answers[place])[row]);
    }
  }
  std::ranges::sort(all);
  for (auto& row : all) rows.add(std::move(row));
}

}  // namespace

PublicTable read_public_table(const DataSource& source, const std::vector<std::string>& columns) {
  const WantedColumns wanted = wanted_columns(columns);
  const std::filesystem::path path = checked_path(source.path);
  PublicRows rows(path);
  if (!is_text(source.format)) {
    read_typed(source, wanted, rows);
    return rows.take();
  }
  check_delimiter(source);
  const SourceFile only{path, compression_of(source.path)};
  source::TextFile file = open_text(source, only);
  try {
    std::visit([&](auto& opened) { read_records(*opened, wanted, path, rows); }, file);
  } catch (const source::Malformed& malformed) {
    source::refuse_malformed(path, malformed, form_of(source, only));
  }
  return rows.take();
}

}  // namespace lastbit::engine
