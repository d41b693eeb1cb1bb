// Checks the page headers of a Parquet file against its footer.
#include <fmt/core.h>

#include <algorithm>

#include "lastbit/base/text.h"
#include "lastbit/sources/parquet_footer.h"
#include "lastbit/sources/parquet_schema.h"

namespace lastbit::source {
namespace parquet_internal {
namespace {

constexpr std::uint64_t kFirstWindowBytes = 4096;
constexpr std::uint64_t kMaxHeaderBytes = std::uint64_t{16} << 20;  // statistics can be long

constexpr std::int32_t kDataPage = 0;
constexpr std::int32_t kDictionaryPage = 2;
constexpr std::int32_t kDataPageV2 = 3;
constexpr std::int32_t kRunLength = 3;  // the encoding of definition levels

// PageWindow: the bytes of a chunk, seen through a window that moves forwards and grows if it must.
class PageWindow {
 public:
  PageWindow(const ParquetBytes& file, std::uint64_t end) : file_(file), end_(end) {}

  // view: the bytes at hand from `offset` on, at least one.
  std::string_view view(std::uint64_t offset) {
    if (offset < start_ || offset >= start_ + bytes_.size()) load(offset, kFirstWindowBytes);
    return std::string_view(bytes_).substr(offset - start_);
  }
  // grow: more bytes from `offset` on; false if there are none.
  bool grow(std::uint64_t offset) {
    const std::uint64_t had = start_ + bytes_.size() - offset;
    if (offset + had == end_ || had >= kMaxHeaderBytes) return false;
    load(offset, std::max(kFirstWindowBytes, 4 * had));
    return true;
  }

 private:
  void load(std::uint64_t offset, std::uint64_t count) {
    bytes_ = file_.read(offset, std::min(count, end_ - offset));
    start_ = offset;
  }

  const ParquetBytes& file_;
  std::uint64_t end_;
  std::uint64_t start_ = 0;
  std::string bytes_;
};

// PageCounts: the fields that are checked in the three kinds of page headers. An omitted field is
// -1, which is always wrong.
struct PageCounts {
  std::int32_t values = -1;
  std::int32_t nulls = -1;
  std::int32_t rows = -1;
  std::int32_t level_encoding = -1;
  std::int32_t definition_bytes = -1;
  std::int32_t repetition_bytes = -1;
};

struct PageHeader {
  std::int32_t type = -1;
  std::int32_t uncompressed_bytes = -1;
  std::int32_t bytes = -1;
  std::optional<PageCounts> data;
  std::optional<PageCounts> dictionary;
  std::optional<PageCounts> data_v2;
  std::size_t header_bytes = 0;
};

// Which of the counts has this field id in a header of this kind.
std::int32_t* count_at(PageCounts& counts, std::int32_t type, std::int16_t id) {
  if (id == 1) return &counts.values;
  if (type == kDataPage && id == 3) return &counts.level_encoding;
  if (type != kDataPageV2) return nullptr;
  switch (id) {
    case 2:
      return &counts.nulls;
    case 3:
      return &counts.rows;
    case 5:
      return &counts.definition_bytes;
    case 6:
      return &counts.repetition_bytes;
    default:
      return nullptr;
  }
}

PageCounts read_counts(ThriftReader& reader, ThriftField field, std::int32_t type) {
  if (field.type != ThriftType::kStruct) throw ThriftError::kMalformed;
  PageCounts counts;
  reader.read_struct([&](ThriftField count) {
    std::int32_t* const target = count_at(counts, type, count.id);
    if (target != nullptr) *target = reader.read_i32(count);
    return target != nullptr;
  });
  return counts;
}

PageHeader read_header(std::string_view bytes) {
  ThriftReader reader(bytes);
  PageHeader header;
  reader.read_struct([&](ThriftField field) {
    switch (field.id) {
      case 1:
        header.type = reader.read_i32(field);
        return true;
      case 2:
        header.uncompressed_bytes = reader.read_i32(field);
        return true;
      case 3:
        header.bytes = reader.read_i32(field);
        return true;
      case 5:
        header.data = read_counts(reader, field, kDataPage);
        return true;
      case 7:
        header.dictionary = read_counts(reader, field, kDictionaryPage);
        return true;
      case 8:
        header.data_v2 = read_counts(reader, field, kDataPageV2);
        return true;
      default:
        return false;
    }
  });
  header.header_bytes = reader.offset();
  return header;
}

// PageWalk: the pages of one chunk. Its functions return false if something does not add up.
class PageWalk {
 public:
  PageWalk(const ParquetBytes& file, const ParquetChunk& chunk, bool optional)
      : chunk_(chunk),
        optional_(optional),
        end_(chunk.start + chunk.bytes),
        window_(file, end_),
        values_left_(chunk.values) {}

  bool adds_up() {
    bool first = true;
    for (std::uint64_t offset = chunk_.start; offset < end_; first = false) {
      const auto header = header_at(offset);
      if (!header || !check_sizes(*header, offset)) return false;
      if (header->type == kDictionaryPage) {
        if (!first || !check_dictionary(*header)) return false;
      } else if (!check_data(*header, offset)) {
        return false;
      }
      offset += header->header_bytes + static_cast<std::uint64_t>(header->bytes);
    }
    return values_left_ == 0;
  }

 private:
  std::optional<PageHeader> header_at(std::uint64_t offset) {
    while (true) {
      try {
        return read_header(window_.view(offset));
      } catch (ThriftError error) {
        if (error == ThriftError::kMalformed || !window_.grow(offset)) return std::nullopt;
      }
    }
  }

  bool check_sizes(const PageHeader& header, std::uint64_t offset) const {
    if (header.bytes < 0 || header.uncompressed_bytes < 0) return false;
    if (!chunk_.compressed && header.bytes != header.uncompressed_bytes) return false;
    const std::uint64_t room = end_ - offset - header.header_bytes;
    return static_cast<std::uint64_t>(header.bytes) <= room;
  }

  static bool check_dictionary(const PageHeader& header) {
    if (header.data || header.data_v2 || !header.dictionary) return false;
    return header.dictionary->values >= 0;
  }

  bool check_data(const PageHeader& header, std::uint64_t offset) {
    const bool second = header.type == kDataPageV2;
    if (!second && header.type != kDataPage) return false;
    const auto& counts = second ? header.data_v2 : header.data;
    if (!counts || header.dictionary || (second ? header.data : header.data_v2)) return false;
    if (counts->values < 0 || counts->values > values_left_) return false;
    if (!seen_data_ && !check_place(offset)) return false;
    seen_data_ = true;
    values_left_ -= counts->values;
    return second ? check_v2(header, *counts) : !optional_ || counts->level_encoding == kRunLength;
  }

  // The first data page is where the footer says. Writers that do not mention a dictionary say
  // where the pages start.
  bool check_place(std::uint64_t offset) const {
    return chunk_.values == 0 || chunk_.first_data_page == offset ||
           chunk_.first_data_page == chunk_.start;
  }

  bool check_v2(const PageHeader& header, const PageCounts& counts) const {
    if (counts.rows != counts.values) return false;
    if (counts.nulls < 0 || counts.nulls > counts.values) return false;
    if (!optional_ && counts.nulls != 0) return false;
    // In a flat column nothing is repeated.
    if (counts.repetition_bytes != 0 || counts.definition_bytes < 0) return false;
    if (!optional_ && counts.definition_bytes != 0) return false;
    return counts.definition_bytes <= std::min(header.bytes, header.uncompressed_bytes);
  }

  const ParquetChunk& chunk_;
  bool optional_;
  std::uint64_t end_;
  PageWindow window_;
  std::int64_t values_left_;
  bool seen_data_ = false;
};

void check_column(const ParquetBytes& file, const ParquetFooter& footer, const std::string& name) {
  const auto column = std::ranges::find(footer.columns, name, &ParquetColumn::name);
  std::optional<std::size_t> leaf;
  if (column != footer.columns.end()) leaf = column->flat_leaf;
  if (!leaf) {
    throw Refusal{fmt::format("has no column {} with one value per row", lastbit::quote(name)),
                  "name another column"};
  }
  for (const ParquetRowGroup& group : footer.row_groups) {
    if (!PageWalk(file, group.chunks.at(*leaf), column->optional).adds_up()) {
      refuse_damaged(fmt::format("the pages of column {} do not add up to what the file says",
                                 lastbit::quote(name)));
    }
  }
}

}  // namespace
}  // namespace parquet_internal

void check_parquet_pages(const std::filesystem::path& path, const ParquetFooter& footer,
                         std::span<const std::string> columns) {
  parquet_internal::with_path(path, [&] {
    const parquet_internal::ParquetBytes file(path);
    if (file.size() != footer.file_bytes) {
      throw parquet_internal::Refusal{"has changed while it was read", "try again"};
    }
    for (const std::string& column : columns) parquet_internal::check_column(file, footer, column);
  });
}

}  // namespace lastbit::source
