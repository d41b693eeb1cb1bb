#include "lastbit/engines/kernel/spill_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::engine {
namespace {

[[noreturn]] void refuse_spill(const std::string& place, const char* problem) {
  throw Error(ErrorCode::kBadInput, place, problem,
              "raise the memory limit, or give a directory to spill to that has room");
}

// open_unnamed: a file that has no name, or loses it at once where the file system has no such
// files.
int open_unnamed(const std::filesystem::path& directory) {
  const int file = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0) return file;
  std::string name = directory / "lastbit_XXXXXX";
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

SpillFile::SpillFile(const std::filesystem::path& directory) : file_(open_unnamed(directory)) {
  if (file_ < 0) {
    throw Error(ErrorCode::kBadInput, lastbit::quote(directory.string(), 200),
                "cannot be written to", "give a directory to spill to that exists");
  }
}

SpillFile::~SpillFile() { close(file_); }

std::uint64_t SpillFile::write(std::span<const std::uint64_t> words) {
  const std::uint64_t begin = size_.fetch_add(words.size());
  const char* bytes = reinterpret_cast<const char*>(words.data());
  std::size_t left = words.size_bytes();
  std::uint64_t at = begin * sizeof(std::uint64_t);
  while (left > 0) {
    const ssize_t written = pwrite(file_, bytes, left, static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse_spill("spilling", "the disk is full or cannot be written to");
    bytes += written;
    at += static_cast<std::uint64_t>(written);
    left -= static_cast<std::size_t>(written);
  }
  return begin;
}

void SpillFile::read(std::uint64_t begin, std::span<std::uint64_t> words) const {
  char* bytes = reinterpret_cast<char*>(words.data());
  std::size_t left = words.size_bytes();
  std::uint64_t at = begin * sizeof(std::uint64_t);
  while (left > 0) {
    const ssize_t got = pread(file_, bytes, left, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) refuse_spill("spilling", "what was written cannot be read back");
    bytes += got;
    at += static_cast<std::uint64_t>(got);
    left -= static_cast<std::size_t>(got);
  }
}

}  // namespace lastbit::engine
