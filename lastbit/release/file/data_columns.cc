#include "lastbit/release/file/data_columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::release_internal {
namespace {

// named_in: the columns that a value of `column`, `columns` or `by` names.
void named_in(const TomlValue& value, std::vector<Located<std::string>>& names) {
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    names.push_back({*text, value.position});
  }
  if (const auto* list = std::get_if<TomlArray>(&value.content)) {
    for (const TomlValue& element : *list) {
      const auto* text = std::get_if<std::string>(&element.content);
      if (text != nullptr) names.push_back({*text, element.position});
    }
  }
}

// cut_in: the columns that a value of `by` cuts into groups.
void cut_in(const TomlValue& value, std::vector<Located<std::string>>& names) {
  if (const auto* table = std::get_if<TomlTable>(&value.content)) {
    for (const TomlEntry& entry : table->entries) names.push_back({entry.key, entry.position});
  }
  if (const auto* list = std::get_if<TomlArray>(&value.content)) {
    for (const TomlValue& element : *list) {
      if (std::holds_alternative<TomlTable>(element.content)) cut_in(element, names);
    }
  }
}

// for_each_key: calls f for every key of every statistic.
void for_each_key(TableReader& root, const std::function<void(const TomlEntry&)>& f) {
  const TomlEntry* entry = root.find("statistics");
  const auto* list = entry == nullptr ? nullptr : std::get_if<TomlArray>(&entry->value.content);
  if (list == nullptr) return;
  for (const TomlValue& element : *list) {
    const auto* table = std::get_if<TomlTable>(&element.content);
    if (table == nullptr) continue;
    for (const TomlEntry& key : table->entries) f(key);
  }
}

}  // namespace

const std::optional<std::vector<SchemaColumn>>& DataColumns::columns() {
  if (std::exchange(tried_, true) || !read_) return columns_;
  try {
    columns_ = read_(release_);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
  }
  return columns_;
}

const SchemaColumn* DataColumns::find(std::string_view name) {
  const auto& all = columns();
  if (!all) return nullptr;
  const auto found = std::ranges::find(*all, name, &SchemaColumn::name);
  return found == all->end() ? nullptr : &*found;
}

std::string DataColumns::remedy_for(std::string_view name, const std::vector<std::string>& others) {
  const auto& all = columns();
  if (!all) return did_you_mean_column(name, others);
  return missing_column_remedy(release_.source, *all, name, others);
}

std::vector<std::string> DataColumns::names() {
  std::vector<std::string> names;
  if (const auto& all = columns()) {
    for (const SchemaColumn& column : *all) names.push_back(column.name);
  } else {
    for (const ColumnDeclaration& column : release_.columns) names.push_back(column.name.value);
  }
  for (const Derivation& column : release_.derived) names.push_back(column.name.value);
  return names;
}

void declare_truths(TableReader& root, DataColumns& data, ReleaseFile& release) {
  if (!declares_types(release.source.format.value)) return;
  std::vector<Located<std::string>> names;
  for_each_key(root, [&](const TomlEntry& key) {
    if (key.key == "column" || key.key == "columns" || key.key == "by") named_in(key.value, names);
  });
  for (const Located<std::string>& name : names) {
    const ColumnDeclaration* known = release.find_column(name.value);
    const bool settled = known != nullptr && (known->type || known->keys);
    if (settled || release.find_derived(name.value) != nullptr) continue;
    const SchemaColumn* column = data.find(name.value);
    const bool truth =
        column != nullptr && column->type && column->type->kind == ColumnKind::kBoolean;
    if (!truth || release.columns.size() >= ReleaseFile::kMaxColumns) continue;
    auto declared = std::ranges::find(release.columns, name, &ColumnDeclaration::name);
    if (declared == release.columns.end()) {
      release.columns.push_back({name, {}, {}, {}, {}, {}});
      declared = std::prev(release.columns.end());
    }
    declared->type = Located<FieldType>{FieldType::kBoolean, name.position};
    declared->keys = Located<KeySet>{KeyList{false, true}, name.position};
  }
}

void refuse_missing_groups(TableReader& root, DataColumns& data, const ReleaseFile& release,
                           Problems& problems) {
  std::vector<Located<std::string>> names;
  for_each_key(root, [&](const TomlEntry& key) {
    if (key.key == "by") cut_in(key.value, names);
  });
  for (const auto& [name, position] : names) {
    if (problems.full()) return;
    if (release.find_derived(name) != nullptr || !data.known() || data.find(name) != nullptr) {
      continue;
    }
    // The groups themselves are derived columns, with names that follow from this one.
    std::vector<std::string> others = data.names();
    std::erase_if(others, [&](const std::string& other) { return other.starts_with(name + "_"); });
    problems.add(position, no_column(name), data.remedy_for(name, others));
  }
}

void blame_misspelt(const ReleaseFile& release, DataColumns& data, Problems& problems) {
  using Words = Problems::Words;
  problems.reword([&](const std::string& column, const Words& words) -> std::optional<Words> {
    if (release.find_derived(column) != nullptr) return std::nullopt;
    if (data.known()) {
      if (data.find(column) != nullptr) return std::nullopt;
      return Words{no_column(column), data.remedy_for(column, data.names())};
    }
    if (release.find_column(column) != nullptr) return std::nullopt;
    const auto meant = meant_name(column, data.names());
    if (!meant) return std::nullopt;
    return Words{words.problem,
                 fmt::format("did you mean {}? Otherwise {}", quote(*meant), words.remedy)};
  });
}

}  // namespace lastbit::release_internal
