#include "lastbit/release/file/canonical.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/text.h"

namespace lastbit {
namespace {

// A number as a number where TOML holds it, else as a text.
std::string written(const Rational& number) {
  static const Rational kLargest = Rational::two_to(62);
  const std::string text = number.to_string();
  return number.is_integer() && abs(number) <= kLargest ? text : toml_string(text);
}

std::string written(const KeyValue& key) {
  const auto* text = std::get_if<std::string>(&key);
  return text != nullptr ? toml_string(*text) : text_of(key);
}

// A text that stands for a number would be read as a text here, so a decimal is written as one.
std::string written(const FieldValue& value) {
  if (const auto* number = std::get_if<Rational>(&value)) {
    constexpr int kMostPlaces = 310;
    Rational scaled = *number;
    for (int places = 0; places <= kMostPlaces; ++places, scaled *= 10) {
      if (!scaled.is_integer()) continue;
      const std::string digits = scaled.to_string();
      return places == 0 ? written(*number) : fmt::format("{}e-{}", digits, places);
    }
    return written(*number);
  }
  if (const auto* flag = std::get_if<bool>(&value)) return written(KeyValue(*flag));
  if (const auto* date = std::get_if<Date>(&value)) return written(KeyValue(*date));
  return toml_string(std::get<std::string>(value));
}

template <class T>
std::string list_of(const std::vector<T>& values) {
  std::vector<std::string> parts;
  for (const T& value : values) {
    if constexpr (std::same_as<T, std::string>) {
      parts.push_back(toml_string(value));
    } else {
      parts.push_back(written(value));
    }
  }
  return "[" + joined(parts, ", ") + "]";
}

// Consecutive whole numbers are a range, however they were written.
std::string written(KeyList keys) {
  if (keys.empty()) return "[]";
  std::ranges::sort(keys);
  const auto* first = std::get_if<std::int64_t>(&keys.front());
  const auto* last = std::get_if<std::int64_t>(&keys.back());
  if (first != nullptr && last != nullptr &&
      KeyRange{*first, *last}.size() == Integer(keys.size())) {
    return fmt::format("{{ from = {}, to = {} }}", *first, *last);
  }
  return list_of(keys);
}
std::string written(const KeyRange& range) {
  return fmt::format("{{ from = {}, to = {} }}", range.first, range.last);
}

std::string written(const std::optional<Located<FieldValue>>& impute) {
  return impute ? fmt::format("{{ impute = {} }}", written(impute->value)) : "\"drop\"";
}

std::vector<std::string> sorted_values(const std::vector<Located<std::string>>& names) {
  std::vector<std::string> values;
  for (const auto& name : names) values.push_back(name.value);
  std::ranges::sort(values);
  return values;
}

// A public table with its columns and rows in order.
std::string written(const KeyTable& table) {
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
  return fmt::format("columns = {}\nrows = [{}]\n", list_of(sorted_values(table.columns)),
                     joined(lines, ", "));
}

// Line: appends "key = value" lines to a text.
class Lines {
 public:
  void header(std::string_view text) { text_ += fmt::format("\n{}\n", text); }
  void add(std::string_view key, const std::string& value) {
    text_ += fmt::format("{} = {}\n", key, value);
  }
  void append(std::string_view text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

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
    for (const auto& [text, name] : tables_) {
      lines_.header(fmt::format("[keys.{}]", name));
      lines_.append(text);
    }
    std::vector<const Statistic*> order;
    for (const Statistic& statistic : release_.statistics) order.push_back(&statistic);
    std::ranges::sort(order, {}, [](const Statistic* s) { return s->name.value; });
    for (const Statistic* statistic : order) write_statistic(*statistic);
    return lines_.take();
  }

 private:
  // Tables that are used get names by their contents.
  void name_tables() {
    for (const Statistic& statistic : release_.statistics) {
      for (const auto& name : statistic.tables) {
        const KeyTable* table = release_.find_table(name.value);
        if (table != nullptr) tables_.emplace(written(*table), "");
      }
    }
    std::size_t number = 0;
    for (auto& [text, name] : tables_) name = fmt::format("table_{}", ++number);
  }

  void write_source() {
    const Source& source = release_.source;
    lines_.header("[source]");
    lines_.add("path", toml_string(source.path.value));
    lines_.add("format", toml_string(name_of(source.format.value)));
    if (source.table) lines_.add("table", toml_string(source.table->value));
    if (!source.name.empty()) lines_.add("name", toml_string(source.name));
    const bool csv = source.format.value == SourceFormat::kCsv;
    if (csv) lines_.add("delimiter", toml_string(std::string(1, source.delimiter)));
    if (csv || source.format.value == SourceFormat::kTsv) {
      std::vector<std::string> nulls = source.nulls;
      std::ranges::sort(nulls);
      lines_.add("null_text", list_of(nulls));
    }
  }

  // What is used of a unit stands with each statistic; here it is only what the form asks for.
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
      if (cap.kind() == LossKind::kApproximate) lines_.add("delta", written(cap.delta()));
    }
    constexpr std::string_view kNames[] = {"pure", "approximate", "concentrated"};
    lines_.add("accounting",
               toml_string(kNames[static_cast<std::size_t>(release_.budget.accounting)]));
    lines_.add("ledger", toml_string(release_.budget.ledger.value));
  }

  // What of a column is used: by groups its keys, by groups and covariances its null policy.
  struct ColumnNeeds {
    bool keys = false;
    bool nulls = false;
  };

  std::map<std::string, ColumnNeeds> needs() const {
    std::map<std::string, ColumnNeeds> used;
    if (const auto* unit = std::get_if<IdUnit>(&release_.unit)) used[unit->column.value];
    for (const Statistic& statistic : release_.statistics) {
      const bool pair = std::holds_alternative<CovarianceStatistic>(statistic.kind);
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
      if (column->type) lines_.add("type", toml_string(name_of(column->type->value)));
      if (need.keys && column->keys) {
        lines_.add("keys",
                   std::visit([](const auto& keys) { return written(keys); }, column->keys->value));
      }
      if (need.nulls) lines_.add("nulls", written(column->impute));
    }
  }

  void write_statistic(const Statistic& statistic) {
    lines_.header("[[statistics]]");
    lines_.add("name", toml_string(statistic.name.value));
    lines_.add("kind", toml_string(name_of(statistic.kind)));
    std::visit([&](const auto& kind) { write_kind(kind); }, statistic.kind);
    if (!statistic.by.empty()) lines_.add("by", list_of(sorted_values(statistic.by)));
    std::vector<std::string> tables;
    for (const auto& name : statistic.tables) {
      const KeyTable* table = release_.find_table(name.value);
      if (table != nullptr) tables.push_back(tables_.at(written(*table)));
    }
    std::ranges::sort(tables);
    if (!tables.empty()) lines_.add("keys", list_of(tables));
    if (statistic.discover) {
      const Discovery& discover = *statistic.discover;
      lines_.add("discover", fmt::format("{{ delta = {}{} }}", written(discover.delta.value),
                                         discover.threshold ? fmt::format(", threshold = {}",
                                                                          discover.threshold->value)
                                                            : ""));
    }
    constexpr std::string_view kShares[] = {"weight", "epsilon", "rho", "accuracy"};
    lines_.add(kShares[static_cast<std::size_t>(statistic.share.kind)],
               written(statistic.share.value));
    lines_.add("confidence", written(statistic.confidence.value));
    // Without a wished accuracy a guess changes nothing that is released.
    if (statistic.expected_rows && statistic.share.kind == ShareKind::kAccuracy) {
      lines_.add("expected_rows", std::to_string(statistic.expected_rows->value));
    }
    if (std::holds_alternative<RowUnit>(release_.unit)) return;
    lines_.add("max_rows_per_group", std::to_string(statistic.max_rows_per_group));
    if (!statistic.by.empty()) lines_.add("max_groups", std::to_string(statistic.max_groups));
  }

  void write_use(const ColumnUse& use) {
    lines_.add("column", toml_string(use.name.value));
    lines_.add("nulls", written(use.impute));
  }
  void write_bounded(const BoundedColumn& column) {
    write_use(column.column);
    lines_.add("lower", written(column.lower.value));
    lines_.add("upper", written(column.upper.value));
  }
  void write_categories(const Categories& categories) {
    if (const auto* list = std::get_if<KeyList>(&categories)) {
      lines_.add("categories", written(*list));
    } else if (const auto* range = std::get_if<KeyRange>(&categories)) {
      lines_.add("categories", written(*range));
    }
  }

  void write_kind(const CountStatistic& s) {
    if (s.column) write_use(*s.column);
  }
  void write_kind(const UnitsStatistic&) {}
  void write_kind(const SumStatistic& s) { write_bounded(s.column); }
  void write_kind(const MeanStatistic& s) { write_bounded(s.column); }
  void write_kind(const VarianceStatistic& s) { write_bounded(s.column); }
  void write_kind(const CovarianceStatistic& s) {
    const auto pair = [](const std::string& a, const std::string& b) {
      return fmt::format("[{}, {}]", a, b);
    };
    lines_.add("columns", pair(toml_string(s.first.column.name.value),
                               toml_string(s.second.column.name.value)));
    lines_.add("lower", pair(written(s.first.lower.value), written(s.second.lower.value)));
    lines_.add("upper", pair(written(s.first.upper.value), written(s.second.upper.value)));
  }
  void write_kind(const CategoryStatistic& s) {
    write_use(s.column);
    write_categories(s.categories);
    lines_.add("other", s.other ? "true" : "false");
  }
  void write_kind(const BinStatistic& s) {
    write_use(s.column);
    lines_.add("bins", list_of(s.edges));
  }
  void write_kind(const QuantileStatistic& s) {
    write_bounded(s.column);
    lines_.add("quantiles", list_of(s.levels));
    if (s.step) lines_.add("step", written(s.step->value));
  }
  void write_kind(const TopStatistic& s) {
    write_use(s.column);
    write_categories(s.categories);
    lines_.add("k", std::to_string(s.k));
  }

  const ReleaseFile& release_;
  Lines lines_;
  std::map<std::string, std::string> tables_;  // contents to name
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
