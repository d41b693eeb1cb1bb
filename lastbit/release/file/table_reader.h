// TableReader: takes the keys of a TOML table one after another, and knows in the end which were
// missing and which nobody asked for. For this module only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/release/file/toml_value.h"

namespace lastbit::release_internal {

// Readers of single values. Each notes a problem and returns nothing where the value does not fit;
// `name` is what the problem calls it.
std::optional<Rational> read_number(const TomlValue& value, std::string_view name,
                                    Problems& problems);
// read_whole: a whole number from `least` to `most`.
std::optional<std::int64_t> read_whole(const TomlValue& value, std::string_view name,
                                       std::int64_t least, std::int64_t most, Problems& problems);
// read_text: one line of 1 to kMaxNameBytes bytes without control characters.
std::optional<std::string> read_text(const TomlValue& value, std::string_view name,
                                     Problems& problems);
// read_texts: one such text or a list of them, each once.
std::optional<std::vector<Located<std::string>>> read_texts(const TomlValue& value,
                                                            std::string_view name,
                                                            Problems& problems);
// read_key, read_keys: a key; a list of keys or a range { from = 1, to = 12 }.
std::optional<KeyValue> read_key(const TomlValue& value, std::string_view name, Problems& problems);
std::optional<KeySet> read_keys(const TomlValue& value, std::string_view name, Problems& problems);
// read_nulls: "drop", which is nothing, or { impute = … }. The outer optional is empty for any
// other value.
std::optional<std::optional<Located<FieldValue>>> read_nulls(const TomlValue& value,
                                                             Problems& problems);

class TableReader {
 public:
  // `what` names the table in problems: "the file", "[source]", "a mean". The table and the
  // problems must outlive the reader.
  TableReader(const TomlTable& table, FilePosition position, std::string what, Problems& problems)
      : table_(table),
        position_(position),
        what_(std::move(what)),
        problems_(problems),
        taken_(table.entries.size(), false) {}

  FilePosition position() const { return position_; }
  Problems& problems() const { return problems_; }
  const std::string& what() const { return what_; }
  void rename(std::string what) { what_ = std::move(what); }

  // find: the entry, or null; marks the key as one that this table may have.
  const TomlEntry* find(std::string_view key);
  // require: the same; a missing key is a problem, and `remedy` says what to write.
  const TomlEntry* require(std::string_view key, std::string remedy);
  // The readers above for optional keys.
  std::optional<Located<Rational>> number(std::string_view key);
  std::optional<Located<std::int64_t>> whole(std::string_view key, std::int64_t least,
                                             std::int64_t most);
  std::optional<Located<std::string>> text(std::string_view key);
  // finish: notes missing and unknown keys. If an unknown key was probably meant to be a missing
  // one, this is noted once. `elsewhere` are keys that other tables of this sort have.
  void finish(const std::vector<std::string>& elsewhere = {});
  // refuse_misplaced: notes keys that belong in the table `home`, which `remedy` shows.
  void refuse_misplaced(const std::vector<std::string>& keys, std::string_view home,
                        std::string_view remedy);

 private:
  struct MissingKey {
    std::string key;
    std::string remedy;
  };

  void refuse_unknown(const TomlEntry& entry, const std::vector<std::string>& elsewhere);
  void forgive_missing(std::string_view key);

  const TomlTable& table_;
  FilePosition position_;
  std::string what_;
  Problems& problems_;
  std::vector<bool> taken_;
  std::vector<std::string> known_;
  std::vector<MissingKey> missing_;
};

// wrong_kind: notes that a value is not of the kind `expected`, such as "a number".
void wrong_kind(const TomlValue& value, std::string_view name, std::string_view expected,
                Problems& problems);

}  // namespace lastbit::release_internal
