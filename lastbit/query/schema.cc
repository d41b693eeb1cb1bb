#include "lastbit/query/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "lastbit/base/text.h"
#include "lastbit/query/parse_sections.h"

namespace lastbit {
namespace {

using query_internal::Problems;

// Ours for the engine's name of a type; nothing where no statistic can use the column.
std::optional<FieldType> type_named(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, FieldType>, 18> kTypes{
      {{"TINYINT", FieldType::kInteger},
       {"SMALLINT", FieldType::kInteger},
       {"INTEGER", FieldType::kInteger},
       {"BIGINT", FieldType::kInteger},
       {"HUGEINT", FieldType::kInteger},
       {"UTINYINT", FieldType::kInteger},
       {"USMALLINT", FieldType::kInteger},
       {"UINTEGER", FieldType::kInteger},
       {"UBIGINT", FieldType::kInteger},
       {"UHUGEINT", FieldType::kInteger},
       {"FLOAT", FieldType::kReal},
       {"DOUBLE", FieldType::kReal},
       {"DECIMAL", FieldType::kReal},
       {"VARCHAR", FieldType::kText},
       {"ENUM", FieldType::kText},
       {"UUID", FieldType::kText},
       {"BOOLEAN", FieldType::kBoolean},
       {"DATE", FieldType::kDate}}};
  // A list of numbers is no number.
  if (name.ends_with(']')) return std::nullopt;
  const std::string_view stem = name.substr(0, name.find('('));
  for (const auto& [engine, type] : kTypes) {
    if (stem == engine) return type;
  }
  return std::nullopt;
}

class SchemaCheck {
 public:
  SchemaCheck(ReleaseFile& release, std::span<const SchemaColumn> schema, Problems& problems)
      : release_(release), schema_(schema), problems_(problems) {
    for (const SchemaColumn& column : schema) names_.push_back(column.name);
  }

  void run() {
    for (const ColumnDeclaration& column : release_.columns) require(column.name);
    for (const KeyTable& table : release_.tables) {
      for (const auto& column : table.columns) require(column);
    }
    if (const auto* unit = std::get_if<IdUnit>(&release_.unit)) use(unit->column);
    for (const Statistic& statistic : release_.statistics) {
      for (const auto& column : columns_of(statistic)) use(column);
    }
  }

 private:
  // The column of the data, or null and a problem.
  const SchemaColumn* require(const Located<std::string>& name) {
    const auto found = std::ranges::find(schema_, name.value, &SchemaColumn::name);
    if (found != schema_.end()) return &*found;
    problems_.add(name.position, fmt::format("the data has no column {}", quoted(name.value)),
                  query_internal::did_you_mean(name.value, names_));
    return nullptr;
  }

  void use(const Located<std::string>& name) {
    const SchemaColumn* column = require(name);
    if (column == nullptr || !declares_types(release_.source.format.value)) return;
    const auto actual = type_named(column->type);
    if (!actual) {
      problems_.add(name.position,
                    fmt::format("the column {} has the type {}, which cannot be used",
                                quoted(name.value), quoted(column->type)),
                    "store it as a number, a text, a date or a truth value");
      return;
    }
    set_type(name, *actual);
  }

  // A declared type must be that of the data; whole numbers may be declared real.
  void set_type(const Located<std::string>& name, FieldType actual) {
    auto declared = std::ranges::find(release_.columns, name, &ColumnDeclaration::name);
    if (declared == release_.columns.end()) {
      release_.columns.push_back({name, Located<FieldType>{actual, name.position}, {}, {}, {}, {}});
      return;
    }
    std::optional<Located<FieldType>>& known = declared->type;
    if (!known) {
      known = Located<FieldType>{actual, declared->name.position};
      return;
    }
    const auto& [type, position] = *known;
    if (type == actual || (type == FieldType::kReal && actual == FieldType::kInteger)) return;
    problems_.add(position,
                  fmt::format("the column {} is declared as {}, but the data holds {}",
                              quoted(name.value), name_of(type), name_of(actual)),
                  fmt::format("write type = \"{}\", or leave it out", name_of(actual)));
  }

  ReleaseFile& release_;
  std::span<const SchemaColumn> schema_;
  Problems& problems_;
  std::vector<std::string> names_;
};

}  // namespace

ReleaseFile check_against_schema(ReleaseFile release, std::span<const SchemaColumn> columns) {
  Problems problems(release.filename);
  SchemaCheck(release, columns, problems).run();
  if (problems.empty()) query_internal::check_types(release, problems);
  problems.throw_if_any();
  return release;
}

}  // namespace lastbit
