#include "lastbit/release/file/table_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <variant>

#include "lastbit/base/text.h"

namespace lastbit::release_internal {

const TomlEntry* TableReader::find(std::string_view key) {
  if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
  for (std::size_t i = 0; i < table_.entries.size(); ++i) {
    if (table_.entries[i].key != key) continue;
    taken_[i] = true;
    return &table_.entries[i];
  }
  return nullptr;
}

const TomlEntry* TableReader::require(std::string_view key, std::string remedy) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) missing_.push_back({std::string(key), std::move(remedy)});
  return entry;
}

std::optional<Located<Rational>> TableReader::number(std::string_view key) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto value = read_number(entry->value, in_code(key), problems_);
  if (!value) return std::nullopt;
  return Located<Rational>{*value, entry->value.position};
}

std::optional<Located<std::int64_t>> TableReader::whole(std::string_view key, std::int64_t least,
                                                        std::int64_t most) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto value = read_whole(entry->value, in_code(key), least, most, problems_);
  if (!value) return std::nullopt;
  return Located<std::int64_t>{*value, entry->value.position};
}

std::optional<Located<std::string>> TableReader::text(std::string_view key) {
  const TomlEntry* entry = find(key);
  if (entry == nullptr) return std::nullopt;
  const auto value = read_text(entry->value, in_code(key), problems_);
  if (!value) return std::nullopt;
  return Located<std::string>{*value, entry->value.position};
}

void TableReader::forgive_missing(std::string_view key) {
  std::erase_if(missing_, [&](const MissingKey& missing) { return missing.key == key; });
}

void TableReader::refuse_misplaced(const std::vector<std::string>& keys, std::string_view home,
                                   std::string_view remedy) {
  for (std::size_t i = 0; i < table_.entries.size(); ++i) {
    const TomlEntry& entry = table_.entries[i];
    const bool table = std::holds_alternative<TomlTable>(entry.value.content);
    if (taken_[i] || table || std::ranges::find(keys, entry.key) == keys.end()) continue;
    taken_[i] = true;
    forgive_missing(home);
    problems_.add(entry.position,
                  fmt::format("{} belongs in {}", in_code(entry.key), in_code(home)),
                  std::string(remedy));
  }
}

void TableReader::refuse_unknown(const TomlEntry& entry,
                                 const std::vector<std::string>& elsewhere) {
  std::vector<std::string> candidates = known_;
  if (std::ranges::find(elsewhere, entry.key) != elsewhere.end()) {
    // A key of other tables is a mistake for one of this table only if that one is missing:
    // `columns` for `column`.
    candidates.clear();
    for (const MissingKey& missing : missing_) candidates.push_back(missing.key);
    if (!meant_name(entry.key, candidates)) {
      problems_.add(entry.position,
                    fmt::format("{} does not go with {}", in_code(entry.key), what_), "remove it");
      return;
    }
  }
  if (const auto meant = meant_name(entry.key, candidates)) forgive_missing(*meant);
  problems_.add(entry.position, fmt::format("{} has no key {}", what_, in_code(entry.key)),
                did_you_mean(entry.key, candidates));
}

void TableReader::finish(const std::vector<std::string>& elsewhere) {
  for (std::size_t i = 0; i < table_.entries.size() && !problems_.full(); ++i) {
    if (!taken_[i]) refuse_unknown(table_.entries[i], elsewhere);
  }
  for (const MissingKey& missing : missing_) {
    problems_.add(position_, fmt::format("{} lacks {}", what_, in_code(missing.key)),
                  missing.remedy);
  }
}

void wrong_kind(const TomlValue& value, std::string_view name, std::string_view expected,
                Problems& problems) {
  problems.add(value.position, fmt::format("{} is {}", name, kind_in_words(value)),
               fmt::format("write {}", expected));
}

}  // namespace lastbit::release_internal
