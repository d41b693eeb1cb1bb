// Decompressor: the bytes that a file holds, decompressed as its name says. For this module only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lastbit/release/fields/text_form.h"
#include "lastbit/sources/file_bytes.h"

namespace lastbit::source {

class Decompressor {
 public:
  // The file outlives this.
  Decompressor(FileBytes& file, Compression compression);
  Decompressor(const Decompressor&) = delete;
  Decompressor& operator=(const Decompressor&) = delete;
  ~Decompressor();

  // read: the next bytes, and how many; fewer than `size` only at the end. A gzip file may have
  // several members and a zstd file several frames; nothing else may follow the last one.
  // Fails  as ByteStream.
  std::size_t read(char* out, std::size_t size);
  // skip: passes over bytes of a file that is not compressed; false for others.
  bool skip(std::uint64_t count);

 private:
  class Gzip;
  class Zstd;

  FileBytes& file_;
  std::unique_ptr<Gzip> gzip_;
  std::unique_ptr<Zstd> zstd_;
  std::uint64_t total_ = 0;  // decompressed bytes so far
};

}  // namespace lastbit::source
