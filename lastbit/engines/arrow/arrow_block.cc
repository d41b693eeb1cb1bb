#include "lastbit/engines/arrow/arrow_block.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "lastbit/base/error.h"
#include "lastbit/base/text.h"
#include "lastbit/engines/kernel/instant_field.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "whole numbers are in native order");

// The entry of a buffer at a place; buffers need not be aligned.
template <class T>
T entry_at(const void* buffer, std::size_t place) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + place * sizeof(T), sizeof(T));
  return value;
}

std::size_t start_of(const ArrowArray& array, std::size_t first) {
  return static_cast<std::size_t>(array.offset) + first;
}

template <class T, class Value>
void copy_entries(const void* buffer, std::size_t start, std::vector<Value>& values) {
  for (std::size_t row = 0; row < values.size(); ++row) {
    // Numbers of 8 bits are no characters: NOLINTNEXTLINE(bugprone-signed-char-misuse)
    values[row] = static_cast<Value>(entry_at<T>(buffer, start + row));
  }
}

// read_integers: whole numbers of up to 64 bits; those without a sign become negative from 2^63 on.
void read_integers(const ArrowArray& array, ArrowLayout layout, std::size_t first,
                   std::vector<std::int64_t>& values) {
  if (layout == ArrowLayout::kNothing) return values.assign(values.size(), 0);
  const void* buffer = array.buffers[1];
  const std::size_t start = start_of(array, first);
  switch (layout) {
    case ArrowLayout::kBits:
      for (std::size_t row = 0; row < values.size(); ++row) {
        const std::size_t bit = start + row;
        values[row] = entry_at<std::uint8_t>(buffer, bit / 8) >> (bit % 8) & 1;
      }
      return;
    case ArrowLayout::kInt8:
      return copy_entries<std::int8_t>(buffer, start, values);
    case ArrowLayout::kInt16:
      return copy_entries<std::int16_t>(buffer, start, values);
    case ArrowLayout::kInt32:
      return copy_entries<std::int32_t>(buffer, start, values);
    case ArrowLayout::kUInt8:
      return copy_entries<std::uint8_t>(buffer, start, values);
    case ArrowLayout::kUInt16:
      return copy_entries<std::uint16_t>(buffer, start, values);
    case ArrowLayout::kUInt32:
      return copy_entries<std::uint32_t>(buffer, start, values);
    case ArrowLayout::kInt64:
    case ArrowLayout::kUInt64:
      return copy_entries<std::int64_t>(buffer, start, values);
    default:
      invariant(false, "the layout is one of whole numbers");
  }
}

// The double that equals a binary16 with these bits.
double half_to_double(std::uint16_t bits) {
  const std::uint64_t exponent = bits >> 10 & 0x1f;
  const int digits = bits & 0x3ff;
  double size = 0;
  if (exponent == 0x1f) {
    size = digits == 0 ? std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
  } else {
    // Both factors and their product are doubles. The second is 2^(exponent - 25).
    const std::uint64_t power = (exponent == 0 ? 1 : exponent) + 1023 - 25;
    size = (exponent == 0 ? digits : digits + 0x400) * std::bit_cast<double>(power << 52);
  }
  return bits >> 15 != 0 ? -size : size;
}

constexpr bool fits_in_64(Int128 number) {
  return number >= std::numeric_limits<std::int64_t>::min() &&
         number <= std::numeric_limits<std::int64_t>::max();
}

}  // namespace

void refuse_column(const std::string& source, const std::string& column, const char* problem) {
  throw Error(ErrorCode::kBadInput, source, "has a column " + quote(column) + " that " + problem,
              "make it again with a program that writes Arrow's format as specified");
}

struct ArrowBlock::Entries {
  explicit Entries(const ArrowBlock& codes)
      : column(codes.column_), block(codes.source_, column, codes.wanted_) {
    column.codes.reset();
  }
  ArrowColumn column;  // without codes
  ArrowBlock block;
  const ArrowArray* array = nullptr;
  ColumnBatch all = {};
};

ArrowBlock::ArrowBlock(const std::string& source, const ArrowColumn& column, FieldType wanted)
    : source_(source), column_(column), wanted_(wanted) {}
ArrowBlock::~ArrowBlock() = default;

void ArrowBlock::read_validity(const ArrowArray& array, std::size_t first, std::size_t rows) {
  validity_.clear();
  if (column_.layout == ArrowLayout::kNothing && !column_.codes) {
    validity_.assign((rows + 7) / 8, 0);
    return;
  }
  const void* bits = array.buffers[0];
  if (bits == nullptr) return;
  const std::size_t start = start_of(array, first);
  const std::size_t end = (start + rows + 7) / 8;
  validity_.resize((rows + 7) / 8);
  for (std::size_t i = 0; i < validity_.size(); ++i) {
    const std::size_t byte = start / 8 + i;
    unsigned both = entry_at<std::uint8_t>(bits, byte);
    if (byte + 1 < end) both |= static_cast<unsigned>(entry_at<std::uint8_t>(bits, byte + 1)) << 8;
    validity_[i] = static_cast<std::uint8_t>(both >> (start % 8));
  }
}

void ArrowBlock::set_missing(std::size_t row) {
  validity_[row / 8] &= static_cast<std::uint8_t>(~(1U << (row % 8)));
}

ColumnBatch ArrowBlock::batch(ColumnValues values, std::size_t rows) const {
  return {rows, values, {validity_, 0}};
}

ColumnBatch ArrowBlock::read(const ArrowArray& array, std::size_t first, std::size_t rows) {
  read_validity(array, first, rows);
  if (column_.codes) return read_coded(array, *column_.codes, first, rows);
  return read_values(array, first, rows);
}

template <class Map>
ColumnBatch ArrowBlock::map_integers(std::size_t rows, Map map) {
  if (validity_.empty()) validity_.assign((rows + 7) / 8, 0xff);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::optional<std::int64_t> value = map(row);
    integers_[row] = value.value_or(0);
    if (!value) set_missing(row);
  }
  return batch(std::span<const std::int64_t>(integers_), rows);
}

ColumnBatch ArrowBlock::read_values(const ArrowArray& array, std::size_t first, std::size_t rows) {
  const ArrowLayout layout = column_.layout;
  const ColumnType type = type_of(column_);
  if (is_text(layout)) return read_texts(array, first, rows);
  if (type.kind == ColumnKind::kFloat || type.kind == ColumnKind::kDouble) {
    return read_reals(array, first, rows);
  }
  integers_.resize(rows);
  const bool wide = layout == ArrowLayout::kInt128 || layout == ArrowLayout::kInt256;
  if (wide || type.kind == ColumnKind::kDecimal || type.kind == ColumnKind::kUnsigned) {
    return read_wides(array, first, rows);
  }
  read_integers(array, layout, first, integers_);
  switch (type.kind) {
    case ColumnKind::kDate:
      return map_integers(rows, [&](std::size_t row) {
        constexpr std::int64_t kDayMillis = kDayMicros / 1000;
        const std::int64_t number = integers_[row];
        if (!column_.is_milliseconds) return day_field(number);
        return day_field(number / kDayMillis - (number % kDayMillis < 0 ? 1 : 0));
      });
    case ColumnKind::kTime:
      return map_integers(rows,
                          [&](std::size_t row) { return time_field(integers_[row], type.scale); });
    case ColumnKind::kTimestamp:
    case ColumnKind::kLocalTime: {
      const TimeZone* zone = type.kind == ColumnKind::kLocalTime ? &wanted_.zone() : nullptr;
      return map_integers(
          rows, [&](std::size_t row) { return instant_field(integers_[row], type.scale, zone); });
    }
    default:
      return batch(std::span<const std::int64_t>(integers_), rows);
  }
}

ColumnBatch ArrowBlock::read_reals(const ArrowArray& array, std::size_t first, std::size_t rows) {
  const void* buffer = array.buffers[1];
  const std::size_t start = start_of(array, first);
  reals_.resize(rows);
  if (column_.layout == ArrowLayout::kDouble) {
    copy_entries<double>(buffer, start, reals_);
  } else if (column_.layout == ArrowLayout::kFloat) {
    copy_entries<float>(buffer, start, reals_);  // exact
  } else {
    for (std::size_t row = 0; row < rows; ++row) {
      reals_[row] = half_to_double(entry_at<std::uint16_t>(buffer, start + row));
    }
  }
  return batch(std::span<const double>(reals_), rows);
}

// Decimals and unsigned numbers.
ColumnBatch ArrowBlock::read_wides(const ArrowArray& array, std::size_t first, std::size_t rows) {
  const ColumnType type = type_of(column_);
  const void* buffer = array.buffers[1];
  const std::size_t start = start_of(array, first);
  wides_.resize(rows);
  if (column_.layout == ArrowLayout::kUInt64) {
    copy_entries<std::uint64_t>(buffer, start, wides_);
  } else if (column_.layout == ArrowLayout::kInt128) {
    copy_entries<Int128>(buffer, start, wides_);
  } else if (column_.layout == ArrowLayout::kInt256) {
    for (std::size_t row = 0; row < rows; ++row) {
      const Int128 low = entry_at<Int128>(buffer, 2 * (start + row));
      const Int128 high = entry_at<Int128>(buffer, 2 * (start + row) + 1);
      // What does not fit becomes something that is refused below.
      wides_[row] = high == (low < 0 ? -1 : 0) ? low : kDecimalEnd;
    }
  } else {
    read_integers(array, column_.layout, first, integers_);
    wides_.assign(integers_.begin(), integers_.end());
  }
  if (wanted_ == FieldType::kInteger) {
    return map_integers(rows, [&](std::size_t row) {
      const Int128 number = wides_[row];
      return fits_in_64(number) ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
    });
  }
  if (validity_.empty()) validity_.assign((rows + 7) / 8, 0xff);
  for (std::size_t row = 0; row < rows; ++row) {
    // An array may hold more digits than its type has.
    const bool fits = wides_[row] < kDecimalEnd && wides_[row] > -kDecimalEnd;
    if (!fits) set_missing(row);
  }
  if (wanted_ != FieldType::kReal) return batch(std::span<const Int128>(wides_), rows);
  reals_.resize(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    reals_[row] = is_there(row) ? decimal_to_double(wides_[row], type.scale) : 0;
  }
  return batch(std::span<const double>(reals_), rows);
}

template <class Offset>
void ArrowBlock::read_offsets(const ArrowArray& array, std::size_t first, std::size_t rows) {
  const std::size_t start = start_of(array, first);
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = entry_at<Offset>(array.buffers[1], start + row);
    const auto end = entry_at<Offset>(array.buffers[1], start + row + 1);
    if (begin < 0 || end < begin) {
      refuse_column(source_, column_.schema.name, "has offsets of texts that do not ascend");
    }
    if (!is_there(row) || begin == end) continue;
    if (bytes == nullptr) refuse_column(source_, column_.schema.name, "has texts without a buffer");
    texts_[row] = {bytes + begin, static_cast<std::size_t>(end - begin)};
  }
}

// A view is a length of 32 bits, and then up to 12 bytes of text, or the first four bytes, the
// number of a buffer, and an offset in it.
void ArrowBlock::read_views(const ArrowArray& array, std::size_t first, std::size_t rows) {
  constexpr std::size_t kViewBytes = 16;
  constexpr std::int32_t kMostInside = 12;
  const auto require = [&](bool holds) {
    if (holds) return;
    refuse_column(source_, column_.schema.name, "has a view outside of its buffers");
  };
  const auto* views =
      static_cast<const char*>(array.buffers[1]) + start_of(array, first) * kViewBytes;
  const std::int64_t buffers = array.n_buffers - 3;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_there(row)) continue;
    const char* view = views + row * kViewBytes;
    const auto length = entry_at<std::int32_t>(view, 0);
    require(length >= 0);
    if (length <= kMostInside) {
      texts_[row] = {view + 4, static_cast<std::size_t>(length)};
      continue;
    }
    const auto number = entry_at<std::int32_t>(view, 2);
    const std::int64_t offset = entry_at<std::int32_t>(view, 3);
    require(number >= 0 && number < buffers && offset >= 0);
    const auto place = static_cast<std::size_t>(number);
    const auto size = entry_at<std::int64_t>(array.buffers[array.n_buffers - 1], place);
    const auto* bytes = static_cast<const char*>(array.buffers[2 + place]);
    require(bytes != nullptr && offset + length <= size);
    texts_[row] = {bytes + offset, static_cast<std::size_t>(length)};
  }
}

ColumnBatch ArrowBlock::read_texts(const ArrowArray& array, std::size_t first, std::size_t rows) {
  texts_.assign(rows, {});
  if (column_.layout == ArrowLayout::kTexts) {
    read_offsets<std::int32_t>(array, first, rows);
  } else if (column_.layout == ArrowLayout::kLongTexts) {
    read_offsets<std::int64_t>(array, first, rows);
  } else {
    read_views(array, first, rows);
  }
  return batch(std::span<const std::string_view>(texts_), rows);
}

ColumnBatch ArrowBlock::read_coded(const ArrowArray& array, ArrowLayout layout, std::size_t first,
                                   std::size_t rows) {
  const ArrowArray& dictionary = *array.dictionary;
  const auto size = static_cast<std::size_t>(dictionary.length);
  if (entries_ == nullptr) entries_ = std::make_unique<Entries>(*this);
  Entries& entries = *entries_;
  if (entries.array != &dictionary) {
    entries.all = entries.block.read(dictionary, 0, size);
    entries.array = &dictionary;
  }
  std::vector<std::int64_t> codes(rows);
  read_integers(array, layout, first, codes);
  if (validity_.empty()) validity_.assign((rows + 7) / 8, 0xff);
  const auto gather = [&]<class T>(std::span<const T> all, std::vector<T>& values) -> ColumnBatch {
    values.assign(rows, T());
    for (std::size_t row = 0; row < rows; ++row) {
      if (!is_there(row)) continue;
      const auto code = static_cast<std::size_t>(codes[row]);
      if (code >= size) {
        refuse_column(source_, column_.schema.name, "has a code outside of its dictionary");
      }
      values[row] = all[code];
      if (!entries.block.is_there(code)) set_missing(row);
    }
    return batch(std::span<const T>(values), rows);
  };
  const ColumnValues& all = entries.all.values;
  if (const auto* integers = std::get_if<std::span<const std::int64_t>>(&all)) {
    return gather(*integers, integers_);
  }
  if (const auto* wides = std::get_if<std::span<const Int128>>(&all)) {
    return gather(*wides, wides_);
  }
  if (const auto* reals = std::get_if<std::span<const double>>(&all)) {
    return gather(*reals, reals_);
  }
  return gather(std::get<std::span<const std::string_view>>(all), texts_);
}

}  // namespace lastbit::engine
