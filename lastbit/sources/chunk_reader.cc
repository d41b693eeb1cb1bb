#include "lastbit/sources/chunk_reader.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"

namespace lastbit::source {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& path, std::string problem) {
  throw Error(ErrorCode::kBadInput, quote(path.string(), 200), std::move(problem),
              "check that it is a whole file and that you may read it");
}

}  // namespace

ChunkReader::ChunkReader(const std::filesystem::path& path, std::uint64_t offset,
                         WholeRecords whole_records, std::size_t block_bytes)
    : path_(path),
      whole_records_(std::move(whole_records)),
      block_bytes_(block_bytes),
      descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)),
      offset_(offset) {
  if (descriptor_ < 0) refuse(path, "cannot be opened");
  struct stat found = {};
  if (fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(descriptor_);
    refuse(path, "is not a regular file");
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
}

ChunkReader::~ChunkReader() { close(descriptor_); }

// Appends the next `length` bytes of the file to `bytes`; fewer at its end.
void ChunkReader::read_block(std::string& bytes, std::size_t length) const {
  const std::size_t before = bytes.size();
  bytes.resize(before + length);
  std::size_t got = 0;
  while (got < length) {
    const ssize_t count = pread(descriptor_, bytes.data() + before + got, length - got,
                                static_cast<off_t>(offset_ + before + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(path_, "cannot be read to its end");
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(before + got);
}

bool ChunkReader::next(Chunk& chunk) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  chunk.bytes = std::exchange(rest_, {});
  chunk.offset = offset_;
  chunk.first = std::exchange(first_, false);
  chunk.last = false;
  while (true) {
    const std::size_t before = chunk.bytes.size();
    // The end of a long record is looked for in all bytes again, so twice as many each time, but
    // not beyond the limit.
    const std::size_t more = std::clamp(2 * kMaxRecordBytes, before, 2 * before) - before;
    const std::size_t length = before < kBlockBytes ? block_bytes_ : std::max(block_bytes_, more);
    read_block(chunk.bytes, length);
    if (chunk.bytes.size() < before + length) {
      ended_ = chunk.last = true;
      offset_ += chunk.bytes.size();
      return !chunk.bytes.empty();
    }
    const std::size_t whole = whole_records_(chunk.bytes);
    if (whole > 0) {
      rest_.assign(chunk.bytes, whole);
      chunk.bytes.resize(whole);
      offset_ += whole;
      return true;
    }
    // A record and the space after it; the reader checks the length of each.
    if (chunk.bytes.size() > 2 * kMaxRecordBytes) {
      throw Malformed{chunk.offset,
                      fmt::format("a record is longer than {} MiB", kMaxRecordBytes >> 20),
                      "shorten it; a missing closing quote also looks like this"};
    }
  }
}

double ChunkReader::done() const {
  const std::lock_guard lock(mutex_);
  return size_ == 0 ? 1 : std::min(1.0, static_cast<double>(offset_) / static_cast<double>(size_));
}

}  // namespace lastbit::source
