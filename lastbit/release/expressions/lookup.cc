#include "lastbit/release/expressions/lookup.h"

#include <fmt/core.h>

#include <map>
#include <utility>

#include "lastbit/accounting/sha256.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit {
namespace {

// number_of: a key that is not a text as a whole number.
std::optional<std::int64_t> number_of(FieldType type, std::string_view key) {
  switch (type) {
    case FieldType::kInteger:
      return read_integer(key);
    case FieldType::kDate:
      return read_date(key);
    case FieldType::kBoolean:
      if (const auto truth = read_boolean(key)) return *truth ? 1 : 0;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// key_text: a number as number_of reads it.
std::string key_text(FieldType type, std::int64_t number) {
  if (type == FieldType::kBoolean) return number != 0 ? "true" : "false";
  if (type == FieldType::kInteger) return fmt::format("{}", number);
  return text_of(KeyValue(Date(std::chrono::sys_days(std::chrono::days(number)))));
}

// digest_of: entries in the order of their keys, each text after its length.
template <class Map>
std::string digest_of(FieldType type, const Map& entries) {
  std::string text(name_of(type));
  for (const auto& [key, value] : std::map(entries.begin(), entries.end())) {
    const std::string name = fmt::format("{}", key);
    text += fmt::format("\n{}:{}{}:{}", name.size(), name, value.size(), value);
  }
  return sha256_hex(text);
}

}  // namespace

std::variant<LookupTable, std::string> LookupTable::make(FieldType key_type,
                                                         const std::vector<Entry>& entries) {
  const bool possible = key_type == FieldType::kText || key_type == FieldType::kInteger ||
                        key_type == FieldType::kBoolean || key_type == FieldType::kDate;
  if (!possible) return fmt::format("values of type {} cannot be looked up", name_of(key_type));
  LookupTable table;
  table.key_type_ = key_type;
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const auto& [key, value] = entries[row];
    bool added = true;
    if (key_type == FieldType::kText) {
      added = table.texts_.emplace(key, value.value_or("")).second;
    } else {
      const auto number = number_of(key_type, key);
      if (!number) {
        return fmt::format("the key in row {} of the table is not of the type {}", row + 1,
                           name_of(key_type));
      }
      added = table.numbers_.emplace(*number, value.value_or("")).second;
    }
    if (!added) return fmt::format("the key in row {} of the table occurs before", row + 1);
    if (value && value->size() > kMaxValueBytes) {
      return fmt::format("the value in row {} of the table is too long", row + 1);
    }
  }
  // A key without a value is as good as none, but occurs only once all the same.
  for (const auto& [key, value] : entries) {
    if (value) continue;
    if (key_type == FieldType::kText) table.texts_.erase(key);
    if (key_type != FieldType::kText) table.numbers_.erase(number_of(key_type, key).value_or(0));
  }
  table.digest_ = key_type == FieldType::kText ? digest_of(key_type, table.texts_)
                                               : digest_of(key_type, table.numbers_);
  return table;
}

std::vector<LookupTable::Entry> LookupTable::entries() const {
  std::vector<Entry> all;
  for (const auto& [key, value] : texts_) all.push_back({key, value});
  for (const auto& [key, value] : numbers_) all.push_back({key_text(key_type_, key), value});
  return all;
}

std::optional<std::string_view> LookupTable::find(std::string_view key) const {
  const auto found = texts_.find(key);
  if (found == texts_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string_view> LookupTable::find(std::int64_t key) const {
  const auto found = numbers_.find(key);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

}  // namespace lastbit
