#include "lastbit/engines/duckdb/sql/bounded_query.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/locked_engine.h"
#include "lastbit/engines/duckdb/sql/bounded_sql.h"

namespace lastbit::engine {
namespace {

KeyValue group_key(const Answer& column, std::size_t row, FieldType type) {
  if (const auto* texts = std::get_if<Texts>(&column)) return (*texts)[row].value_or("");
  const std::int64_t number = std::get<Integers>(column)[row].value_or(0);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

// The most that one row adds to each entry of a measure.
std::vector<Integer> term_bounds(const Tally& measure) {
  Aggregation rows;
  rows.unit = RowsAreUnits{};
  return entry_bounds(rows, measure);
}

// The result of the statement, read back as groups. The engine's answer must be possible: if it is
// not, an assumption of a proof is broken, and there is no release.
class Reader {
 public:
  Reader(const Aggregation& query, BoundedStatement result)
      : query_(query),
        result_(std::move(result)),
        entries_column_(query.groups.size()),
        cell_column_(entries_column_ + 1),
        rows_column_(cell_column_ + 1) {
    for (const Tally& measure : query.measures) terms_.push_back(term_bounds(measure));
  }

  void require_rows(const std::filesystem::path& path) const {
    for (std::size_t row = 0; row < size(); ++row) {
      if (integer(rows_column_, row) <= query_.max_rows) continue;
      throw Error(ErrorCode::kBadInput, lastbit::quote(path.string(), 200),
                  "has more rows than max_rows", "raise max_rows to a public maximum that holds");
    }
  }

  std::vector<GroupAnswer> groups() const {
    std::vector<GroupAnswer> groups;
    std::vector<GroupRows> read_rows;
    if (public_groups(query_)) {
      groups = empty_groups(query_);
      read_rows.resize(groups.size());
      for (std::size_t row = 0; row < size(); ++row) {
        const std::size_t group = number(row);
        invariant(group < groups.size(), "the engine answers for public groups only");
        read(row, groups[group].entries, read_rows[group]);
      }
    } else {
      std::map<KeyTuple, std::size_t> found;
      for (std::size_t row = 0; row < size(); ++row) {
        const auto [place, added] = found.emplace(key(row), groups.size());
        if (added) {
          groups.push_back({place->first, {}});
          read_rows.emplace_back();
        }
        read(row, groups[place->second].entries, read_rows[place->second]);
      }
      std::ranges::sort(groups, {}, &GroupAnswer::key);
    }
    for (GroupAnswer& group : groups) add_up(group.entries);
    return groups;
  }

 private:
  using Entries = std::vector<std::vector<Integer>>;

  // GroupRows: what has been read of a group so far.
  struct GroupRows {
    std::optional<Integer> total;                          // its number of rows
    std::set<std::pair<std::size_t, std::int64_t>> cells;  // of which measure, which one
    std::map<std::size_t, Integer> counted;                // rows in the cells of a measure
  };

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
      if (const auto* listed = std::get_if<ListedKeys>(&query_.groups[part])) {
        const auto number = static_cast<std::size_t>(integer(part, row));
        invariant(number < listed->tuples.size(), "the engine answers for listed keys only");
        const KeyTuple& tuple = listed->tuples[number];
        key.insert(key.end(), tuple.begin(), tuple.end());
      } else {
        const auto* found = std::get_if<FoundKeys>(&query_.groups[part]);
        const FieldType type = found ? found->column.type : FieldType(FieldType::kInteger);
        key.push_back(group_key(result_.answers[part], row, type));
      }
    }
    return key;
  }

  void read(std::size_t row, Entries& entries, GroupRows& known) const {
    if (entries.empty()) {
      for (const Tally& tally : query_.measures) entries.emplace_back(entry_count(tally));
    }
    const auto which = static_cast<std::size_t>(integer(entries_column_, row));
    const Integer rows = integer(rows_column_, row);
    invariant(rows.sign() >= 0 && rows <= Integer(query_.max_rows), "counts are in bounds");
    if (which == 0) {
      invariant(!known.total, "a group comes once");
      known.total = rows;
      return read_numbers(row, rows, entries);
    }
    invariant(which <= result_.cell_measures.size(), "cells are those of a measure");
    const auto& cell = std::get<Integers>(result_.answers[cell_column_])[row];
    invariant(known.cells.emplace(which, cell.value_or(-1)).second, "a cell comes once");
    invariant((known.counted[which] += rows) <= Integer(query_.max_rows),
              "the rows of all cells are in bounds");
    if (!cell) return;
    for (const std::size_t measure : result_.cell_measures[which - 1]) {
      read_cell(row, *cell, rows, measure, entries);
    }
  }

  void read_cell(std::size_t row, std::int64_t cell, const Integer& rows, std::size_t measure,
                 Entries& entries) const {
    const auto* ladder = std::get_if<LadderSum>(&query_.measures[measure]);
    const std::size_t cells = ladder != nullptr ? ladder->cells() : entries[measure].size();
    const auto place = static_cast<std::size_t>(cell);
    invariant(cell >= 0 && place < cells, "cells are those of the measure");
    entries[measure][place] = rows;
    if (ladder == nullptr) return;
    read_number(row, number_column(measure), rows, measure, cells + place, entries);
  }

  void read_numbers(std::size_t row, const Integer& rows, Entries& entries) const {
    std::size_t column = rows_column_ + 1;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const bool ladder = std::holds_alternative<LadderSum>(query_.measures[i]);
      for (std::size_t e = 0; e < result_.columns[i]; ++e, ++column) {
        // The sums of a ladder are those of its cells.
        if (!ladder) read_number(row, column, rows, i, e, entries);
      }
    }
  }

  void read_number(std::size_t row, std::size_t column, const Integer& rows, std::size_t measure,
                   std::size_t entry, Entries& entries) const {
    const auto* sums = std::get_if<WideIntegers>(&result_.answers[column]);
    Integer& number = entries[measure][entry];
    number = sums != nullptr ? (*sums)[row] : Integer(integer(column, row));
    invariant(abs(number) <= rows * terms_[measure][entry], "tallies are in bounds");
  }

  // The first column with numbers of a measure.
  std::size_t number_column(std::size_t measure) const {
    std::size_t column = rows_column_ + 1;
    for (std::size_t i = 0; i < measure; ++i) column += result_.columns[i];
    return column;
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
  std::vector<std::vector<Integer>> terms_;
};

// kernel_limits: the engine needs the rest for reading, and for a table that it holds.
EngineLimits kernel_limits(const LockedEngine& engine, bool loaded) {
  EngineLimits limits = engine.limits();
  if (limits.memory_bytes) *limits.memory_bytes = *limits.memory_bytes / 4 * (loaded ? 2 : 3);
  return limits;
}

// run_kernel: the answer by the kernel; nothing if it had too little memory, or did not get each
// row once. Then the engine's own statement decides.
std::optional<std::vector<GroupAnswer>> run_kernel(LockedEngine& engine, KernelStatement statement,
                                                   const Aggregation& aggregation,
                                                   const Progress& progress) {
  const Progress first_half = [&](double part) { progress(part / 2); };
  const Progress second_half = [&](double part) { progress((1 + part) / 2); };
  const auto number = [&](std::size_t column) {
    const Integers& numbers = std::get<Integers>(statement.answers[column]);
    return numbers.size() == 1 ? numbers[0].value_or(0) : -1;
  };
  std::optional<PartialAnswer> part;
  const bool read = engine.try_ask(statement.statement, statement.answers, first_half);
  if (read && number(0) == number(1)) part = statement.sink->finish(number(0), second_half);
  // The engine keeps the sink.
  statement.sink->drop();
  if (!part) return std::nullopt;
  return answer_of(aggregation, *part);
}

// run_statement: the answer by the engine's own statement.
std::vector<GroupAnswer> run_statement(LockedEngine& engine, FieldTable& table,
                                       BoundedBuilder builder, const Aggregation& aggregation,
                                       const SecretKey& key, const Progress& progress) {
  BoundedStatement statement = builder.build();
  // The loaded table may take the memory that an aggregation lacks.
  if (!engine.try_ask(statement.statement, statement.answers, progress)) {
    table.unload();
    statement = BoundedBuilder(engine, table, aggregation, key).build();
    engine.ask(statement.statement, statement.answers, progress);
  }
  const Reader reader(aggregation, std::move(statement));
  reader.require_rows(engine.path());
  return reader.groups();
}

}  // namespace

std::vector<std::vector<GroupAnswer>> run_aggregations(LockedEngine& engine,
                                                       std::span<const Aggregation> aggregations,
                                                       const SecretKey& key,
                                                       const Progress& progress, UseKernel kernel) {
  FieldTable table(engine);
  std::vector<BoundedBuilder> builders;
  for (const Aggregation& aggregation : aggregations) {
    builders.emplace_back(engine, table, aggregation, key);
  }
  // Reading a text file takes about as much work as one aggregation.
  const bool load = is_text(engine.format()) && aggregations.size() > 1;
  const double steps = static_cast<double>(aggregations.size() + (load ? 1 : 0));
  double done = 0;
  const Progress tell = [&](double part) {
    if (progress) progress((done + part) / steps);
  };
  if (load) {
    table.load(tell);
    ++done;
  }
  std::vector<std::vector<GroupAnswer>> answers;
  for (std::size_t i = 0; i < aggregations.size(); ++i) {
    const Aggregation& aggregation = aggregations[i];
    std::optional<std::vector<GroupAnswer>> answer;
    if (kernel != UseKernel::kNo && uses_kernel(aggregation)) {
      answer = run_kernel(engine, builders[i].build_kernel(kernel_limits(engine, load)),
                          aggregation, tell);
      invariant(answer || kernel != UseKernel::kOnly, "the kernel answers");
      if (!answer) builders[i] = BoundedBuilder(engine, table, aggregation, key);
    }
    if (!answer) {
      answer = run_statement(engine, table, std::move(builders[i]), aggregation, key, tell);
    }
    answers.push_back(*std::move(answer));
    ++done;
    tell(0);
  }
  return answers;
}

std::vector<GroupAnswer> run_bounded(const BoundedQuery& query, const SecretKey& key,
                                     UseKernel kernel) {
  check_aggregation(query);
  LockedEngine engine(query.source, query.limits);
  const Aggregation& aggregation = query;
  return run_aggregations(engine, {&aggregation, 1}, key, {}, kernel).front();
}

}  // namespace lastbit::engine
