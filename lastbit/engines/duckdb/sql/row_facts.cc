#include "lastbit/engines/duckdb/sql/row_facts.h"

#include <fmt/core.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/engines/duckdb/reading/unreadable.h"
#include "lastbit/engines/duckdb/sql/row_asker.h"
#include "lastbit/engines/duckdb/sql/statistic_facts.h"

namespace lastbit::engine {
namespace {

using Named = FieldTable::Named;

KeyValue key_in(const Answer& column, std::size_t row, FieldType type) {
  if (const auto* texts = std::get_if<Texts>(&column)) return (*texts)[row].value_or("");
  const std::int64_t number = std::get<Integers>(column)[row].value_or(0);
  if (type == FieldType::kBoolean) return number != 0;
  if (type == FieldType::kDate) return Date(std::chrono::sys_days(std::chrono::days(number)));
  return number;
}

class FieldExaminer {
 public:
  FieldExaminer(RowAsker& asker, const DataSource& source,
                const std::vector<FieldQuestion>& questions)
      : asker_(asker), source_(source), questions_(questions) {
    for (const auto& [field, names_units, thresholds] : questions) {
      Columns& columns = columns_.emplace_back();
      columns.present =
          asker.add(field, names_units ? FieldContent(UnitField{}) : FieldContent(PresentField{}));
      if (!asker.is_derived(field.name)) columns.written = asker.add(field, WrittenField{});
      if (!thresholds.empty()) columns.rank = asker.add(field, ranks_among(field, thresholds));
    }
  }

  // One statement for all fields: how many are there, have a value, lie between the thresholds.
  void examine(RowFacts& facts) {
    std::vector<Named> named;
    std::vector<std::string> counts = {"count(*)"};
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto& [present, written, rank] = columns_[i];
      named.emplace_back(present, fmt::format("p{}", i));
      if (written) named.emplace_back(*written, fmt::format("w{}", i));
      counts.push_back(fmt::format("count(p{})", i));
      counts.push_back(fmt::format("count({}{})", written ? "w" : "p", i));
      if (!rank) continue;
      named.emplace_back(*rank, fmt::format("r{}", i));
      for (std::size_t r = 0; r <= questions_[i].thresholds.size(); ++r) {
        counts.push_back(fmt::format("count(*) FILTER (WHERE r{} = {})", i, r));
      }
    }
    std::vector<Answer> answers(counts.size(), Integers());
    const auto make = [&] {
      Statement rows = asker_.table().select(named);
      rows.sql = fmt::format("SELECT {} FROM ({}) AS fields", joined(counts, ", "), rows.sql);
      return rows;
    };
    asker_.ask(make, answers);
    read(answers, facts);
    find_unreadable_fields(facts);
  }

 private:
  struct Columns {
    std::size_t present = 0;
    std::optional<std::size_t> written = std::nullopt;  // of a column of the source
    std::optional<std::size_t> rank = std::nullopt;     // among the thresholds
  };

  void read(const std::vector<Answer>& answers, RowFacts& facts) const {
    auto answer = answers.begin();
    facts.rows = first_number(*answer++);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      FieldFacts& field = facts.fields.emplace_back();
      const std::int64_t present = first_number(*answer++);
      const std::int64_t written = first_number(*answer++);
      field.missing = facts.rows - written;
      field.unreadable = written - present;
      if (!columns_[i].rank) continue;
      for (std::size_t r = 0; r <= questions_[i].thresholds.size(); ++r) {
        field.between.push_back(first_number(*answer++));
      }
    }
  }

  void find_unreadable_fields(RowFacts& facts) {
    std::vector<std::size_t> wanted;
    std::vector<RowColumn> columns;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (facts.fields[i].unreadable == 0) continue;
      wanted.push_back(i);
      columns.push_back({questions_[i].field.name, questions_[i].field.type});
    }
    if (wanted.empty()) return;
    if (!is_text(asker_.engine().format())) {
      for (const std::size_t i : wanted) facts.fields[i].first = unreadable_rows(columns_[i]);
      return;
    }
    auto found =
        find_unreadable(source_, asker_.engine().files(), columns, FieldFacts::kMostUnreadable);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      facts.fields[wanted[i]].first = std::move(found[i]);
    }
  }

  std::vector<UnreadableField> unreadable_rows(const Columns& field) {
    if (!field.written) return {};
    const std::vector<Named> named = {{field.present, "p"}, {*field.written, "w"}};
    Statement rows = asker_.table().select_numbered(named);
    rows.sql = fmt::format(
        "SELECT place FROM ({}) AS fields WHERE p IS NULL AND w IS NOT NULL ORDER BY place LIMIT "
        "{}",
        rows.sql, FieldFacts::kMostUnreadable);
    std::vector<Answer> answers = {Integers()};
    asker_.engine().ask(rows, answers);
    std::vector<UnreadableField> found;
    for (const auto& row : std::get<Integers>(answers.front())) {
      found.push_back({.row = static_cast<std::uint64_t>(row.value_or(0))});
    }
    return found;
  }

  RowAsker& asker_;
  const DataSource& source_;
  const std::vector<FieldQuestion>& questions_;
  std::vector<Columns> columns_;  // numbers of columns of the table
};

// KeyExaminer: which values are not among public keys.
class KeyExaminer {
 public:
  KeyExaminer(RowAsker& asker, const KeyQuestion& question)
      : asker_(asker), keys_(question.keys), columns_(asker.add_keys(question.keys)) {}

  KeyFacts examine() {
    std::vector<Answer> answers;
    for (const std::size_t column : columns_) {
      const bool bytes = asker_.table().carrier(column) == Carrier::kBytes;
      answers.push_back(bytes ? Answer(Texts()) : Answer(Integers()));
    }
    answers.emplace_back(Integers());
    answers.emplace_back(Integers());
    asker_.ask([this] { return statement(); }, answers);
    Aggregation one;
    one.groups = {keys_};
    const std::vector<KeyColumn> types = key_columns(one);
    KeyFacts facts;
    facts.unlisted = first_number(answers.back());
    const Integers& rows = std::get<Integers>(answers[columns_.size()]);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      KeyFacts::Key& key = facts.frequent.emplace_back();
      key.rows = rows[row].value_or(0);
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        key.key.push_back(key_in(answers[i], row, types[i].type));
      }
    }
    return facts;
  }

 private:
  // The unlisted values, how many rows have each, and how many have any.
  Statement statement() {
    const std::vector<std::string> names = numbered_names("g", columns_.size());
    std::vector<Named> named;
    std::vector<std::string> present;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      named.emplace_back(columns_[i], names[i]);
      present.push_back(names[i] + " IS NOT NULL");
    }
    const KeySql sql = asker_.key_sql(keys_, names, columns_, "k");
    Statement rows = asker_.table().select(named);
    rows.sql = fmt::format(
        "SELECT {0}, n, CAST(sum(n) OVER () AS BIGINT) FROM (SELECT {0}, count(*) AS n FROM "
        "(SELECT {0}, {1} AS k FROM ({2}) AS fields) AS keyed "
        "WHERE {3} AND ({4}) IS NOT TRUE GROUP BY {0}) AS others ORDER BY n DESC, {0} LIMIT {5}",
        joined(names, ", "), sql.key, rows.sql, joined(present, " AND "), sql.condition,
        KeyFacts::kMostFrequent);
    return rows;
  }

  RowAsker& asker_;
  const GroupColumns& keys_;
  std::vector<std::size_t> columns_;
};

std::int64_t count_units(RowAsker& asker, std::size_t unit) {
  const std::vector<Named> named = {{unit, "unit"}};
  std::vector<Answer> answers = {Integers()};
  const auto make = [&] {
    Statement rows = asker.table().select(named);
    rows.sql = fmt::format(
        "SELECT count(*) FROM (SELECT DISTINCT unit FROM ({}) AS fields WHERE unit IS NOT NULL) "
        "AS units",
        rows.sql);
    return rows;
  };
  asker.ask(make, answers);
  return first_number(answers.front());
}

}  // namespace

RowFacts examine_rows(LockedEngine& engine, const DataSource& source, const RowQuestions& questions,
                      const Progress& progress) {
  RowAsker asker(engine, questions.derived, progress);
  FieldExaminer fields(asker, source, questions.fields);
  std::vector<KeyExaminer> keys;
  for (const KeyQuestion& question : questions.keys) keys.emplace_back(asker, question);
  std::optional<std::size_t> unit;
  if (questions.unit) unit = asker.add(*questions.unit, UnitField{});
  std::vector<StatisticExaminer> statistics;
  std::size_t asked = 1 + keys.size() + (unit ? 1 : 0);
  for (const StatisticQuestion& question : questions.statistics) {
    statistics.emplace_back(asker, question, unit);
    asked += statistics.back().questions();
  }
  asker.load(asked);
  RowFacts facts;
  fields.examine(facts);
  for (KeyExaminer& one : keys) facts.keys.push_back(one.examine());
  if (unit) facts.units = count_units(asker, *unit);
  for (StatisticExaminer& one : statistics) facts.statistics.push_back(one.examine());
  asker.finish();
  return facts;
}

}  // namespace lastbit::engine
