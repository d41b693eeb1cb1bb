#include "lastbit/sources/thrift_reader.h"

#include <limits>

namespace lastbit::source {
namespace {

// Parquet needs 7. Skipping recurses, so there must be a limit.
constexpr int kMaxDepth = 32;

void require(bool holds) {
  if (!holds) throw ThriftError::kMalformed;
}

ThriftType checked_type(unsigned nibble) {
  if (nibble < 1 || nibble > 12) throw ThriftError::kMalformed;
  return static_cast<ThriftType>(nibble);
}

}  // namespace

void ThriftReader::enter() { require(++depth_ <= kMaxDepth); }

std::uint8_t ThriftReader::take_byte() {
  if (offset_ == bytes_.size()) throw ThriftError::kCut;
  return static_cast<std::uint8_t>(bytes_[offset_++]);
}

std::string_view ThriftReader::take(std::uint64_t count) {
  if (count > bytes_.size() - offset_) throw ThriftError::kCut;
  const std::string_view taken = bytes_.substr(offset_, count);
  offset_ += count;
  return taken;
}

std::uint64_t ThriftReader::take_varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    const std::uint64_t byte = take_byte();
    // The tenth byte has room for one bit.
    require(shift < 63 || byte <= 1);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw ThriftError::kMalformed;
}

std::int64_t ThriftReader::take_integer(std::int64_t least, std::int64_t greatest) {
  const std::uint64_t zigzag = take_varint();
  const auto value = static_cast<std::int64_t>((zigzag >> 1) ^ (~(zigzag & 1) + 1));
  require(value >= least && value <= greatest);
  return value;
}

std::size_t ThriftReader::take_count(std::size_t least_bytes_each) {
  const std::uint64_t count = take_varint();
  require(count <= std::uint64_t{std::numeric_limits<std::int32_t>::max()});
  if (count > (bytes_.size() - offset_) / least_bytes_each) throw ThriftError::kCut;
  return count;
}

bool ThriftReader::next_field(ThriftField& field) {
  const unsigned head = take_byte();
  if (head == 0) return false;
  const auto step = static_cast<int>(head >> 4);
  constexpr int kMaxId = std::numeric_limits<std::int16_t>::max();
  const int id = step != 0 ? field.id + step : static_cast<int>(take_integer(1, kMaxId));
  // All writers write increasing ids, so none is repeated.
  require(id > field.id && id <= kMaxId);
  field = {static_cast<std::int16_t>(id), checked_type(head & 0xf)};
  return true;
}

std::size_t ThriftReader::begin_list(ThriftField field, ThriftType element) {
  require(field.type == ThriftType::kList);
  const unsigned head = take_byte();
  std::size_t count = head >> 4;
  if (count == 15) count = take_count(1);
  require(count == 0 || checked_type(head & 0xf) == element);
  return count;
}

std::uint8_t ThriftReader::read_byte(ThriftField field) {
  require(field.type == ThriftType::kByte);
  return take_byte();
}

std::int32_t ThriftReader::read_i32(ThriftField field) {
  require(field.type == ThriftType::kI32);
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(take_integer(Limits::min(), Limits::max()));
}

std::int64_t ThriftReader::read_i64(ThriftField field) {
  require(field.type == ThriftType::kI64);
  using Limits = std::numeric_limits<std::int64_t>;
  return take_integer(Limits::min(), Limits::max());
}

std::string_view ThriftReader::read_binary(ThriftField field) {
  require(field.type == ThriftType::kBinary);
  return read_binary();
}

std::string_view ThriftReader::read_binary() { return take(take_count(1)); }

bool ThriftReader::read_bool(ThriftField field) {
  require(field.type == ThriftType::kTrue || field.type == ThriftType::kFalse);
  return field.type == ThriftType::kTrue;
}

void ThriftReader::skip(ThriftType type) {
  switch (type) {
    case ThriftType::kTrue:
    case ThriftType::kFalse:
      return;
    case ThriftType::kByte:
      take_byte();
      return;
    case ThriftType::kI16:
    case ThriftType::kI32:
    case ThriftType::kI64:
      take_varint();
      return;
    case ThriftType::kDouble:
      take(8);
      return;
    case ThriftType::kBinary:
      read_binary();
      return;
    case ThriftType::kList:
    case ThriftType::kSet:
      skip_list();
      return;
    case ThriftType::kMap:
      skip_map();
      return;
    case ThriftType::kStruct:
      read_struct([](ThriftField) { return false; });
      return;
  }
  throw ThriftError::kMalformed;
}

void ThriftReader::skip_list() {
  enter();
  const unsigned head = take_byte();
  std::size_t count = head >> 4;
  if (count == 15) count = take_count(1);
  for (; count > 0; --count) {
    const ThriftType type = checked_type(head & 0xf);
    // In a list a boolean takes a byte.
    const bool boolean = type == ThriftType::kTrue || type == ThriftType::kFalse;
    skip(boolean ? ThriftType::kByte : type);
  }
  leave();
}

void ThriftReader::skip_map() {
  enter();
  std::size_t count = take_count(2);
  const unsigned types = count == 0 ? 0 : take_byte();
  for (; count > 0; --count) {
    for (const unsigned nibble : {types >> 4, types & 0xf}) {
      const ThriftType type = checked_type(nibble);
      const bool boolean = type == ThriftType::kTrue || type == ThriftType::kFalse;
      skip(boolean ? ThriftType::kByte : type);
    }
  }
  leave();
}

}  // namespace lastbit::source
