// The files and folders that an engine is opened with. For this module only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/sources/text_file.h"

namespace lastbit::engine {

// refuse_file: throws the kBadInput Error that names the file.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem,
                              std::string remedy);

// checked_path: the absolute path of the file, without links. A file that is unreadable or empty is
// a kBadInput Error.
std::filesystem::path checked_path(const std::filesystem::path& file);

// FileState: which file a path names, and when it was last changed.
struct FileState {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::int64_t size = -1;
  std::int64_t nanoseconds = 0;  // of the last change
  friend bool operator==(const FileState&, const FileState&) = default;
};
// file_state: the state of the file; a default FileState if it is no longer accessible.
FileState file_state(const std::filesystem::path& path);

// check_delimiter: a kBadParameter Error for a delimiter that no CSV file can have.
void check_delimiter(const DataSource& source);

// require_no_log: a kBadInput Error for a database file with a log beside it (FILE.wal). The engine
// would apply its changes, and thus read more than the one file.
void require_no_log(const DataSource& source, const std::filesystem::path& path);

// open_text: the CSV or JSON file of the source; `path` comes from checked_path.
// Fails  kBadInput, naming the line if there is one.
source::TextFile open_text(const DataSource& source, const std::filesystem::path& path);

// SpillFolder: a folder of our own, in the directory that rows may be written to, which nobody else
// can read. It is removed with everything in it.
class SpillFolder {
 public:
  SpillFolder() = default;
  SpillFolder(const SpillFolder&) = delete;
  SpillFolder& operator=(const SpillFolder&) = delete;
  ~SpillFolder();
  // make_in: makes the folder. Fails with kStorage.
  void make_in(const std::filesystem::path& directory);
  const std::filesystem::path& path() const { return path_; }  // empty before make_in

 private:
  std::filesystem::path path_;
};

}  // namespace lastbit::engine
