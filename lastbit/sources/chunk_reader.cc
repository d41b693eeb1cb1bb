#include "lastbit/sources/chunk_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace lastbit::source {

ChunkReader::ChunkReader(std::filesystem::path path, std::uint64_t offset,
                         WholeRecords whole_records, std::size_t block_bytes, TextForm form)
    : path_(std::move(path)),
      whole_records_(std::move(whole_records)),
      block_bytes_(block_bytes),
      form_(form),
      offset_(offset) {}

bool ChunkReader::next(Chunk& chunk) {
  const std::lock_guard lock(mutex_);
  try {
    return !ended_ && read_next(chunk);
  } catch (...) {
    // What was read is lost, so other threads must not go on behind it.
    ended_ = true;
    throw;
  }
}

bool ChunkReader::read_next(Chunk& chunk) {
  if (!stream_) {
    stream_ = std::make_unique<ByteStream>(path_, form_);
    stream_->skip(offset_);
  }
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
    stream_->read(chunk.bytes, length);
    if (chunk.bytes.size() < before + length) {
      ended_ = chunk.last = true;
      offset_ += chunk.bytes.size();
      stream_.reset();
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
  if (ended_) return 1;
  return stream_ ? stream_->done() : 0;
}

}  // namespace lastbit::source
