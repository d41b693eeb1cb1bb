// `by`: the columns of the groups. Ranges of numbers or dates and parts of dates become derived
// columns of the release.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

// The most ranges that one column may be cut into: their expression has to stay within its limits.
constexpr std::size_t kMaxRanges = 500;

constexpr std::string_view kExample =
    "[0, 18, 65], \"month\" or { every = \"month\", from = "
    "2026-01-01, to = 2026-12-31 }";

// DateGroup: what dates can be grouped by: days, weeks, … of which there is no end, or numbers. The
// column stands between the two halves of the expression.
struct DateGroup {
  std::string_view name;
  std::string_view before;
  std::string_view after;
  bool endless;
  std::optional<TimePeriod> period;
};
constexpr std::array<DateGroup, 7> kDateGroups = {{
    {"day", "CAST(", " AS DATE)", true, TimePeriod::kDay},
    {"week", "date_trunc('week', CAST(", " AS DATE))", true, TimePeriod::kWeek},
    {"month", "date_trunc('month', CAST(", " AS DATE))", true, TimePeriod::kMonth},
    {"quarter", "date_trunc('quarter', CAST(", " AS DATE))", true, TimePeriod::kQuarter},
    {"year", "year(CAST(", " AS DATE))", true, TimePeriod::kYear},
    {"weekday", "weekday(CAST(", " AS DATE))", false, {}},
    {"hour", "hour(", ")", false, {}},
}};

// Edges: of ranges [e0, e1), [e1, e2), …, [e(m−1), em], as expressions write and people read them.
struct Edges {
  std::vector<std::string> literals;
  std::vector<std::string> names;
  bool dates = false;
};

// in_sql: the name of a column as expressions write it.
std::string in_sql(std::string_view column) {
  std::string name = "\"";
  for (const char c : column) name += c == '"' ? "\"\"" : std::string(1, c);
  return name + "\"";
}

// GroupReader: reads `by` of one statistic.
class GroupReader {
 public:
  GroupReader(ReleaseFile& release, std::size_t& work, Problems& problems)
      : release_(release), work_(work), problems_(problems) {}

  std::optional<std::vector<Located<std::string>>> read(const TomlValue& by) {
    if (std::holds_alternative<std::string>(by.content)) {
      add_name(by);
    } else if (const auto* table = std::get_if<TomlTable>(&by.content)) {
      add_table(by, *table);
    } else if (const auto* list = std::get_if<TomlArray>(&by.content)) {
      add_list(by, *list);
    } else {
      refuse_value(by);
    }
    if (!good_) return std::nullopt;
    return std::move(columns_);
  }

 private:
  void fail(FilePosition position, std::string problem, std::string remedy) {
    problems_.add(position, std::move(problem), std::move(remedy));
    good_ = false;
  }
  void refuse_value(const TomlValue& value) {
    wrong_kind(value, "`by`", "a column, a list of columns, or a table as in { age = [0, 18, 65] }",
               problems_);
    good_ = false;
  }

  void add_list(const TomlValue& by, const TomlArray& list) {
    constexpr std::size_t kMostColumns = 100;
    if (list.empty()) return refuse_value(by);
    if (list.size() > kMostColumns) {
      return fail(by.position, fmt::format("`by` has {} entries", list.size()),
                  fmt::format("list at most {}", kMostColumns));
    }
    for (const TomlValue& element : list) {
      if (problems_.full()) return;
      if (const auto* table = std::get_if<TomlTable>(&element.content)) {
        add_table(element, *table);
      } else if (std::holds_alternative<std::string>(element.content)) {
        add_name(element);
      } else {
        refuse_value(element);
      }
    }
  }

  void add_name(const TomlValue& value) {
    const auto name = read_text(value, "`by`", problems_);
    if (!name) good_ = false;
    if (name) add({*name, value.position});
  }

  void add(Located<std::string> column) {
    if (std::ranges::find(columns_, column) != columns_.end()) {
      return fail(column.position, fmt::format("{} is listed twice in `by`", quote(column.value)),
                  "remove one");
    }
    columns_.push_back(std::move(column));
  }

  void add_table(const TomlValue& value, const TomlTable& table) {
    if (table.entries.empty()) return refuse_value(value);
    for (const TomlEntry& entry : table.entries) {
      if (problems_.full()) return;
      if (entry.key.empty() || entry.key.size() > ReleaseFile::kMaxNameBytes / 2) {
        fail(entry.position, "the name of this column is empty or too long",
             "derive a column with a shorter name");
        continue;
      }
      const TomlValue& group = entry.value;
      if (std::holds_alternative<TomlArray>(group.content)) {
        add_ranges(entry, group, std::nullopt);
      } else if (std::holds_alternative<std::string>(group.content)) {
        add_part(entry, group, {}, std::nullopt);
      } else if (const auto* body = std::get_if<TomlTable>(&group.content)) {
        add_described(entry, *body);
      } else {
        wrong_kind(group, in_code(entry.key), kExample, problems_);
        good_ = false;
      }
    }
  }

  // { ranges = … } or { every = …, from = …, to = … }, both with `name`.
  void add_described(const TomlEntry& entry, const TomlTable& body) {
    TableReader reader(body, entry.value.position, fmt::format("{} in `by`", in_code(entry.key)),
                       problems_);
    const TomlEntry* ranges = reader.find("ranges");
    const TomlEntry* every = reader.find("every");
    const TomlEntry* from = reader.find("from");
    const TomlEntry* to = reader.find("to");
    const TomlEntry* named = reader.find("name");
    reader.finish();
    std::optional<Located<std::string>> name;
    if (named != nullptr) {
      const auto text = read_text(named->value, "`name`", problems_);
      if (!text) good_ = false;
      if (text) name = {*text, named->value.position};
    }
    if ((ranges == nullptr) == (every == nullptr)) {
      return fail(entry.value.position, "a group needs one of `ranges` and `every`",
                  fmt::format("write {} = {}", key_in_file(entry.key), kExample));
    }
    if (ranges != nullptr && (from != nullptr || to != nullptr)) {
      return fail((from != nullptr ? from : to)->position,
                  "`from` and `to` do not go with `ranges`",
                  "remove them: the first and the last edge say it");
    }
    if (ranges != nullptr) return add_ranges(entry, ranges->value, name);
    if ((from == nullptr) != (to == nullptr)) {
      return fail(entry.value.position, "only one of `from` and `to` is given",
                  "give both, or neither");
    }
    std::optional<KeySet> days;
    if (from != nullptr) {
      days =
          read_keys({TomlTable{{*from, *to}}, entry.value.position}, in_code(entry.key), problems_);
      if (days && type_of_set(*days) != FieldType::kDate) {
        return fail(from->value.position, "`from` and `to` are not dates",
                    "write dates, as in from = 2026-01-01");
      }
      if (!days) good_ = false;
    }
    add_part(entry, every->value, days, name);
  }

  static std::optional<FieldType> type_of_set(const KeySet& keys) {
    return std::visit([](const auto& set) { return type_of_keys(set); }, keys);
  }

  std::optional<Edges> read_edges(const TomlValue& value) {
    const auto* list = std::get_if<TomlArray>(&value.content);
    const std::string wanted = fmt::format("a list of 2 to {} increasing edges", kMaxRanges + 1);
    if (list == nullptr) {
      wrong_kind(value, "a group of ranges", wanted, problems_);
      return std::nullopt;
    }
    if (list->size() < 2 || list->size() > kMaxRanges + 1) {
      problems_.add(value.position,
                    fmt::format("a group of ranges has {} edge{}", list->size(),
                                list->size() == 1 ? "" : "s"),
                    "write " + wanted);
      return std::nullopt;
    }
    Edges edges;
    edges.dates = std::holds_alternative<Date>(list->front().content);
    std::optional<Rational> last;
    for (const TomlValue& element : *list) {
      const auto edge = edges.dates ? read_date(element, edges) : read_edge(element, edges);
      if (!edge) return std::nullopt;
      if (last && *edge <= *last) {
        problems_.add(element.position, "this edge is not above the one before",
                      "list the edges in increasing order");
        return std::nullopt;
      }
      last = edge;
    }
    return edges;
  }

  std::optional<Rational> read_edge(const TomlValue& element, Edges& edges) {
    const auto number = read_number(element, "an edge", problems_);
    if (!number) return std::nullopt;
    edges.names.push_back(number->to_string());
    if (edges.names.back().find_first_of("/e") != std::string::npos) {
      problems_.add(element.position, "an edge is not a short decimal number", "round it");
      return std::nullopt;
    }
    edges.literals.push_back(edges.names.back());
    return number;
  }

  std::optional<Rational> read_date(const TomlValue& element, Edges& edges) {
    const auto key = read_key(element, "an edge", problems_);
    if (!key) return std::nullopt;
    const auto* date = std::get_if<Date>(&*key);
    if (date == nullptr) {
      wrong_kind(element, "an edge", "a date, as the first one is", problems_);
      return std::nullopt;
    }
    edges.names.push_back(text_of(*key));
    edges.literals.push_back(fmt::format("DATE '{}'", edges.names.back()));
    return Rational(std::chrono::sys_days(*date).time_since_epoch().count());
  }

  void add_ranges(const TomlEntry& entry, const TomlValue& value,
                  const std::optional<Located<std::string>>& name) {
    const auto edges = read_edges(value);
    if (!edges) {
      good_ = false;
      return;
    }
    const std::string column =
        edges->dates ? fmt::format("CAST({} AS DATE)", in_sql(entry.key)) : in_sql(entry.key);
    const std::size_t last = edges->names.size() - 1;
    std::string text = fmt::format("CASE WHEN {} < {} THEN NULL", column, edges->literals[0]);
    for (std::size_t i = 1; i <= last; ++i) {
      text += fmt::format(" WHEN {} {} {} THEN '[{}, {}{}'", column, i == last ? "<=" : "<",
                          edges->literals[i], edges->names[i - 1], edges->names[i],
                          i == last ? "]" : ")");
    }
    ColumnWording wording;
    wording.ranges = true;
    if (const ColumnDeclaration* cut = release_.find_column(entry.key)) {
      wording.label = cut->wording.label.empty() ? entry.key : cut->wording.label;
      wording.unit = cut->wording.unit;
    }
    derive(name, fmt::format("{}_range", entry.key), {text + " END", value.position}, {},
           std::move(wording));
  }

  void add_part(const TomlEntry& entry, const TomlValue& part, const std::optional<KeySet>& given,
                const std::optional<Located<std::string>>& name) {
    const auto text = read_text(part, in_code(entry.key), problems_);
    if (!text) {
      good_ = false;
      return;
    }
    const auto* const group = std::ranges::find(kDateGroups, *text, &DateGroup::name);
    if (group == kDateGroups.end()) {
      std::vector<std::string> names;
      for (const DateGroup& known : kDateGroups) names.emplace_back(known.name);
      return fail(part.position, fmt::format("there are no groups by {}", quote(*text)),
                  did_you_mean(*text, names));
    }
    if (given && !group->endless) {
      return fail(part.position, fmt::format("`from` and `to` do not go with {}", quote(*text)),
                  "remove them");
    }
    const std::string column = in_sql(entry.key);
    std::string expression = fmt::format("{}{}{}", group->before, column, group->after);
    std::optional<KeySet> days = given;
    if (group->endless && !days) days = days_of(entry.key);
    if (days) expression = within(*days, column, expression);
    derive(name, fmt::format("{}_{}", entry.key, *text), {expression, part.position},
           {entry.key, days ? &*days : nullptr}, date_wording(group->name, group->period));
  }

  // The days that are the keys of a column; nothing if it has other keys, or none.
  std::optional<KeySet> days_of(const std::string& column) const {
    const ColumnDeclaration* declared = release_.find_column(column);
    if (declared == nullptr || !declared->keys) return std::nullopt;
    const KeySet& keys = declared->keys->value;
    return type_of_set(keys) == FieldType::kDate ? std::optional(keys) : std::nullopt;
  }

  // The expression on the first day, the last one, and those between; missing on others.
  static std::string within(const KeySet& days, const std::string& column,
                            const std::string& expression) {
    const auto [first, last] = std::ranges::minmax(std::get<KeyList>(days));
    return fmt::format("CASE WHEN CAST({} AS DATE) BETWEEN DATE '{}' AND DATE '{}' THEN {} END",
                       column, text_of(first), text_of(last), expression);
  }

  // Groups by a derived column of this name, or of the next free one. Its keys follow from the
  // expression, or from the days of `keyed`.
  void derive(const std::optional<Located<std::string>>& chosen, const std::string& usual,
              const Located<std::string>& text, const KeyedColumn& keyed, ColumnWording wording) {
    Located<std::string> name = chosen.value_or(Located<std::string>{usual, text.position});
    for (std::size_t number = 2; !is_free(name.value, text.value); ++number) {
      if (chosen) {
        return fail(name.position, fmt::format("there is already a column {}", quote(name.value)),
                    "choose another name");
      }
      name.value = fmt::format("{}_{}", usual, number);
    }
    if (release_.find_derived(name.value) == nullptr && !add_derived(name, text, keyed)) return;
    if (chosen) wording.label = chosen->value;
    word(name, std::move(wording));
    add(std::move(name));
  }

  // What the file itself says about a group stays.
  void word(const Located<std::string>& name, ColumnWording usual) {
    const auto column = std::ranges::find(release_.columns, name, &ColumnDeclaration::name);
    if (column == release_.columns.end()) return;
    add_usual_words(column->wording, std::move(usual));
  }

  bool add_derived(const Located<std::string>& name, const Located<std::string>& text,
                   const KeyedColumn& keyed) {
    if (release_.derived.size() == ReleaseFile::kMaxDerived) {
      fail(text.position, "too many columns are derived",
           fmt::format("a file derives at most {}", ReleaseFile::kMaxDerived));
      return false;
    }
    Derivation derivation{name, {text}};
    if (keyed.keys == nullptr) {
      add_implied_keys(derivation, release_, work_);
    } else {
      // The expression takes the date of whatever the column holds, so its type does not matter.
      auto implied = implied_keys(text.value, {keyed}, work_);
      if (!implied) {
        fail(text.position, "the groups by dates of this file have too many days together",
             "take a shorter time, or list the `keys` of a derived column");
        return false;
      }
      auto column = std::ranges::find(release_.columns, name, &ColumnDeclaration::name);
      if (column == release_.columns.end()) {
        column = release_.columns.insert(column, {name, {}, {}, {}, {}, {}});
      }
      column->keys = Located<KeySet>{std::move(implied->keys), text.position};
    }
    release_.derived.push_back(std::move(derivation));
    return true;
  }

  // Whether a column of this name can be derived, or is the same column already.
  bool is_free(const std::string& name, const std::string& text) const {
    const Derivation* known = release_.find_derived(name);
    if (known == nullptr) {
      const ColumnDeclaration* declared = release_.find_column(name);
      return declared == nullptr || has_words_only(*declared);
    }
    return known->expression.text.value == text;
  }

  // Whether the file says about a column only how people read it.
  static bool has_words_only(const ColumnDeclaration& column) {
    return !column.type && !column.lower && !column.upper && !column.keys && !column.impute;
  }

  ReleaseFile& release_;
  std::size_t& work_;
  Problems& problems_;
  std::vector<Located<std::string>> columns_;
  bool good_ = true;
};

}  // namespace

std::optional<std::vector<Located<std::string>>> parse_group_columns(const TomlValue& by,
                                                                     ReleaseFile& release,
                                                                     std::size_t& work,
                                                                     Problems& problems) {
  return GroupReader(release, work, problems).read(by);
}

}  // namespace lastbit::release_internal
