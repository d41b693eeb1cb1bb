// Which types columns have, and whether the statistics can use them.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "lastbit/base/text.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit::release_internal {
namespace {

std::optional<Located<FieldType>> type_of_column_keys(const ColumnDeclaration& column) {
  if (!column.keys) return std::nullopt;
  const auto type =
      std::visit([](const auto& keys) { return type_of_keys(keys); }, column.keys->value);
  if (!type) return std::nullopt;
  return Located<FieldType>{*type, column.keys->position};
}

void add_group_uses(const ReleaseFile& release, const Statistic& statistic,
                    std::vector<ColumnRole>& uses) {
  for (const auto& column : statistic.by) {
    const ColumnDeclaration* declared = release.find_column(column.value);
    ColumnRole use{column, false, true, {}, nullptr, {}};
    if (declared != nullptr) {
      use.impute = declared->impute;
      use.keys = type_of_column_keys(*declared);
    }
    for (const auto& name : statistic.tables) {
      const KeyTable* table = release.find_table(name.value);
      if (table == nullptr || table->rows.empty()) continue;
      for (std::size_t i = 0; i < table->columns.size(); ++i) {
        if (table->columns[i].value != column.value) continue;
        use.keys = Located<FieldType>{type_of(table->rows.front()[i]), table->columns[i].position};
      }
    }
    uses.push_back(std::move(use));
  }
}

std::vector<ColumnRole> uses_of(const ReleaseFile& release) {
  std::vector<ColumnRole> uses;
  if (const auto* unit = std::get_if<IdUnit>(&release.unit)) {
    uses.push_back({unit->column, false, true, {}, nullptr, {}, false, true});
  }
  for (const Statistic& statistic : release.statistics) {
    std::ranges::move(roles_of(statistic.kind), std::back_inserter(uses));
    add_group_uses(release, statistic, uses);
  }
  return uses;
}

bool fits(const FieldValue& value, FieldType type) {
  if (const auto* number = std::get_if<Rational>(&value)) {
    const bool whole = is_whole(type) || type == FieldType::kBoolean;
    const Rational scaled = *number * Rational(pow(Integer(10), unsigned(type.decimals())));
    return type == FieldType::kReal || (type == FieldType::kDecimal && scaled.is_integer()) ||
           (whole && number->is_integer());
  }
  constexpr FieldType kTypes[] = {FieldType::kBoolean, FieldType::kReal, FieldType::kText,
                                  FieldType::kDate};
  return kTypes[value.index()] == type;
}

// has_keys: whether groups and categories can be called by values of the type.
bool has_keys(FieldType type) {
  return type != FieldType::kDecimal && type != FieldType::kTimestamp && type != FieldType::kTime;
}

void check_whole(const Located<Rational>& bound, const std::string& column, Problems& problems) {
  static const Rational kLargest = Rational::two_to(62);
  if (bound.value.is_integer() && abs(bound.value) <= kLargest) return;
  problems.add(bound.position,
               fmt::format("the bound {} is not a whole number of 64 bits, but {} holds those",
                           bound.value.to_string(), quote(column)),
               "write whole bounds, or type = \"real\"");
}

// plural: what a column of the type holds.
std::string_view plural(FieldType type) {
  constexpr std::string_view kWords[] = {"integers",       "real numbers", "texts",
                                         "true and false", "dates",        "timestamps",
                                         "times",          "decimals",     "unsigned integers"};
  return kWords[type.kind()];
}

// in_expression: the name of a column as expressions of a release file write it.
std::string in_expression(const std::string& name) {
  const bool plain = std::ranges::all_of(
      name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; });
  return plain ? name : "…";
}

std::string_view example_condition(FieldType type) {
  switch (type.kind()) {
    case FieldType::kText:
      return "= 'yes'";
    case FieldType::kDate:
      return ">= DATE '2026-01-01'";
    case FieldType::kTimestamp:
      return ">= TIMESTAMP '2026-01-01 00:00'";
    case FieldType::kTime:
      return ">= TIME '12:00'";
    case FieldType::kReal:
    case FieldType::kDecimal:
      return "> 0";
    default:
      return "= 1";
  }
}

void check_use(const ColumnRole& use, FieldType type, Problems& problems) {
  const std::string& name = use.column.value;
  if (use.as_truth && type != FieldType::kBoolean) {
    problems.add(
        use.column.position,
        fmt::format("{} holds {}, and `share` needs true and false", quote(name), plural(type)),
        fmt::format("derive a condition, as in [derive] yes = \"{} {}\", and write column = "
                    "\"yes\"",
                    in_expression(name), example_condition(type)));
    return;
  }
  // True counts as 1, false as 0.
  const bool number = is_number(type) || type == FieldType::kBoolean;
  if (use.as_number && !number) {
    problems.add(use.column.position,
                 fmt::format("{} holds {}, and numbers are needed", quote(name), plural(type)),
                 "use another column, or declare its type as integer, real or decimal");
    return;
  }
  if (use.as_key && type == FieldType::kReal) {
    problems.add(
        use.column.position,
        fmt::format("{} holds real numbers, which cannot be compared exactly", quote(name)),
        "use a column of another type, or a histogram with `bins`");
    return;
  }
  if (use.as_key && !use.as_unit && !has_keys(type)) {
    problems.add(
        use.column.position,
        fmt::format("{} holds values of type {}, which do not make groups", quote(name),
                    name_of(type)),
        type == FieldType::decimal(0)
            ? "declare type = \"integer\", which leaves out numbers beyond 64 bits"
        : type == FieldType::kDecimal
            ? "use a histogram with `bins`, or derive a whole number, as in floor(…)"
            : "derive a part, as in hour(…) or CAST(… AS DATE), or a text: CAST(… AS TEXT)");
    return;
  }
  const bool whole_keys = use.keys && use.keys->value == FieldType::kInteger && is_whole(type);
  if (use.keys && use.keys->value != type && !whole_keys) {
    problems.add(use.keys->position,
                 fmt::format("the keys of {} are of type {}, but the column is of type {}",
                             quote(name), name_of(use.keys->value), name_of(type)),
                 "write keys as the column holds them: \"text\", 12, true or 2024-01-31");
  }
  if (use.impute && !fits(use.impute->value, type)) {
    problems.add(use.impute->position,
                 fmt::format("`impute` does not fit {}, which holds {}", quote(name), plural(type)),
                 fmt::format("impute a value of type {}", name_of(type)));
  }
  const bool fractional = type == FieldType::kReal || type == FieldType::kDecimal;
  if (use.bounded != nullptr && !fractional) {
    check_whole(use.bounded->lower, name, problems);
    check_whole(use.bounded->upper, name, problems);
  }
}

}  // namespace

void fill_types(ReleaseFile& release, Problems& problems) {
  if (declares_types(release.source.format.value)) return;
  // Number columns stay open: only a declaration can tell whole numbers from others.
  std::map<std::string, FilePosition> numbers;
  std::set<std::string> truths;
  for (const ColumnRole& use : uses_of(release)) {
    if (use.as_number) numbers.emplace(use.column.value, use.column.position);
    if (use.as_truth) truths.insert(use.column.value);
    auto declared = std::ranges::find(release.columns, use.column, &ColumnDeclaration::name);
    if (declared == release.columns.end()) {
      release.columns.push_back({use.column, {}, {}, {}, {}, {}});
      declared = std::prev(release.columns.end());
    }
    const bool derived = release.find_derived(use.column.value) != nullptr;
    if (use.keys && !declared->type && !derived) declared->type = *use.keys;
  }
  for (ColumnDeclaration& column : release.columns) {
    // The expression of a derived column says its type.
    if (release.find_derived(column.name.value) != nullptr) continue;
    if (!column.type) column.type = type_of_column_keys(column);
    if (column.type) continue;
    const auto number = numbers.find(column.name.value);
    if (number != numbers.end()) {
      problems.add_about(
          {column.name.value, number->second},
          fmt::format("nothing says {}{} holds{}",
                      truths.contains(column.name.value) ? "what " : "whether ",
                      quote(column.name.value),
                      truths.contains(column.name.value) ? "" : " integers or real numbers"),
          truths.contains(column.name.value)
              ? "add type = \"boolean\" to its entry in [columns] if it holds true "
                "and false, otherwise derive a condition, as in [derive] adult = "
                "\"age >= 18\""
              : "add type = \"integer\" or type = \"real\" to its entry in "
                "[columns]");
    } else if (!column.lower && !column.upper) {
      column.type = Located<FieldType>{FieldType::kText, column.name.position};
    }
  }
}

void check_types(const ReleaseFile& release, Problems& problems) {
  for (const ColumnRole& use : uses_of(release)) {
    if (problems.full()) return;
    const ColumnDeclaration* declared = release.find_column(use.column.value);
    if (declared == nullptr || !declared->type) continue;
    check_use(use, declared->type->value, problems);
  }
}

}  // namespace lastbit::release_internal
