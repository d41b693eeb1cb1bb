// The expressions of a release file: read as text first, and understood when the columns of the
// data are known.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/expressions/implied_keys.h"
#include "lastbit/release/file/parse_sections.h"

namespace lastbit::release_internal {
namespace {

void add_problem(const Located<std::string>& text, std::string_view what,
                 const ExpressionProblem& found, Problems& problems) {
  std::size_t characters = 1;
  std::string_view before = std::string_view(text.value).substr(0, found.offset);
  for (; !before.empty(); ++characters) before.remove_prefix(read_character(before).bytes);
  if (text.position.in_statement()) {
    // The place in the statement is that of the problem, not of the expression.
    const FilePosition place{FilePosition::kStatement, text.position.column + characters - 1};
    return problems.add(place, found.problem, found.remedy);
  }
  problems.add(text.position, fmt::format("{}, character {}: {}", what, characters, found.problem),
               found.remedy);
}

std::optional<Located<std::string>> read_expression(const TomlEntry& entry, Problems& problems) {
  const auto* text = std::get_if<std::string>(&entry.value.content);
  if (text == nullptr) {
    wrong_kind(entry.value, in_code(entry.key), "an expression in quotes, as in \"age >= 18\"",
               problems);
    return std::nullopt;
  }
  Located<std::string> located{*text, entry.value.position};
  if (const auto problem = check_syntax(*text)) {
    add_problem(located, in_code(entry.key), *problem, problems);
    return std::nullopt;
  }
  return located;
}

// Resolver: gives the expressions of a release their meaning.
class Resolver {
 public:
  Resolver(ReleaseFile& release, std::vector<RowColumn> row, std::vector<RefusedColumn> others,
           Problems& problems)
      : release_(release),
        data_columns_(row.size()),
        row_(std::move(row)),
        others_(std::move(others)),
        problems_(problems) {}

  void run() {
    for (const Derivation& derivation : release_.derived) refuse_early(derivation);
    for (Derivation& derivation : release_.derived) {
      const std::size_t before = problems_.count();
      derive(derivation);
      settle(derivation.name.value, problems_.count() > before);
    }
    if (release_.where) require_truth(*release_.where);
    for (Statistic& statistic : release_.statistics) {
      if (statistic.where) require_truth(*statistic.where);
      // In the canonical text, too, each statistic has the condition of the file beside its own.
      if (release_.where) count_nodes(*release_.where);
    }
  }

 private:
  // A derived column can be named only after it is derived.
  void refuse_early(const Derivation& derivation) {
    const auto& [name, position] = derivation.name;
    if (is_refused(name)) return;
    early_.push_back(name);
    others_.push_back({name, fmt::format("{} is derived later", quote(name)),
                       derivation.lookup || position.in_statement()
                           ? "use columns of the data instead"
                           : fmt::format("move line {} above this one", position.line)});
  }
  bool is_refused(const std::string& name) const {
    return std::ranges::count(others_, name, &RefusedColumn::name) > 0;
  }
  // A column that could not be derived has its own message.
  void settle(const std::string& name, bool failed) {
    if (std::ranges::count(early_, name) == 0) return;
    std::erase(early_, name);
    const auto refused = std::ranges::find(others_, name, &RefusedColumn::name);
    if (!failed) {
      others_.erase(refused);
    } else {
      refused->problem = fmt::format("{} could not be derived", quote(name));
      refused->remedy = "solve the problem with it first";
    }
  }

  // Many copies of a large expression would take all memory. What is beyond the limit has no
  // meaning, so that it takes none.
  void count_nodes(WrittenExpression& written) {
    if (!written.meaning) return;
    nodes_ += node_count(*written.meaning) + 1;  // what joins two conditions
    if (nodes_ <= kMaxReleaseNodes) return;
    written.meaning.reset();
    if (std::exchange(too_large_, true)) return;
    problems_.add(written.text.position, "all expressions together are too large",
                  fmt::format("with derived columns written out wherever they are used, they have "
                              "at most {} columns, constants and operations",
                              kMaxReleaseNodes));
  }

  void resolve(WrittenExpression& written, std::string_view what) {
    if (too_large_) return;
    const Located<std::string>& text = written.text;
    auto parsed = parse_expression(text.value, row_, others_);
    if (const auto* problem = std::get_if<ExpressionProblem>(&parsed)) {
      return add_problem(text, what, *problem, problems_);
    }
    const auto& expression = std::get<RowExpression>(parsed);
    for (const RowColumn& column : columns_of(expression)) {
      if (release_.find_derived(column.name) != nullptr) written.derived.push_back(column.name);
    }
    written.meaning = replace_columns(expression, derived_);
    if (!written.meaning) {
      problems_.add(text.position,
                    fmt::format("{}: with the derived columns written out, it is too long", what),
                    fmt::format("an expression has at most {} parts in {} levels",
                                kMaxExpressionNodes, kMaxExpressionDepth));
    }
    count_nodes(written);
  }

  // A column that is looked up gets its table, with keys of the type of the column.
  void look_up(Derivation& derivation, const Derivation::Lookup& lookup_by) {
    const auto& [column, entries] = lookup_by;
    const auto known = std::ranges::find(row_, column.value, &RowColumn::name);
    if (known == row_.end()) {
      const auto other = std::ranges::find(others_, column.value, &RefusedColumn::name);
      if (other != others_.end()) {
        return problems_.add(column.position, other->problem, other->remedy);
      }
      std::vector<std::string> names;
      for (const RowColumn& one : row_) names.push_back(one.name);
      problems_.add(column.position, no_column(column.value),
                    did_you_mean_column(column.value, names));
      return;
    }
    auto made = LookupTable::make(known->type, *entries);
    if (const auto* problem = std::get_if<std::string>(&made)) {
      problems_.add(column.position, fmt::format("{}: {}", quote(derivation.name.value), *problem),
                    "mend the table, or declare the type of the column");
      return;
    }
    RowExpression lookup{.operation = RowOperation::kLookup, .type = FieldType::kText};
    lookup.lookup.table =
        std::make_shared<const LookupTable>(std::get<LookupTable>(std::move(made)));
    lookup.operands.push_back(
        {.operation = RowOperation::kColumn, .type = known->type, .column = column.value});
    WrittenExpression& written = derivation.expression;
    if (release_.find_derived(column.value) != nullptr) written.derived.push_back(column.value);
    written.meaning = replace_columns(lookup, derived_);
  }

  // Values of another type than the keys have other images.
  void require_type_of_keys(const Derivation& derivation) {
    if (!derivation.keys_from) return;
    const auto& [column, type] = *derivation.keys_from;
    const auto known = std::ranges::find(row_, column, &RowColumn::name);
    if (known == row_.end() || known->type == type) return;
    problems_.add(derivation.expression.text.position,
                  fmt::format("the keys of {} follow from those of {}, which are of type {}, but "
                              "the column is of type {}",
                              quote(derivation.name.value), quote(column), name_of(type),
                              name_of(known->type)),
                  fmt::format("list the `keys` of {}", quote(derivation.name.value)));
  }

  void derive(Derivation& derivation) {
    const auto& [name, position] = derivation.name;
    const auto known = std::ranges::find(row_, name, &RowColumn::name);
    const bool in_data = (is_refused(name) && std::ranges::count(early_, name) == 0) ||
                         static_cast<std::size_t>(known - row_.begin()) < data_columns_;
    if (in_data) {
      problems_.add(position, fmt::format("the data already has a column {}", quote(name)),
                    "give the derived column another name");
      return;
    }
    const auto self = std::ranges::find(others_, name, &RefusedColumn::name);
    if (self != others_.end()) {
      self->problem = fmt::format("{} is derived from itself", quote(name));
      self->remedy = "use columns of the data, or those derived before";
    }
    const std::optional<Derivation::Lookup>& lookup = derivation.lookup;
    if (lookup) {
      look_up(derivation, *lookup);
    } else {
      resolve(derivation.expression, in_code(name));
    }
    const std::optional<RowExpression>& meaning = derivation.expression.meaning;
    if (!meaning) return;
    require_type_of_keys(derivation);
    row_.push_back({name, meaning->type});
    derived_.push_back({name, *meaning});
  }

  void require_truth(WrittenExpression& condition) {
    resolve(condition, "`where`");
    if (!condition.meaning || condition.meaning->type == FieldType::kBoolean) return;
    problems_.add(condition.text.position, "`where` is not a condition",
                  "compare something, as in age >= 18");
  }

  ReleaseFile& release_;
  std::size_t data_columns_;
  std::vector<RowColumn> row_;         // of the data, then derived
  std::vector<RefusedColumn> others_;  // of the data, but of no use; or not derived yet
  std::vector<std::string> early_;     // of these, the latter
  std::vector<DerivedColumn> derived_;
  std::size_t nodes_ = 0;  // of all meanings
  bool too_large_ = false;
  Problems& problems_;
};

}  // namespace

std::vector<KeyedColumn> keyed_columns(const ReleaseFile& release) {
  std::vector<KeyedColumn> keyed;
  for (const ColumnDeclaration& column : release.columns) {
    if (!column.keys) continue;
    const KeySet& keys = column.keys->value;
    const auto type = std::visit([](const auto& set) { return type_of_keys(set); }, keys);
    const bool other = column.type && type && column.type->value != *type;
    if (!other) keyed.push_back({column.name.value, &keys});
  }
  return keyed;
}

void add_implied_keys(Derivation& derivation, ReleaseFile& release, std::size_t& work) {
  const auto& [text, position] = derivation.expression.text;
  auto declared = std::ranges::find(release.columns, derivation.name, &ColumnDeclaration::name);
  if (declared != release.columns.end() && declared->keys) return;
  auto implied = implied_keys(text, keyed_columns(release), work);
  if (!implied) return;
  derivation.keys_from = implied->from;
  if (declared == release.columns.end()) {
    release.columns.push_back({derivation.name, {}, {}, {}, {}, {}});
    declared = std::prev(release.columns.end());
  }
  declared->keys = Located<KeySet>{std::move(implied->keys), position};
}

void parse_derived(TableReader& root, ReleaseFile& release) {
  const TomlEntry* entry = root.find("derive");
  if (entry == nullptr) return;
  Problems& problems = root.problems();
  const auto* table = std::get_if<TomlTable>(&entry->value.content);
  if (table == nullptr) {
    return wrong_kind(entry->value, "`derive`", "a table [derive] of expressions", problems);
  }
  if (table->entries.size() > ReleaseFile::kMaxDerived) {
    return problems.add(entry->position,
                        fmt::format("{} columns are derived", table->entries.size()),
                        fmt::format("a file derives at most {}", ReleaseFile::kMaxDerived));
  }
  std::size_t work = kKeyWork;
  for (const TomlEntry& column : table->entries) {
    if (problems.full()) return;
    if (column.key.empty() || column.key.size() > ReleaseFile::kMaxNameBytes) {
      problems.add(column.position, "the name of this column is empty or too long",
                   fmt::format("names have 1 to {} bytes", ReleaseFile::kMaxNameBytes));
      continue;
    }
    if (release.find_derived(column.key) != nullptr) {
      problems.add(column.position,
                   fmt::format("a lookup table already adds {}", quote(column.key)),
                   "give the derived column another name");
      continue;
    }
    const auto text = read_expression(column, problems);
    if (!text) continue;
    const Located<std::string> name{column.key, column.position};
    release.derived.push_back({name, {*text}});
    add_implied_keys(release.derived.back(), release, work);
  }
}

std::optional<WrittenExpression> parse_condition(TableReader& reader) {
  const TomlEntry* entry = reader.find("where");
  if (entry == nullptr) return std::nullopt;
  auto text = read_expression(*entry, reader.problems());
  if (!text) return std::nullopt;
  return WrittenExpression{*std::move(text)};
}

void resolve_expressions(ReleaseFile& release, std::vector<RowColumn> row,
                         std::vector<RefusedColumn> others, Problems& problems) {
  Resolver(release, std::move(row), std::move(others), problems).run();
}

}  // namespace lastbit::release_internal
