#include "lastbit/sources/parquet_footer.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/sources/parquet_schema.h"

namespace lastbit::source {
namespace parquet_internal {

void refuse_damaged(std::string_view what) {
  throw Refusal{fmt::format("is damaged: {}", what), "get a whole copy, or write the file again"};
}

void throw_refusal(const std::filesystem::path& path, const Refusal& refusal) {
  throw Error(ErrorCode::kBadInput, lastbit::quote(path.string(), 200), refusal.problem,
              refusal.remedy);
}

ParquetBytes::ParquetBytes(const std::filesystem::path& path)
    : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  const std::string remedy = "check that it is there and that you may read it";
  if (descriptor_ < 0) throw Refusal{"cannot be opened", remedy};
  struct stat found = {};
  if (fstat(descriptor_, &found) != 0 || !S_ISREG(found.st_mode)) {
    close(descriptor_);
    throw Refusal{"is not a regular file", remedy};
  }
  size_ = static_cast<std::uint64_t>(found.st_size);
}

ParquetBytes::~ParquetBytes() { close(descriptor_); }

std::string ParquetBytes::read(std::uint64_t offset, std::size_t count) const {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const ssize_t more =
        pread(descriptor_, bytes.data() + got, count - got, static_cast<off_t>(offset + got));
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) throw Refusal{"cannot be read to its end", "check the disk, or copy it again"};
    got += static_cast<std::size_t>(more);
  }
  return bytes;
}

namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::string_view kEncryptedMagic = "PARE";
constexpr std::uint64_t kMagicBytes = 4;
constexpr std::uint64_t kTailBytes = 8;  // the footer's length and the magic
constexpr std::int32_t kLastCodec = 7;

constexpr std::string_view kFooterProblem = "its footer is malformed";
constexpr std::string_view kRowsProblem = "its counts of rows do not add up";
constexpr std::string_view kPlacesProblem = "its footer places data where none can be";

[[noreturn]] void refuse_encrypted() {
  throw Refusal{"is encrypted", "decrypt it into a file that only you can read, and name that"};
}

[[noreturn]] void refuse_other_format() {
  throw Refusal{"is not a Parquet file, or not a complete one",
                "name the file's format, or copy it again"};
}

std::string read_metadata(const ParquetBytes& file) {
  if (file.size() < kMagicBytes + kTailBytes) refuse_other_format();
  const std::string head = file.read(0, kMagicBytes);
  const std::string tail = file.read(file.size() - kTailBytes, kTailBytes);
  const std::string_view magic = std::string_view(tail).substr(kMagicBytes);
  if (head == kEncryptedMagic && magic == kEncryptedMagic) refuse_encrypted();
  if (head != kMagic || magic != kMagic) refuse_other_format();
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kMagicBytes; ++i) {
    length |= std::uint64_t{static_cast<unsigned char>(tail[i])} << (8 * i);
  }
  if (length == 0 || length > file.size() - kMagicBytes - kTailBytes) {
    refuse_damaged("its footer has no room in it");
  }
  if (length > kMaxFooterBytes) {
    throw Refusal{fmt::format("has a footer of more than {} MiB", kMaxFooterBytes >> 20),
                  "write it again with fewer columns or larger row groups"};
  }
  return file.read(file.size() - kTailBytes - length, length);
}

// RawChunk: what the footer says about a chunk. An omitted field is -1, which is always wrong,
// except for the dictionary: old writers write 0 if there is none.
struct RawChunk {
  std::int32_t physical = -1;
  std::int32_t codec = -1;
  std::int64_t values = -1;
  std::int64_t uncompressed_bytes = -1;
  std::int64_t bytes = -1;
  std::int64_t data_page = -1;
  std::int64_t dictionary_page = 0;
  std::vector<std::string_view> path;
};

// FooterReader: one pass over the metadata. Row groups are checked against the schema while they
// are read, so that little of a long footer has to be kept.
class FooterReader {
 public:
  FooterReader(std::string_view metadata, std::uint64_t data_end)
      : reader_(metadata), size_(metadata.size()), data_end_(data_end) {}

  ParquetFooter read() {
    std::optional<std::int64_t> rows;
    bool has_groups = false;
    reader_.read_struct([&](ThriftField field) {
      switch (field.id) {
        case 2:
          schema_ = read_schema(reader_, field);
          return true;
        case 3:
          rows = reader_.read_i64(field);
          return true;
        case 4:
          has_groups = true;
          reader_.read_list(field, ThriftType::kStruct,
                            [&] { footer_.row_groups.push_back(read_group()); });
          return true;
        case 8:
          refuse_encrypted();
        default:
          return false;
      }
    });
    if (schema_.elements.empty() || !has_groups || !rows || reader_.offset() != size_) {
      refuse_damaged(kFooterProblem);
    }
    footer_.rows = *rows;
    footer_.columns = top_columns(schema_);
    check_rows();
    check_overlaps();
    return std::move(footer_);
  }

 private:
  ParquetRowGroup read_group() {
    std::optional<std::int64_t> rows;
    std::vector<ParquetChunk> chunks;
    reader_.read_struct([&](ThriftField field) {
      switch (field.id) {
        case 1:
          reader_.read_list(field, ThriftType::kStruct,
                            [&] { chunks.push_back(read_chunk(chunks.size())); });
          return true;
        case 3:
          rows = reader_.read_i64(field);
          return true;
        default:
          return false;
      }
    });
    if (!rows || *rows < 0) refuse_damaged(kRowsProblem);
    if (chunks.size() != schema_.leaves.size()) {
      refuse_damaged("a row group does not have all columns");
    }
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      const bool repeated = schema_.elements[schema_.leaves[i]].within_repeated;
      if (!repeated && chunks[i].values != *rows) refuse_damaged(kRowsProblem);
    }
    return {*rows, std::move(chunks)};
  }

  ParquetChunk read_chunk(std::size_t leaf) {
    std::optional<RawChunk> raw;
    reader_.read_struct([&](ThriftField field) {
      switch (field.id) {
        case 1:
          throw Refusal{"keeps its data in other files", "write the table into one file"};
        case 3:
          if (field.type != ThriftType::kStruct) throw ThriftError::kMalformed;
          raw = read_chunk_metadata();
          return true;
        case 8:
        case 9:
          refuse_encrypted();
        default:
          return false;
      }
    });
    if (!raw) refuse_damaged(kFooterProblem);
    check_identity(*raw, leaf);
    return placed(*raw);
  }

  RawChunk read_chunk_metadata() {
    RawChunk raw;
    reader_.read_struct([&](ThriftField field) {
      switch (field.id) {
        case 1:
          raw.physical = reader_.read_i32(field);
          return true;
        case 3:
          reader_.read_list(field, ThriftType::kBinary,
                            [&] { raw.path.push_back(reader_.read_binary()); });
          return true;
        case 4:
          raw.codec = reader_.read_i32(field);
          return true;
        case 5:
          raw.values = reader_.read_i64(field);
          return true;
        case 6:
          raw.uncompressed_bytes = reader_.read_i64(field);
          return true;
        case 7:
          raw.bytes = reader_.read_i64(field);
          return true;
        case 9:
          raw.data_page = reader_.read_i64(field);
          return true;
        case 11:
          raw.dictionary_page = reader_.read_i64(field);
          return true;
        default:
          return false;
      }
    });
    return raw;
  }

  // The chunk must belong to the leaf in its place.
  void check_identity(const RawChunk& raw, std::size_t leaf) const {
    constexpr std::string_view kProblem = "a row group has other columns than the schema";
    if (leaf >= schema_.leaves.size()) refuse_damaged(kProblem);
    std::size_t element = schema_.leaves[leaf];
    if (raw.physical != schema_.elements[element].physical) refuse_damaged(kProblem);
    for (auto name = raw.path.rbegin(); name != raw.path.rend(); ++name) {
      if (element == 0 || schema_.elements[element].name != *name) refuse_damaged(kProblem);
      element = schema_.elements[element].parent;
    }
    if (element != 0) refuse_damaged(kProblem);
    if (raw.codec < 0 || raw.codec > kLastCodec) {
      throw Refusal{"is compressed in an unknown way", "write it again with another compression"};
    }
  }

  ParquetChunk placed(const RawChunk& raw) const {
    if (raw.values < 0 || raw.bytes < 0 || raw.uncompressed_bytes < 0) {
      refuse_damaged(kFooterProblem);
    }
    const std::int64_t start = raw.dictionary_page != 0 ? raw.dictionary_page : raw.data_page;
    const auto bytes = static_cast<std::uint64_t>(raw.bytes);
    ParquetChunk chunk{.values = raw.values, .compressed = raw.codec != 0};
    // Without values, nothing is read and the places mean nothing.
    if (bytes == 0 && chunk.values == 0) return chunk;
    if (start < static_cast<std::int64_t>(kMagicBytes)) refuse_damaged(kPlacesProblem);
    chunk.start = static_cast<std::uint64_t>(start);
    if (chunk.start > data_end_ || bytes > data_end_ - chunk.start) refuse_damaged(kPlacesProblem);
    chunk.bytes = bytes;
    if (chunk.values == 0) return chunk;
    chunk.first_data_page = static_cast<std::uint64_t>(raw.data_page);
    if (raw.data_page < start || chunk.first_data_page - chunk.start >= bytes) {
      refuse_damaged(kPlacesProblem);
    }
    return chunk;
  }

  void check_rows() const {
    std::int64_t left = footer_.rows;
    for (const ParquetRowGroup& group : footer_.row_groups) {
      if (group.rows > left) refuse_damaged(kRowsProblem);
      left -= group.rows;
    }
    if (left != 0) refuse_damaged(kRowsProblem);
  }

  void check_overlaps() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const ParquetRowGroup& group : footer_.row_groups) {
      for (const ParquetChunk& chunk : group.chunks) {
        if (chunk.bytes > 0) ranges.emplace_back(chunk.start, chunk.start + chunk.bytes);
      }
    }
    std::ranges::sort(ranges);
    for (std::size_t i = 1; i < ranges.size(); ++i) {
      if (ranges[i].first < ranges[i - 1].second) refuse_damaged(kPlacesProblem);
    }
  }

  ThriftReader reader_;
  std::size_t size_;
  std::uint64_t data_end_;  // where the footer starts
  Schema schema_;
  ParquetFooter footer_;
};

}  // namespace
}  // namespace parquet_internal

ParquetFooter read_parquet_footer(const std::filesystem::path& path) {
  using namespace parquet_internal;  // NOLINT(google-build-using-namespace)
  return with_path(path, [&] {
    const ParquetBytes file(path);
    const std::string metadata = read_metadata(file);
    try {
      ParquetFooter footer =
          FooterReader(metadata, file.size() - kTailBytes - metadata.size()).read();
      footer.file_bytes = file.size();
      return footer;
    } catch (ThriftError) {
      refuse_damaged(kFooterProblem);
    }
  });
}

}  // namespace lastbit::source
