#include "lastbit/sources/field_buffer.h"

#include <optional>

#include "lastbit/release/fields/field_text.h"

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

FieldBatch FieldBuffer::read(std::span<const RawField> fields, FieldType type,
                             const FieldNotation& notation) {
  if (notation != FieldNotation{}) return read_noted(fields, type, notation);
  switch (type) {
    case FieldType::kInteger:
      return read_all(fields, integers_, validity_,
                      [](std::string_view text) { return read_integer(text); });
    case FieldType::kReal:
      return read_all(fields, reals_, validity_,
                      [](std::string_view text) { return read_real(text); });
    case FieldType::kBoolean:
      return read_all(fields, integers_, validity_,
                      [](std::string_view text) { return read_boolean(text); });
    case FieldType::kDate:
      return read_all(fields, integers_, validity_,
                      [](std::string_view text) { return read_date(text); });
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
      return read_all(fields, wides_, validity_,
                      [](std::string_view text) { return read_unsigned(text); });
    case FieldType::kText:
      break;
  }
  return read_all(fields, texts_, validity_,
                  [](std::string_view text) { return std::optional(text); });
}

FieldBatch FieldBuffer::read_noted(std::span<const RawField> fields, FieldType type,
                                   const FieldNotation& notation) {
  const auto all = [&](auto& values, auto read) {
    return read_all(fields, values, validity_, [&](std::string_view text) { return read(text); });
  };
  switch (type) {
    case FieldType::kInteger:
      return all(integers_, [&](std::string_view text) { return read_integer(text, notation); });
    case FieldType::kReal:
      return all(reals_, [&](std::string_view text) { return read_real(text, notation); });
    case FieldType::kBoolean:
      return all(integers_, [&](std::string_view text) { return read_boolean(text, notation); });
    case FieldType::kDate:
      return all(integers_, [&](std::string_view text) { return read_date(text, notation); });
    case FieldType::kTimestamp:
      return all(integers_, [&](std::string_view text) {
        return read_timestamp(text, type.zone(), notation);
      });
    case FieldType::kDecimal:
      return all(wides_, [&](std::string_view text) {
        return read_decimal(text, type.decimals(), notation);
      });
    case FieldType::kUnsigned:
      return all(wides_, [&](std::string_view text) { return read_unsigned(text, notation); });
    case FieldType::kTime:
    case FieldType::kText:
      break;
  }
  return read(fields, type);
}

}  // namespace lastbit::source
