// KindWriter: writes the keys of one kind in canonical form. For this module only.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/release/file/toml_text.h"

namespace lastbit::release_internal {

class KindWriter {
 public:
  explicit KindWriter(TomlLines& lines) : lines_(lines) {}

  void add(std::string_view key, const std::string& value) { lines_.add(key, value); }
  void add_use(const ColumnUse& use) {
    add("column", toml_string(use.name.value));
    add("nulls", written(use.impute));
  }
  void add_bounded(const BoundedColumn& column) {
    add_use(column.column);
    add("lower", written(column.lower.value));
    add("upper", written(column.upper.value));
  }
  void add_pair(const BoundedColumn& first, const BoundedColumn& second) {
    const auto add_both = [&](std::string_view key, const std::string& a, const std::string& b) {
      add(key, "[" + a + ", " + b + "]");
    };
    add_both("columns", toml_string(first.column.name.value),
             toml_string(second.column.name.value));
    add_both("lower", written(first.lower.value), written(second.lower.value));
    add_both("upper", written(first.upper.value), written(second.upper.value));
  }
  // Discovered categories are not written: `discover` says so.
  void add_categories(const Categories& categories) {
    if (const auto* list = std::get_if<KeyList>(&categories)) add("categories", written(*list));
    if (const auto* range = std::get_if<KeyRange>(&categories)) add("categories", written(*range));
  }

 private:
  TomlLines& lines_;
};

}  // namespace lastbit::release_internal
