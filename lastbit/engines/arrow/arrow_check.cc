#include "lastbit/engines/arrow/arrow_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string_view>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/base/utf8.h"
#include "lastbit/engines/arrow/arrow_block.h"

namespace lastbit::engine {
namespace {

[[noreturn]] void refuse_stream(const std::string& source, const std::string& problem) {
  throw Error(ErrorCode::kBadInput, source, problem,
              "make it again with a program that writes Arrow's format as specified");
}

// check_sizes: lengths and offsets of any array. Places in buffers, in bits, then fit in 64 bits.
void check_sizes(const ArrowArray& array, const std::string& source, const std::string& column) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 256;
  const auto require = [&](bool holds, const char* problem) {
    if (!holds) refuse_column(source, column, problem);
  };
  require(array.release != nullptr, "was released before it was read");
  require(array.length >= 0 && array.length <= kMost, "has an impossible length");
  require(array.offset >= 0 && array.offset <= kMost - array.length, "has an impossible offset");
  require(array.null_count >= -1 && array.null_count <= array.length,
          "has an impossible number of missing values");
}

std::int64_t buffers_of(ArrowLayout layout) {
  if (layout == ArrowLayout::kNothing) return 0;
  return layout == ArrowLayout::kTexts || layout == ArrowLayout::kLongTexts ? 3 : 2;
}

// check_buffers: they are as many as the layout has, and those that fields are read from are there.
void check_buffers(const ArrowArray& array, ArrowLayout layout, const std::string& source,
                   const std::string& column) {
  const auto require = [&](bool holds, const char* problem) {
    if (!holds) refuse_column(source, column, problem);
  };
  const std::int64_t needed = buffers_of(layout);
  if (needed == 0) return;
  const bool views = layout == ArrowLayout::kTextViews;
  // Views have buffers of texts in between, and the sizes of these at the end.
  const bool right = views ? array.n_buffers >= 3 : array.n_buffers == needed;
  require(right && array.buffers != nullptr, "has not the buffers of its type");
  if (array.length == 0) return;
  require(array.buffers[1] != nullptr, "has no buffer of values");
  require(!views || array.n_buffers == 3 || array.buffers[array.n_buffers - 1] != nullptr,
          "has no sizes of its buffers");
  require(array.null_count <= 0 || array.buffers[0] != nullptr,
          "has missing values, but does not say which");
}

// check_fields: texts and codes, by reading them.
void check_fields(const ArrowArray& array, const ArrowColumn& column, const std::string& source) {
  constexpr std::size_t kBlock = 4096;
  ArrowBlock block(source, column, field_type(type_of(column)));
  const auto length = static_cast<std::size_t>(array.length);
  for (std::size_t first = 0; first < length; first += kBlock) {
    const ColumnBatch rows = block.read(array, first, std::min(kBlock, length - first));
    const auto* texts = std::get_if<std::span<const std::string_view>>(&rows.values);
    // The texts of a dictionary are checked by themselves.
    if (texts == nullptr || column.codes) continue;
    for (const std::string_view text : *texts) {
      if (first_invalid_utf8(text) == text.size()) continue;
      refuse_column(source, column.schema.name, "has a text that is not UTF-8");
    }
  }
}

void check_array(const ArrowArray& array, const ArrowColumn& column, const std::string& source) {
  const std::string& name = column.schema.name;
  check_sizes(array, source, name);
  if (!column.schema.type) return;
  check_buffers(array, column.codes.value_or(column.layout), source, name);
  if (column.codes) {
    if (array.dictionary == nullptr) refuse_column(source, name, "has no dictionary");
    ArrowColumn entries = column;
    entries.codes.reset();
    check_array(*array.dictionary, entries, source);
  }
  if (column.codes || is_text(column.layout)) check_fields(array, column, source);
}

// is_whole: whether no row of a batch is missing as a whole.
bool is_whole(const ArrowArray& batch) {
  const void* bits = batch.n_buffers == 1 && batch.buffers != nullptr ? batch.buffers[0] : nullptr;
  if (bits == nullptr) return true;
  for (std::int64_t bit = batch.offset; bit < batch.offset + batch.length; ++bit) {
    if ((static_cast<const std::uint8_t*>(bits)[bit / 8] >> (bit % 8) & 1) == 0) return false;
  }
  return true;
}

}  // namespace

std::vector<ArrowColumn> check_schema(const ArrowSchema& schema, const std::string& source) {
  if (schema.format == nullptr || std::string_view(schema.format) != "+s") {
    refuse_stream(source, "is not a table: its schema is no struct");
  }
  if (schema.n_children < 0 || (schema.n_children > 0 && schema.children == nullptr)) {
    refuse_stream(source, "has a schema without its columns");
  }
  std::vector<ArrowColumn> columns;
  std::set<std::string> names;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* child = schema.children[i];
    if (child == nullptr || child->release == nullptr) {
      refuse_stream(source, "has a schema without its columns");
    }
    const std::string& name = columns.emplace_back(arrow_column(*child)).schema.name;
    if (first_invalid_utf8(name) != name.size()) {
      refuse_stream(source, "has a column whose name is not UTF-8");
    }
    if (names.insert(name).second) continue;
    throw Error(ErrorCode::kBadInput, source, "has two columns that are called " + quote(name),
                "rename one of them");
  }
  return columns;
}

void check_batch(const ArrowArray& batch, std::span<const ArrowColumn> columns,
                 const std::string& source) {
  const auto require = [&](bool holds, const char* problem) {
    if (!holds) refuse_stream(source, problem);
  };
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 256;
  require(batch.length >= 0 && batch.offset >= 0 && batch.length <= kMost &&
              batch.offset <= kMost - batch.length,
          "has a batch with an impossible length or offset");
  require(batch.null_count <= 0 && is_whole(batch),
          "has a batch with rows that are missing as a whole");
  require(batch.n_children == std::ssize(columns) && (columns.empty() || batch.children != nullptr),
          "has a batch with other columns than its schema");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ArrowArray* child = batch.children[i];
    require(child != nullptr, "has a batch with other columns than its schema");
    check_array(*child, columns[i], source);
    if (child->length < batch.offset + batch.length) {
      refuse_column(source, columns[i].schema.name, "has fewer fields than its batch has rows");
    }
  }
}

}  // namespace lastbit::engine
