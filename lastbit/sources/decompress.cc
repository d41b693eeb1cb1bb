#include "lastbit/sources/decompress.h"

#include <fmt/core.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/base/error.h"
#include "lastbit/sources/byte_stream.h"

namespace lastbit::source {
namespace {

constexpr std::size_t kInputBytes = std::size_t{1} << 17;

[[noreturn]] void refuse_damaged(const FileBytes& file, std::string_view kind, bool started) {
  if (!started) {
    refuse_unreadable(file.path(), fmt::format("is not a {} file", kind),
                      "check the end of its name, or compress it again");
  }
  refuse_unreadable(file.path(),
                    fmt::format("is a damaged {} file, or something follows its end", kind),
                    fmt::format("get an undamaged copy; `{} -t` tests one", kind));
}
[[noreturn]] void refuse_cut_off(const FileBytes& file, std::string_view kind) {
  refuse_unreadable(file.path(), fmt::format("is a {} file that is cut off", kind),
                    "get a whole copy, or wait until it is complete");
}

}  // namespace

class Decompressor::Gzip {
 public:
  Gzip() : input_(kInputBytes) {
    constexpr int kLargestWindow = 15;
    constexpr int kGzipOnly = 16;
    const int outcome = inflateInit2(&stream_, kLargestWindow + kGzipOnly);
    invariant(outcome == Z_OK, "zlib starts");
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { inflateEnd(&stream_); }

  std::size_t read(FileBytes& file, char* out, std::size_t size) {
    std::size_t got = 0;
    while (got < size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(file.read(input_.data(), input_.size()));
        if (stream_.avail_in == 0) {
          if (!between_ || !started_) refuse_cut_off(file, "gzip");
          break;
        }
      }
      if (between_ && started_) inflateReset(&stream_);
      between_ = false;
      // A uInt has at least 32 bits.
      const auto room = static_cast<uInt>(std::min(size - got, std::size_t{1} << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(out + got);
      stream_.avail_out = room;
      const int outcome = inflate(&stream_, Z_NO_FLUSH);
      if (outcome != Z_OK && outcome != Z_STREAM_END) {
        refuse_damaged(file, "gzip", started_ || stream_.total_out > 0);
      }
      got += room - stream_.avail_out;
      between_ = outcome == Z_STREAM_END;
      started_ = started_ || between_;
    }
    return got;
  }

 private:
  std::vector<char> input_;
  z_stream stream_ = {};
  bool between_ = false;  // at the end of a member
  bool started_ = false;  // whether a member has ended
};

class Decompressor::Zstd {
 public:
  Zstd() : input_(kInputBytes), context_(ZSTD_createDCtx()) {
    invariant(context_ != nullptr, "zstd starts");
    // 128 MiB, which is what the program zstd allows as well.
    constexpr int kLargestWindow = 27;
    ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kLargestWindow);
  }
  Zstd(const Zstd&) = delete;
  Zstd& operator=(const Zstd&) = delete;
  ~Zstd() { ZSTD_freeDCtx(context_); }

  std::size_t read(FileBytes& file, char* out, std::size_t size) {
    std::size_t got = 0;
    while (got < size) {
      if (buffer_.pos == buffer_.size)
        buffer_ = {input_.data(), file.read(input_.data(), input_.size()), 0};
      const bool ended = buffer_.size == 0;
      if (ended && between_) break;
      ZSTD_outBuffer room = {out + got, size - got, 0};
      const std::size_t outcome = ZSTD_decompressStream(context_, &room, &buffer_);
      if (ZSTD_isError(outcome) != 0) refuse_damaged(file, "zstd", started_);
      got += room.pos;
      started_ = true;
      between_ = outcome == 0;
      if (ended && room.pos == 0 && !between_) refuse_cut_off(file, "zstd");
    }
    return got;
  }

 private:
  std::vector<char> input_;
  ZSTD_DCtx* context_;
  ZSTD_inBuffer buffer_ = {nullptr, 0, 0};
  bool between_ = false;  // at the end of a frame
  bool started_ = false;
};

Decompressor::Decompressor(FileBytes& file, Compression compression) : file_(file) {
  if (compression == Compression::kGzip) gzip_ = std::make_unique<Gzip>();
  if (compression == Compression::kZstd) zstd_ = std::make_unique<Zstd>();
}

Decompressor::~Decompressor() = default;

bool Decompressor::skip(std::uint64_t count) {
  if (gzip_ || zstd_) return false;
  file_.skip(count);
  return true;
}

std::size_t Decompressor::read(char* out, std::size_t size) {
  if (!gzip_ && !zstd_) return file_.read(out, size);
  const std::size_t got = gzip_ ? gzip_->read(file_, out, size) : zstd_->read(file_, out, size);
  total_ += got;
  const std::uint64_t most =
      ByteStream::kFreeBytes + ByteStream::kMostExpansion * (file_.size() + 1);
  if (total_ > most) {
    refuse_unreadable(file_.path(),
                      fmt::format("holds more than {} times its size", ByteStream::kMostExpansion),
                      "decompress it first, if that is meant");
  }
  return got;
}

}  // namespace lastbit::source
