#include "lastbit/release/file/near_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <vector>

#include "lastbit/base/escape.h"
#include "lastbit/base/text.h"

namespace lastbit {

std::string near_file_remedy(const std::filesystem::path& path, const std::string& otherwise) {
  namespace fs = std::filesystem;
  constexpr std::size_t kMostNames = 10'000;
  const fs::path folder = path.parent_path();
  std::vector<std::string> names;
  std::error_code failed;
  fs::directory_iterator entries(folder.empty() ? fs::path(".") : folder, failed);
  for (; !failed && entries != fs::directory_iterator() && names.size() < kMostNames;
       entries.increment(failed)) {
    names.push_back(entries->path().filename().string());
  }
  std::ranges::sort(names);
  const std::string name = path.filename().string();
  auto meant = nearest_name(name, names);
  if (!meant && path.extension().empty()) {
    for (const std::string& candidate : names) {
      if (candidate == name + ".toml") meant = candidate;
    }
  }
  if (!meant) return otherwise;
  return fmt::format("did you mean {}?", shown_text((folder / *meant).string()));
}

}  // namespace lastbit
