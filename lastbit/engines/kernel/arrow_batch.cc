#include "lastbit/engines/kernel/arrow_batch.h"

#include <algorithm>

#include "lastbit/base/error.h"
#include "lastbit/base/utf8.h"
#include "lastbit/engines/kernel/instant_field.h"

namespace lastbit::engine {
namespace {

void require_batch(bool holds, const char* problem) {
  if (holds) return;
  throw Error(ErrorCode::kBadInput, "batch of rows", problem,
              "make it again with a program that writes the format as specified");
}

void require_utf8(std::string_view text) {
  require_batch(first_invalid_utf8(text) == text.size(), "has a text that is not UTF-8");
}

bool bit_at(const BitColumn& bits, std::size_t row) {
  const std::size_t bit = bits.offset + row;
  return (bits.bytes[bit / 8] >> (bit % 8) & 1) != 0;
}

void require_bits(const BitColumn& bits, std::size_t rows) {
  const std::size_t room = bits.bytes.size() * 8;
  require_batch(bits.offset <= room && rows <= room - bits.offset, "has fewer bits than rows");
}

}  // namespace

void ColumnReader::read_validity(const ColumnBatch& batch) {
  validity_.clear();
  if (batch.validity.bytes.empty()) return;
  require_bits(batch.validity, batch.rows);
  validity_.assign((batch.rows + 63) / 64, 0);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    validity_[row / 64] |= std::uint64_t{bit_at(batch.validity, row)} << (row % 64);
  }
}

template <class Offsets>
FieldBatch ColumnReader::read_offsets(const Offsets& texts, std::size_t rows) {
  require_batch(texts.offsets.size() > rows, "has fewer offsets than rows");
  texts_.assign(rows, {});
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_there(row)) continue;
    const auto begin = texts.offsets[row];
    const auto end = texts.offsets[row + 1];
    require_batch(begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= texts.bytes.size(),
                  "has an offset outside of its texts");
    texts_[row] =
        texts.bytes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    require_utf8(texts_[row]);
  }
  return {std::span<const std::string_view>(texts_), validity()};
}

FieldBatch ColumnReader::read_codes(const DictionaryTexts& texts, std::size_t rows) {
  require_batch(texts.codes.size() >= rows, "has fewer codes than rows");
  std::ranges::for_each(texts.texts, require_utf8);
  texts_.assign(rows, {});
  for (std::size_t row = 0; row < rows; ++row) {
    if (!is_there(row)) continue;
    const std::int32_t code = texts.codes[row];
    require_batch(code >= 0 && static_cast<std::size_t>(code) < texts.texts.size(),
                  "has a code outside of its dictionary");
    texts_[row] = texts.texts[static_cast<std::size_t>(code)];
  }
  return {std::span<const std::string_view>(texts_), validity()};
}

FieldBatch ColumnReader::read(const ColumnBatch& batch) {
  const std::size_t rows = batch.rows;
  read_validity(batch);
  if (const auto* texts = std::get_if<TextOffsets>(&batch.values)) {
    return read_offsets(*texts, rows);
  }
  if (const auto* texts = std::get_if<LongTextOffsets>(&batch.values)) {
    return read_offsets(*texts, rows);
  }
  if (const auto* texts = std::get_if<DictionaryTexts>(&batch.values)) {
    return read_codes(*texts, rows);
  }
  if (const auto* bits = std::get_if<BitColumn>(&batch.values)) {
    require_bits(*bits, rows);
    integers_.resize(rows);
    for (std::size_t row = 0; row < rows; ++row) integers_[row] = bit_at(*bits, row) ? 1 : 0;
    return {std::span<const std::int64_t>(integers_), validity()};
  }
  if (const auto* days = std::get_if<DayColumn>(&batch.values)) {
    require_batch(days->days.size() >= rows, "has fewer days than rows");
    integers_.resize(rows);
    if (validity_.empty()) validity_.assign((rows + 63) / 64, ~std::uint64_t{0});
    for (std::size_t row = 0; row < rows; ++row) {
      integers_[row] = days->days[row];
      if (!day_field(days->days[row])) validity_[row / 64] &= ~(std::uint64_t{1} << (row % 64));
    }
    return {std::span<const std::int64_t>(integers_), validity()};
  }
  const auto plain = [&]<class T>(const T& values) -> FieldBatch {
    if constexpr (requires { FieldBatch::Values(values); }) {
      require_batch(values.size() >= rows, "has fewer values than rows");
      if constexpr (std::is_same_v<T, std::span<const std::string_view>>) {
        for (std::size_t row = 0; row < rows; ++row) {
          if (is_there(row)) require_utf8(values[row]);
        }
      }
      return {values.first(rows), validity()};
    } else {
      invariant(false, "the other forms are read above");
      return {};
    }
  };
  return std::visit(plain, batch.values);
}

}  // namespace lastbit::engine
