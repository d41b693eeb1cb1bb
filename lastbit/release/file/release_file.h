// ReleaseFile: what a custodian wants to release, as a value: which data, who is protected, how
// much may be lost, which statistics.
//
// docs/release-file.md describes the text that parse_release (parse_release.h) makes it from. All
// of it is public. Numbers that enter a privacy argument are exact rationals: 0.1 in the file is
// 1/10. Defaults are filled in: the bounds and null policy of a column are in the statistics that
// use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lastbit/accounting/cost.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/expressions/expression.h"
#include "lastbit/release/fields/field_notation.h"
#include "lastbit/release/fields/text_form.h"
#include "lastbit/release/file/columns.h"
#include "lastbit/release/file/publication.h"
#include "lastbit/release/kinds/kinds.h"

namespace lastbit {

// kArrow: rows in the memory of a program, which hands them over itself. They have no path.
// kPostgres: a table on a server; its path is the address, without a password.
enum class SourceFormat { kCsv, kTsv, kParquet, kJson, kDuckDb, kArrow, kPostgres };
// name_of: as the file writes it.
std::string_view name_of(SourceFormat format);

// declares_types: whether sources of this format say which type a column has.
bool declares_types(SourceFormat format);

// Source: where the data is.
struct Source {
  // A file, relative to the folder of the release file; or a pattern with * or ? in its name, which
  // stands for all files that match. The files of `more_paths` belong to the source as well.
  Located<std::string> path;
  std::vector<Located<std::string>> more_paths = {};
  Located<SourceFormat> format{SourceFormat::kCsv};
  std::optional<Located<std::string>> table;  // always set for a DuckDB file and a server
  std::string name;  // what the ledger calls the data; may be empty, but not for rows in memory
  // For CSV and TSV only.
  char delimiter = ',';
  std::vector<std::string> nulls = {""};  // fields that mean "missing"
  char quote = '"';                       // '\0': none
  char escape = '\0';                     // '\0': none
  std::vector<std::string> names = {};    // of the columns, if the file has no header
  TextEncoding encoding = TextEncoding::kUtf8;
  FieldNotation notation = {};
  friend bool operator==(const Source&, const Source&) = default;
};

// is_pattern: whether the path of a source stands for all files that match it.
bool is_pattern(std::string_view path);
// written_path: what the file says where the data is; several files with commas between them; for
// rows in memory their name; for a table on a server its database and its name, without the
// address.
std::string written_path(const Source& source);
// likely_delimiter: the character that seems to separate the names of a header that was read as a
// single name; nothing if none does.
std::optional<char> likely_delimiter(std::span<const std::string> columns);
// delimiter_line: how a file says so.
std::string delimiter_line(char delimiter);

// RowUnit: a person has one row. IdUnit: a person has all rows with one value of a column, of which
// only a limited number is used. For both, data sets are neighbours if one has one unit more.
struct RowUnit {
  friend bool operator==(const RowUnit&, const RowUnit&) = default;
};
struct IdUnit {
  Located<std::string> column;
  std::int64_t max_rows_per_group = 1;
  std::optional<std::int64_t> max_groups;
  friend bool operator==(const IdUnit&, const IdUnit&) = default;
};
using PrivacyUnit = std::variant<RowUnit, IdUnit>;

// ReleaseBudget: the most that all statistics of the file may lose together, and how losses add up:
// pure (epsilons), approximate (epsilons and deltas) or concentrated (rhos).
struct ReleaseBudget {
  Located<Cost> cap{Cost::pure(1)};
  // Nothing: the plan chooses. This is so only for an epsilon and a delta.
  std::optional<LossKind> accounting = LossKind::kPure;
  // usual_accounting: that of the file, otherwise the kind of the cap.
  LossKind usual_accounting() const { return accounting.value_or(cap.value.kind()); }
  Located<std::string> ledger;  // a path relative to the folder of the release file
  friend bool operator==(const ReleaseBudget&, const ReleaseBudget&) = default;
};

// accounting_name: as the file writes it.
std::string_view accounting_name(LossKind accounting);

// ColumnDeclaration: what the file says about a column, for all statistics.
struct ColumnDeclaration {
  Located<std::string> name;
  std::optional<Located<FieldType>> type;  // nothing: what the data's file says
  std::optional<Located<Rational>> lower;
  std::optional<Located<Rational>> upper;
  std::optional<Located<KeySet>> keys;
  std::optional<Located<FieldValue>> impute;  // nothing: rows without a value are left out
  ColumnWording wording = {};                 // not part of the meaning
  // complete: the public promise that each row that counts has one of the keys.
  bool complete = false;
  friend bool operator==(const ColumnDeclaration&, const ColumnDeclaration&) = default;
};

// WrittenExpression: an expression of the file. What it means is set by check_against_schema, which
// knows the columns of the data.
struct WrittenExpression {
  Located<std::string> text;
  std::optional<RowExpression> meaning = std::nullopt;  // names columns of the data only
  std::vector<std::string> derived = {};                // the derived columns that the text names
  friend bool operator==(const WrittenExpression&, const WrittenExpression&) = default;
};
// Derivation: a column that is computed from others of the same row.
struct Derivation {
  // Lookup: the value of a column in a public table, instead of an expression. The text of the
  // expression says so in words.
  struct Lookup {
    Located<std::string> column;
    std::shared_ptr<const std::vector<LookupTable::Entry>> entries;
    friend bool operator==(const Lookup&, const Lookup&) = default;
  };

  Located<std::string> name;
  WrittenExpression expression;
  std::optional<Lookup> lookup = std::nullopt;
  // The column that its keys follow from, if they do, with the type that they suppose.
  std::optional<RowColumn> keys_from = std::nullopt;
  friend bool operator==(const Derivation&, const Derivation&) = default;
};

// KeyTable: public combinations of keys of several columns.
struct KeyTable {
  Located<std::string> name;
  std::vector<Located<std::string>> columns;
  std::vector<std::vector<KeyValue>> rows;
  bool complete = false;  // as of a column: each row that counts has one of the combinations
  friend bool operator==(const KeyTable&, const KeyTable&) = default;
};

// BudgetShare: a statistic's share of the budget. What remains after all given losses is divided by
// weight, or as the plan decides. kAccuracy: the loss for which the error is at most `value`, at
// the stated confidence. kPlanned: what makes the relative errors of such statistics small; if one
// statistic of a file has a weight, those without a share have the weight 1 instead.
enum class ShareKind { kWeight, kEpsilon, kRho, kAccuracy, kPlanned };
struct BudgetShare {
  ShareKind kind = ShareKind::kPlanned;
  Rational value = 1;  // of no meaning for kPlanned
  FilePosition position = {};
  friend bool operator==(const BudgetShare&, const BudgetShare&) = default;
};

// name_of: the key that the file gives it by; "planned" where there is none.
std::string_view name_of(ShareKind kind);

// Discovery: what finding keys may cost, and how many units a key must have to be shown.
struct Discovery {
  Located<Rational> delta;
  std::optional<Located<std::int64_t>> threshold;  // nothing: the smallest that keeps delta
  friend bool operator==(const Discovery&, const Discovery&) = default;
};

struct Statistic {
  Located<std::string> name;  // unique in the file
  StatisticKind kind;
  std::vector<Located<std::string>> by;      // the columns of the groups
  std::vector<Located<std::string>> tables;  // the public tables with keys for some of them
  std::optional<Discovery> discover;         // set if keys are to be discovered
  bool totals = false;                       // whether the coarser tables are published as well
  std::optional<WrittenExpression> where;    // in addition to that of the whole file
  BudgetShare share;
  Located<Rational> confidence{Rational(19, 20)};
  // An answer whose interval reaches farther than this times its size is not shown.
  std::optional<Located<Rational>> suppress_above = std::nullopt;
  // How much of one unit is used: 1 and 1 where a unit is a row.
  std::int64_t max_rows_per_group = 1;
  std::int64_t max_groups = 1;
  // A public guess of how many rows a group has, for accuracies that depend on it and for shares.
  std::optional<Located<std::int64_t>> expected_rows = std::nullopt;
  FilePosition position = {};
  StatisticWording wording = {};  // not part of the meaning
  friend bool operator==(const Statistic&, const Statistic&) = default;
};

struct ReleaseFile {
  static constexpr std::int64_t kVersion = 1;
  // Files beyond these limits are refused.
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
  static constexpr std::size_t kMaxStatistics = 1000;
  static constexpr std::size_t kMaxGroups = 1'000'000;  // also for keys of a column, cells, bins
  static constexpr std::size_t kMaxColumns = 10'000;    // also for tables of keys
  static constexpr std::size_t kMaxDerived = 1000;
  static constexpr std::size_t kMaxNameBytes = 200;

  std::string filename;  // for errors; not part of the meaning
  std::string title;
  Publication publication;  // not part of the meaning either
  Source source;
  PrivacyUnit unit;
  ReleaseBudget budget;
  std::vector<ColumnDeclaration> columns;
  std::vector<Derivation> derived;  // each may name those before it
  std::vector<KeyTable> tables;
  std::optional<WrittenExpression> where;  // only rows where it holds count, in all statistics
  std::vector<Statistic> statistics;       // at least one, in the order of the file

  // find_column, find_derived, find_table: the declaration, or null.
  const ColumnDeclaration* find_column(std::string_view name) const;
  const Derivation* find_derived(std::string_view name) const;
  const KeyTable* find_table(std::string_view name) const;
};

// plans_by_errors: whether planned errors, and so all guesses of rows, decide who gets how much of
// the budget or how losses add up.
bool plans_by_errors(const ReleaseFile& release);

// discovery_delta: what discovering keys may cost, in all statistics together.
Rational discovery_delta(const ReleaseFile& release);

// GroupKeys: keys for some of the group columns of a statistic, tuples in the order of `columns`.
struct GroupKeys {
  std::vector<std::string> columns;
  std::variant<std::vector<std::vector<KeyValue>>, KeyRange, DiscoveredKeys> keys;
  // complete: each row that counts has one of the keys. The file promises this, or it follows from
  // the expression of a derived column. No price depends on it.
  enum class Complete { kNo, kPromised, kProved };
  Complete complete = Complete::kNo;
};
// group_keys: the groups of a statistic of this file are the combinations of one key of each.
std::vector<GroupKeys> group_keys(const ReleaseFile& release, const Statistic& statistic);

// meaning_of: of an expression of the file. condition_of: which rows count for a statistic; nothing
// if all do.
// Requires  checked: check_against_schema gave the release; else kBadParameter.
const RowExpression& meaning_of(const WrittenExpression& expression);
std::optional<RowExpression> condition_of(const ReleaseFile& release, const Statistic& statistic);

// columns_of: every column that a statistic reads, groups included, each once, in order of mention.
std::vector<Located<std::string>> columns_of(const Statistic& statistic);

}  // namespace lastbit
