#include "lastbit/release/file/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/file/column_type.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {
namespace {

using release_internal::Problems;
using release_internal::resolve_expressions;

class SchemaCheck {
 public:
  SchemaCheck(ReleaseFile& release, std::span<const SchemaColumn> schema, Problems& problems)
      : release_(release), schema_(schema), problems_(problems) {
    for (const SchemaColumn& column : schema) names_.push_back(column.name);
  }

  void run() {
    resolve();
    for (const ColumnDeclaration& column : release_.columns) require(column.name);
    for (const KeyTable& table : release_.tables) {
      for (const auto& column : table.columns) require(column);
    }
    if (const auto* unit = std::get_if<IdUnit>(&release_.unit)) use(unit->column);
    for (const Statistic& statistic : release_.statistics) {
      for (const auto& column : columns_of(statistic)) {
        use(column);
        refuse_kind(column, ColumnKind::kHugeUnsigned, "can only say whose row it is");
      }
      for (const Located<std::string>& column : discovered_columns(statistic)) {
        refuse_kind(column, ColumnKind::kWideInteger, "has keys that cannot be discovered");
      }
    }
  }

 private:
  // Expressions get their meaning, and derived columns their types. The columns that expressions
  // name are in use.
  void resolve() {
    resolve_expressions(release_, usable_columns(), problems_);
    for (const Derivation& derivation : release_.derived) {
      use_columns(derivation.expression);
      const auto& meaning = derivation.expression.meaning;
      if (meaning) set_type(derivation.name, meaning->type);
    }
    if (release_.where) use_columns(*release_.where);
    for (const Statistic& statistic : release_.statistics) {
      if (statistic.where) use_columns(*statistic.where);
    }
  }

  // The columns that an expression can name, with the types that it sees.
  std::vector<RowColumn> usable_columns() const {
    std::vector<RowColumn> row;
    for (const SchemaColumn& column : schema_) {
      const ColumnDeclaration* declared = release_.find_column(column.name);
      const bool has_type = declared != nullptr && declared->type;
      if (!declares_types(release_.source.format.value)) {
        row.push_back({column.name, has_type ? declared->type->value : FieldType::kText});
        continue;
      }
      if (!column.type || column.type->kind == ColumnKind::kHugeUnsigned) continue;
      const FieldType actual = field_type(*column.type);
      const bool widened =
          has_type && declared->type->value == FieldType::kReal && actual == FieldType::kInteger;
      row.push_back({column.name, widened ? FieldType::kReal : actual});
    }
    return row;
  }

  void use_columns(const WrittenExpression& expression) {
    if (!expression.meaning) return;
    for (const RowColumn& column : columns_of(*expression.meaning)) {
      use({column.name, expression.text.position});
    }
  }

  // The column of the data, or null; and a problem if it is not derived either.
  const SchemaColumn* require(const Located<std::string>& name) {
    if (release_.find_derived(name.value) != nullptr) return nullptr;
    const auto found = std::ranges::find(schema_, name.value, &SchemaColumn::name);
    if (found != schema_.end()) return &*found;
    problems_.add(name.position, fmt::format("the data has no column {}", quote(name.value)),
                  release_internal::did_you_mean(name.value, names_));
    return nullptr;
  }

  // The columns whose keys the release discovers.
  std::vector<Located<std::string>> discovered_columns(const Statistic& statistic) const {
    std::vector<Located<std::string>> columns;
    for (const GroupKeys& keys : group_keys(release_, statistic)) {
      if (!std::holds_alternative<DiscoveredKeys>(keys.keys)) continue;
      for (const auto& column : statistic.by) {
        if (std::ranges::count(keys.columns, column.value) > 0) columns.push_back(column);
      }
    }
    if (discovers_categories(statistic.kind)) {
      columns.push_back(roles_of(statistic.kind).front().column);
    }
    return columns;
  }

  // Some types hold whole numbers that are too large for some uses.
  void refuse_kind(const Located<std::string>& name, ColumnKind kind, std::string_view problem) {
    const auto found = std::ranges::find(schema_, name.value, &SchemaColumn::name);
    if (found == schema_.end() || !declares_types(release_.source.format.value)) return;
    const std::optional<ColumnType>& type = found->type;
    if (!type || type->kind != kind) return;
    problems_.add(name.position,
                  fmt::format("the column {} has the type {}, which {}", quote(name.value),
                              quote(found->type_name), problem),
                  "store it as BIGINT, or as text");
  }

  void use(const Located<std::string>& name) {
    const SchemaColumn* column = require(name);
    if (column == nullptr || !declares_types(release_.source.format.value)) return;
    if (!column->type) {
      problems_.add(name.position,
                    fmt::format("the column {} has the type {}, which cannot be used",
                                quote(name.value), quote(column->type_name)),
                    "store it as a number, a text, a date or a truth value");
      return;
    }
    set_type(name, field_type(*column->type));
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
    problems_.add(
        position,
        fmt::format("the column {} is declared as {}, but {} {}", quote(name.value), name_of(type),
                    release_.find_derived(name.value) != nullptr ? "its expression gives"
                                                                 : "the data holds",
                    name_of(actual)),
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
  if (problems.empty()) release_internal::check_types(release, problems);
  problems.throw_if_any();
  return release;
}

}  // namespace lastbit
