#include "lastbit/release/kinds/kind_reader.h"

#include <fmt/core.h>

#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {

namespace {

// as_number: true as 1 and false as 0.
std::optional<Located<FieldValue>> as_number(std::optional<Located<FieldValue>> impute) {
  if (!impute) return std::nullopt;
  const auto* truth = std::get_if<bool>(&impute->value);
  if (truth == nullptr) return impute;
  return Located<FieldValue>{Rational(*truth ? 1 : 0), impute->position};
}

}  // namespace

bool is_truth(const ColumnDeclaration& column) {
  if (column.type) return column.type->value == FieldType::kBoolean;
  if (!column.keys) return false;
  const auto type =
      std::visit([](const auto& keys) { return type_of_keys(keys); }, column.keys->value);
  return type == FieldType::kBoolean;
}

KindReader::KindReader(const ReleaseFile& release, TableReader& reader, std::string kind)
    : release_(release), reader_(reader), problems_(reader.problems()), kind_(std::move(kind)) {}

void KindReader::fail(FilePosition position, std::string problem, std::string remedy) {
  problems_.add(position, std::move(problem), std::move(remedy));
  complete_ = false;
}

std::optional<ColumnUse> KindReader::read_column() {
  const auto name = reader_.text("column");
  const TomlEntry* nulls = reader_.find("nulls");
  if (!name) return std::nullopt;
  ColumnUse use = declared_use(*name);
  if (nulls != nullptr) {
    const auto impute = read_nulls(nulls->value, problems_);
    if (!impute) fail();
    use.impute = impute.value_or(std::nullopt);
  }
  return use;
}

std::optional<ColumnUse> KindReader::require_column() {
  if (reader_.require("column", "write column = \"income\"") == nullptr) fail();
  auto use = read_column();
  if (!use) fail();
  return use;
}

ColumnUse KindReader::declared_use(const Located<std::string>& name) const {
  const ColumnDeclaration* declared = release_.find_column(name.value);
  return {name, declared == nullptr ? std::nullopt : declared->impute};
}

// Bounds are those of a column, or of one statistic; of sums and means they can also be found.
std::string KindReader::bounds_remedy(const std::string& column) const {
  const bool finds = kind_ == SumStatistic::kName || kind_ == MeanStatistic::kName;
  const ColumnDeclaration* declared = release_.find_column(column);
  const FieldType type = declared != nullptr && declared->type ? declared->type->value
                                                               : FieldType(FieldType::kInteger);
  return fmt::format(
      "write the smallest and the largest value that should count, from what is publicly known: "
      "{} = {{ {}lower = 0, upper = 100 }} in [columns]{}",
      key_in_file(column),
      declares_types(release_.source.format.value) ? ""
                                                   : fmt::format("type = \"{}\", ", name_of(type)),
      finds ? ", or bounds = \"auto\" here" : "");
}

std::optional<BoundedColumn> KindReader::bound(ColumnUse use,
                                               std::optional<Located<Rational>> lower,
                                               std::optional<Located<Rational>> upper) {
  const ColumnDeclaration* declared = release_.find_column(use.name.value);
  if (!lower && declared != nullptr) lower = declared->lower;
  if (!upper && declared != nullptr) upper = declared->upper;
  const bool truth = (declared != nullptr && is_truth(*declared)) || kind_ == ShareStatistic::kName;
  if (truth) {
    if (!lower) lower = Located<Rational>{0, use.name.position};
    if (!upper) upper = Located<Rational>{1, use.name.position};
  }
  if (!lower || !upper) {
    complete_ = false;
    problems_.add_about(
        use.name,
        fmt::format("{} of {} needs `lower` and `upper`", in_code(kind_), quote(use.name.value)),
        bounds_remedy(use.name.value));
    return std::nullopt;
  }
  // Problems in the column's own declaration were noted there.
  const bool own = declared != nullptr && lower == declared->lower && upper == declared->upper;
  if (lower->value >= upper->value && (own || !require_increasing(*lower, *upper, problems_))) {
    fail();
    return std::nullopt;
  }
  if (truth) use.impute = as_number(use.impute);
  if (!impute_number(use, *lower, *upper)) return std::nullopt;
  return BoundedColumn{std::move(use), *lower, *upper};
}

// Imputed texts such as "1/3" are numbers here; they lie within the bounds.
bool KindReader::impute_number(ColumnUse& use, const Located<Rational>& lower,
                               const Located<Rational>& upper) {
  if (!use.impute) return true;
  const FilePosition position = use.impute->position;
  if (const auto* text = std::get_if<std::string>(&use.impute->value)) {
    const auto number = read_number({*text, position}, "`impute`", problems_);
    if (!number) {
      fail();
      return false;
    }
    use.impute->value = *number;
  }
  const auto* number = std::get_if<Rational>(&use.impute->value);
  if (number != nullptr && *number >= lower.value && *number <= upper.value) return true;
  fail(position,
       fmt::format("`impute` is not a number between the bounds {} and {}", lower.value.to_string(),
                   upper.value.to_string()),
       "impute a number within the bounds");
  return false;
}

std::optional<Categories> KindReader::read_categories(const std::optional<ColumnUse>& use) {
  const auto as_categories = [](const KeySet& set) {
    return std::visit([](const auto& keys) { return Categories(keys); }, set);
  };
  if (const TomlEntry* entry = reader_.find("categories")) {
    const auto keys = read_keys(entry->value, "`categories`", problems_);
    if (keys) return as_categories(*keys);
    fail();
    return std::nullopt;
  }
  if (!use) return std::nullopt;
  const ColumnDeclaration* declared = release_.find_column(use->name.value);
  if (declared != nullptr && declared->keys) return as_categories(declared->keys->value);
  if (reader_.find("discover") != nullptr) return DiscoveredKeys{};
  complete_ = false;
  problems_.add_about(
      use->name, fmt::format("nothing says which values of {} are public", quote(use->name.value)),
      fmt::format("list them as `categories`, or as `keys` of the column, or {}",
                  discovery_remedy(release_.budget)));
  return std::nullopt;
}

std::vector<Rational> KindReader::read_increasing(const TomlArray& array, std::string_view name) {
  std::vector<Rational> numbers;
  for (const TomlValue& element : array) {
    const auto number = read_number(element, name, problems_);
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

std::array<std::optional<Located<Rational>>, 2> KindReader::read_two(std::string_view key) {
  const TomlEntry* entry = reader_.find(key);
  if (entry == nullptr) return {};
  const std::string name = in_code(key);
  const auto* array = std::get_if<TomlArray>(&entry->value.content);
  if (array == nullptr || array->size() != 2) {
    fail(entry->value.position, fmt::format("{} is not a list of two numbers", name),
         "write one per column, as in [0, 18]");
    return {};
  }
  std::array<std::optional<Located<Rational>>, 2> pair;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto number = read_number((*array)[i], name, problems_);
    if (number) pair[i] = Located<Rational>{*number, (*array)[i].position};
    if (!number) fail();
  }
  return pair;
}

std::optional<std::array<BoundedColumn, 2>> KindReader::require_pair() {
  const std::string example = "write columns = [\"age\", \"income\"]";
  const TomlEntry* entry = reader_.require("columns", example);
  const auto lower = read_two("lower");
  const auto upper = read_two("upper");
  if (entry == nullptr) {
    fail();
    return std::nullopt;
  }
  const auto names = read_texts(entry->value, "`columns`", problems_);
  if (!names) fail();
  if (!names || !complete_) return std::nullopt;
  if (names->size() != 2) {
    fail(entry->value.position, fmt::format("a {} needs two columns", kind_), example);
    return std::nullopt;
  }
  const auto first = bound(declared_use((*names)[0]), lower[0], upper[0]);
  const auto second = bound(declared_use((*names)[1]), lower[1], upper[1]);
  if (!first || !second) return std::nullopt;
  return std::array{*first, *second};
}

std::optional<BoundedColumn> KindReader::require_bounded() {
  const auto use = require_column();
  const auto lower = reader_.number("lower");
  const auto upper = reader_.number("upper");
  if (!use) return std::nullopt;
  return bound(*use, lower, upper);
}

}  // namespace lastbit::release_internal
