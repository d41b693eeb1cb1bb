// ChunkReader: a file in chunks of whole records, for any number of threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "lastbit/sources/byte_stream.h"
#include "lastbit/sources/records.h"

namespace lastbit::source {

// WholeRecords: given bytes that start at the start of a record, how many of them, from the front,
// are whole records; 0 if not even one is complete.
using WholeRecords = std::function<std::size_t(std::string_view bytes)>;

class ChunkReader {
 public:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  // Starts at the byte `offset` of the text (byte_stream.h) and reads it in blocks of
  // `block_bytes`, larger ones within a long record; tests use small ones, so that cuts fall
  // everywhere. The file is open from the first chunk to the last one.
  ChunkReader(std::filesystem::path path, std::uint64_t offset, WholeRecords whole_records,
              std::size_t block_bytes = kBlockBytes, TextForm form = {});

  // next: the next chunk, in the order of the file; false if none is left. Every byte from the
  // starting one on is in exactly one chunk. Any thread may call it.
  // Fails  Malformed for a record beyond kMaxRecordBytes; as ByteStream. After that, none is left.
  bool next(Chunk& chunk);
  // done: the fraction of the file handed out so far, from 0 to 1.
  double done() const;

 private:
  bool read_next(Chunk& chunk);

  std::filesystem::path path_;
  WholeRecords whole_records_;
  std::size_t block_bytes_;
  TextForm form_;

  mutable std::mutex mutex_;
  std::unique_ptr<ByteStream> stream_;  // what comes after rest_; null before and after reading
  std::uint64_t offset_;                // of the first byte not handed out yet
  std::string rest_;                    // bytes read but not handed out, from offset_ on
  bool first_ = true;
  bool ended_ = false;
};

}  // namespace lastbit::source
