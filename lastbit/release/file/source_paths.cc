#include "lastbit/release/file/source_paths.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "lastbit/base/utf8.h"

namespace lastbit {

bool matches_name(std::string_view name, std::string_view pattern) {
  if (name.starts_with('.')) return false;
  // Where the last * was, and where the text that it stands for ends for now.
  std::size_t star = std::string_view::npos;
  std::size_t covered = 0;
  std::size_t at = 0;
  std::size_t in = 0;
  while (at < name.size()) {
    if (in < pattern.size() && pattern[in] == '*') {
      star = in++;
      covered = at;
    } else if (in < pattern.size() && pattern[in] == '?') {
      at += read_character(name.substr(at)).bytes;
      ++in;
    } else if (in < pattern.size() && pattern[in] == name[at]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++covered;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '*') ++in;
  return in == pattern.size();
}

std::vector<std::filesystem::path> matching_files(const std::filesystem::path& pattern) {
  const std::filesystem::path folder = pattern.parent_path();
  const std::string wanted = pattern.filename().string();
  std::vector<std::string> names;
  std::error_code failed;
  std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (matches_name(name, wanted) && !entry->is_directory(ignored)) names.push_back(name);
  }
  // The files that an error left out would be missed silently.
  if (failed) return {};
  std::ranges::sort(names);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) files.push_back(folder / name);
  return files;
}

std::vector<std::filesystem::path> source_paths(const Source& source,
                                                const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths = {folder / source.path.value};
  for (const auto& path : source.more_paths) paths.push_back(folder / path.value);
  return paths;
}

}  // namespace lastbit
