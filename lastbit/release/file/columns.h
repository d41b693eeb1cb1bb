// What a release file says about columns and keys, and where it says it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/numerics/rational.h"
#include "lastbit/release/fields/field.h"

namespace lastbit {

// FilePosition: a place in the file, counted from 1, columns in characters. It is not part of what
// the file says, so all positions compare equal.
struct FilePosition {
  // The line of what is written in a statement (release/sql) and not in the file.
  static constexpr std::size_t kStatement = std::numeric_limits<std::size_t>::max();

  std::size_t line = 0;
  std::size_t column = 0;

  bool in_statement() const { return line == kStatement; }
  friend bool operator==(const FilePosition&, const FilePosition&) { return true; }
};

// Located<T>: a value and its place in the file, for errors found later.
template <class T>
struct Located {
  T value;
  FilePosition position = {};
  friend bool operator==(const Located&, const Located&) = default;
};

// KeyRange: the whole numbers from `first` to `last`, both included.
struct KeyRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  Integer size() const { return Integer(last) - Integer(first) + 1; }
  friend bool operator==(const KeyRange&, const KeyRange&) = default;
};
// KeyList: different keys of one type, in the order of the file.
using KeyList = std::vector<KeyValue>;
// KeySet: the public keys of one column.
using KeySet = std::variant<KeyList, KeyRange>;
// DiscoveredKeys: the keys that occur often enough in the data; which ones these are is private and
// costs delta.
struct DiscoveredKeys {
  friend bool operator==(const DiscoveredKeys&, const DiscoveredKeys&) = default;
};

// Categories: the values of a column that answers are about.
using Categories = std::variant<KeyList, KeyRange, DiscoveredKeys>;

// ColumnUse: a column of a statistic. NaN is a missing value too.
struct ColumnUse {
  Located<std::string> name;
  std::optional<Located<FieldValue>> impute;
  friend bool operator==(const ColumnUse&, const ColumnUse&) = default;
};
// BoundedColumn: the same for numbers; one outside the bounds counts as the nearer bound.
struct BoundedColumn {
  ColumnUse column;
  Located<Rational> lower;  // < upper
  Located<Rational> upper;
  friend bool operator==(const BoundedColumn&, const BoundedColumn&) = default;
};

// ColumnRole: a column, and how a statistic uses it.
struct ColumnRole {
  Located<std::string> column;
  bool as_number = false;
  bool as_key = false;                     // of a group or category, or of a unit
  std::optional<Located<FieldType>> keys;  // the type of the public keys
  const BoundedColumn* bounded = nullptr;  // of the statistic, which outlives this
  std::optional<Located<FieldValue>> impute;
  bool as_truth = false;  // only true and false have a meaning
  bool as_unit = false;   // says whose row it is
};
// number_role, category_role: the two usual ones.
ColumnRole number_role(const BoundedColumn& column);
ColumnRole category_role(const ColumnUse& column, const Categories& categories);

// type_of_keys: the type that public keys have; nothing where there are none.
std::optional<FieldType> type_of_keys(const Categories& keys);

}  // namespace lastbit
