// The files and folders that an engine is opened with. For this module only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lastbit/engines/duckdb/reading/source.h"
#include "lastbit/sources/text_file.h"

namespace lastbit::engine {

// refuse_file: throws the kBadInput Error that names the file.
[[noreturn]] void refuse_file(const std::filesystem::path& file, std::string problem,
                              std::string remedy);

// checked_path: the absolute path of the file, without links. A file that is unreadable, or empty
// where it may not be, is a kBadInput Error.
std::filesystem::path checked_path(const std::filesystem::path& file, bool may_be_empty = false);

// SourceFile: a file of the source, as checked_path gives it, and how it is compressed.
struct SourceFile {
  std::filesystem::path path;
  Compression compression = Compression::kNone;
  friend bool operator==(const SourceFile&, const SourceFile&) = default;
};
// checked_files: the files of the source, at least one; those of a pattern in the order of their
// names. A pattern that matches no file, and a file that occurs twice, are kBadInput Errors.
std::vector<SourceFile> checked_files(const DataSource& source);

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

// open_text: a CSV or JSON file of the source.
// Fails  kBadInput, naming the line if there is one.
source::TextFile open_text(const DataSource& source, const SourceFile& file);
// form_of: how the file stores its text.
TextForm form_of(const DataSource& source, const SourceFile& file);
// columns_of: the names of its columns.
const std::vector<std::string>& columns_of(const source::TextFile& file);

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
