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

// check_delimiter: a kBadParameter Error for one that no CSV file can have.
void check_delimiter(const DataSource& source);

// require_no_log: a kBadInput Error for a database file with a log beside it (FILE.wal), whose
// changes the engine would apply: then more than the one file would be read.
void require_no_log(const DataSource& source, const std::filesystem::path& path);

// open_text: the CSV or JSON file of the source, of which checked_path gave the path.
// Fails  kBadInput, naming the line where there is one.
source::TextFile open_text(const DataSource& source, const std::filesystem::path& path);

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
