#include "lastbit/release/file/parse_sections.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "lastbit/accounting/ledger_address.h"
#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/fields/time_zone.h"
#include "lastbit/release/file/choice_of.h"

namespace lastbit::release_internal {
namespace {

constexpr std::array<FieldType, 9> kTypes = {
    FieldType::kInteger,  FieldType::kReal,      FieldType::kDecimal,
    FieldType::kUnsigned, FieldType::kText,      FieldType::kBoolean,
    FieldType::kDate,     FieldType::kTimestamp, FieldType::kTime};

// The accounting that is written, or the only one that goes with the cap; nothing if there is a
// choice, or a problem.
std::optional<LossKind> accounting_of(TableReader& reader, LossKind cap) {
  const TomlEntry* entry = reader.find("accounting");
  if (entry == nullptr) {
    return cap == LossKind::kApproximate ? std::nullopt : std::optional(cap);
  }
  constexpr std::array<std::pair<std::string_view, LossKind>, 3> kNames{
      {{"pure", LossKind::kPure},
       {"approximate", LossKind::kApproximate},
       {"concentrated", LossKind::kConcentrated}}};
  const auto text = read_text(entry->value, "`accounting`", reader.problems());
  if (!text) return std::nullopt;
  for (const auto& [name, kind] : kNames) {
    if (*text != name) continue;
    const bool converted = cap == LossKind::kApproximate && kind == LossKind::kConcentrated;
    if (kind == cap || converted) return kind;
    reader.problems().add(entry->value.position,
                          fmt::format("`accounting` cannot be {} with these losses", quote(name)),
                          "pure takes epsilon; approximate takes epsilon and delta; concentrated "
                          "takes rho, or epsilon and delta");
    return std::nullopt;
  }
  reader.problems().add(entry->value.position,
                        fmt::format("`accounting` cannot be {}", quote(*text)),
                        did_you_mean(*text, {"pure", "approximate", "concentrated"}));
  return std::nullopt;
}

// The cap, from epsilon or rho, each with a delta or without.
std::optional<Located<Cost>> cap_of(TableReader& reader) {
  const auto epsilon = positive_number(reader, "epsilon");
  const auto delta = probability(reader, "delta");
  const auto rho = positive_number(reader, "rho");
  if (rho && epsilon) {
    reader.problems().add(rho->position, "`rho` is given together with `epsilon`",
                          "say how much may be lost in one way: rho or epsilon, each with a delta "
                          "or without");
    return std::nullopt;
  }
  if (rho && !delta && reader.find("delta") != nullptr) return std::nullopt;
  if (rho) {
    return {{Cost::concentrated(rho->value, delta ? delta->value : Rational(0)), rho->position}};
  }
  const bool tried = reader.find("rho") != nullptr;
  if (!tried) reader.require("epsilon", "write epsilon = 1, the most that may be lost");
  if (!epsilon) return std::nullopt;
  if (delta) return {{Cost::approximate(epsilon->value, delta->value), epsilon->position}};
  return {{Cost::pure(epsilon->value), epsilon->position}};
}

// The type of a column, with the keys that belong to it.
std::optional<Located<FieldType>> parse_type(TableReader& reader) {
  const TomlEntry* entry = reader.find("type");
  if (entry == nullptr) return std::nullopt;
  const auto* word = std::get_if<std::string>(&entry->value.content);
  if (word != nullptr && (*word == "number" || *word == "numeric")) {
    reader.problems().add(entry->value.position, fmt::format("`type` cannot be {}", quote(*word)),
                          "write \"integer\" for whole numbers, \"real\" for others");
    return std::nullopt;
  }
  auto type = choice_of(*entry, kTypes, reader.problems());
  if (!type) return std::nullopt;
  if (type->value == FieldType::kDecimal) {
    reader.require("decimals",
                   "write decimals = 2, or as many as the numbers have after the point");
    const auto decimals = reader.whole("decimals", 0, FieldType::kMostDecimals);
    if (decimals) type->value = FieldType::decimal(static_cast<int>(decimals->value));
  }
  if (type->value == FieldType::kTimestamp) {
    const auto name = reader.text("zone");
    if (!name) return type;
    const auto zone = TimeZone::find(name->value);
    if (const auto* problem = std::get_if<ZoneProblem>(&zone)) {
      reader.problems().add(name->position, problem->problem, problem->remedy);
    } else {
      type->value = FieldType::timestamp(*std::get<const TimeZone*>(zone));
    }
  }
  return type;
}

// The keys of a column: listed, or from a public file.
std::optional<KeySet> parse_keys(const TomlEntry& keys, const ColumnDeclaration& column,
                                 const PublicFiles& files, Problems& problems) {
  const auto* table = std::get_if<TomlTable>(&keys.value.content);
  const auto is_file = [](const TomlEntry& entry) { return entry.key == "file"; };
  if (table == nullptr || std::ranges::none_of(table->entries, is_file)) {
    return read_keys(keys.value, "`keys`", problems);
  }
  TableReader reader(*table, keys.value.position, "`keys`", problems);
  const TomlEntry* file = reader.find("file");
  const auto name = reader.text("column");
  reader.finish();
  const FieldType type = column.type ? column.type->value : FieldType(FieldType::kText);
  auto read = files.read_keys(*file, name ? name->value : column.name.value, type, problems);
  if (!read) return std::nullopt;
  return *std::move(read);
}

// parse_complete: whether the file promises that each row that counts has one of the keys.
bool parse_complete(TableReader& reader) {
  const TomlEntry* entry = reader.find("complete");
  if (entry == nullptr) return false;
  const auto* flag = std::get_if<bool>(&entry->value.content);
  if (flag == nullptr) wrong_kind(entry->value, "`complete`", "true or false", reader.problems());
  return flag != nullptr && *flag;
}

// The table that declares a column, or null and a problem.
const TomlTable* column_table(const TomlEntry& column, Problems& problems) {
  const auto* text = std::get_if<std::string>(&column.value.content);
  // What is written below [columns] belongs to it.
  static const std::vector<std::string> kOfTheFile = {"title", "source",     "unit",  "budget",
                                                      "where", "confidence", "derive"};
  if (std::ranges::find(kOfTheFile, column.key) != kOfTheFile.end() &&
      !std::holds_alternative<TomlTable>(column.value.content)) {
    problems.add(
        column.position,
        fmt::format("{} is below [columns], where only columns belong", in_code(column.key)),
        "move it above [columns]");
    return nullptr;
  }
  for (const FieldType type : kTypes) {
    if (text == nullptr || *text != name_of(type)) continue;
    problems.add(column.value.position, fmt::format("{} is a text", in_code(column.key)),
                 fmt::format("write {} = {{ type = \"{}\" }}", key_in_file(column.key), *text));
    return nullptr;
  }
  return table_in(column, "a table, as in { type = \"integer\" }", problems);
}

ColumnDeclaration parse_column(const TomlEntry& entry, const TomlTable& table,
                               const PublicFiles& files, Problems& problems) {
  ColumnDeclaration column{{entry.key, entry.position}, {}, {}, {}, {}, {}};
  TableReader reader(table, entry.position, fmt::format("the column {}", quote(entry.key)),
                     problems);
  column.type = parse_type(reader);
  column.lower = reader.number("lower");
  column.upper = reader.number("upper");
  if (column.lower && column.upper) require_increasing(*column.lower, *column.upper, problems);
  if (const TomlEntry* keys = reader.find("keys")) {
    if (const auto set = parse_keys(*keys, column, files, problems)) {
      column.keys = Located<KeySet>{*set, keys->value.position};
    }
  }
  if (const TomlEntry* nulls = reader.find("nulls")) {
    column.impute = read_nulls(nulls->value, problems).value_or(std::nullopt);
  }
  column.wording = parse_column_wording(reader);
  column.complete = parse_complete(reader);
  reader.refuse_misplaced({"bounds"}, "[[statistics]]",
                          "write lower = 0 and upper = 100 here, or bounds = \"auto\" in the "
                          "statistic");
  reader.finish({"decimals", "zone"});
  if (column.type && column.type->value == FieldType::kBoolean && !column.keys) {
    column.keys = Located<KeySet>{KeyList{false, true}, column.type->position};
  }
  return column;
}

// One row of a public table: one key per column, each of the same type as in the row before.
bool parse_row(const TomlValue& value, KeyTable& table, Problems& problems) {
  const auto* cells = std::get_if<TomlArray>(&value.content);
  if (cells == nullptr || cells->size() != table.columns.size()) {
    problems.add(
        value.position,
        fmt::format("a row of {} does not have one key per column", in_code(table.name.value)),
        fmt::format("write a list of {} keys", table.columns.size()));
    return false;
  }
  std::vector<KeyValue> row;
  for (const TomlValue& cell : *cells) {
    const auto key = read_key(cell, "a key", problems);
    if (!key) return false;
    if (!table.rows.empty() && table.rows.front()[row.size()].index() != key->index()) {
      problems.add(cell.position, "the keys of this column are of different types",
                   "write all of them as texts, or all as whole numbers");
      return false;
    }
    row.push_back(*key);
  }
  table.rows.push_back(std::move(row));
  return true;
}

void parse_rows(const TomlEntry& entry, KeyTable& table, Problems& problems) {
  const auto* rows = std::get_if<TomlArray>(&entry.value.content);
  if (rows == nullptr || rows->empty()) {
    wrong_kind(entry.value, "`rows`", "a list of rows, as in [[\"GA\", \"Macon\"]]", problems);
    return;
  }
  std::set<std::vector<KeyValue>> seen;
  for (const TomlValue& row : *rows) {
    if (problems.full() || !parse_row(row, table, problems)) return;
    if (!seen.insert(table.rows.back()).second) {
      problems.add(row.position, "this row is listed twice", "remove one");
      return;
    }
  }
}

// The rows of a public table from a file, each once.
void read_rows(const TomlEntry& file, const PublicFiles& files, const ReleaseFile& release,
               KeyTable& table, Problems& problems) {
  std::vector<std::string> names;
  std::vector<FieldType> types;
  for (const auto& column : table.columns) {
    const ColumnDeclaration* declared = release.find_column(column.value);
    names.push_back(column.value);
    types.push_back(declared != nullptr && declared->type ? declared->type->value
                                                          : FieldType(FieldType::kText));
  }
  const auto read = files.read(file, names, problems);
  if (!read) return;
  std::set<std::vector<KeyValue>> seen;
  for (std::size_t row = 0; row < read->rows.size(); ++row) {
    std::vector<KeyValue> keys;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto& field = read->rows[row][i];
      const auto key = field ? key_in(*field, types[i]) : std::nullopt;
      if (!key) {
        return problems.add(file.value.position,
                            fmt::format("row {} of the file has no {} key in {}", row + 1,
                                        name_of(types[i]), quote(names[i])),
                            "mend the row, or declare the column's `type`");
      }
      keys.push_back(*key);
    }
    if (seen.insert(keys).second) table.rows.push_back(std::move(keys));
  }
}

}  // namespace

const TomlTable* table_in(const TomlEntry& entry, std::string_view example, Problems& problems) {
  const auto* table = std::get_if<TomlTable>(&entry.value.content);
  if (table == nullptr) wrong_kind(entry.value, in_code(entry.key), example, problems);
  return table;
}

bool require_increasing(const Located<Rational>& lower, const Located<Rational>& upper,
                        Problems& problems) {
  if (lower.value < upper.value) return true;
  problems.add(upper.position,
               fmt::format("`upper` = {} is not above `lower` = {}", upper.value.to_string(),
                           lower.value.to_string()),
               "make `lower` smaller than `upper`");
  return false;
}

std::optional<Located<Rational>> positive_number(TableReader& reader, std::string_view key) {
  const auto number = reader.number(key);
  if (!number || number->value.sign() > 0) return number;
  reader.problems().add(number->position,
                        fmt::format("{} is {}", in_code(key), number->value.to_string()),
                        "write a number above 0");
  return std::nullopt;
}

std::optional<Located<Rational>> probability(TableReader& reader, std::string_view key) {
  const auto number = reader.number(key);
  if (!number || (number->value.sign() > 0 && number->value < Rational(1))) return number;
  // Whoever writes 95 means 95 %.
  const Rational hundredth = number->value / Rational(100);
  const bool percent = number->value > Rational(1) && hundredth < Rational(1);
  reader.problems().add(
      number->position, fmt::format("{} is {}", in_code(key), number->value.to_string()),
      percent ? fmt::format("write {}: a number between 0 and 1, not a percentage",
                            hundredth.to_string())
              : "write a number between 0 and 1, both excluded");
  return std::nullopt;
}

std::optional<Located<Rational>> parse_confidence(TableReader& reader) {
  return probability(reader, "confidence");
}

void check_zones(TableReader& root) {
  const TomlEntry* entry = root.find("zones");
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const TomlTable* table =
      table_in(*entry, "a table [zones] with the digests of time zones", problems);
  if (table == nullptr) return;
  for (const TomlEntry& zone : table->entries) {
    const auto digest = read_text(zone.value, in_code(zone.key), problems);
    if (!digest) continue;
    const auto found = TimeZone::find(zone.key);
    if (const auto* problem = std::get_if<ZoneProblem>(&found)) {
      problems.add(zone.position, problem->problem, problem->remedy);
    } else if (std::get<const TimeZone*>(found)->digest() != *digest) {
      problems.add(zone.value.position,
                   fmt::format("the rules of {} on this machine are not those that the file states",
                               quote(zone.key)),
                   "update the zone database (package tzdata), or remove the line if these are "
                   "the rules that are meant");
    }
  }
}

// { row = true, noun = … }: the same as "row", which has no place for a noun.
void parse_row_unit(TableReader& reader, const TomlEntry& row) {
  const auto* flag = std::get_if<bool>(&row.value.content);
  if (flag == nullptr || !*flag) {
    wrong_kind(row.value, "`row`", "row = true, or `id` instead", reader.problems());
  }
  reader.rename("a `unit` that is a row");
  reader.finish({"id", "max_rows_per_group", "max_groups"});
}

void parse_unit(TableReader& root, ReleaseFile& release) {
  const std::string example = "unit = { id = \"person\", max_rows_per_group = 1 }";
  const TomlEntry* entry =
      root.require("unit", "write unit = \"row\" if each person has one row, otherwise " + example);
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const auto* text = std::get_if<std::string>(&entry->value.content);
  if (text != nullptr && *text == "row") return;
  if (text != nullptr) {
    problems.add(entry->value.position, fmt::format("`unit` is {}", quote(*text)),
                 "write unit = \"row\", or for a column that names people " + example);
    return;
  }
  const TomlTable* table = table_in(*entry, "\"row\", or a table [unit]", problems);
  if (table == nullptr) return;
  TableReader reader(*table, entry->position, "`unit`", problems);
  release.publication.noun = parse_noun(reader);
  if (const TomlEntry* row = reader.find("row")) return parse_row_unit(reader, *row);
  reader.require("id", "write id = \"person\", the column that says whose row it is");
  reader.require("max_rows_per_group",
                 "write max_rows_per_group = 1, how many rows of a unit count per group");
  const auto id = reader.text("id");
  const auto rows = reader.whole("max_rows_per_group", 1, kMaxContribution);
  const auto groups = reader.whole("max_groups", 1, kMaxContribution);
  reader.finish();
  if (!id || !rows) return;
  release.unit = IdUnit{*id, rows->value, groups ? std::optional(groups->value) : std::nullopt};
}

// require_ledger_address: a file, or the URL of a database.
void require_ledger_address(const Located<std::string>& text, Problems& problems) {
  if (!postgres::is_address(text.value)) return require_one_file(text, "ledger", problems);
  try {
    static_cast<void>(LedgerAddress::parse(text.value));
  } catch (const Error& error) {
    problems.add(text.position, "`ledger` " + error.problem(), error.remedy());
  }
}

void parse_budget(TableReader& root, ReleaseFile& release) {
  const TomlEntry* entry =
      root.require("budget", "write budget = { epsilon = 1, ledger = \"survey.ledger\" }");
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const TomlTable* table = table_in(*entry, "a table [budget]", problems);
  if (table == nullptr) return;
  TableReader reader(*table, entry->position, "`budget`", problems);
  if (const auto cap = cap_of(reader)) {
    release.budget.cap = *cap;
    release.budget.accounting = accounting_of(reader, cap->value.kind());
  } else {
    reader.find("accounting");
  }
  reader.require("ledger",
                 "write ledger = \"survey.ledger\", the file that remembers what was spent");
  if (const auto ledger = reader.text("ledger")) {
    release.budget.ledger = *ledger;
    require_ledger_address(*ledger, problems);
  }
  reader.finish();
}

void parse_columns(TableReader& root, const PublicFiles& files, ReleaseFile& release) {
  const TomlEntry* entry = root.find("columns");
  if (entry == nullptr) return;
  const TomlTable* table = table_in(*entry, "a table [columns]", root.problems());
  if (table == nullptr) return;
  if (table->entries.size() > ReleaseFile::kMaxColumns) {
    root.problems().add(
        entry->position, fmt::format("{} columns are declared", table->entries.size()),
        fmt::format("declare only those that are used, at most {}", ReleaseFile::kMaxColumns));
    return;
  }
  for (const TomlEntry& column : table->entries) {
    if (root.problems().full()) return;
    if (column.key.empty() || column.key.size() > ReleaseFile::kMaxNameBytes) {
      root.problems().add(column.position, "the name of this column is empty or too long",
                          fmt::format("names have 1 to {} bytes", ReleaseFile::kMaxNameBytes));
      continue;
    }
    const TomlTable* body = column_table(column, root.problems());
    if (body == nullptr) continue;
    release.columns.push_back(parse_column(column, *body, files, root.problems()));
  }
}

void parse_tables(TableReader& root, const PublicFiles& files, ReleaseFile& release) {
  const TomlEntry* entry = root.find("keys");
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const TomlTable* tables = table_in(*entry, "tables such as [keys.places]", problems);
  if (tables == nullptr) return;
  if (tables->entries.size() > ReleaseFile::kMaxColumns) {
    problems.add(entry->position,
                 fmt::format("there are {} tables of keys", tables->entries.size()),
                 fmt::format("a file has at most {}", ReleaseFile::kMaxColumns));
    return;
  }
  for (const TomlEntry& named : tables->entries) {
    if (problems.full()) return;
    const TomlTable* body = table_in(named, "a table with `columns` and `rows`", problems);
    if (body == nullptr) continue;
    KeyTable table{{named.key, named.position}, {}, {}};
    TableReader reader(*body, named.position, fmt::format("the keys {}", in_code(named.key)),
                       problems);
    const TomlEntry* columns = reader.require("columns", "write columns = [\"state\", \"city\"]");
    const TomlEntry* file = reader.find("file");
    const TomlEntry* rows = file != nullptr
                                ? reader.find("rows")
                                : reader.require("rows", "write rows = [[\"GA\", \"Macon\"]]");
    table.complete = parse_complete(reader);
    reader.finish();
    if (file != nullptr && rows != nullptr) {
      problems.add(rows->position, "`rows` is given together with `file`", "keep one");
      continue;
    }
    if (columns != nullptr) {
      table.columns = read_texts(columns->value, "`columns`", problems).value_or(table.columns);
    }
    if (rows != nullptr && !table.columns.empty()) parse_rows(*rows, table, problems);
    if (file != nullptr && !table.columns.empty()) {
      read_rows(*file, files, release, table, problems);
    }
    release.tables.push_back(std::move(table));
  }
}

}  // namespace lastbit::release_internal
