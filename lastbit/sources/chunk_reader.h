// ChunkReader: a file in chunks of whole records, for any number of threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "lastbit/sources/records.h"

namespace lastbit::source {

// WholeRecords: given bytes that start at the start of a record, how many of them, from the front,
// are whole records; 0 if not even one is complete.
using WholeRecords = std::function<std::size_t(std::string_view bytes)>;

class ChunkReader {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  // Starts at the byte `offset` of the file and reads it in blocks of `block_bytes`, larger ones
  // within a long record; tests use small ones, so that cuts fall everywhere.
  // Fails  kBadInput if the file cannot be opened.
  ChunkReader(const std::filesystem::path& path, std::uint64_t offset, WholeRecords whole_records,
              std::size_t block_bytes = kBlockBytes);
  ChunkReader(const ChunkReader&) = delete;
  ChunkReader& operator=(const ChunkReader&) = delete;
  ~ChunkReader();

  // next: the next chunk, in the order of the file; false if none is left. Every byte from the
  // starting one on is in exactly one chunk. Any thread may call it.
  // Fails  Malformed for a record beyond kMaxRecordBytes; kBadInput if reading fails.
  bool next(Chunk& chunk);
  // done: the fraction of the file handed out so far, from 0 to 1.
  double done() const;

 private:
  void read_block(std::string& bytes, std::size_t length) const;

  std::filesystem::path path_;
  WholeRecords whole_records_;
  std::size_t block_bytes_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;

  mutable std::mutex mutex_;
  std::uint64_t offset_;  // of the first byte not handed out yet
  std::string rest_;      // bytes read but not handed out, from offset_ on
  bool first_ = true;
  bool ended_ = false;
};

}  // namespace lastbit::source
