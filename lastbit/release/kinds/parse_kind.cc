#include "lastbit/release/kinds/parse_kind.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

class KindParser {
 public:
  KindParser(const ReleaseFile& release, TableReader& reader)
      : reader_(reader), problems_(reader.problems()), release_(release) {}

  // read: false where there is no such kind.
  bool read(const TomlValue& value) {
    static constexpr std::array<std::pair<std::string_view, Reader>, 9> kReaders{
        {{"count", &KindParser::read_count},
         {"count_units", &KindParser::read_units},
         {"sum", &KindParser::read_bounded<SumStatistic>},
         {"mean", &KindParser::read_bounded<MeanStatistic>},
         {"variance", &KindParser::read_bounded<VarianceStatistic>},
         {"covariance", &KindParser::read_covariance},
         {"histogram", &KindParser::read_histogram},
         {"quantiles", &KindParser::read_quantiles},
         {"top", &KindParser::read_top}}};
    const auto text = text_of(value, "`kind`", problems_);
    if (!text) return false;
    std::vector<std::string> names;
    for (const auto& [name, read] : kReaders) {
      names.emplace_back(name);
      if (*text != name) continue;
      reader_.rename(fmt::format("the kind {}", in_code(name)));
      kind_ = name;
      (this->*read)();
      return true;
    }
    problems_.add(value.position, fmt::format("there is no kind {}", in_code(*text)),
                  did_you_mean(*text, names));
    return false;
  }

  const std::string_view& name() const { return kind_; }
  std::optional<StatisticKind> result() const {
    return complete_ ? std::optional(result_) : std::nullopt;
  }

 private:
  using Reader = void (KindParser::*)();

  // fail: the kind cannot be made; the reason has been or will be noted by the reader.
  void fail() { complete_ = false; }
  void fail(FilePosition position, std::string problem, std::string remedy) {
    problems_.add(position, std::move(problem), std::move(remedy));
    complete_ = false;
  }

  // The column under `key` and its null policy: the statistic's own, else that of the column.
  std::optional<ColumnUse> column_use() {
    const auto name = reader_.text("column");
    const TomlEntry* nulls = reader_.find("nulls");
    if (!name) return std::nullopt;
    ColumnUse use = declared_use(*name);
    if (nulls != nullptr) {
      const auto impute = nulls_of(nulls->value, problems_);
      if (!impute) fail();
      use.impute = impute.value_or(std::nullopt);
    }
    return use;
  }

  std::optional<ColumnUse> required_column() {
    if (reader_.require("column", "write column = \"income\"") == nullptr) fail();
    auto use = column_use();
    if (!use) fail();
    return use;
  }

  ColumnUse declared_use(const Located<std::string>& name) const {
    const ColumnDeclaration* declared = release_.find_column(name.value);
    return {name, declared == nullptr ? std::nullopt : declared->impute};
  }

  // A column with bounds: those given, else the column's own.
  std::optional<BoundedColumn> bounded(ColumnUse use, std::optional<Located<Rational>> lower,
                                       std::optional<Located<Rational>> upper) {
    const ColumnDeclaration* declared = release_.find_column(use.name.value);
    if (!lower && declared != nullptr) lower = declared->lower;
    if (!upper && declared != nullptr) upper = declared->upper;
    if (!lower || !upper) {
      fail(
          use.name.position,
          fmt::format("{} of {} needs `lower` and `upper`", in_code(kind_), quoted(use.name.value)),
          "write the least and the largest value that should count, from what is publicly known");
      return std::nullopt;
    }
    // What is wrong within the column's own declaration was noted there.
    const bool own = declared != nullptr && lower == declared->lower && upper == declared->upper;
    if (lower->value >= upper->value && (own || !require_increasing(*lower, *upper, problems_))) {
      fail();
      return std::nullopt;
    }
    if (!number_imputed(use, *lower, *upper)) return std::nullopt;
    return BoundedColumn{std::move(use), *lower, *upper};
  }

  // Imputed texts such as "1/3" are numbers here; they lie within the bounds.
  bool number_imputed(ColumnUse& use, const Located<Rational>& lower,
                      const Located<Rational>& upper) {
    if (!use.impute) return true;
    const FilePosition position = use.impute->position;
    if (const auto* text = std::get_if<std::string>(&use.impute->value)) {
      const auto number = number_of({*text, position}, "`impute`", problems_);
      if (!number) {
        fail();
        return false;
      }
      use.impute->value = *number;
    }
    const auto* number = std::get_if<Rational>(&use.impute->value);
    if (number != nullptr && *number >= lower.value && *number <= upper.value) return true;
    fail(position,
         fmt::format("`impute` is not a number between the bounds {} and {}",
                     lower.value.to_string(), upper.value.to_string()),
         "impute a number within the bounds");
    return false;
  }

  void read_count() {
    CountStatistic count;
    if (reader_.find("column") != nullptr) {
      count.column = column_use();
      if (!count.column) fail();
    }
    result_ = count;
  }

  void read_units() {
    if (std::holds_alternative<IdUnit>(release_.unit)) {
      result_ = UnitsStatistic{};
      return;
    }
    fail(reader_.position(), "`count_units` counts persons, and here each has one row",
         "write kind = \"count\"");
  }

  template <class Kind>
  void read_bounded() {
    const auto use = required_column();
    const auto lower = reader_.number("lower");
    const auto upper = reader_.number("upper");
    if (!use) return;
    if (const auto column = bounded(*use, lower, upper)) result_ = Kind{*column};
  }

  // Two numbers, for the two columns of a covariance.
  std::array<std::optional<Located<Rational>>, 2> number_pair(std::string_view key) {
    const TomlEntry* entry = reader_.find(key);
    if (entry == nullptr) return {};
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    if (array == nullptr || array->size() != 2) {
      fail(entry->value.position, fmt::format("{} is not a list of two numbers", in_code(key)),
           "write one for each column, as in [0, 18]");
      return {};
    }
    std::array<std::optional<Located<Rational>>, 2> pair;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto number = number_of((*array)[i], in_code(key), problems_);
      if (number) pair[i] = Located<Rational>{*number, (*array)[i].position};
      if (!number) fail();
    }
    return pair;
  }

  void read_covariance() {
    const TomlEntry* entry = reader_.require("columns", "write columns = [\"age\", \"income\"]");
    const auto lower = number_pair("lower");
    const auto upper = number_pair("upper");
    if (entry == nullptr) return fail();
    const auto names = texts_of(entry->value, "`columns`", problems_);
    if (!names || !complete_) return fail();
    if (names->size() != 2) {
      return fail(entry->value.position, "a covariance is one of two columns",
                  "write columns = [\"age\", \"income\"]");
    }
    const auto first = bounded(declared_use((*names)[0]), lower[0], upper[0]);
    const auto second = bounded(declared_use((*names)[1]), lower[1], upper[1]);
    if (first && second) result_ = CovarianceStatistic{*first, *second};
  }

  void read_histogram() {
    const auto use = required_column();
    const TomlEntry* bins = reader_.find("bins");
    const TomlEntry* other = reader_.find("other");
    if (bins != nullptr) {
      if (const TomlEntry* listed = reader_.find("categories")) {
        fail(listed->position, "`categories` stands beside `bins`",
             "keep `bins` for numbers, or `categories` for names");
      }
      if (other != nullptr) fail(other->position, "`other` does not go with `bins`", "remove it");
      const auto edges = edges_of(bins->value);
      if (use && edges) result_ = BinStatistic{*use, *edges};
      return;
    }
    const auto categories = categories_of(use);
    if (!use || !categories) return;
    CategoryStatistic histogram{*use, *categories, false};
    if (other != nullptr) {
      const auto* flag = std::get_if<bool>(&other->value.content);
      if (flag == nullptr) wrong_kind(other->value, "`other`", "true or false", problems_);
      if (flag == nullptr) return fail();
      histogram.other = *flag;
    }
    result_ = histogram;
  }

  void read_top() {
    const auto use = required_column();
    if (reader_.require("k", "write k = 10, how many are shown") == nullptr) fail();
    const auto k = reader_.whole("k", 1, 10'000);
    const auto categories = categories_of(use);
    if (!k) fail();
    if (!use || !k || !categories) return;
    const auto* list = std::get_if<KeyList>(&*categories);
    const auto* range = std::get_if<KeyRange>(&*categories);
    const bool few = (list != nullptr && Integer(list->size()) < Integer(k->value)) ||
                     (range != nullptr && range->size() < Integer(k->value));
    if (few) {
      return fail(k->position, fmt::format("`k` is {}, more than there are categories", k->value),
                  "write a smaller one");
    }
    result_ = TopStatistic{*use, *categories, k->value};
  }

  // The categories given here, else the column's keys, else those to be discovered.
  std::optional<Categories> categories_of(const std::optional<ColumnUse>& use) {
    const auto as_categories = [](const KeySet& set) {
      return std::visit([](const auto& keys) { return Categories(keys); }, set);
    };
    if (const TomlEntry* entry = reader_.find("categories")) {
      const auto keys = keys_of(entry->value, "`categories`", problems_);
      if (keys) return as_categories(*keys);
      fail();
      return std::nullopt;
    }
    if (!use) return std::nullopt;
    const ColumnDeclaration* declared = release_.find_column(use->name.value);
    if (declared != nullptr && declared->keys) return as_categories(declared->keys->value);
    if (reader_.find("discover") != nullptr) return DiscoveredKeys{};
    fail(use->name.position,
         fmt::format("nothing says which values of {} are public", quoted(use->name.value)),
         "list them as `categories`, or as `keys` of the column, or add discover = { delta = 1e-8 "
         "}");
    return std::nullopt;
  }

  std::optional<std::vector<Rational>> edges_of(const TomlValue& value) {
    std::vector<Rational> edges;
    if (const auto* table = std::get_if<TomlTable>(&value.content)) {
      edges = even_edges(*table, value.position);
    } else if (const auto* array = std::get_if<TomlArray>(&value.content)) {
      edges = increasing(*array, "`bins`");
      if (edges.size() == 1) {
        fail(value.position, "`bins` has one edge", "list two edges or more, as in [0, 18, 65]");
      }
    } else {
      wrong_kind(value, "`bins`", "a list of edges, or { from = 0, to = 100, width = 10 }",
                 problems_);
    }
    if (edges.size() >= 2) return edges;
    fail();
    return std::nullopt;
  }

  std::vector<Rational> even_edges(const TomlTable& table, FilePosition position) {
    const std::string example = "write { from = 0, to = 100, width = 10 }";
    TableReader reader(table, position, "`bins`", problems_);
    for (const char* key : {"from", "to", "width"}) reader.require(key, example);
    const auto from = reader.number("from");
    const auto to = reader.number("to");
    const auto width = positive_number(reader, "width");
    reader.finish();
    if (!from || !to || !width) return {};
    const Rational count = (to->value - from->value) / width->value;
    if (!count.is_integer() || count < Rational(1) || count > Rational(ReleaseFile::kMaxGroups)) {
      problems_.add(width->position, "`bins` is not one bin or more of this width",
                    fmt::format("let `width` divide `to` − `from`, into {} bins at most",
                                ReleaseFile::kMaxGroups));
      return {};
    }
    std::vector<Rational> edges;
    for (Rational i = 0; i <= count; i += 1) edges.push_back(from->value + i * width->value);
    return edges;
  }

  // A list of increasing numbers; empty where it is none.
  std::vector<Rational> increasing(const TomlArray& array, std::string_view name) {
    std::vector<Rational> numbers;
    for (const TomlValue& element : array) {
      const auto number = number_of(element, name, problems_);
      if (!number) return {};
      if (!numbers.empty() && *number <= numbers.back()) {
        problems_.add(element.position, fmt::format("{} does not increase here", name),
                      "list the numbers in increasing order, each once");
        return {};
      }
      numbers.push_back(*number);
    }
    return numbers;
  }

  void read_quantiles() {
    const auto use = required_column();
    const auto lower = reader_.number("lower");
    const auto upper = reader_.number("upper");
    const auto step = positive_number(reader_, "step");
    const std::string example = "write quantiles = [0.25, 0.5, 0.75]";
    const TomlEntry* entry = reader_.require("quantiles", example);
    if (entry == nullptr) return fail();
    const auto* array = std::get_if<TomlArray>(&entry->value.content);
    const auto levels =
        array == nullptr ? std::vector<Rational>() : increasing(*array, "`quantiles`");
    if (array == nullptr || array->empty()) {
      wrong_kind(entry->value, "`quantiles`", "a list of numbers from 0 to 1", problems_);
    }
    if (levels.empty()) return fail();
    if (levels.front() < Rational(0) || levels.back() > Rational(1) || levels.size() > 1000) {
      return fail(entry->value.position, "`quantiles` is not up to 1000 numbers from 0 to 1",
                  example);
    }
    if (!use) return;
    const auto column = bounded(*use, lower, upper);
    if (!column) return;
    if (step && step->value > column->upper.value - column->lower.value) {
      return fail(step->position, "`step` is wider than the bounds", "write a smaller one");
    }
    result_ = QuantileStatistic{*column, levels, step};
  }

  TableReader& reader_;
  Problems& problems_;
  const ReleaseFile& release_;
  StatisticKind result_;
  std::string_view kind_;
  bool complete_ = true;
};

}  // namespace

std::optional<ParsedKind> parse_kind(const TomlValue& value, const ReleaseFile& release,
                                     TableReader& reader) {
  KindParser parser(release, reader);
  if (!parser.read(value)) return std::nullopt;
  return ParsedKind{std::string(parser.name()), parser.result()};
}

}  // namespace lastbit::release_internal
