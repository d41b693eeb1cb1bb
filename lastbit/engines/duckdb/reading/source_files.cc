#include "lastbit/engines/duckdb/reading/source_files.h"

#include <fmt/core.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <system_error>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/release/file/source_paths.h"

namespace lastbit::engine {

void refuse_file(const std::filesystem::path& file, std::string problem, std::string remedy) {
  throw Error(ErrorCode::kBadInput, lastbit::quote(file.string(), 200), std::move(problem),
              std::move(remedy));
}

std::filesystem::path checked_path(const std::filesystem::path& file, bool may_be_empty) {
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
  if (problem || (size == 0 && !may_be_empty)) {
    refuse_file(file, "is empty", "give a file with at least a header");
  }
  // The engine expands these; a path that contains one would name other files as well.
  if (path.string().find_first_of("*?[]{}") != std::string::npos) {
    refuse_file(file, "has one of * ? [ ] { } in its path", "rename the file or its folder");
  }
  return path;
}

std::vector<SourceFile> checked_files(const DataSource& source) {
  std::vector<std::filesystem::path> paths = {source.path};
  // The last part of the path only: a folder may have any name, and checked_path has its say.
  const bool pattern = is_text(source.format) && is_pattern(source.path.filename().string());
  if (pattern) paths = matching_files(source.path);
  paths.insert(paths.end(), source.more_paths.begin(), source.more_paths.end());
  if (paths.empty()) {
    refuse_file(source.path, "matches no file", "check the pattern; hidden files match none");
  }
  if (paths.size() > kMaxSourceFiles) {
    refuse_file(source.path, fmt::format("stands for {} files", paths.size()),
                fmt::format("join some: a source has at most {}", kMaxSourceFiles));
  }
  std::vector<SourceFile> files;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::filesystem::path> seen;
  for (const std::filesystem::path& path : paths) {
    // A file without a header has no bytes if it has no records.
    files.push_back({checked_path(path, !source.names.empty()), compression_of(path)});
    const FileState state = file_state(files.back().path);
    const auto [first, is_new] = seen.emplace(std::pair(state.device, state.number), path);
    if (is_new) continue;
    refuse_file(path, "is the same file as " + lastbit::quote(first->second.string(), 200),
                "name each file once: its rows would count twice");
  }
  return files;
}

FileState file_state(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) return {};
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {found.st_dev, found.st_ino, found.st_size,
          found.st_ctim.tv_sec * kSecond + found.st_ctim.tv_nsec};
}

void check_delimiter(const DataSource& source) {
  const auto is_possible = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && c != '\n' && c != '\r';
  };
  const char delimiter = source.delimiter;
  const char quote = source.quote;
  const char escape = source.escape;
  if (!is_possible(delimiter) || delimiter == quote || delimiter == '\0') {
    throw Error::bad_parameter("data source", "delimiter",
                               "is a quote, a line end, zero or not ASCII",
                               "take a comma, a semicolon or a tab");
  }
  const bool possible = is_possible(quote) && is_possible(escape) && escape != delimiter &&
                        (escape == '\0' || escape != quote);
  if (possible) return;
  throw Error::bad_parameter("data source", "quote or escape",
                             "is a line end, not ASCII, the delimiter, or the other of the two",
                             "take different characters");
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

TextForm form_of(const DataSource& source, const SourceFile& file) {
  return {source.format == FileFormat::kCsv ? source.encoding : TextEncoding::kUtf8,
          file.compression};
}

source::TextFile open_text(const DataSource& source, const SourceFile& file) {
  const TextForm form = form_of(source, file);
  try {
    if (source.format == FileFormat::kJson) {
      return std::make_unique<source::JsonFile>(file.path, source::ChunkReader::kBlockBytes,
                                                form.compression);
    }
    return std::make_unique<source::CsvFile>(file.path,
                                             source::CsvFormat{.delimiter = source.delimiter,
                                                               .null_texts = source.null_texts,
                                                               .quote = source.quote,
                                                               .escape = source.escape,
                                                               .names = source.names,
                                                               .form = form});
  } catch (const source::Malformed& malformed) {
    source::refuse_malformed(file.path, malformed, form);
  }
}

const std::vector<std::string>& columns_of(const source::TextFile& file) {
  return std::visit(
      [](const auto& opened) -> const std::vector<std::string>& { return opened->columns(); },
      file);
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
