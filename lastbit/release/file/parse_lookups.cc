// [lookups]: public tables that say what the values of a column mean.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

// AddedColumn: a column of the table, and what it is called in the data.
struct AddedColumn {
  Located<std::string> name;
  std::string in_table;
};

std::vector<AddedColumn> read_added(const TomlEntry& entry, Problems& problems) {
  std::vector<AddedColumn> added;
  if (const auto* table = std::get_if<TomlTable>(&entry.value.content)) {
    for (const TomlEntry& column : table->entries) {
      const auto name = read_text({column.key, column.position}, "a column in `add`", problems);
      const auto in_table = read_text(column.value, in_code(column.key), problems);
      if (name && in_table) added.push_back({{*name, column.position}, *in_table});
    }
    return added;
  }
  for (auto& name :
       read_texts(entry.value, "`add`", problems).value_or(std::vector<Located<std::string>>())) {
    added.push_back({name, name.value});
  }
  return added;
}

// The values are the keys of the new column, unless the file lists others.
void add_values_as_keys(const Derivation& column, const Derivation::Lookup& lookup,
                        ReleaseFile& release) {
  std::set<std::string> seen;
  KeyList values;
  for (const auto& [key, value] : *lookup.entries) {
    if (!value) continue;
    // Not all values could be keys.
    if (value->size() > ReleaseFile::kMaxNameBytes) return;
    if (seen.insert(*value).second) values.emplace_back(*value);
  }
  if (values.empty()) return;
  auto declared = std::ranges::find(release.columns, column.name, &ColumnDeclaration::name);
  if (declared == release.columns.end()) {
    release.columns.push_back({column.name, {}, {}, {}, {}, {}});
    declared = std::prev(release.columns.end());
  }
  if (!declared->keys) declared->keys = Located<KeySet>{values, column.name.position};
}

class LookupParser {
 public:
  LookupParser(const TomlEntry& entry, const TomlTable& table, const PublicFiles& files,
               Problems& problems)
      : entry_(entry),
        reader_(table, entry.position, fmt::format("the lookup table {}", in_code(entry.key)),
                problems),
        files_(files),
        problems_(problems) {}

  // The columns that the table adds.
  std::vector<Derivation> parse() {
    const TomlEntry* file = reader_.require("file", "write file = \"codes.csv\"");
    reader_.require("column", "write column = \"postcode\", the column that is looked up");
    const TomlEntry* add = reader_.require("add", "write add = [\"region\"], the columns to add");
    const auto column = reader_.text("column");
    const auto key = reader_.text("key");
    reader_.finish();
    if (file == nullptr || !column || add == nullptr) return {};
    const std::vector<AddedColumn> added = read_added(*add, problems_);
    std::vector<std::string> wanted = {key ? key->value : column->value};
    for (const AddedColumn& one : added) wanted.push_back(one.in_table);
    if (added.empty()) return {};
    const auto table = files_.read(*file, wanted, problems_);
    if (!table || !has_different_keys(*table, *file)) return {};
    std::vector<Derivation> columns;
    for (std::size_t i = 0; i < added.size(); ++i) {
      columns.push_back(make_column(added[i], *column, *table, i + 1));
    }
    return columns;
  }

 private:
  bool has_different_keys(const PublicTable& table, const TomlEntry& file) {
    std::set<std::string_view> seen;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      const auto& key = table.rows[row].front();
      if (key && seen.insert(*key).second) continue;
      problems_.add(file.value.position,
                    fmt::format("row {} of the file has {}", row + 1,
                                key ? "a key that occurs before" : "no key"),
                    "remove the row: every key has one row");
      return false;
    }
    return true;
  }

  Derivation make_column(const AddedColumn& added, const Located<std::string>& column,
                         const PublicTable& table, std::size_t number) const {
    auto entries = std::make_shared<std::vector<LookupTable::Entry>>();
    for (const auto& row : table.rows) entries->push_back({row.front().value_or(""), row[number]});
    const std::string words =
        fmt::format("the {} of {} in the public table {}", quote(added.in_table, 80),
                    quote(column.value, 80), quote(entry_.key, 80));
    return {added.name, {{words, entry_.position}}, Derivation::Lookup{column, std::move(entries)}};
  }

  const TomlEntry& entry_;
  TableReader reader_;
  const PublicFiles& files_;
  Problems& problems_;
};

bool derives(TableReader& root, const std::string& column) {
  const TomlEntry* derive = root.find("derive");
  if (derive == nullptr) return false;
  const auto* table = std::get_if<TomlTable>(&derive->value.content);
  return table != nullptr &&
         std::ranges::find(table->entries, column, &TomlEntry::key) != table->entries.end();
}

}  // namespace

std::vector<Derivation> parse_lookups(TableReader& root, const PublicFiles& files,
                                      ReleaseFile& release) {
  std::vector<Derivation> later;
  const TomlEntry* entry = root.find("lookups");
  if (entry == nullptr) return later;
  Problems& problems = root.problems();
  const auto* tables = std::get_if<TomlTable>(&entry->value.content);
  constexpr std::size_t kMostTables = 100;
  if (tables == nullptr || tables->entries.size() > kMostTables) {
    wrong_kind(entry->value, "`lookups`",
               fmt::format("up to {} tables such as [lookups.postcodes]", kMostTables), problems);
    return later;
  }
  for (const TomlEntry& named : tables->entries) {
    const auto* body = std::get_if<TomlTable>(&named.value.content);
    if (body == nullptr) {
      wrong_kind(named.value, in_code(named.key), "a table with `file`, `column` and `add`",
                 problems);
      continue;
    }
    for (Derivation& column : LookupParser(named, *body, files, problems).parse()) {
      const auto same = [&](const Derivation& other) { return other.name == column.name; };
      if (release.find_derived(column.name.value) != nullptr || std::ranges::any_of(later, same)) {
        problems.add(column.name.position,
                     fmt::format("two lookup tables add {}", quote(column.name.value)),
                     "rename one, as in add = { region = \"region\" }");
        continue;
      }
      const std::optional<Derivation::Lookup>& lookup = column.lookup;
      if (!lookup) continue;
      add_values_as_keys(column, *lookup, release);
      const bool is_later = derives(root, lookup->column.value);
      (is_later ? later : release.derived).push_back(std::move(column));
    }
  }
  return later;
}

}  // namespace lastbit::release_internal
