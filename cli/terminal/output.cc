#include "cli/terminal/output.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "cli/terminal/failure.h"

namespace lastbit::cli {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 16;

// cannot: the Failure to throw when `action` on `name` failed with errno.
Failure cannot(std::string_view action, const std::string& name) {
  const int reason = errno;
  const char* remedy = "choose another place to write to";
  if (reason == ENOSPC || reason == EDQUOT) remedy = "make room, or choose another place";
  if (reason == ENOENT || reason == ENOTDIR) remedy = "create the folder first";
  if (reason == EACCES || reason == EPERM || reason == EROFS) {
    remedy = "choose a place that you may write to";
  }
  return Failure::output(
      name, fmt::format("cannot {}: {}", action, std::generic_category().message(reason)), remedy);
}

}  // namespace

Sink::Sink(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

void Sink::write(std::string_view text) {
  buffer_ += text;
  if (buffer_.size() >= kBufferBytes) send();
}

void Sink::flush() { send(); }

void Sink::send() {
  const std::string taken = std::exchange(buffer_, {});
  std::string_view rest = taken;
  while (!rest.empty() && !closed_) {
    const ssize_t sent = ::write(descriptor_, rest.data(), rest.size());
    if (sent >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EPIPE) {
      closed_ = true;
    } else if (errno != EINTR) {
      throw cannot("write", name_);
    }
  }
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open()), sink_(descriptor_, path.string()) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int OutputFile::open() {
  std::error_code ignored;
  // A link stays a link; the file it points to is replaced.
  if (std::filesystem::is_symlink(path_, ignored)) {
    path_ = std::filesystem::weakly_canonical(path_, ignored);
  }
  if (std::filesystem::is_directory(path_, ignored)) {
    errno = EISDIR;
    throw cannot("write this file", path_.string());
  }
  const bool replaceable =
      !std::filesystem::exists(path_, ignored) || std::filesystem::is_regular_file(path_, ignored);
  if (replaceable) return open_beside();
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) throw cannot("open this file", path_.string());
  return descriptor;
}

// The name is doomed before the file exists, so that no signal can come in between.
int OutputFile::open_beside() {
  for (int attempt = 0; attempt < 100; ++attempt) {
    const auto name = fmt::format(".{}.{}-{}.part", path_.filename().string(), ::getpid(), attempt);
    const auto candidate = path_.parent_path() / name;
    std::error_code ignored;
    if (std::filesystem::exists(candidate, ignored)) continue;
    temporary_.emplace(candidate);
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const int descriptor = ::open(candidate.c_str(), flags, 0666);
    if (descriptor < 0) throw cannot("create this file", path_.string());
    return descriptor;
  }
  errno = EEXIST;
  throw cannot("find a free name beside this file", path_.string());
}

void OutputFile::commit() {
  sink_.flush();
  close();
  if (!temporary_) return;
  if (::rename(temporary_->path().c_str(), path_.c_str()) != 0) {
    throw cannot("put the file in its place", path_.string());
  }
  temporary_.reset();
}

// Some file systems report a full disk only when the data is sent to it, or when it is closed.
void OutputFile::close() {
  const bool synced = !temporary_ || ::fsync(descriptor_) == 0;
  if (!synced) throw cannot("write", path_.string());
  if (::close(std::exchange(descriptor_, -1)) != 0) throw cannot("write", path_.string());
}

void refuse_existing(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::symlink_status(path, ignored);
  const bool device = std::filesystem::is_character_file(status);
  if (path == "-" || device || !std::filesystem::exists(status)) return;
  throw Failure::output(path, "this file already exists",
                        "choose another name, or add --force to replace it");
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.sink().write(text);
  file.commit();
}

std::filesystem::path make_temporary_folder() {
  std::error_code error;
  auto parent = std::filesystem::temp_directory_path(error);
  if (error) parent = "/tmp";
  std::string pattern = (parent / "lastbit-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw cannot("create a folder here", parent.string());
  return pattern;
}

}  // namespace lastbit::cli
