#include "lastbit/release/sql/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/postgres/table_name.h"
#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/data_columns.h"
#include "lastbit/release/file/parse_release.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/file/schema.h"
#include "lastbit/release/kinds/kind_reader.h"

namespace lastbit {
namespace sql_internal {
namespace {

using release_internal::TomlArray;
using release_internal::TomlEntry;
using release_internal::TomlTable;
using release_internal::TomlValue;

[[noreturn]] void refuse_query(FilePosition position, std::string problem, std::string remedy) {
  throw Error(ErrorCode::kBadInput, fmt::format("query:1:{}", position.column), std::move(problem),
              std::move(remedy));
}

TomlEntry entry_of(std::string key, FilePosition position, decltype(TomlValue::content) content) {
  return {std::move(key), position, {std::move(content), position}};
}
std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(read_character(text).bytes);
  return count;
}
TomlValue text_value(const Located<std::string>& text) { return {text.value, text.position}; }

// with_statistics: the document with these statistics instead of its own.
TomlValue with_statistics(const TomlValue& document, TomlArray statistics) {
  TomlTable table = std::get<TomlTable>(document.content);
  std::erase_if(table.entries, [](const TomlEntry& entry) { return entry.key == "statistics"; });
  table.entries.push_back(entry_of("statistics", {1, 1}, std::move(statistics)));
  return {std::move(table), document.position};
}

// A count has no keys that the dataset could get wrong.
TomlValue with_a_count(const TomlValue& document) {
  TomlTable count{{entry_of("kind", {1, 1}, std::string("count"))}};
  return with_statistics(document, {{std::move(count), {1, 1}}});
}

// Translator: a statement about a dataset as additions to its document.
class Translator {
 public:
  Translator(const ReleaseFile& dataset, const SelectStatement& statement, const QueryTerms& terms,
             const ReadSchema& schema)
      : dataset_(dataset), statement_(statement), terms_(terms), data_(dataset, schema) {
    for (const SelectItem& item : statement.items) {
      aggregates_ += std::holds_alternative<AggregateCall>(item.what) ? 1 : 0;
    }
  }

  void run() {
    for (const SelectGroup& group : statement_.groups) add_group(group);
    choose_tables();
    require_keys();
    for (const SelectItem& item : statement_.items) {
      const auto* call = std::get_if<AggregateCall>(&item.what);
      if (call != nullptr) add_statistic(item, *call);
    }
  }

  TomlValue applied_to(const TomlValue& document) const {
    TomlValue result = with_statistics(document, statistics_);
    auto& entries = std::get<TomlTable>(result.content).entries;
    auto derive = std::ranges::find(entries, "derive", &TomlEntry::key);
    if (derived_.entries.empty()) return result;
    if (derive == entries.end()) {
      entries.push_back(entry_of("derive", derived_.entries.front().position, TomlTable{}));
      derive = std::prev(entries.end());
    }
    auto& columns = std::get<TomlTable>(derive->value.content).entries;
    columns.insert(columns.end(), derived_.entries.begin(), derived_.entries.end());
    return result;
  }

  AnswerShape shape() const {
    AnswerShape shape;
    std::vector<bool> shown(statement_.groups.size(), false);
    for (const SelectItem& item : statement_.items) {
      if (const auto* group = std::get_if<std::size_t>(&item.what)) shown[*group] = true;
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (!shown[i]) shape.columns.push_back({statement_.groups[i].name.value, true, i});
    }
    const std::size_t hidden = shape.columns.size();
    std::size_t statistic = 0;
    for (const SelectItem& item : statement_.items) {
      const auto* group = std::get_if<std::size_t>(&item.what);
      const std::size_t index = group != nullptr ? *group : statistic++;
      shape.columns.push_back({item.name.value, group != nullptr, index});
    }
    for (const SortKey& key : statement_.order) {
      shape.order.push_back({key.item + hidden, key.descending});
    }
    shape.limit = statement_.limit;
    return shape;
  }

 private:
  // The name of the column that holds a value: of the data, or derived from it.
  Located<std::string> column_of(const SelectValue& value, const Located<std::string>& name) {
    if (value.column) return {*value.column, value.text.position};
    std::string line = name.value;
    const bool fits =
        line.size() <= ReleaseFile::kMaxNameBytes &&
        std::ranges::none_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
    if (!fits) line = fmt::format("expression at {}", value.text.position.column);
    if (dataset_.find_derived(line) != nullptr || dataset_.find_column(line) != nullptr) {
      refuse_query(name.position, fmt::format("the dataset already has a column {}", quote(line)),
                   "give the expression another name with AS");
    }
    const auto known = std::ranges::find(derived_.entries, line, &TomlEntry::key);
    if (known == derived_.entries.end()) {
      derived_.entries.push_back({line, name.position, text_value(value.text)});
      lines_[line] = value.line;
    } else if (lines_.at(line) != value.line) {
      refuse_query(name.position,
                   fmt::format("two different expressions are called {}", quote(line)),
                   "give one of them another name with AS");
    }
    return {line, value.text.position};
  }

  void add_group(const SelectGroup& group) {
    by_.push_back(column_of(group.value, group.name));
    public_.push_back(group.value.column ? has_keys(*group.value.column)
                                         : implies_keys(group.value.text.value));
  }
  bool implies_keys(const std::string& text) {
    return implied_keys(text, release_internal::keyed_columns(dataset_), key_work_).has_value();
  }
  bool has_keys(const std::string& column) {
    const ColumnDeclaration* declared = dataset_.find_column(column);
    if (declared != nullptr && declared->keys) return true;
    return is_truth_in_file(column);
  }
  // Whether the file of the data declares a column as true or false, and the dataset leaves it so.
  bool is_truth_in_file(const std::string& column) {
    const ColumnDeclaration* declared = dataset_.find_column(column);
    const bool settled = declared != nullptr && declared->type;
    if (settled || dataset_.find_derived(column) != nullptr ||
        !declares_types(dataset_.source.format.value)) {
      return false;
    }
    const SchemaColumn* found = data_.find(column);
    return found != nullptr && found->type && found->type->kind == ColumnKind::kBoolean;
  }

  bool is_group(const Located<std::string>& column) const {
    return std::ranges::find(by_, column) != by_.end();
  }

  // The tables of keys whose columns are all groups; no column gets its keys from two of them.
  void choose_tables() {
    std::vector<std::string> covered;
    for (const KeyTable& table : dataset_.tables) {
      const auto usable = [&](const Located<std::string>& column) {
        return is_group(column) && std::ranges::find(covered, column.value) == covered.end();
      };
      if (!std::ranges::all_of(table.columns, usable)) continue;
      tables_.push_back(text_value({table.name.value, by_.front().position}));
      for (const auto& column : table.columns) covered.push_back(column.value);
    }
    for (std::size_t i = 0; i < by_.size(); ++i) {
      if (std::ranges::find(covered, by_[i].value) != covered.end()) public_[i] = true;
    }
  }

  void refuse_misspelt(const SelectValue& value) {
    if (!value.column || dataset_.find_derived(*value.column) != nullptr) return;
    const std::string& name = *value.column;
    if (data_.known()) {
      if (data_.find(name) != nullptr) return;
      refuse_query(value.text.position, release_internal::no_column(name),
                   release_internal::did_you_mean_column(name, data_.names()));
    }
    if (dataset_.find_column(name) != nullptr) return;
    if (const auto meant = release_internal::meant_name(name, data_.names())) {
      refuse_query(value.text.position,
                   fmt::format("the dataset declares no column {}", quote(name)),
                   fmt::format("did you mean {}?", quote(*meant)));
    }
  }

  // discovery_words: what finding the groups of a column takes, as far as it is not there yet.
  std::string discovery_words() const {
    const bool has_delta = dataset_.budget.cap.value.delta().sign() > 0;
    if (has_delta) return "add --discover-delta 1e-7";
    return terms_.discover_delta ? "add delta = 1e-6 to its budget"
                                 : "add --discover-delta 1e-7 here and delta = 1e-6 to its budget";
  }

  void require_keys() {
    for (std::size_t i = 0; i < by_.size(); ++i) {
      if (public_[i]) continue;
      discovers_ = true;
      const bool has_delta = dataset_.budget.cap.value.delta().sign() > 0;
      if (terms_.discover_delta && has_delta) continue;
      const SelectGroup& group = statement_.groups[i];
      refuse_misspelt(group.value);
      refuse_query(
          group.value.text.position,
          fmt::format("nothing says which values of {} are public", quote(group.value.line, 80)),
          fmt::format("{}, or {}",
                      group.value.column ? "list the `keys` of the column in the dataset"
                                         : "derive it in the dataset and list its `keys` there",
                      discovery_words()));
    }
  }

  void add_statistic(const SelectItem& item, const AggregateCall& call) {
    const FilePosition place = item.name.position;
    if (item.name.value.size() > ReleaseFile::kMaxNameBytes) {
      refuse_query(
          place,
          fmt::format("the name of this answer has more than {} bytes", ReleaseFile::kMaxNameBytes),
          "give it a shorter one with AS");
    }
    const auto parts = Rational(static_cast<std::int64_t>(aggregates_));
    TomlTable table;
    const auto add = [&](std::string key, decltype(TomlValue::content) content) {
      table.entries.push_back(entry_of(std::move(key), place, std::move(content)));
    };
    add("name", item.name.value);
    add("kind", kind_of(call));
    add_arguments(call, table, place);
    if (call.level) add("quantiles", TomlArray{text_value(*call.level)});
    if (const auto condition = condition_of(call)) {
      table.entries.push_back({"where", place, text_value(*condition)});
    }
    if (!by_.empty()) {
      TomlArray columns;
      for (const auto& column : by_) columns.push_back(text_value(column));
      add("by", std::move(columns));
    }
    if (!tables_.empty()) add("keys", tables_);
    if (discovers_ && terms_.discover_delta) {
      const std::string delta = (*terms_.discover_delta / parts).to_string();
      add("discover", TomlTable{{entry_of("delta", by_.front().position, delta)}});
    }
    add(terms_.kind == ShareKind::kRho ? "rho" : "epsilon", (terms_.loss / parts).to_string());
    statistics_.push_back({std::move(table), place});
  }

  // FILTER and WHERE must both hold. FILTER comes first in the statement; with as many spaces as
  // there are characters between the two, both stay in their places, which messages name.
  std::optional<Located<std::string>> condition_of(const AggregateCall& call) const {
    if (!call.filter || !statement_.where) return call.filter ? call.filter : statement_.where;
    const auto& [filter, start] = *call.filter;
    const auto& [where, next] = *statement_.where;
    const std::string joint = ") AND (";
    const std::size_t end = start.column + characters_in(filter) + joint.size();
    const std::string between(next.column > end ? next.column - end : 0, ' ');
    return Located<std::string>{"(" + filter + ") AND" + between + " (" + where + ")",
                                {start.line, start.column - 1}};
  }

  // Different values of the column that names units are units.
  std::string kind_of(const AggregateCall& call) const {
    const auto* unit = std::get_if<IdUnit>(&dataset_.unit);
    const bool units = call.kind == "count_distinct" && unit != nullptr &&
                       call.arguments.front().value.column == unit->column.value;
    return units ? "count_units" : call.kind;
  }

  void add_arguments(const AggregateCall& call, TomlTable& table, FilePosition place) {
    const std::string kind = kind_of(call);
    if (call.arguments.empty() || kind == "count_units") return;
    if (kind == "count" || kind == "count_distinct") {
      const SelectValue& value = call.arguments.front().value;
      table.entries.push_back(
          {"column", place, text_value(column_of(value, {value.line, value.text.position}))});
      // Imputed values are not in the data, so SQL does not count them.
      table.entries.push_back(entry_of("nulls", place, std::string("drop")));
      return;
    }
    TomlArray columns;
    TomlArray lower;
    TomlArray upper;
    for (const AggregateArgument& argument : call.arguments) {
      const auto [low, high] = bounds_of(argument, call.function);
      const SelectValue& value = argument.value;
      columns.push_back(text_value(column_of(value, {value.line, value.text.position})));
      lower.push_back(text_value(low));
      upper.push_back(text_value(high));
    }
    const bool pair = call.arguments.size() == 2;
    const auto content = [&](TomlArray values) {
      return pair ? TomlValue{values, place} : values.front();
    };
    table.entries.push_back({pair ? "columns" : "column", place, content(columns)});
    table.entries.push_back({"lower", place, content(lower)});
    table.entries.push_back({"upper", place, content(upper)});
  }

  // Whether a value is known to be true or false.
  static bool is_truth(const SelectValue& value, const ColumnDeclaration* declared) {
    if (declared != nullptr && release_internal::is_truth(*declared)) return true;
    if (value.column) return false;
    std::size_t work = 0;
    const auto implied = implied_keys(value.text.value, {}, work);
    const auto* list = implied ? std::get_if<KeyList>(&implied->keys) : nullptr;
    return list != nullptr && !list->empty() && std::holds_alternative<bool>(list->front());
  }

  // The bounds in clamp(…), otherwise those that the dataset declares.
  std::pair<Located<std::string>, Located<std::string>> bounds_of(const AggregateArgument& argument,
                                                                  const std::string& function) {
    if (argument.lower && argument.upper) return {*argument.lower, *argument.upper};
    const SelectValue& value = argument.value;
    const FilePosition place = value.text.position;
    const ColumnDeclaration* declared =
        value.column ? dataset_.find_column(*value.column) : nullptr;
    if (declared != nullptr && declared->lower && declared->upper) {
      return {{declared->lower->value.to_string(), place},
              {declared->upper->value.to_string(), place}};
    }
    // True counts as 1, false as 0.
    const bool truth =
        is_truth(value, declared) || (value.column && is_truth_in_file(*value.column));
    if (truth) return {{"0", place}, {"1", place}};
    refuse_misspelt(value);
    if (declared != nullptr && declared->type && value.column &&
        !is_number(declared->type->value)) {
      refuse_query(place,
                   fmt::format("{} takes numbers, and {} is of type {}", function,
                               quote(*value.column, 80), name_of(declared->type->value)),
                   fmt::format("make a number of it, as in {}(clamp(month(born), 1, 12)), or count "
                               "its values with GROUP BY",
                               function));
    }
    // A long expression would hide the advice.
    constexpr std::size_t kReadable = 40;
    const std::string shown = value.line.size() <= kReadable ? shown_text(value.line) : "…";
    refuse_query(place, fmt::format("{} has no bounds", quote(value.line, 80)),
                 fmt::format("say which values count, from what is publicly known: "
                             "{}(clamp({}, LOWER, UPPER))",
                             function, shown));
  }

  const ReleaseFile& dataset_;
  const SelectStatement& statement_;
  const QueryTerms& terms_;
  release_internal::DataColumns data_;
  std::size_t aggregates_ = 0;
  std::vector<Located<std::string>> by_;
  std::vector<bool> public_;  // whether the keys of each are
  TomlArray tables_;          // the names of tables of keys
  bool discovers_ = false;
  TomlTable derived_;
  std::map<std::string, std::string> lines_;  // what each of them is derived from
  std::size_t key_work_ = kKeyWork;
  TomlArray statistics_;
};

// The names that FROM may use.
std::vector<FromName> table_names(const ReleaseFile& dataset) {
  std::vector<FromName> names;
  const auto add = [&](std::string name) {
    if (!name.empty() && std::ranges::find(names, name, &FromName::table) == names.end()) {
      names.push_back({std::move(name)});
    }
  };
  add(dataset.source.name);
  add(std::filesystem::path(dataset.filename).stem().string());
  const Source& source = dataset.source;
  if (source.format.value == SourceFormat::kPostgres && source.table) {
    postgres::TableName on_server = postgres::TableName::parse(source.table->value);
    add(on_server.table);
    names.push_back({std::move(on_server.table), std::move(on_server.schema)});
  }
  add("data");
  return names;
}

void require_payable(const ReleaseFile& dataset, const QueryTerms& terms) {
  const bool rho = terms.kind == ShareKind::kRho;
  const bool concentrated = dataset.budget.usual_accounting() == LossKind::kConcentrated;
  if (rho != concentrated) {
    throw Error(ErrorCode::kBadInput, dataset.filename,
                fmt::format("the budget of this dataset counts {}", rho ? "epsilons" : "rhos"),
                fmt::format("give the price of the statement as {}", rho ? "--epsilon" : "--rho"));
  }
  const Cost& cap = dataset.budget.cap.value;
  if (cap.kind() != dataset.budget.usual_accounting()) return;
  const Rational& most = rho ? cap.rho() : cap.epsilon();
  if (terms.loss <= most) return;
  throw Error(ErrorCode::kBadInput, dataset.filename,
              fmt::format("the statement may cost {}, more than the dataset's budget of {}",
                          terms.loss.to_string(), most.to_string()),
              "ask for less");
}

struct DatasetDocument {
  TomlValue document;
  ReleaseFile alone;  // with a count as its only statistic
};

DatasetDocument read_dataset(std::string_view text, const std::string& filename,
                             const ReadPublicTable& read, const ReadSchema& schema) {
  TomlValue document = release_internal::read_toml(text, filename);
  ReleaseFile alone =
      release_internal::parse_document(with_a_count(document), filename, read, schema);
  return {std::move(document), std::move(alone)};
}

Query translate(const DatasetDocument& dataset, std::string_view text, const QueryTerms& terms,
                const ReadPublicTable& read, const ReadSchema& schema) {
  const ReleaseFile& alone = dataset.alone;
  require_payable(alone, terms);
  const SelectStatement statement = parse_select(text, table_names(alone));
  Translator translator(alone, statement, terms, schema);
  translator.run();
  return {release_internal::parse_document(translator.applied_to(dataset.document), alone.filename,
                                           read, schema),
          translator.shape()};
}

}  // namespace
}  // namespace sql_internal

Query read_query(std::string_view dataset, const std::string& filename, std::string_view statement,
                 const QueryTerms& terms) {
  return sql_internal::translate(sql_internal::read_dataset(dataset, filename, {}, {}), statement,
                                 terms, {}, {});
}

DatasetText read_dataset_text(const std::filesystem::path& path) {
  return {read_release_text(path), path};
}

PlannedQuery plan_query(const DatasetText& dataset, std::string_view statement,
                        const QueryTerms& terms, const Engine& engine) {
  const ReadPublicTable read_public = public_reader(engine);
  const ReadSchema schema = schema_reader(engine);
  const auto document =
      sql_internal::read_dataset(dataset.text, dataset.filename.string(), read_public, schema);
  Query query = sql_internal::translate(document, statement, terms, read_public, schema);
  const std::vector<SchemaColumn> columns = schema(query.release);
  // What is wrong with the dataset by itself is said first, so that the rest is the statement's.
  static_cast<void>(check_against_schema(document.alone, columns));
  return {plan_release(check_against_schema(std::move(query.release), columns)),
          std::move(query.shape)};
}

Dataset open_dataset(const DatasetText& dataset, const Engine& engine) {
  const ReadSchema schema = schema_reader(engine);
  ReleaseFile alone = sql_internal::read_dataset(dataset.text, dataset.filename.string(),
                                                 public_reader(engine), schema)
                          .alone;
  std::vector<SchemaColumn> columns = schema(alone);
  return {plan_release(check_against_schema(std::move(alone), columns)), std::move(columns)};
}

}  // namespace lastbit
