// What files mean: round trips through text, canonical texts, schemas, and bytes changed at random.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "lastbit/accounting/sha256.h"
#include "lastbit/query/canonical.h"
#include "lastbit/query/schema.h"
#include "lastbit/query/test_support.h"

namespace lastbit {
namespace {

// Dice: choices from a recorded seed, so that a value or a style is one number to RapidCheck.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t pick(std::size_t n) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>((state_ >> 33) % n);
  }
  bool flip() { return pick(2) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& values) {
    return values[pick(values.size())];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[pick(i)]);
  }

 private:
  std::uint64_t state_;
};

// Releases as values, made without the parser.

const std::vector<Rational>& numbers() {
  static const std::vector<Rational> kNumbers = {
      Rational(1),      Rational(1, 10),       Rational(1, 3),           Rational(7, 2),
      Rational(12'345), rational("0.1000001"), rational("1e-30"),        Rational(1, 1024),
      rational("1e25"), Rational(22, 7),       rational("123456789.125")};
  return kNumbers;
}

std::vector<ColumnDeclaration> some_columns() {
  const auto located = [](auto value) { return Located<decltype(value)>{std::move(value)}; };
  const auto column = [&](std::string name, FieldType type) {
    return ColumnDeclaration{{std::move(name)}, located(type), {}, {}, {}, {}};
  };
  std::vector<ColumnDeclaration> columns = {
      column("age", FieldType::kInteger), column("income, \"net\"", FieldType::kReal),
      column("region", FieldType::kText), column("month", FieldType::kInteger),
      column("day", FieldType::kDate),    column("flag", FieldType::kBoolean),
      column("town é", FieldType::kText)};
  columns[0].lower = located(Rational(-5));
  columns[0].upper = located(Rational(120));
  columns[1].lower = located(Rational(-1, 3));
  columns[1].upper = located(rational("1e26"));
  columns[1].impute = Located<FieldValue>{rational("0.25")};
  columns[2].keys = located(KeySet(KeyList{"north", "a\"b\\c", "é", " "}));
  columns[2].impute = Located<FieldValue>{std::string("north")};
  columns[3].keys = located(KeySet(KeyRange{1, 12}));
  columns[4].keys = located(KeySet(KeyList{Date{2024, 2, 29}, Date{1999, 12, 31}}));
  columns[5].keys = located(KeySet(KeyList{false, true}));
  return columns;
}

class ReleaseMaker {
 public:
  explicit ReleaseMaker(std::uint64_t seed) : dice_(seed) {}

  ReleaseFile make() {
    release_.columns = some_columns();
    release_.title = dice_.flip() ? "" : "some \\ title";
    release_.source.path.value = "data/s.csv";
    release_.source.name = dice_.flip() ? "" : "wave 3";
    release_.source.delimiter = dice_.one_of<char>({',', ';', '\t', '|'});
    if (dice_.flip()) release_.source.nulls = {"", "NA", "\t"};
    if (dice_.flip()) release_.unit = IdUnit{{"town é"}, 7, std::optional<std::int64_t>(2)};
    release_.budget.cap.value = Cost::approximate(Rational(3), rational("1e-6"));
    release_.budget.accounting = dice_.flip() ? LossKind::kApproximate : LossKind::kConcentrated;
    release_.budget.ledger.value = "l.ledger";
    release_.tables = {{{"pairs"},
                        {{"region"}, {"month"}},
                        {{"north", std::int64_t{1}}, {"é", std::int64_t{-3}}}}};
    const std::size_t count = 1 + dice_.pick(6);
    for (std::size_t i = 0; i < count; ++i) add_statistic("s" + std::to_string(i));
    return release_;
  }

 private:
  const ColumnDeclaration& declared(std::size_t i) const { return release_.columns[i]; }

  ColumnUse use(std::size_t i) {
    ColumnUse result{declared(i).name, declared(i).impute};
    if (i == 0 && dice_.flip()) result.impute = Located<FieldValue>{Rational(40)};
    if (i == 1 && dice_.flip()) result.impute.reset();
    return result;
  }
  BoundedColumn bounded(std::size_t i) {
    const std::vector<Rational> uppers = {Rational(50), declared(i).upper->value};
    return {use(i), *declared(i).lower, {dice_.one_of(uppers)}};
  }
  BoundedColumn plain(std::size_t i) const {
    return {{declared(i).name, declared(i).impute}, *declared(i).lower, *declared(i).upper};
  }

  StatisticKind some_kind(bool& discovers) {
    switch (dice_.pick(10)) {
      case 0:
        return CountStatistic{};
      case 1:
        return CountStatistic{use(dice_.pick(3))};
      case 2:
        return SumStatistic{bounded(dice_.pick(2))};
      case 3:
        return MeanStatistic{bounded(dice_.pick(2))};
      case 4:
        return VarianceStatistic{bounded(dice_.pick(2))};
      case 5:
        return CovarianceStatistic{plain(0), plain(1)};
      case 6:
        return BinStatistic{use(0), {Rational(0), Rational(1, 3), rational("99.5")}};
      case 7:
        return some_quantiles();
      case 8:
        return TopStatistic{use(3), KeyRange{1, 12}, 3};
      default:
        return some_histogram(discovers);
    }
  }
  StatisticKind some_quantiles() {
    QuantileStatistic quantiles{bounded(0), {Rational(1, 10), Rational(1, 2)}, {}};
    if (dice_.flip()) quantiles.step = Located<Rational>{Rational(1, 7)};
    return quantiles;
  }
  StatisticKind some_histogram(bool& discovers) {
    discovers = dice_.flip();
    if (discovers) return CategoryStatistic{{declared(6).name, {}}, DiscoveredKeys{}, false};
    return CategoryStatistic{use(2), KeyList{"north", "left out"}, dice_.flip()};
  }

  void add_statistic(std::string name) {
    Statistic statistic;
    statistic.name.value = std::move(name);
    bool discovers = false;
    statistic.kind = some_kind(discovers);
    for (std::size_t i = 2; i < release_.columns.size(); ++i) {
      if (dice_.pick(3) > 0) continue;
      statistic.by.push_back(declared(i).name);
      discovers |= i == 6;
    }
    dice_.shuffle(statistic.by);
    const auto grouped_by = [&](const char* column) {
      return std::ranges::find(statistic.by, column, &Located<std::string>::value) !=
             statistic.by.end();
    };
    if (grouped_by("region") && grouped_by("month")) statistic.tables = {{"pairs"}};
    if (discovers) {
      statistic.discover = Discovery{{rational("1e-8")}, {}};
      if (dice_.flip()) statistic.discover->threshold = Located<std::int64_t>{30};
    }
    statistic.share = some_share(statistic.kind);
    if (dice_.flip()) statistic.confidence.value = Rational(9, 10);
    if (std::holds_alternative<IdUnit>(release_.unit)) {
      statistic.max_rows_per_group = dice_.flip() ? 7 : 3;
      if (!statistic.by.empty()) statistic.max_groups = dice_.flip() ? 2 : 9;
    }
    release_.statistics.push_back(std::move(statistic));
  }

  BudgetShare some_share(const StatisticKind& kind) {
    const bool ranked = std::holds_alternative<QuantileStatistic>(kind) ||
                        std::holds_alternative<TopStatistic>(kind);
    switch (dice_.pick(4)) {
      case 0:
        return {ShareKind::kEpsilon, Rational(1, 7)};
      case 1:
        return {};
      case 2:
        if (!ranked) return {ShareKind::kAccuracy, dice_.one_of(numbers())};
        [[fallthrough]];
      default:
        return {ShareKind::kWeight, dice_.one_of(numbers())};
    }
  }

  Dice dice_;
  ReleaseFile release_;
};

// The same releases as text, in many styles. This writer shares nothing with canonical.cc.
class SloppyWriter {
 public:
  explicit SloppyWriter(std::uint64_t seed) : dice_(seed) {}

  std::string write(ReleaseFile release, bool in_order) {
    in_order_ = in_order;
    if (!in_order) {
      dice_.shuffle(release.statistics);
      release.title = dice_.flip() ? "" : "another title";
    }
    std::vector<std::string> top = {"version = 1"};
    std::vector<std::string> tables;
    if (!release.title.empty()) top.push_back("title = " + text(release.title));
    add(top, tables, "source", source(release.source));
    if (const auto* unit = std::get_if<IdUnit>(&release.unit)) {
      add(top, tables, "unit",
          {"id = " + text(unit->column.value), "max_rows_per_group = 7", "max_groups = 2"});
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
      const auto two = [](int n) { return (n < 10 ? "0" : "") + std::to_string(n); };
      return std::to_string(date->year) + "-" + two(date->month) + "-" + two(date->day);
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

  std::vector<std::string> source(const Source& source) {
    std::vector<std::string> lines = {"path = " + text(source.path.value)};
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
    std::vector<std::string> lines = {"epsilon = " + number(budget.cap.value.epsilon()),
                                      "delta = " + number(budget.cap.value.delta()),
                                      "ledger = " + text(budget.ledger.value)};
    const bool converted = budget.accounting == LossKind::kConcentrated;
    if (converted) lines.emplace_back("accounting = 'concentrated'");
    if (!converted && dice_.flip()) lines.emplace_back("accounting = 'approximate'");
    return lines;
  }
  std::string column(const ColumnDeclaration& column) {
    std::vector<std::string> lines = {"type = " + text(std::string(name_of(column.type->value)))};
    if (column.lower) lines.push_back("lower = " + number(column.lower->value));
    if (column.upper) lines.push_back("upper = " + number(column.upper->value));
    if (column.impute || dice_.flip()) lines.push_back("nulls = " + nulls(column.impute));
    const bool implied = column.type->value == FieldType::kBoolean && dice_.flip();
    if (column.keys && !implied) {
      lines.push_back("keys = " +
                      std::visit([&](const auto& set) { return keys(set); }, column.keys->value));
    }
    return section("[columns." + escaped(column.name.value) + "]", lines);
  }
  std::string key_table(const KeyTable& table) {
    std::string names;
    std::string rows;
    for (const auto& name : table.columns) names += text(name.value) + ", ";
    for (const auto& row : table.rows) rows += keys(row) + ",\n";
    return section("[keys." + table.name.value + "]",
                   {"columns = [" + names + "]", "rows = [" + rows + "]"});
  }
  std::string section(const std::string& header, std::vector<std::string> lines) {
    dice_.shuffle(lines);
    std::string out = header;
    for (const std::string& line : lines) out += noise() + (dice_.flip() ? "  " : "") + line;
    return out;
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
    }
    if (!statistic.tables.empty()) lines_.emplace_back("keys = 'pairs'");
    if (statistic.discover) {
      const auto& threshold = statistic.discover->threshold;
      lines_.push_back("discover = { delta = " + number(statistic.discover->delta.value) +
                       (threshold ? ", threshold = 30 }" : " }"));
    }
    const std::vector<std::string> shares = {"weight", "epsilon", "rho", "accuracy"};
    if (statistic.share != BudgetShare{} || dice_.flip()) {
      lines_.push_back(shares[static_cast<std::size_t>(statistic.share.kind)] + " = " +
                       number(statistic.share.value));
    }
    if (statistic.confidence.value != Rational(19, 20) || dice_.flip()) {
      lines_.push_back("confidence = " + number(statistic.confidence.value));
    }
    if (std::holds_alternative<IdUnit>(release.unit)) add_contribution(statistic);
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
  void add_kind(const ReleaseFile& release, const SumStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const MeanStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile& release, const VarianceStatistic& s) {
    add_bounded(release, s.column);
  }
  void add_kind(const ReleaseFile&, const CovarianceStatistic& s) {
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

RC_GTEST_PROP(ReleaseMeaningTest, ParsingUndoesWriting,
              (std::uint64_t value, std::uint64_t style)) {
  const ReleaseFile release = ReleaseMaker(value).make();
  const std::string text = SloppyWriter(style).write(release, true);
  RC_LOG(text);
  const ReleaseFile parsed = parse_release(text, "f.toml");
  RC_ASSERT(parsed.title == release.title);
  RC_ASSERT(parsed.source == release.source);
  RC_ASSERT(parsed.unit == release.unit);
  RC_ASSERT(parsed.budget == release.budget);
  RC_ASSERT(parsed.tables == release.tables);
  RC_ASSERT(parsed.statistics == release.statistics);
  for (const ColumnDeclaration& column : release.columns) {
    RC_ASSERT(*parsed.find_column(column.name.value) == column);
  }
}

RC_GTEST_PROP(ReleaseMeaningTest, FilesThatMeanTheSameHaveOneCanonicalText,
              (std::uint64_t value, std::uint64_t style)) {
  const ReleaseFile release = ReleaseMaker(value).make();
  const std::string text = SloppyWriter(style).write(release, false);
  RC_LOG(text);
  const std::string canonical = canonical_text(parse_release(text, "f.toml"));
  RC_ASSERT(canonical == canonical_text(release));
  RC_ASSERT(canonical_text(parse_release(canonical, "c.toml")) == canonical);
}

RC_GTEST_PROP(ReleaseMeaningTest, DifferentStatisticsHaveDifferentCanonicalTexts,
              (std::uint64_t one, std::uint64_t other)) {
  const ReleaseFile a = ReleaseMaker(one).make();
  const ReleaseFile b = ReleaseMaker(other).make();
  // Orders that are not part of the meaning could agree by chance only if the statistics do.
  const auto sorted = [](ReleaseFile release) {
    for (Statistic& statistic : release.statistics) {
      std::ranges::sort(statistic.by, {}, &Located<std::string>::value);
    }
    return release.statistics;
  };
  const bool same =
      sorted(a) == sorted(b) && a.source == b.source && a.budget == b.budget && a.unit == b.unit;
  RC_ASSERT((canonical_text(a) == canonical_text(b)) == same);
}

TEST(CanonicalTextTest, ExamplesAreReadBackFromTheirCanonicalTexts) {
  for (const std::string& file : example_files()) {
    const ReleaseFile release = parse_release(text_of_file(file), file);
    const std::string canonical = canonical_text(release);
    EXPECT_EQ(canonical_text(parse_release(canonical, "c.toml")), canonical) << file;
    EXPECT_EQ(release_digest(release), sha256_hex(canonical));
  }
}

TEST(CanonicalTextTest, ShortFileInFull) {
  const ReleaseFile release =
      parse_release(text_of_file("examples/releases/regions.toml"), "r.toml");
  EXPECT_EQ(canonical_text(release), R"(version = 1
unit = "row"

[source]
path = "survey.csv"
format = "csv"
delimiter = ","
null_text = [""]

[budget]
epsilon = 1
accounting = "pure"
ledger = "survey.ledger"

[columns."income"]
type = "integer"

[columns."region"]
type = "text"
keys = ["east", "north", "south", "west"]
nulls = "drop"

[[statistics]]
name = "count_by_region"
kind = "count"
by = ["region"]
weight = 1
confidence = "0.95"

[[statistics]]
name = "mean_income_by_region"
kind = "mean"
column = "income"
nulls = "drop"
lower = 0
upper = 200000
by = ["region"]
weight = 1
confidence = "0.95"
)");
}

TEST(CanonicalTextTest, ListsOfConsecutiveNumbersAreRanges) {
  const std::string head =
      "version = 1\nsource = 's.csv'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n"
      "[[statistics]]\nkind = 'count'\nby = 'm'\n[columns.m]\nkeys = ";
  const auto digest = [&](const std::string& keys) {
    return release_digest(parse_release(head + keys, "f.toml"));
  };
  EXPECT_EQ(digest("[3, 1, 2]"), digest("{ from = 1, to = 3 }"));
  EXPECT_NE(digest("[3, 1]"), digest("{ from = 1, to = 3 }"));
  EXPECT_NE(digest("['1', '2']"), digest("[1, 2]"));
}

TEST(CanonicalTextTest, EveryChangeOfMeaningChangesIt) {
  const std::string text = text_of_file("examples/releases/visits.toml");
  const std::string before = release_digest(parse_release(text, "f.toml"));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"restaurant_week.csv", "restaurant_weak.csv"},
      {"delimiter = \",\"", "delimiter = \";\""},
      {"\"NA\"", "\"N/A\""},
      {"\"VisitorId\"", "\"VisitorID\""},
      {"max_rows_per_group = 1 ", "max_rows_per_group = 2 "},
      {"max_groups = 3", "max_groups = 4"},
      {"epsilon = 1\n", "epsilon = 1.0000001\n"},
      {"delta = 1e-6", "delta = 2e-6"},
      {"\"approximate\"", "\"concentrated\""},
      {"restaurant.ledger", "other.ledger"},
      {"to = 7", "to = 6"},
      {"upper = 60", "upper = 61"},
      {"\"visits\"", "\"stays\""},
      {"kind = \"sum\"", "kind = \"mean\""},
      {"confidence = 0.9", "confidence = 0.91"},
      {"delta = 5e-7", "delta = 4e-7"},
      {", threshold = 20", ""},
      {"kind = \"count_units\"", "kind = \"count_units\"\nweight = 2"},
  };
  std::set<std::string> seen = {before};
  for (const auto& [part, instead] : changes) {
    std::string changed = text;
    ASSERT_NE(changed.find(part), std::string::npos) << part;
    changed.replace(changed.find(part), part.size(), instead);
    EXPECT_TRUE(seen.insert(release_digest(parse_release(changed, "f.toml"))).second) << part;
  }
}

TEST(CanonicalTextTest, CommentsTitlesAndUnusedColumnsAreNotMeaning) {
  const std::string text = text_of_file("examples/releases/visits.toml");
  const std::string before = release_digest(parse_release(text, "f.toml"));
  const std::string more = "title = 'x'\n# y\n" + text + "\n[columns.unused]\ntype = 'real'\n" +
                           "[keys.unused]\ncolumns = 'z'\nrows = [[1]]\n";
  EXPECT_EQ(release_digest(parse_release(more, "g.toml")), before);
}

// Schemas.

std::vector<SchemaColumn> labour_schema() {
  return {{"person", "UUID"},        {"employed", "BOOLEAN"}, {"week", "DATE"},
          {"hours", "DECIMAL(5,2)"}, {"at", "TIMESTAMP"},     {"note", "VARCHAR"}};
}

std::string schema_verdict(const std::string& text, const std::vector<SchemaColumn>& schema) {
  try {
    check_against_schema(parse_release(text, "f.toml"), schema);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(CheckAgainstSchemaTest, TypesOfTheDataAreFilledIn) {
  const ReleaseFile release = check_against_schema(
      parse_release(text_of_file("examples/releases/labour.toml"), "f.toml"), labour_schema());
  EXPECT_EQ(release.find_column("hours")->type->value, FieldType::kReal);
  EXPECT_EQ(release.find_column("week")->type->value, FieldType::kDate);
  EXPECT_EQ(release.find_column("person")->type->value, FieldType::kText);
}

TEST(CheckAgainstSchemaTest, MisspeltColumnsAreToldWithTheNearestName) {
  const std::string text = text_of_file("examples/releases/regions.toml");
  const std::vector<SchemaColumn> schema = {{"incone", "VARCHAR"}, {"region", "VARCHAR"}};
  EXPECT_EQ(schema_verdict(text, schema),
            "f.toml:8:1: the data has no column 'income'; did you mean `incone`?\n"
            "f.toml:17:10: the data has no column 'income'; did you mean `incone`?");
  EXPECT_EQ(schema_verdict(text, {{"income", "VARCHAR"}, {"Region", "VARCHAR"}}),
            "f.toml:9:1: the data has no column 'region'; did you mean `Region`?\n"
            "f.toml:13:6: the data has no column 'region'; did you mean `Region`?\n"
            "f.toml:18:6: the data has no column 'region'; did you mean `Region`?");
  EXPECT_EQ(schema_verdict(text, {{"income", "VARCHAR"}, {"region", "VARCHAR"}}), "accepted");
}

TEST(CheckAgainstSchemaTest, IdColumnsAreLookedForToo) {
  std::vector<SchemaColumn> schema = labour_schema();
  schema[0].name = "persons";
  EXPECT_EQ(schema_verdict(text_of_file("examples/releases/labour.toml"), schema),
            "f.toml:5:15: the data has no column 'person'; did you mean `persons`?");
}

TEST(CheckAgainstSchemaTest, TypesThatDoNotFitAreTold) {
  const std::string head =
      "version = 1\nsource = 's.parquet'\nunit = 'row'\nbudget = { epsilon = 1, ledger = 'l' }\n";
  const auto told = [&](const std::string& text) {
    return schema_verdict(head + text, labour_schema());
  };
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'sum'\ncolumn = 'note'\nlower = 0\nupper = 1\n"),
      "f.toml:7:10: 'note' holds text, and numbers are needed; use another column, or declare "
      "its type as integer or real");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\nby = 'note'\n[columns.note]\nkeys = [1, 2]\n"),
            "f.toml:9:8: the keys of 'note' are of type integer, but the column is of type text; "
            "write keys as the column holds them: \"text\", 12, true or 2024-01-31");
  EXPECT_EQ(told("[[statistics]]\nkind = 'count'\ncolumn = 'at'\n"),
            "f.toml:7:10: the column 'at' has the type 'TIMESTAMP', which cannot be used; store it "
            "as a number, a text, a date or a truth value");
  EXPECT_EQ(
      told("[[statistics]]\nkind = 'count'\ncolumn = 'note'\n[columns.note]\ntype = 'date'\n"),
      "f.toml:9:8: the column 'note' is declared as date, but the data holds text; write type "
      "= \"text\", or leave it out");
  EXPECT_EQ(told("[[statistics]]\nkind = 'histogram'\ncolumn = 'hours'\ncategories = [1]\n"),
            "f.toml:7:10: 'hours' holds real numbers, which do not make groups; use a column of "
            "another type, or a histogram with `bins`");
}

// Hostile bytes.

RC_GTEST_PROP(ReleaseFuzzTest, ChangedBytesGiveAnErrorOrAValue, (std::uint64_t seed)) {
  Dice dice(seed);
  std::string text = text_of_file(dice.one_of(example_files()));
  const std::string other = text_of_file(dice.one_of(example_files()));
  const std::size_t changes = 1 + dice.pick(8);
  for (std::size_t i = 0; i < changes; ++i) {
    const std::size_t at = dice.pick(text.size());
    switch (dice.pick(5)) {
      case 0:
        text[at] = static_cast<char>(dice.pick(256));
        break;
      case 1:
        text.erase(at, 1 + dice.pick(30));
        break;
      case 2:
        text.insert(at, other.substr(dice.pick(other.size()), 1 + dice.pick(60)));
        break;
      case 3:
        text.insert(at, std::string(1, "[]{}\"'=.,#\n\\0-+e_"[dice.pick(18)]));
        break;
      default:
        text.insert(at, dice.one_of<std::string>({"inf", "nan", "1e400", "-0.0", "0x", "''",
                                                  "\"\"\"", "1979-05-27T07:32:00Z",
                                                  "9223372036854775808", "\xc3\x28", "true"}));
    }
    if (text.empty()) text = " ";
  }
  try {
    const ReleaseFile release = parse_release(text, "f.toml");
    // What is accepted can be written and read again.
    const std::string canonical = canonical_text(release);
    RC_ASSERT(canonical_text(parse_release(canonical, "c.toml")) == canonical);
  } catch (const Error& error) {
    RC_LOG(text);
    RC_LOG(std::string(error.what()));
    RC_ASSERT(error.code() == ErrorCode::kBadInput);
    RC_ASSERT(error.place().starts_with("f.toml:"));
    RC_ASSERT(std::ranges::all_of(std::string(error.what()), [](char c) {
      return c == '\n' || static_cast<unsigned char>(c) >= 0x20;
    }));
  }
}

}  // namespace
}  // namespace lastbit
