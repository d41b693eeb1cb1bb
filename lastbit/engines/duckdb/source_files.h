// The files and folders that an engine is opened with. Inside of this room only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace lastbit::engine {

// refuse_file: throws the kBadInput Error that names the file.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem,
                              std::string remedy);

// checked_path: the file as one absolute path without links, readable and not empty; else a
// kBadInput Error.
std::filesystem::path checked_path(const std::filesystem::path& file);

// FileState: which file a path names, and when it was changed.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::int64_t size = -1;
  std::int64_t nanoseconds = 0;  // of the last change
  friend bool operator==(const FileState&, const FileState&) = default;
};
// file_state: of a file that cannot be looked at any more, the one above.
FileState file_state(const std::filesystem::path& path);

// is_json_array: whether a JSON file is one array: whether its first character is a bracket.
bool is_json_array(const std::filesystem::path& path);

// SpillFolder: a folder of our own in the directory that rows may be written to, which nobody else
// may look into. It goes with everything in it.
class SpillFolder {
 public:
  SpillFolder() = default;
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();
  // make_in: fails with kStorage.
  void make_in(const std::filesystem::path& directory);
  const std::filesystem::path& path() const { return path_; }  // empty before make_in

 private:
  std::filesystem::path path_;
};

}  // namespace lastbit::engine
