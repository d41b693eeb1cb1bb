// KindReader: the keys of one statistic, for the kind that reads them. For this module only.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/file/release_file.h"
#include "lastbit/release/file/table_reader.h"

namespace lastbit::release_internal {

// is_truth: whether a column is known to hold true and false only.
bool is_truth(const ColumnDeclaration& column);

class KindReader {
 public:
  // The columns of the release must have been read. Release and reader outlive this.
  KindReader(const ReleaseFile& release, TableReader& reader, std::string kind);

  const ReleaseFile& release() const { return release_; }
  TableReader& keys() { return reader_; }
  Problems& problems() { return problems_; }
  // complete: so far, nothing prevents the kind from being made.
  bool complete() const { return complete_; }

  // fail: the kind cannot be made; the reason has been or will be noted by the reader of the keys.
  void fail() { complete_ = false; }
  void fail(FilePosition position, std::string problem, std::string remedy);

  // read_column: the column under `column` and its null policy: the statistic's own, otherwise that
  // of the column. require_column: a missing one is a problem.
  std::optional<ColumnUse> read_column();
  std::optional<ColumnUse> require_column();
  // declared_use: the column with the null policy of its declaration.
  ColumnUse declared_use(const Located<std::string>& name) const;

  // bound: a column with bounds: those given, otherwise the column's own.
  std::optional<BoundedColumn> bound(ColumnUse use, std::optional<Located<Rational>> lower,
                                     std::optional<Located<Rational>> upper);
  // require_bounded: the keys `column`, `lower` and `upper`.
  std::optional<BoundedColumn> require_bounded();

  // require_pair: the keys `columns`, `lower` and `upper`, each a list of two.
  std::optional<std::array<BoundedColumn, 2>> require_pair();

  // read_categories: those given here, otherwise the column's keys, otherwise those to be
  // discovered.
  std::optional<Categories> read_categories(const std::optional<ColumnUse>& use);
  // read_increasing: a list of increasing numbers; for anything else, notes a problem and returns
  // none.
  std::vector<Rational> read_increasing(const TomlArray& array, std::string_view name);

 private:
  std::string bounds_remedy(const std::string& column) const;
  std::array<std::optional<Located<Rational>>, 2> read_two(std::string_view key);
  bool impute_number(ColumnUse& use, const Located<Rational>& lower,
                     const Located<Rational>& upper);

  const ReleaseFile& release_;
  TableReader& reader_;
  Problems& problems_;
  std::string kind_;
  bool complete_ = true;
};

}  // namespace lastbit::release_internal
