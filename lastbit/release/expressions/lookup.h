// LookupTable: a public function from keys to texts, as a file lists it: code to label, postcode to
// region.
//
// Guarantee      a key has one value, which depends on the table and the key alone. A key that the
//                table lacks has none.
//                Proof: proofs/expressions.md#lookups
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "lastbit/release/fields/field.h"

namespace lastbit {

class LookupTable {
 public:
  // Longer texts are never values of an expression.
  static constexpr std::size_t kMaxValueBytes = 65'536;

  struct Entry {
    std::string key;
    std::optional<std::string> value;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // make: the table for keys of this type, which are read as the fields of a text file are; or what
  // is wrong with it.
  // Requires  checked: every key is one of the type, none occurs twice, and no value is longer than
  //           kMaxValueBytes.
  static std::variant<LookupTable, std::string> make(FieldType key_type,
                                                     const std::vector<Entry>& entries);

  // find: the value of a text, or of a whole number (dates are days after 1970-01-01, booleans 0
  // and 1); nothing where there is none.
  std::optional<std::string_view> find(std::string_view key) const;
  std::optional<std::string_view> find(std::int64_t key) const;

  // key_type, entries: what `make` makes an equal table of.
  FieldType key_type() const { return key_type_; }
  std::vector<Entry> entries() const;

  // digest: SHA-256 of all keys and values; the same for the same function.
  const std::string& digest() const { return digest_; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  FieldType key_type_;
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> texts_;
  std::unordered_map<std::int64_t, std::string> numbers_;
  std::string digest_;
};

// LookupReference: a table that expressions share. Tables are equal if they are the same function.
struct LookupReference {
  std::shared_ptr<const LookupTable> table;
  friend bool operator==(const LookupReference& a, const LookupReference& b) {
    if (a.table == nullptr || b.table == nullptr) return a.table == b.table;
    return a.table->digest() == b.table->digest();
  }
};

}  // namespace lastbit
