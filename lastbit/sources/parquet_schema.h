// The schema part of a Parquet footer. For parquet_footer.cc and the page walk only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/sources/parquet_footer.h"
#include "lastbit/sources/thrift_reader.h"

namespace lastbit::source::parquet_internal {

// Refusal: why a file is refused. A caller that knows the path turns it into an Error.
struct Refusal {
  std::string problem;
  std::string remedy;
};
[[noreturn]] void refuse_damaged(std::string_view what);

enum class Physical : std::int32_t {
  kBoolean,
  kInt32,
  kInt64,
  kInt96,
  kFloat,
  kDouble,
  kBytes,
  kFixedBytes,
};

// Meaning: what the values of a physical type represent. Parquet has an older way to say it, the
// converted type, and a newer one, the logical type; both can be written as this.
struct Meaning {
  enum class Kind {
    kUnknown,  // newer than this reader
    kString,
    kMap,
    kList,
    kEnum,
    kDecimal,
    kDate,
    kTime,
    kTimestamp,
    kInteger,
    kNull,
    kJson,
    kBson,
    kUuid,
    kFloat16,
    kVariant,
    kGeometry,
    kInterval,
  };
  enum class Unit { kNone, kMillis, kMicros, kNanos };

  Kind kind = Kind::kUnknown;
  Unit unit = Unit::kNone;  // of times and timestamps
  int bits = 0;             // of integers
  bool is_signed = false;   //
  std::int32_t scale = 0;   // of decimals
  std::int32_t precision = 0;

  bool operator==(const Meaning&) const = default;
};

struct LogicalType {
  Meaning meaning;
  bool utc = false;  // of times and timestamps; the converted type does not say it
};

// SchemaElement: the root, a group of columns, or a leaf.
struct SchemaElement {
  std::string_view name;
  std::optional<std::int32_t> physical;
  std::optional<std::int32_t> length;
  std::optional<std::int32_t> repetition;
  std::optional<std::int32_t> children;
  std::optional<std::int32_t> converted;
  std::optional<std::int32_t> scale;
  std::optional<std::int32_t> precision;
  std::optional<LogicalType> logical;

  std::size_t parent = 0;        // the place of the group that contains it
  bool within_repeated = false;  // it or a group around it is repeated
};

// Schema: the elements in the order of the file, the root first, and the places of the leaves.
struct Schema {
  std::vector<SchemaElement> elements;
  std::vector<std::size_t> leaves;
};

LogicalType read_logical_type(ThriftReader& reader);
// read_schema: the elements, whose counts of children make one tree.
Schema read_schema(ThriftReader& reader, ThriftField field);
// top_columns: those below the root.
std::vector<ParquetColumn> top_columns(const Schema& schema);
// leaf_type: the name of the type of a leaf that is not repeated.
std::string leaf_type(const SchemaElement& leaf);
// group_type: the name of the type of a group of columns.
std::string group_type(const SchemaElement& group);

// ParquetBytes: a file, for reading at any place.
class ParquetBytes {
 public:
  explicit ParquetBytes(const std::filesystem::path& path);
  ParquetBytes(const ParquetBytes&) = delete;
  ParquetBytes& operator=(const ParquetBytes&) = delete;
  ~ParquetBytes();

  std::uint64_t size() const { return size_; }
  // read: exactly `count` bytes from `offset` on.
  std::string read(std::uint64_t offset, std::size_t count) const;

 private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

// with_path: what `action` returns; its refusals name the file.
[[noreturn]] void throw_refusal(const std::filesystem::path& path, const Refusal& refusal);
auto with_path(const std::filesystem::path& path, const auto& action) {
  try {
    return action();
  } catch (const Refusal& refusal) {
    throw_refusal(path, refusal);
  }
}

}  // namespace lastbit::source::parquet_internal
