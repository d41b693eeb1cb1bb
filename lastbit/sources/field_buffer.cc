#include "lastbit/sources/field_buffer.h"

#include <optional>

#include "lastbit/release/file/field_text.h"

namespace lastbit::source {
namespace {

// Fills `values` and the validity with what `read` makes of each field.
template <class T, class Read>
FieldBatch read_all(std::span<const RawField> fields, std::vector<T>& values,
                    std::vector<std::uint64_t>& validity, Read read) {
  values.resize(fields.size());
  validity.assign((fields.size() + 63) / 64, 0);
  for (std::size_t row = 0; row < fields.size(); ++row) {
    const RawField& field = fields[row];
    if (!field) continue;
    const auto value = read(*field);
    if (!value) continue;
    values[row] = static_cast<T>(*value);
    validity[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  return {std::span<const T>(values), validity.data()};
}

}  // namespace

FieldBatch FieldBuffer::read(std::span<const RawField> fields, FieldType type) {
  switch (type) {
    case FieldType::kInteger:
      return read_all(fields, integers_, validity_, read_integer);
    case FieldType::kReal:
      return read_all(fields, reals_, validity_, read_real);
    case FieldType::kBoolean:
      return read_all(fields, integers_, validity_, read_boolean);
    case FieldType::kDate:
      return read_all(fields, integers_, validity_, read_date);
    case FieldType::kTimestamp:
      return read_all(fields, integers_, validity_, [&zone = type.zone()](std::string_view text) {
        return read_timestamp(text, zone);
      });
    case FieldType::kTime:
      return read_all(fields, integers_, validity_, read_time);
    case FieldType::kDecimal:
      return read_all(fields, wides_, validity_,
                      [decimals = type.decimals()](std::string_view text) {
                        return read_decimal(text, decimals);
                      });
    case FieldType::kUnsigned:
      return read_all(fields, wides_, validity_, read_unsigned);
    case FieldType::kText:
      break;
  }
  return read_all(fields, texts_, validity_,
                  [](std::string_view text) { return std::optional(text); });
}

}  // namespace lastbit::source
