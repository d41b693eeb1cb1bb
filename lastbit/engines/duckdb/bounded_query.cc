#include "lastbit/engines/duckdb/bounded_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
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
      : query_(query), result_(std::move(result)) {}

  std::size_t rows() const { return std::get<Integers>(rows_column()).size(); }

  void require_rows(const std::filesystem::path& path) const {
    for (const std::optional<std::int64_t>& rows : std::get<Integers>(rows_column())) {
      if (rows.value_or(0) <= query_.max_rows) continue;
      throw Error(ErrorCode::kBadInput, lastbit::quoted(path.string(), 200),
                  "has more rows than max_rows", "raise max_rows to a public maximum that holds");
    }
  }

  // The number of the group of a row, where all groups are public.
  std::size_t number(std::size_t row) const {
    std::int64_t number = 0;
    for (std::size_t part = 0; part < query_.groups.size(); ++part) {
      const std::int64_t entry = std::get<Integers>(result_.answers[part])[row].value_or(0);
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

  std::vector<std::vector<Integer>> entries(std::size_t row) const {
    std::vector<std::vector<Integer>> all;
    std::size_t column = query_.groups.size() + 1;
    for (std::size_t i = 0; i < query_.measures.size(); ++i) {
      std::vector<Integer>& entries = all.emplace_back();
      for (std::size_t end = column + result_.columns[i]; column < end; ++column) {
        append(result_.answers[column], row, entries);
      }
      entries.resize(entry_count(query_.measures[i]));
      // The engine counts rows between candidates.
      if (!std::holds_alternative<BelowCounts>(query_.measures[i])) continue;
      for (std::size_t c = 1; c < entries.size(); ++c) entries[c] += entries[c - 1];
    }
    return all;
  }

 private:
  const Answer& rows_column() const { return result_.answers[query_.groups.size()]; }

  static void append(const Answer& column, std::size_t row, std::vector<Integer>& entries) {
    if (const auto* counts = std::get_if<Integers>(&column)) {
      entries.emplace_back((*counts)[row].value_or(0));
    } else if (const auto* sums = std::get_if<WideIntegers>(&column)) {
      entries.push_back((*sums)[row]);
    } else {
      for (const std::uint64_t count : std::get<Tallies>(column)[row]) entries.emplace_back(count);
    }
  }

  const Aggregation& query_;
  BoundedStatement result_;
};

}  // namespace

std::vector<GroupAnswer> run_aggregation(LockedEngine& engine, const Aggregation& aggregation,
                                         const SecretKey& key, const Progress& progress) {
  BoundedStatement statement = bounded_statement(engine, aggregation, key);
  engine.ask(statement.statement, statement.answers, progress);
  const Reader reader(aggregation, std::move(statement));
  reader.require_rows(engine.path());
  std::vector<GroupAnswer> groups;
  if (public_groups(aggregation)) {
    groups = empty_groups(aggregation);
    for (std::size_t row = 0; row < reader.rows(); ++row) {
      groups[reader.number(row)].entries = reader.entries(row);
    }
    return groups;
  }
  for (std::size_t row = 0; row < reader.rows(); ++row) {
    groups.push_back({reader.key(row), reader.entries(row)});
  }
  std::ranges::sort(groups, {}, &GroupAnswer::key);
  return groups;
}

std::vector<GroupAnswer> run_bounded(const BoundedQuery& query, const SecretKey& key) {
  check_aggregation(query);
  LockedEngine engine(query.source, query.limits);
  return run_aggregation(engine, query, key);
}

}  // namespace lastbit::engine
