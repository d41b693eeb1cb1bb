#include "lastbit/engines/duckdb/reading/source_files.h"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::engine {

void refuse_file(const std::filesystem::path& file, std::string problem, std::string remedy) {
  throw Error(ErrorCode::kBadInput, lastbit::quote(file.string(), 200), std::move(problem),
              std::move(remedy));
}

std::filesystem::path checked_path(const std::filesystem::path& file) {
  std::error_code problem;
  if (file.native().find('\0') != std::string::npos) {
    refuse_file(file, "has a zero byte in its path", "check the path");
  }
  std::filesystem::path path = std::filesystem::canonical(file, problem);
  if (problem) refuse_file(file, "does not exist or cannot be reached", "check the path");
  // Pipes and devices may have no end, so they are not even opened.
  if (!std::filesystem::is_regular_file(path, problem)) {
    refuse_file(file, "is not a regular file", "name a single file");
  }
  if (!std::ifstream(path, std::ios::binary).is_open()) {
    refuse_file(file, "may not be read", "check its permissions");
  }
  const auto size = std::filesystem::file_size(path, problem);
  if (problem || size == 0) refuse_file(file, "is empty", "give a file with at least a header");
  // The engine expands these; a path that contains one would name other files as well.
  if (path.string().find_first_of("*?[]{}") != std::string::npos) {
    refuse_file(file, "has one of * ? [ ] { } in its path", "rename the file or its folder");
  }
  return path;
}

FileState file_state(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {found.st_dev, found.st_ino, found.st_size,
          found.st_ctim.tv_sec * kSecond + found.st_ctim.tv_nsec};
}

void check_delimiter(const DataSource& source) {
  const char delimiter = source.delimiter;
  const bool ascii = static_cast<unsigned char>(delimiter) < 0x80;
  if (ascii && delimiter != '"' && delimiter != '\n' && delimiter != '\r' && delimiter != '\0')
    return;
  throw Error::bad_parameter("data source", "delimiter",
                             "is a quote, a line end, zero or not ASCII",
                             "take a comma, a semicolon or a tab");
}

void require_no_log(const DataSource& source, const std::filesystem::path& path) {
  if (source.format != FileFormat::kDuckDb) return;
  const std::filesystem::path log = path.string() + ".wal";
  std::error_code ignored;
  const auto type = std::filesystem::symlink_status(log, ignored).type();
  if (type == std::filesystem::file_type::not_found) return;
  refuse_file(
      path, "has changes that are not yet in it, in " + lastbit::quote(log.string(), 200),
      "open it with DuckDB and run CHECKPOINT, or remove that file if it does not belong to it");
}

source::TextFile open_text(const DataSource& source, const std::filesystem::path& path) {
  try {
    if (source.format == FileFormat::kJson) return std::make_unique<source::JsonFile>(path);
    return std::make_unique<source::CsvFile>(
        path, source::CsvFormat{source.delimiter, source.null_texts});
  } catch (const source::Malformed& malformed) {
    source::refuse_malformed(path, malformed);
  }
}

SpillFolder::~SpillFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

void SpillFolder::make_in(const std::filesystem::path& directory) {
  std::string pattern = directory / "lastbit_spill_XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) {
    throw Error(ErrorCode::kStorage, lastbit::quote(directory.string(), 200),
                "is not a writable directory", "make one, for spilling rows to");
  }
  path_ = pattern;
}

}  // namespace lastbit::engine
