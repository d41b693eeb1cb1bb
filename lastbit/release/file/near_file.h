// Files with nearly the name that was asked for.
#pragma once

#include <filesystem>
#include <string>

namespace lastbit {

// near_file_remedy: for a file that is not there: the file in the same folder that was probably
// meant, otherwise `otherwise`.
// Limits    looks at the first 10 000 names of the folder.
std::string near_file_remedy(const std::filesystem::path& path, const std::string& otherwise);

}  // namespace lastbit
