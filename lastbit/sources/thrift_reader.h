// ThriftReader: Thrift's compact protocol, in which Parquet writes its footer and page headers.
//
// It trusts nothing: no count is believed before the bytes that it needs are there, so time and
// memory stay within a constant factor of the bytes given, whatever they are. It is stricter than
// Thrift where Thrift's readers differ: a field that is repeated, out of order or of the wrong type
// would be read by one and skipped by another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lastbit::source {

// ThriftError: why bytes are not what they should be.
enum class ThriftError {
  kCut,        // they end too early; more bytes may help
  kMalformed,  //
};

enum class ThriftType : std::uint8_t {
  kTrue = 1,  // a boolean field has its value in its type
  kFalse = 2,
  kByte = 3,
  kI16 = 4,
  kI32 = 5,
  kI64 = 6,
  kDouble = 7,
  kBinary = 8,
  kList = 9,
  kSet = 10,
  kMap = 11,
  kStruct = 12,
};

struct ThriftField {
  std::int16_t id;
  ThriftType type;
};

// Fails  every function throws a ThriftError, after which the reader is unusable.
class ThriftReader {
 public:
  // `bytes` must outlive the reader and every text that it returns.
  explicit ThriftReader(std::string_view bytes) : bytes_(bytes) {}

  // offset: how many bytes were read.
  std::size_t offset() const { return offset_; }

  // read_struct: calls `read(field)` for each field in turn. It reads the field's value, with the
  // functions below, and returns true; or it returns false, and the value is skipped.
  void read_struct(const auto& read) {
    enter();
    ThriftField field = {};
    while (next_field(field)) {
      if (!read(field)) skip(field.type);
    }
    leave();
  }
  // read_list: calls `read()` for each element of a list of `element`s, which must read it.
  void read_list(ThriftField field, ThriftType element, const auto& read) {
    for (std::size_t left = begin_list(field, element); left > 0; --left) read();
  }

  // The value of a field, which must have this type.
  std::uint8_t read_byte(ThriftField field);
  std::int32_t read_i32(ThriftField field);
  std::int64_t read_i64(ThriftField field);
  std::string_view read_binary(ThriftField field);
  static bool read_bool(ThriftField field);
  // read_binary: an element of a list.
  std::string_view read_binary();

 private:
  void enter();
  void leave() { --depth_; }
  // next_field: false at the end of the struct. `field` is the previous one, or {} at the start.
  bool next_field(ThriftField& field);
  std::size_t begin_list(ThriftField field, ThriftType element);
  void skip(ThriftType type);
  void skip_list();
  void skip_map();

  std::uint8_t take_byte();
  std::string_view take(std::uint64_t count);
  std::uint64_t take_varint();
  std::int64_t take_integer(std::int64_t least, std::int64_t greatest);
  std::size_t take_count(std::size_t least_bytes_each);

  std::string_view bytes_;
  std::size_t offset_ = 0;
  int depth_ = 0;
};

}  // namespace lastbit::source
