#include "lastbit/sources/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::source {
namespace {

constexpr const char* kCheckFile = "check that it is a whole file and that you may read it";

}  // namespace

void refuse_unreadable(const std::filesystem::path& path, std::string problem, std::string remedy) {
  throw Error(ErrorCode::kBadInput, quote(path.string(), 200), std::move(problem),
              std::move(remedy));
}

FileBytes::FileBytes(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) refuse_unreadable(path, "cannot be opened", kCheckFile);
  struct stat found = {};
  if (fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(descriptor_);
    refuse_unreadable(path, "is not a regular file", kCheckFile);
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
}

FileBytes::~FileBytes() { close(descriptor_); }

std::size_t FileBytes::read(char* out, std::size_t size) {
  std::size_t got = 0;
  while (got < size) {
    const ssize_t count = pread(descriptor_, out + got, size - got, static_cast<off_t>(at_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse_unreadable(path_, "cannot be read to its end", kCheckFile);
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
    at_ += static_cast<std::uint64_t>(count);
  }
  return got;
}

double FileBytes::done() const {
  return size_ == 0 ? 1 : std::min(1.0, static_cast<double>(at_) / static_cast<double>(size_));
}

}  // namespace lastbit::source
