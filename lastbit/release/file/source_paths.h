// The files that the paths of a source stand for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

#include "lastbit/release/file/release_file.h"

namespace lastbit {

// matches_name: whether a name fits a pattern, in which * stands for any characters and ? for one.
// Hidden files, whose names start with a point, fit none.
bool matches_name(std::string_view name, std::string_view pattern);

// matching_files: the files beside the pattern whose names match it, in the order of the bytes of
// their names. Folders are left out, and so is what is in them. Empty if the folder cannot be read.
std::vector<std::filesystem::path> matching_files(const std::filesystem::path& pattern);

// source_paths: the paths of the source, each relative to the folder, and the pattern as it is.
std::vector<std::filesystem::path> source_paths(const Source& source,
                                                const std::filesystem::path& folder);

// kMaxSourceFiles: the most files that a source may have.
inline constexpr std::size_t kMaxSourceFiles = 10'000;

}  // namespace lastbit
