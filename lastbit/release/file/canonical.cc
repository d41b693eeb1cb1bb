#include "lastbit/release/file/canonical.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "lastbit/accounting/ledger_address.h"
#include "lastbit/accounting/sha256.h"
#include "lastbit/base/text.h"
#include "lastbit/postgres/address.h"
#include "lastbit/release/fields/time_zone.h"
#include "lastbit/release/file/toml_text.h"
#include "lastbit/release/kinds/kind_writer.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {
namespace {

using release_internal::KindWriter;
using release_internal::list_of;
using release_internal::TomlLines;
using release_internal::write_kind;
using release_internal::written;

std::vector<std::string> sorted_values(const std::vector<Located<std::string>>& names) {
  std::vector<std::string> values;
  for (const auto& name : names) values.push_back(name.value);
  std::ranges::sort(values);
  return values;
}

// A public table with its columns and rows in order.
std::string written_table(const KeyTable& table) {
  std::vector<std::size_t> order(table.columns.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return table.columns[i].value; });
  std::vector<std::vector<KeyValue>> rows;
  for (const auto& row : table.rows) {
    std::vector<KeyValue> ordered;
    for (const std::size_t i : order) ordered.push_back(row[i]);
    rows.push_back(std::move(ordered));
  }
  std::ranges::sort(rows);
  std::vector<std::string> lines;
  for (const auto& row : rows) lines.push_back(list_of(row));
  return fmt::format("columns = {}\nrows = [{}]\n{}", list_of(sorted_values(table.columns)),
                     joined(lines, ", "), table.complete ? "complete = true\n" : "");
}

class CanonicalWriter {
 public:
  explicit CanonicalWriter(const ReleaseFile& release) : release_(release) { name_tables(); }

  std::string run() {
    lines_.add("version", std::to_string(ReleaseFile::kVersion));
    if (std::holds_alternative<RowUnit>(release_.unit)) lines_.add("unit", "\"row\"");
    write_source();
    write_unit();
    write_budget();
    write_columns();
    write_derived();
    for (const auto& [text, name] : tables_) {
      lines_.header(fmt::format("[keys.{}]", name));
      lines_.append(text);
    }
    std::vector<const Statistic*> order;
    for (const Statistic& statistic : release_.statistics) order.push_back(&statistic);
    std::ranges::sort(order, {}, [](const Statistic* s) { return s->name.value; });
    for (const Statistic* statistic : order) write_statistic(*statistic);
    write_zones();
    return lines_.take();
  }

 private:
  // Tables that are used get names by their contents.
  void name_tables() {
    for (const Statistic& statistic : release_.statistics) {
      for (const auto& name : statistic.tables) {
        const KeyTable* table = release_.find_table(name.value);
        if (table != nullptr) tables_.emplace(written_table(*table), "");
      }
    }
    std::size_t number = 0;
    for (auto& [text, name] : tables_) name = fmt::format("table_{}", ++number);
  }

  void write_source() {
    const Source& source = release_.source;
    lines_.header("[source]");
    std::vector<std::string> paths = {source.path.value};
    for (const auto& path : source.more_paths) paths.push_back(path.value);
    std::ranges::sort(paths);
    if (source.format.value == SourceFormat::kPostgres) {
      // Where the server is means nothing: a database that was moved is the same data.
      const auto parsed = postgres::ParsedAddress::parse(source.path.value, {});
      lines_.add("url", toml_string(parsed.address.meaning().text()));
    } else if (source.format.value != SourceFormat::kArrow) {
      lines_.add("path", paths.size() == 1 ? toml_string(paths.front()) : list_of(paths));
    }
    const bool server = source.format.value == SourceFormat::kPostgres;
    if (!server) lines_.add("format", toml_string(name_of(source.format.value)));
    if (source.table) lines_.add("table", toml_string(source.table->value));
    if (!source.name.empty()) lines_.add("name", toml_string(source.name));
    const bool csv = source.format.value == SourceFormat::kCsv;
    if (csv) lines_.add("delimiter", toml_string(std::string(1, source.delimiter)));
    if (csv || source.format.value == SourceFormat::kTsv) {
      std::vector<std::string> nulls = source.nulls;
      std::ranges::sort(nulls);
      lines_.add("null_text", list_of(nulls));
      write_text_form(source);
    }
  }

  // Only what differs from the defaults, so that files without these keys keep their digests.
  void write_text_form(const Source& source) {
    const auto character = [](char c) {
      return toml_string(c == '\0' ? std::string() : std::string(1, c));
    };
    if (source.quote != '"') lines_.add("quote", character(source.quote));
    if (source.escape != '\0') lines_.add("escape", character(source.escape));
    if (!source.names.empty()) lines_.add("names", list_of(source.names));
    if (source.encoding != TextEncoding::kUtf8) {
      lines_.add("encoding", toml_string(name_of(source.encoding)));
    }
    const FieldNotation& notation = source.notation;
    if (notation.decimal != '.') lines_.add("decimal", character(notation.decimal));
    if (!notation.thousands.empty()) lines_.add("thousands", toml_string(notation.thousands));
    if (!notation.date_format.empty()) {
      lines_.add("date_format", toml_string(notation.date_format));
    }
    const auto words = [&](std::string_view key, std::vector<std::string> texts) {
      std::ranges::sort(texts);
      if (!texts.empty()) lines_.add(key, list_of(texts));
    };
    words("true_text", notation.true_texts);
    words("false_text", notation.false_texts);
  }

  // How much of a unit is used is written with each statistic; this is only what the format
  // requires.
  void write_unit() {
    const auto* unit = std::get_if<IdUnit>(&release_.unit);
    if (unit == nullptr) return;
    lines_.header("[unit]");
    lines_.add("id", toml_string(unit->column.value));
    lines_.add("max_rows_per_group", "1");
  }

  void write_budget() {
    const Cost& cap = release_.budget.cap.value;
    lines_.header("[budget]");
    if (cap.kind() == LossKind::kConcentrated) {
      lines_.add("rho", written(cap.rho()));
    } else {
      lines_.add("epsilon", written(cap.epsilon()));
    }
    if (cap.delta().sign() > 0) lines_.add("delta", written(cap.delta()));
    if (const auto& accounting = release_.budget.accounting) {
      lines_.add("accounting", toml_string(accounting_name(*accounting)));
    }
    const std::string& ledger = release_.budget.ledger.value;
    const bool server = postgres::is_address(ledger);
    lines_.add("ledger", toml_string(server ? LedgerAddress(ledger).public_text() : ledger));
  }

  // Which parts of a column are used: by groups its keys, by groups and covariances its null
  // policy.
  struct ColumnNeeds {
    bool keys = false;
    bool nulls = false;
  };

  std::map<std::string, ColumnNeeds> needs() const {
    std::map<std::string, ColumnNeeds> used = needs_of_statistics();
    for (const Statistic& statistic : release_.statistics) {
      const auto where = condition_of(release_, statistic);
      if (!where) continue;
      for (const RowColumn& column : columns_of(*where)) used[column.name];
    }
    for (const Derivation& derivation : release_.derived) {
      if (!used.contains(derivation.name.value)) continue;
      for (const RowColumn& column : columns_of(meaning_of(derivation.expression))) {
        used[column.name];
      }
    }
    return used;
  }

  std::map<std::string, ColumnNeeds> needs_of_statistics() const {
    std::map<std::string, ColumnNeeds> used;
    if (const auto* unit = std::get_if<IdUnit>(&release_.unit)) used[unit->column.value];
    for (const Statistic& statistic : release_.statistics) {
      const bool pair = uses_column_nulls(statistic.kind);
      for (const auto& column : columns_of(statistic)) used[column.value].nulls |= pair;
      std::set<std::string> covered;
      for (const auto& name : statistic.tables) {
        const KeyTable* table = release_.find_table(name.value);
        if (table == nullptr) continue;
        for (const auto& column : table->columns) covered.insert(column.value);
      }
      for (const auto& column : statistic.by) {
        used[column.value].nulls = true;
        used[column.value].keys |= !covered.contains(column.value);
      }
    }
    return used;
  }

  void write_columns() {
    for (const auto& [name, need] : needs()) {
      const ColumnDeclaration* column = release_.find_column(name);
      if (column == nullptr) continue;
      lines_.header(fmt::format("[columns.{}]", toml_string(name)));
      if (column->type) write_type(column->type->value);
      if (need.keys && column->keys) {
        lines_.add("keys",
                   std::visit([](const auto& keys) { return written(keys); }, column->keys->value));
        if (column->complete) lines_.add("complete", "true");
      }
      if (need.nulls) lines_.add("nulls", written(column->impute));
    }
  }

  void write_type(FieldType type) {
    lines_.add("type", toml_string(name_of(type)));
    if (type == FieldType::kDecimal) lines_.add("decimals", std::to_string(type.decimals()));
    if (&type.zone() != &TimeZone::utc()) lines_.add("zone", toml_string(type.zone().name()));
    add_zone(type);
  }

  // The rules of zones change what is released, so their digests are part of it.
  void add_zone(FieldType type) {
    if (!type.zone().is_fixed()) zones_[type.zone().name()] = type.zone().digest();
  }
  void add_zones(const RowExpression& expression) {
    add_zone(expression.type);
    for (const RowExpression& operand : expression.operands) add_zones(operand);
  }
  void write_zones() {
    if (zones_.empty()) return;
    lines_.header("[zones]");
    for (const auto& [name, digest] : zones_) lines_.add(toml_string(name), toml_string(digest));
  }

  // Expressions name columns of the data only, so each derived column that is used stands by
  // itself.
  void write_derived() {
    const std::map<std::string, ColumnNeeds> used = needs();
    std::map<std::string, std::string> lines;
    for (const Derivation& derivation : release_.derived) {
      if (!used.contains(derivation.name.value)) continue;
      lines[derivation.name.value] = canonical_text(meaning_of(derivation.expression));
      add_zones(meaning_of(derivation.expression));
    }
    if (lines.empty()) return;
    lines_.header("[derive]");
    for (const auto& [name, text] : lines) lines_.add(toml_string(name), toml_string(text));
  }

  void write_statistic(const Statistic& statistic) {
    lines_.header("[[statistics]]");
    lines_.add("name", toml_string(statistic.name.value));
    lines_.add("kind", toml_string(name_of(statistic.kind)));
    KindWriter writer(lines_);
    write_kind(statistic.kind, writer);
    if (const auto where = condition_of(release_, statistic)) {
      lines_.add("where", toml_string(canonical_text(*where)));
      add_zones(*where);
    }
    if (!statistic.by.empty()) lines_.add("by", list_of(sorted_values(statistic.by)));
    std::vector<std::string> tables;
    for (const auto& name : statistic.tables) {
      const KeyTable* table = release_.find_table(name.value);
      if (table != nullptr) tables.push_back(tables_.at(written_table(*table)));
    }
    std::ranges::sort(tables);
    if (!tables.empty()) lines_.add("keys", list_of(tables));
    if (statistic.totals) lines_.add("totals", "true");
    if (statistic.discover) {
      const Discovery& discover = *statistic.discover;
      lines_.add("discover", fmt::format("{{ delta = {}{} }}", written(discover.delta.value),
                                         discover.threshold ? fmt::format(", threshold = {}",
                                                                          discover.threshold->value)
                                                            : ""));
    }
    if (statistic.share.kind != ShareKind::kPlanned) {
      lines_.add(name_of(statistic.share.kind), written(statistic.share.value));
    }
    lines_.add("confidence", written(statistic.confidence.value));
    if (statistic.suppress_above) {
      lines_.add("suppress_above", written(statistic.suppress_above->value));
    }
    if (statistic.expected_rows &&
        (statistic.share.kind == ShareKind::kAccuracy || plans_by_errors(release_))) {
      lines_.add("expected_rows", std::to_string(statistic.expected_rows->value));
    }
    if (std::holds_alternative<RowUnit>(release_.unit)) return;
    lines_.add("max_rows_per_group", std::to_string(statistic.max_rows_per_group));
    if (!statistic.by.empty()) lines_.add("max_groups", std::to_string(statistic.max_groups));
  }

  const ReleaseFile& release_;
  TomlLines lines_;
  std::map<std::string, std::string> tables_;  // contents to name
  std::map<std::string, std::string> zones_;   // name to digest
};

}  // namespace

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string canonical_text(const ReleaseFile& release) { return CanonicalWriter(release).run(); }

std::string release_digest(const ReleaseFile& release) {
  return sha256_hex(canonical_text(release));
}

}  // namespace lastbit
