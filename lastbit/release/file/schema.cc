#include "lastbit/release/file/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/release/fields/column_type.h"
#include "lastbit/release/fields/time_zone.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/kinds/registry.h"

namespace lastbit {
namespace {

using release_internal::Problems;
using release_internal::resolve_expressions;

constexpr std::string_view kUsableTypes =
    "store it as a number, a text, a truth value, a date, a time or a timestamp in microseconds";

// as_declared: how a release file would declare the type.
std::string as_declared(FieldType type) {
  std::string text = fmt::format("type = \"{}\"", name_of(type));
  if (type == FieldType::kDecimal) text += fmt::format(", decimals = {}", type.decimals());
  if (&type.zone() != &TimeZone::utc()) text += fmt::format(", zone = \"{}\"", type.zone().name());
  return text;
}

class SchemaCheck {
 public:
  SchemaCheck(ReleaseFile& release, std::span<const SchemaColumn> schema, Problems& problems)
      : release_(release), schema_(schema), problems_(problems) {
    for (const SchemaColumn& column : schema) names_.push_back(column.name);
    for (const Derivation& column : release.derived) names_.push_back(column.name.value);
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
        if (!is_declared(column, FieldType::kInteger)) {
          refuse_kind(column, ColumnKind::kUnsigned, "has keys that cannot be discovered");
        }
        refuse_found(column);
      }
    }
  }

 private:
  // Expressions get their meaning, and derived columns their types. The columns that expressions
  // name are in use.
  void resolve() {
    resolve_expressions(release_, usable_columns(), refused_columns(), problems_);
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
        row.push_back({column.name, FieldType::kText});
        if (has_type) row.back().type = declared->type->value;
        continue;
      }
      const std::optional<ColumnType>& type = column.type;
      if (!type || !is_usable(column)) continue;
      row.push_back({column.name, field_type(*type)});
      const bool fits = has_type && can_be_read(row.back().type, declared->type->value);
      if (fits) row.back().type = declared->type->value;
    }
    return row;
  }
  static bool is_usable(const SchemaColumn& column) {
    return column.type && column.type->kind != ColumnKind::kHugeUnsigned;
  }
  // The columns that are there, but that no expression can name.
  std::vector<RefusedColumn> refused_columns() const {
    std::vector<RefusedColumn> refused;
    if (!declares_types(release_.source.format.value)) return refused;
    for (const SchemaColumn& column : schema_) {
      if (is_usable(column)) continue;
      refused.push_back({column.name,
                         fmt::format("the column {} has the type {}, which cannot be used here",
                                     quote(column.name), quote(column.type_name)),
                         std::string(kUsableTypes)});
    }
    return refused;
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
    problems_.add(
        name.position, release_internal::no_column(name.value),
        release_internal::missing_column_remedy(release_.source, schema_, name.value, names_));
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

  bool is_declared(const Located<std::string>& name, FieldType type) const {
    const ColumnDeclaration* declared = release_.find_column(name.value);
    return declared != nullptr && declared->type && declared->type->value == type;
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

  // The same for unsigned numbers of text files and expressions.
  void refuse_found(const Located<std::string>& name) {
    const bool named = std::ranges::count(schema_, name.value, &SchemaColumn::name) > 0;
    if (!is_declared(name, FieldType::kUnsigned)) return;
    if (named && declares_types(release_.source.format.value)) return;
    problems_.add(name.position,
                  fmt::format("{} holds unsigned numbers, which cannot be discovered as keys",
                              quote(name.value)),
                  "list its keys, or make it an integer or a text");
  }

  void use(const Located<std::string>& name) {
    const SchemaColumn* column = require(name);
    if (column == nullptr || !declares_types(release_.source.format.value)) return;
    if (!column->type) {
      problems_.add(name.position,
                    fmt::format("the column {} has the type {}, which cannot be used",
                                quote(name.value), quote(column->type_name)),
                    std::string(kUsableTypes));
      return;
    }
    set_type(name, field_type(*column->type));
  }

  // A declared type must be that of the data, or one that its values can be read as. Of an
  // expression, only whole numbers may be declared real.
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
    const bool derived = release_.find_derived(name.value) != nullptr;
    if (type == actual || (type == FieldType::kReal && actual == FieldType::kInteger)) return;
    if (!derived && can_be_read(actual, type)) return;
    const bool in_full = type == actual.kind();
    problems_.add(position,
                  fmt::format("the column {} is declared as {}, but {} {}", quote(name.value),
                              in_full ? full_name(type) : name_of(type),
                              derived ? "its expression gives" : "the data holds",
                              in_full ? full_name(actual) : name_of(actual)),
                  fmt::format("write {}, or leave it out", as_declared(actual)));
  }

  ReleaseFile& release_;
  std::span<const SchemaColumn> schema_;
  Problems& problems_;
  std::vector<std::string> names_;
};

}  // namespace

std::string release_internal::missing_column_remedy(const Source& source,
                                                    std::span<const SchemaColumn> schema,
                                                    std::string_view name,
                                                    const std::vector<std::string>& names) {
  const bool has_header = source.format.value == SourceFormat::kCsv && source.names.empty();
  if (has_header && schema.size() == 1) {
    const std::string& header = schema.front().name;
    const auto likely = likely_delimiter(std::span(&header, 1));
    if (likely && *likely != source.delimiter) {
      return fmt::format(
          "the header looks as if the delimiter were another one: write {} in [source]",
          delimiter_line(*likely));
    }
  }
  return did_you_mean_column(name, names);
}

ReleaseFile check_against_schema(ReleaseFile release, std::span<const SchemaColumn> columns) {
  Problems problems(release.filename);
  SchemaCheck(release, columns, problems).run();
  if (problems.empty()) release_internal::check_types(release, problems);
  problems.throw_if_any();
  return release;
}

}  // namespace lastbit
