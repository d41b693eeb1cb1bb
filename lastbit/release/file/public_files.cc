#include "lastbit/release/file/public_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/fields/field_text.h"
#include "lastbit/release/file/parse_sections.h"
#include "lastbit/release/file/source_paths.h"

namespace lastbit::release_internal {

std::optional<KeyValue> key_in(const std::string& field, FieldType type) {
  switch (type) {
    case FieldType::kText:
      if (field.size() <= ReleaseFile::kMaxNameBytes) return field;
      return std::nullopt;
    case FieldType::kInteger:
      if (const auto whole = read_integer(field)) return *whole;
      return std::nullopt;
    case FieldType::kBoolean:
      if (const auto truth = read_boolean(field)) return *truth;
      return std::nullopt;
    case FieldType::kDate:
      if (const auto day = read_date(field)) {
        const Date date = std::chrono::sys_days(std::chrono::days(*day));
        if (date.year() >= std::chrono::year(1)) return date;
      }
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// A database file may hold the data and public tables.
bool PublicFiles::is_private(const Source& source) const {
  const std::filesystem::path folder = std::filesystem::path(release_.filename).parent_path();
  const auto is_source = [&](const std::filesystem::path& data) {
    std::error_code failed;
    return std::filesystem::equivalent(data, source.path.value, failed) && !failed &&
           source.table == release_.source.table;
  };
  for (const std::filesystem::path& path : source_paths(release_.source, folder)) {
    if (is_source(path)) return true;
    if (!is_pattern(path.filename().string())) continue;
    if (std::ranges::any_of(matching_files(path), is_source)) return true;
  }
  return false;
}

std::optional<PublicTable> PublicFiles::read(const TomlEntry& file,
                                             const std::vector<std::string>& columns,
                                             Problems& problems) const {
  auto source = parse_public_source(file, problems);
  if (!source) return std::nullopt;
  source->path.value =
      (std::filesystem::path(release_.filename).parent_path() / source->path.value).string();
  const FilePosition place = file.value.position;
  if (is_private(*source)) {
    problems.add(place, "this file is the private data itself",
                 "take keys from a public list: those that occur in the data say who is in it");
    return std::nullopt;
  }
  if (!read_) {
    problems.add(place, "public files cannot be read here", "list the keys in the release file");
    return std::nullopt;
  }
  try {
    PublicTable table = read_(*source, columns);
    if (!table.rows.empty()) return table;
    problems.add(place, "the file has no rows", "name a file with at least one");
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kInternal) throw;
    problems.add(place, fmt::format("{} {}", error.place(), error.problem()), error.remedy());
  }
  return std::nullopt;
}

std::optional<KeyList> PublicFiles::read_keys(const TomlEntry& file, const std::string& column,
                                              FieldType type, Problems& problems) const {
  const auto table = read(file, {column}, problems);
  if (!table) return std::nullopt;
  KeyList keys;
  std::set<KeyValue> seen;
  for (std::size_t row = 0; row < table->rows.size(); ++row) {
    const auto& field = table->rows[row].front();
    const auto key = field ? key_in(*field, type) : std::nullopt;
    if (!key) {
      problems.add(file.value.position,
                   fmt::format("row {} of the file has no {} key in {}", row + 1, name_of(type),
                               quote(column)),
                   type == FieldType::kText ? "remove the row, or shorten the key"
                                            : "mend the row, or change the column's `type`");
      return std::nullopt;
    }
    if (seen.insert(*key).second) keys.push_back(*key);
  }
  return keys;
}

}  // namespace lastbit::release_internal
