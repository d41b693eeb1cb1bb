#include "cli/commands/release_folder.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <system_error>

#include "cli/terminal/failure.h"

namespace lastbit::cli {
namespace {

namespace fs = std::filesystem;

// make_folder: makes the folder; whether it is new.
bool make_folder(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return false;
  fs::create_directories(path, error);
  if (fs::is_directory(path)) return true;
  throw Failure::output(path.string(),
                        "cannot make this folder" + (error ? ": " + error.message() : ""),
                        "choose another with --out");
}

// locked: the folder, opened and locked until it is closed or the process ends. A file system
// without locks is accepted as it is.
int locked(const fs::path& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    throw Failure::output(path.string(),
                          "cannot open this folder: " + std::generic_category().message(errno),
                          "choose another with --out");
  }
  if (::flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(folder);
    throw Failure::output(path.string(), "another release is writing to this folder",
                          "choose another with --out");
  }
  return folder;
}

void refuse_earlier_release(const fs::path& path) {
  for (const char* name : {ReleaseFolder::kReport, ReleaseFolder::kJson, ReleaseFolder::kAnswers}) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path / name, ignored))) continue;
    throw Failure::output((path / name).string(),
                          "this folder holds an earlier release, whose answers were paid for",
                          "choose another folder with --out, or move it away");
  }
}

}  // namespace

ReleaseFolder::ReleaseFolder(const fs::path& folder) : path_(folder) {
  if (!path_.has_filename()) path_ = path_.parent_path();
  if (make_folder(path_)) made_.emplace(path_);
  lock_ = locked(path_);
  try {
    refuse_earlier_release(path_);
    csv_.emplace(path_ / kAnswers);
    json_.emplace(path_ / kJson);
    html_.emplace(path_ / kReport);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

ReleaseFolder::~ReleaseFolder() { ::close(lock_); }

void ReleaseFolder::write(const ReleaseFiles& files) {
  std::exception_ptr first;
  const auto put = [&](std::optional<OutputFile>& file, const std::string& text) {
    try {
      file->sink().write(text);
      file->commit();
    } catch (const Error&) {
      if (!first) first = std::current_exception();
      file.reset();  // makes room for the others
    }
  };
  put(csv_, files.csv);
  put(json_, files.json);
  put(html_, files.html);
  if (first) std::rethrow_exception(first);
}

}  // namespace lastbit::cli
