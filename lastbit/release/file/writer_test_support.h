// Releases as text in many styles. This writer shares nothing with canonical.cc. For tests only;
// not installed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lastbit/release/file/maker_test_support.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {

class SloppyWriter {
 public:
  explicit SloppyWriter(std::uint64_t seed) : dice_(seed) {}

  std::string write(ReleaseFile release, bool in_order) {
    in_order_ = in_order;
    std::vector<std::string> tables;
    if (!in_order) {
      dice_.shuffle(release.statistics);
      reorder(release);
      release.title = dice_.flip() ? "" : "another title";
      if (dice_.flip()) tables.push_back(publication());
    }
    std::vector<std::string> top = {"version = 1"};
    if (!release.title.empty()) top.push_back("title = " + text(release.title));
    add(top, tables, "source", source(release.source));
    if (const auto* unit = std::get_if<IdUnit>(&release.unit)) {
      add(top, tables, "unit",
          {"id = " + text(unit->column.value), "max_rows_per_group = 7", "max_groups = 2"});
    } else if (!in_order && dice_.flip()) {
      add(top, tables, "unit", {"row = true", "noun = ['person', 'people']"});
    } else {
      top.push_back("unit = " + text("row"));
    }
    add(top, tables, "budget", budget(release.budget));
    for (const ColumnDeclaration& c : release.columns) tables.push_back(column(c));
    if (dice_.flip()) tables.emplace_back("[columns.unused]\ntype = 'date'");
    for (const KeyTable& table : release.tables) tables.push_back(key_table(table));
    if (!in_order) dice_.shuffle(tables);
    dice_.shuffle(top);
    for (const Statistic& s : release.statistics) tables.push_back(statistic(release, s));
    std::string out = dice_.flip() ? "# A comment = [\n" : "";
    for (const std::string& line : top) out += line + noise();
    for (const std::string& table : tables) out += table + noise();
    return out;
  }

 private:
  // Changes orders that mean nothing.
  void reorder(ReleaseFile& release) {
    dice_.shuffle(release.source.nulls);
    dice_.shuffle(release.source.notation.true_texts);
    for (ColumnDeclaration& column : release.columns) {
      if (!column.keys) continue;
      if (auto* list = std::get_if<KeyList>(&column.keys->value)) dice_.shuffle(*list);
    }
    for (KeyTable& table : release.tables) {
      dice_.shuffle(table.rows);
      if (dice_.flip()) continue;
      std::swap(table.columns[0], table.columns[1]);
      for (auto& row : table.rows) std::swap(row[0], row[1]);
    }
    for (Statistic& statistic : release.statistics) {
      dice_.shuffle(statistic.by);
      auto* histogram = std::get_if<CategoryStatistic>(&statistic.kind);
      if (histogram == nullptr) continue;
      if (auto* list = std::get_if<KeyList>(&histogram->categories)) dice_.shuffle(*list);
    }
  }

  // Words for readers, which mean nothing.
  std::string publication() {
    return section("[publication]", {"publisher = 'Office'", "notes = ['One.', 'Two.']",
                                     "language = 'pt-BR'", "number_format = '1.234,5'"});
  }

  std::string noise() {
    return dice_.one_of<std::string>({"\n", " \t\n", "  # é [x] = \"\n", "\r\n\r\n"});
  }

  static std::string escaped(const std::string& value) {
    std::string out = "\"";
    for (const char c : value) {
      if (c == '\t') {
        out += "\\t";
      } else {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
      }
    }
    return out + "\"";
  }
  std::string text(const std::string& value) {
    const bool plain = value.find_first_of("'\n\t") == std::string::npos;
    return plain && dice_.flip() ? "'" + value + "'" : escaped(value);
  }
  // A number as a fraction in quotes, or as a decimal with or without quotes.
  std::string number(const Rational& value) {
    const std::string exact = value.to_string();
    const bool decimal = exact.find('/') == std::string::npos;
    const std::string fraction =
        value.numerator().to_string() + "/" + value.denominator().to_string();
    if (!decimal || dice_.pick(3) == 0) return "\"" + fraction + "\"";
    if (exact.size() > 15 || dice_.flip()) return "'" + exact + "'";
    if (exact.find('.') == std::string::npos) return dice_.flip() ? exact : exact + ".0";
    return dice_.flip() ? exact : exact + "0e+0";
  }
  std::string key(const KeyValue& value) {
    if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* date = std::get_if<Date>(&value)) {
      const auto two = [](unsigned n) { return (n < 10 ? "0" : "") + std::to_string(n); };
      return std::to_string(static_cast<int>(date->year())) + "-" +
             two(static_cast<unsigned>(date->month())) + "-" +
             two(static_cast<unsigned>(date->day()));
    }
    return text(std::get<std::string>(value));
  }
  std::string keys(const KeyList& list) {
    std::string out = "[";
    for (const KeyValue& value : list) out += key(value) + (dice_.flip() ? ", " : " ,\n  ");
    return out + "]";
  }
  std::string keys(const KeyRange& range) {
    if (!in_order_ && dice_.flip()) {
      KeyList list;
      for (std::int64_t i = range.first; i <= range.last; ++i) list.emplace_back(i);
      dice_.shuffle(list);
      return keys(list);
    }
    return "{to = " + std::to_string(range.last) + ", from = " + std::to_string(range.first) + "}";
  }
  std::string nulls(const std::optional<Located<FieldValue>>& impute) {
    if (!impute) return "'drop'";
    const auto* n = std::get_if<Rational>(&impute->value);
    const std::string value =
        n != nullptr ? n->to_string() : text(std::get<std::string>(impute->value));
    return "{ impute = " + value + " }";
  }

  void add(std::vector<std::string>& top, std::vector<std::string>& tables, const std::string& name,
           std::vector<std::string> lines) {
    dice_.shuffle(lines);
    std::string joined;
    const bool inline_form = dice_.flip();
    for (const std::string& line : lines)
      joined += (joined.empty() ? "" : inline_form ? ", " : "\n") + line;
    if (inline_form) {
      top.push_back(name + " = { " + joined + " }");
    } else {
      tables.push_back("[" + name + "]\n" + joined);
    }
  }

  void add_text_form(const Source& source, std::vector<std::string>& lines) {
    const auto add = [&](const std::string& key, const std::string& value) {
      lines.push_back(key + " = " + value);
    };
    const auto list = [&](const std::vector<std::string>& values) {
      std::vector<std::string> texts;
      for (const std::string& value : values) texts.push_back(escaped(value));
      return "[" + joined(texts, ", ") + "]";
    };
    const FieldNotation& notation = source.notation;
    if (source.quote == '\0') add("quote", "''");
    if (source.quote == '\'') add("quote", "\"'\"");
    if (source.escape == '\\') add("escape", "'\\'");
    if (!source.names.empty()) add("names", list(source.names));
    if (source.encoding != TextEncoding::kUtf8 || dice_.flip()) {
      add("encoding", text(std::string(name_of(source.encoding))));
    }
    if (notation.decimal != '.' || dice_.flip()) {
      add("decimal", text(std::string(1, notation.decimal)));
    }
    if (!notation.thousands.empty()) add("thousands", escaped(notation.thousands));
    if (!notation.date_format.empty()) add("date_format", text(notation.date_format));
    if (!notation.true_texts.empty()) add("true_text", list(notation.true_texts));
    if (notation.false_texts.size() == 1) add("false_text", text(notation.false_texts.front()));
  }

  std::vector<std::string> source(const Source& source) {
    std::vector<std::string> paths = {text(source.path.value)};
    for (const auto& path : source.more_paths) paths.push_back(text(path.value));
    if (!in_order_) dice_.shuffle(paths);
    std::vector<std::string> lines = {
        "path = " + (paths.size() == 1 ? paths.front() : "[" + joined(paths, ", ") + "]")};
    add_text_form(source, lines);
    if (dice_.flip()) lines.emplace_back("format = 'csv'");
    if (!source.name.empty()) lines.push_back("name = " + text(source.name));
    if (source.delimiter != ',' || dice_.flip()) {
      lines.push_back("delimiter = " + escaped(std::string(1, source.delimiter)));
    }
    if (source.nulls.size() == 1) return lines;
    std::string list;
    for (const std::string& null : source.nulls) list += escaped(null) + ",";
    lines.push_back("null_text = [" + list + "]");
    return lines;
  }
  std::vector<std::string> budget(const ReleaseBudget& budget) {
    const Cost& cap = budget.cap.value;
    const bool in_rho = cap.kind() == LossKind::kConcentrated;
    std::vector<std::string> lines = {
        in_rho ? "rho = " + number(cap.rho()) : "epsilon = " + number(cap.epsilon()),
        "delta = " + number(cap.delta()), "ledger = " + text(budget.ledger.value)};
    if (const auto& accounting = budget.accounting) {
      lines.push_back("accounting = '" + std::string(accounting_name(*accounting)) + "'");
    }
    return lines;
  }
  std::string column(const ColumnDeclaration& column) {
    std::vector<std::string> lines = {"type = " + text(std::string(name_of(column.type->value)))};
    const FieldType type = column.type->value;
    if (type == FieldType::kDecimal) {
      lines.push_back("decimals = " + std::to_string(type.decimals()));
    }
    if (type == FieldType::kTimestamp) lines.push_back("zone = " + text(type.zone().name()));
    if (column.lower) lines.push_back("lower = " + number(column.lower->value));
    if (column.upper) lines.push_back("upper = " + number(column.upper->value));
    if (column.impute || dice_.flip()) lines.push_back("nulls = " + nulls(column.impute));
    const bool implied = column.type->value == FieldType::kBoolean && dice_.flip();
    if (column.keys && !implied) {
      lines.push_back("keys = " +
                      std::visit([&](const auto& set) { return keys(set); }, column.keys->value));
    }
    if (column.complete) lines.emplace_back("complete = true");
    if (!in_order_ && dice_.flip()) {
      lines.emplace_back("label = 'A label'");
      lines.emplace_back("unit = '€'");
      if (column.name.value == "flag") lines.emplace_back("labels = { true = 'yes' }");
      if (column.name.value == "month") lines.emplace_back("labels = { 12 = 'December' }");
    }
    return section("[columns." + escaped(column.name.value) + "]", lines);
  }
  std::string key_table(const KeyTable& table) {
    std::string names;
    std::string rows;
    for (const auto& name : table.columns) names += text(name.value) + ", ";
    for (const auto& row : table.rows) rows += keys(row) + ",\n";
    std::vector<std::string> lines = {"columns = [" + names + "]", "rows = [" + rows + "]"};
    if (table.complete) lines.emplace_back("complete = true");
    return section("[keys." + table.name.value + "]", lines);
  }
  std::string section(const std::string& header, std::vector<std::string> lines) {
    dice_.shuffle(lines);
    std::string out = header;
    for (const std::string& line : lines) out += noise() + (dice_.flip() ? "  " : "") + line;
    return out;
  }

  // Then a weight of 1 goes without saying.
  static bool has_other_weight(const ReleaseFile& release) {
    return std::ranges::any_of(release.statistics, [](const Statistic& one) {
      return one.share.kind == ShareKind::kWeight && one.share.value != Rational(1);
    });
  }
  std::string statistic(const ReleaseFile& release, const Statistic& statistic) {
    lines_ = {"name = " + text(statistic.name.value),
              "kind = " + text(std::string(name_of(statistic.kind)))};
    std::visit([&](const auto& kind) { add_kind(release, kind); }, statistic.kind);
    if (!statistic.by.empty()) {
      std::string names;
      for (const auto& name : statistic.by) names += text(name.value) + ",";
      const bool single = statistic.by.size() == 1 && dice_.flip();
      lines_.push_back("by = " + (single ? text(statistic.by[0].value) : "[" + names + "]"));
      if (statistic.totals) lines_.push_back("totals = true");
    }
    if (!statistic.tables.empty()) lines_.emplace_back("keys = 'pairs'");
    if (statistic.discover) {
      const auto& threshold = statistic.discover->threshold;
      lines_.push_back("discover = { delta = " + number(statistic.discover->delta.value) +
                       (threshold ? ", threshold = 30 }" : " }"));
    }
    const std::vector<std::string> shares = {"weight", "epsilon", "rho", "accuracy"};
    const bool weight = statistic.share.kind == ShareKind::kWeight;
    const bool implied =
        weight && statistic.share.value == Rational(1) && has_other_weight(release);
    const bool given = statistic.share.kind != ShareKind::kPlanned;
    if (given && !(implied && dice_.flip())) {
      lines_.push_back(shares[static_cast<std::size_t>(statistic.share.kind)] + " = " +
                       number(statistic.share.value));
    }
    if (statistic.suppress_above) {
      lines_.push_back("suppress_above = " + number(statistic.suppress_above->value));
    }
    if (statistic.confidence.value != Rational(19, 20) || dice_.flip()) {
      lines_.push_back("confidence = " + number(statistic.confidence.value));
    }
    if (statistic.expected_rows) {
      lines_.push_back("expected_rows = " + std::to_string(statistic.expected_rows->value));
    }
    if (std::holds_alternative<IdUnit>(release.unit)) add_contribution(statistic);
    if (!in_order_ && dice_.flip()) {
      lines_.emplace_back("title = 'A title'");
      lines_.emplace_back("notes = 'A note.'");
    }
    return section("[[statistics]]", lines_);
  }
  void add_contribution(const Statistic& statistic) {
    if (statistic.max_rows_per_group != 7 || dice_.flip()) {
      lines_.push_back("max_rows_per_group = " + std::to_string(statistic.max_rows_per_group));
    }
    if (!statistic.by.empty() && (statistic.max_groups != 2 || dice_.flip())) {
      lines_.push_back("max_groups = " + std::to_string(statistic.max_groups));
    }
  }

  void add_use(const ReleaseFile& release, const ColumnUse& use) {
    lines_.push_back("column = " + text(use.name.value));
    if (use.impute != release.find_column(use.name.value)->impute || dice_.flip()) {
      lines_.push_back("nulls = " + nulls(use.impute));
    }
  }
  void add_bounded(const ReleaseFile& release, const BoundedColumn& column) {
    add_use(release, column.column);
    const ColumnDeclaration* declared = release.find_column(column.column.name.value);
    if (column.lower != *declared->lower || dice_.flip()) {
      lines_.push_back("lower = " + number(column.lower.value));
    }
    if (column.upper != *declared->upper || dice_.flip()) {
      lines_.push_back("upper = " + number(column.upper.value));
    }
  }
  void add_kind(const ReleaseFile& release, const CountStatistic& s) {
    if (s.column) add_use(release, *s.column);
  }
  void add_kind(const ReleaseFile&, const UnitsStatistic&) {}
  void add_kind(const ReleaseFile& release, const DistinctStatistic& s) {
    add_use(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const SumStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const FoundBounds& s) {
    add_use(release, s.column);
    const bool usual = s.share == Rational(1, 5) && dice_.flip();
    lines_.push_back(usual ? "bounds = 'auto'"
                           : "bounds = { share = " + number(s.share) + ", auto = true }");
  }
  void add_kind(const ReleaseFile& release, const MeanStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const VarianceStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const DeviationStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile&, const CovarianceStatistic& s) { add_pair(s); }
  void add_kind(const ReleaseFile&, const CorrelationStatistic& s) { add_pair(s); }
  void add_kind(const ReleaseFile&, const RatioStatistic& s) { add_pair(s); }
  template <class Pair>
  void add_pair(const Pair& s) {
    lines_.push_back("columns = [" + text(s.first.column.name.value) + "," +
                     text(s.second.column.name.value) + "]");
    if (dice_.flip()) {
      lines_.push_back("lower = [" + number(s.first.lower.value) + ", " +
                       number(s.second.lower.value) + "]");
    }
  }
  void add_kind(const ReleaseFile& release, const CategoryStatistic& s) {
    add_use(release, s.column);
    if (const auto* list = std::get_if<KeyList>(&s.categories)) {
      lines_.push_back("categories = " + keys(*list));
    }
    if (s.other || dice_.flip())
      lines_.push_back(std::string("other = ") + (s.other ? "true" : "false"));
  }
  void add_kind(const ReleaseFile& release, const BinStatistic& s) {
    add_use(release, s.column);
    std::string edges;
    for (const Rational& edge : s.edges) edges += number(edge) + ", ";
    lines_.push_back("bins = [" + edges + "]");
  }
  void add_kind(const ReleaseFile& release, const QuantileStatistic& s) {
    add_bounded(release, s.column);
    std::string levels;
    for (const Rational& level : s.levels) levels += number(level) + ", ";
    lines_.push_back("quantiles = [" + levels + "]");
    if (s.step) lines_.push_back("step = " + number(s.step->value));
    if (s.interval_share) lines_.push_back("interval_share = " + number(s.interval_share->value));
  }
  void add_kind(const ReleaseFile& release, const TopStatistic& s) {
    add_use(release, s.column);
    lines_.push_back("k = " + std::to_string(s.k));
    const auto* range = std::get_if<KeyRange>(&s.categories);
    if (range != nullptr && dice_.flip()) lines_.push_back("categories = " + keys(*range));
  }

  Dice dice_;
  bool in_order_ = true;
  std::vector<std::string> lines_;
};

}  // namespace lastbit
