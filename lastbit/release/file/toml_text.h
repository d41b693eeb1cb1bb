// Values as canonical TOML. For this module only.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/text.h"
#include "lastbit/release/file/canonical.h"
#include "lastbit/release/file/columns.h"

namespace lastbit::release_internal {

// written: a value in the one form that canonical texts use. A number is written as a number if
// TOML can hold it, otherwise as text; consecutive whole numbers are a range, however they were
// listed.
std::string written(const Rational& number);
std::string written(const KeyValue& key);
std::string written(const FieldValue& value);
std::string written(KeyList keys);
std::string written(const KeyRange& range);
std::string written(const std::optional<Located<FieldValue>>& impute);

template <class T>
std::string list_of(const std::vector<T>& values) {
  std::vector<std::string> parts;
  for (const T& value : values) {
    if constexpr (std::same_as<T, std::string>) {
      parts.push_back(toml_string(value));
    } else {
      parts.push_back(written(value));
    }
  }
  return "[" + joined(parts, ", ") + "]";
}

// TomlLines: appends "key = value" lines to a text.
class TomlLines {
 public:
  void header(std::string_view text) { text_.append("\n").append(text).append("\n"); }
  void add(std::string_view key, const std::string& value) {
    text_.append(key).append(" = ").append(value).append("\n");
  }
  void append(std::string_view text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace lastbit::release_internal
