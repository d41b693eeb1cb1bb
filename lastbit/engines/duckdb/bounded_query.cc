#include "lastbit/engines/duckdb/bounded_query.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/bounded_sql.h"
#include "lastbit/engines/duckdb/locked_engine.h"

namespace lastbit::engine {
namespace {

KeyValue group_key(const PlainValue& value, FieldType type) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const std::int64_t number = std::get<std::int64_t>(value);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

PlainValue plain_entry(const Answer& column, std::size_t row) {
  if (const auto* texts = std::get_if<Texts>(&column)) return (*texts)[row].value_or("");
  return std::get<Integers>(column)[row].value_or(0);
}

// The result of the statement, read back as groups.
class Reader {
 public:
  Reader(const Aggregation& query, BoundedStatement result)
      : query_(query),
        result_(std::move(result)),
        entries_column_(query.groups.size()),
        cell_column_(entries_column_ + 1),
        rows_column_(cell_column_ + 1) {}

  void require_rows(const std::filesystem::path& path) const {
    for (std::size_t row = 0; row < size(); ++row) {
      if (integer(rows_column_, row) <= query_.max_rows) continue;
      throw Error(ErrorCode::kBadInput, lastbit::quoted(path.string(), 200),
                  "has more rows than max_rows", "raise max_rows to a public maximum that holds");
    }
  }

  std::vector<GroupAnswer> groups() const {
    std::vector<GroupAnswer> groups;
    if (public_groups(query_)) {
      groups = empty_groups(query_);
      for (std::size_t row = 0; row < size(); ++row) read(row, groups[number(row)].entries);
    } else {
      std::map<KeyTuple, Entries> found;
      for (std::size_t row = 0; row < size(); ++row) read(row, found[key(row)]);
      for (auto& [key, entries] : found) groups.push_back({key, std::move(entries)});
    }
    for (GroupAnswer& group : groups) add_up(group.entries);
    return groups;
  }

 private:
  using Entries = std::vector<std::vector<Integer>>;

  std::size_t size() const { return std::get<Integers>(result_.answers[rows_column_]).size(); }
  std::int64_t integer(std::size_t column, std::size_t row) const {
    return std::get<Integers>(result_.answers[column])[row].value_or(0);
  }

  // The number of the group of a row, where all groups are public.
  std::size_t number(std::size_t row) const {
    std::int64_t number = 0;
    for (std::size_t part = 0; part < query_.groups.size(); ++part) {
      const std::int64_t entry = integer(part, row);
      if (const auto* listed = std::get_if<ListedKeys>(&query_.groups[part])) {
        number = number * static_cast<std::int64_t>(listed->tuples.size()) + entry;
      } else {
        const auto& range = std::get<RangeKeys>(query_.groups[part]);
        number = number * (range.last - range.first + 1) + (entry - range.first);
      }
    }
    return static_cast<std::size_t>(number);
  }

  KeyTuple key(std::size_t row) const {
    KeyTuple key;
    for (std::size_t part = 0; part < query_.groups.size(); ++part) {
      const PlainValue entry = plain_entry(result_.answers[part], row);
      if (const auto* listed = std::get_if<ListedKeys>(&query_.groups[part])) {
        const auto number = static_cast<std::size_t>(std::get<std::int64_t>(entry));
        const KeyTuple& tuple = listed->tuples[number];
        key.insert(key.end(), tuple.begin(), tuple.end());
      } else {
        const auto* found = std::get_if<FoundKeys>(&query_.groups[part]);
        key.push_back(group_key(entry, found ? found->column.type : FieldType::kInteger));
      }
    }
    return key;
  }

  void read(std::size_t row, Entries& entries) const {
    if (entries.empty()) {
      for (const Tally& tally : query_.measures) entries.emplace_back(entry_count(tally));
    }
    const auto which = static_cast<std::size_t>(integer(entries_column_, row));
    if (which == 0) return read_numbers(row, entries);
    const auto& cell = std::get<Integers>(result_.answers[cell_column_])[row];
    if (!cell) return;
    std::vector<Integer>& cells = entries[result_.cell_measures[which - 1]];
    cells.at(static_cast<std::size_t>(*cell)) = integer(rows_column_, row);
  }

  void read_numbers(std::size_t row, Entries& entries) const {
    std::size_t column = rows_column_ + 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      for (std::size_t e = 0; e < result_.columns[i]; ++e, ++column) {
        const auto* sums = std::get_if<WideIntegers>(&result_.answers[column]);
        entries[i][e] = sums != nullptr ? (*sums)[row] : Integer(integer(column, row));
      }
    }
  }

  // The engine counts the rows between candidates.
  void add_up(Entries& entries) const {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!std::holds_alternative<BelowCounts>(query_.measures[i])) continue;
      for (std::size_t c = 1; c < entries[i].size(); ++c) entries[i][c] += entries[i][c - 1];
    }
  }

  const Aggregation& query_;
  BoundedStatement result_;
  std::size_t entries_column_;
  std::size_t cell_column_;
  std::size_t rows_column_;
};

}  // namespace

std::vector<GroupAnswer> run_aggregation(LockedEngine& engine, const Aggregation& aggregation,
                                         const SecretKey& key, const Progress& progress) {
  BoundedStatement statement = bounded_statement(engine, aggregation, key);
  engine.ask(statement.statement, statement.answers, progress);
  const Reader reader(aggregation, std::move(statement));
  reader.require_rows(engine.path());
  return reader.groups();
}

std::vector<GroupAnswer> run_bounded(const BoundedQuery& query, const SecretKey& key) {
  check_aggregation(query);
  LockedEngine engine(query.source, query.limits);
  return run_aggregation(engine, query, key);
}

}  // namespace lastbit::engine
