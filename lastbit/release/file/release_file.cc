#include "lastbit/release/file/release_file.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/postgres/address.h"
#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {
namespace {

// database_table: the address is left out, because reports are published.
std::string database_table(const Source& source) {
  const auto address = postgres::ParsedAddress::parse(source.path.value, {}).address.meaning();
  const auto& parts = address.parameters();
  const std::string database = parts.empty() ? "" : parts.begin()->second + ": ";
  return database + (source.table ? source.table->value : "");
}

std::vector<std::vector<KeyValue>> as_rows(const KeyList& keys) {
  std::vector<std::vector<KeyValue>> rows;
  rows.reserve(keys.size());
  for (const KeyValue& key : keys) rows.push_back({key});
  return rows;
}

// completeness_of: of the keys of a column, which has some.
GroupKeys::Complete completeness_of(const ReleaseFile& release, const ColumnDeclaration& column) {
  const Derivation* derived = release.find_derived(column.name.value);
  if (derived != nullptr && !derived->lookup && column.keys &&
      always_has_key(derived->expression.text.value, column.keys->value)) {
    return GroupKeys::Complete::kProved;
  }
  return column.complete ? GroupKeys::Complete::kPromised : GroupKeys::Complete::kNo;
}

}  // namespace

std::string_view name_of(SourceFormat format) {
  constexpr std::string_view kNames[] = {"csv",    "tsv",   "parquet",   "json",
                                         "duckdb", "arrow", "postgresql"};
  return kNames[static_cast<std::size_t>(format)];
}

std::string_view name_of(NumberFormat format) {
  constexpr std::string_view kNames[] = {"1,234.5", "1 234,5", "1.234,5", "1'234.5"};
  return kNames[static_cast<std::size_t>(format)];
}

std::string_view accounting_name(LossKind accounting) {
  constexpr std::string_view kNames[] = {"pure", "approximate", "concentrated"};
  return kNames[static_cast<std::size_t>(accounting)];
}

std::string_view name_of(ShareKind kind) {
  constexpr std::string_view kNames[] = {"weight", "epsilon", "rho", "accuracy", "planned"};
  return kNames[static_cast<std::size_t>(kind)];
}

bool declares_types(SourceFormat format) {
  return format == SourceFormat::kParquet || format == SourceFormat::kDuckDb ||
         format == SourceFormat::kArrow || format == SourceFormat::kPostgres;
}

bool is_pattern(std::string_view path) { return path.find_first_of("*?") != std::string::npos; }

std::string written_path(const Source& source) {
  if (source.format.value == SourceFormat::kArrow) return source.name;
  if (source.format.value == SourceFormat::kPostgres) return database_table(source);
  std::string text = source.path.value;
  for (const auto& path : source.more_paths) text += ", " + path.value;
  return text;
}

std::optional<char> likely_delimiter(std::span<const std::string> columns) {
  if (columns.size() != 1) return std::nullopt;
  const std::string& name = columns.front();
  // The tab first: texts hold the others more often.
  for (const char c : {'\t', ';', '|', ','}) {
    if (name.find(c) != std::string::npos) return c;
  }
  return std::nullopt;
}

std::string delimiter_line(char delimiter) {
  const std::string text = delimiter == '\t' ? "\\t" : std::string(1, delimiter);
  return "delimiter = \"" + text + "\"";
}

const ColumnDeclaration* ReleaseFile::find_column(std::string_view name) const {
  const auto found =
      std::ranges::find(columns, name, [](const auto& column) { return column.name.value; });
  return found == columns.end() ? nullptr : &*found;
}

const Derivation* ReleaseFile::find_derived(std::string_view name) const {
  const auto found =
      std::ranges::find(derived, name, [](const auto& column) { return column.name.value; });
  return found == derived.end() ? nullptr : &*found;
}

const KeyTable* ReleaseFile::find_table(std::string_view name) const {
  const auto found =
      std::ranges::find(tables, name, [](const auto& table) { return table.name.value; });
  return found == tables.end() ? nullptr : &*found;
}

Rational discovery_delta(const ReleaseFile& release) {
  Rational sum = 0;
  for (const Statistic& statistic : release.statistics) {
    if (statistic.discover) sum += statistic.discover->delta.value;
  }
  return sum;
}

bool plans_by_errors(const ReleaseFile& release) {
  return !release.budget.accounting ||
         std::ranges::any_of(release.statistics, [](const Statistic& statistic) {
           return statistic.share.kind == ShareKind::kPlanned;
         });
}

std::vector<GroupKeys> group_keys(const ReleaseFile& release, const Statistic& statistic) {
  std::vector<GroupKeys> result;
  std::vector<std::string> covered;
  for (const auto& name : statistic.tables) {
    const KeyTable* table = release.find_table(name.value);
    if (table == nullptr) continue;
    GroupKeys keys{{}, table->rows};
    if (table->complete) keys.complete = GroupKeys::Complete::kPromised;
    for (const auto& column : table->columns) keys.columns.push_back(column.value);
    covered.insert(covered.end(), keys.columns.begin(), keys.columns.end());
    result.push_back(std::move(keys));
  }
  for (const auto& column : statistic.by) {
    if (std::ranges::find(covered, column.value) != covered.end()) continue;
    const ColumnDeclaration* declared = release.find_column(column.value);
    GroupKeys keys{{column.value}, DiscoveredKeys{}};
    if (declared != nullptr && declared->keys) {
      const KeySet& set = declared->keys->value;
      if (const auto* list = std::get_if<KeyList>(&set)) keys.keys = as_rows(*list);
      if (const auto* range = std::get_if<KeyRange>(&set)) keys.keys = *range;
      keys.complete = completeness_of(release, *declared);
    }
    result.push_back(std::move(keys));
  }
  return result;
}

const RowExpression& meaning_of(const WrittenExpression& expression) {
  if (expression.meaning) return *expression.meaning;
  throw Error::bad_parameter("meaning_of", "expression", "belongs to a file whose data is unknown",
                             "pass the release through check_against_schema first");
}

std::optional<RowExpression> condition_of(const ReleaseFile& release, const Statistic& statistic) {
  if (!release.where && !statistic.where) return std::nullopt;
  if (!statistic.where) return meaning_of(*release.where);
  if (!release.where) return meaning_of(*statistic.where);
  return both(meaning_of(*release.where), meaning_of(*statistic.where));
}

std::vector<Located<std::string>> columns_of(const Statistic& statistic) {
  std::vector<Located<std::string>> columns;
  const auto add = [&](const Located<std::string>& name) {
    if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
  };
  for (const ColumnRole& role : roles_of(statistic.kind)) add(role.column);
  for (const auto& name : statistic.by) add(name);
  return columns;
}

}  // namespace lastbit
