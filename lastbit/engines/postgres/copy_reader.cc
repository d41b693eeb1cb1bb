#include "lastbit/engines/postgres/copy_reader.h"

#include <bit>
#include <limits>
#include <optional>
#include <utility>

#include "lastbit/base/error.h"
#include "lastbit/engines/kernel/instant_field.h"
#include "lastbit/engines/postgres/wire_bytes.h"
#include "lastbit/engines/postgres/wire_numeric.h"
#include "lastbit/release/fields/field_text.h"

namespace lastbit::engine {
namespace {

constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);
// The signature, flags, and the length of an extension.
constexpr std::size_t kHeaderBytes = kSignature.size() + 8;
// A batch ends when it has so many rows, or so much text.
constexpr std::size_t kBatchRows = 8192;
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;
constexpr std::int64_t kEpochDays = 10'957;  // from 1970-01-01 to 2000-01-01

std::string uuid_text(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// size_of: how many bytes a value has; nothing if that differs.
std::optional<std::size_t> size_of(WireForm form) {
  switch (form) {
    case WireForm::kBool:
      return 1;
    case WireForm::kInt2:
      return 2;
    case WireForm::kInt4:
    case WireForm::kFloat4:
    case WireForm::kDate:
      return 4;
    case WireForm::kInt8:
    case WireForm::kFloat8:
    case WireForm::kTime:
    case WireForm::kTimestamp:
      return 8;
    case WireForm::kUuid:
      return 16;
    default:
      return std::nullopt;
  }
}

// day_of, instant_of: infinity is the largest number, and minus infinity the smallest.
std::optional<std::int64_t> day_of(std::int32_t days) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (days == Limits::max() || days == Limits::min()) return std::nullopt;
  return day_field(days + kEpochDays);
}

std::optional<std::int64_t> instant_of(std::int64_t micros, const TimeZone* zone) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (micros == Limits::max() || micros == Limits::min()) return std::nullopt;
  std::int64_t since_1970 = 0;
  if (__builtin_add_overflow(micros, kEpochDays * kDayMicros, &since_1970)) return std::nullopt;
  return instant_field(since_1970, 6, zone);
}

// put: the value, or 0 where there is none; whether there is one.
bool put(std::vector<std::int64_t>& values, std::optional<std::int64_t> value) {
  values.push_back(value.value_or(0));
  return value.has_value();
}

}  // namespace

CopyReader::CopyReader(std::string place, const std::vector<CopyColumn>& columns, TakeBatch take)
    : place_(std::move(place)), take_(std::move(take)) {
  for (const CopyColumn& column : columns) {
    columns_.emplace_back();
    columns_.back().what = column;
    columns_.back().store = store_of(column);
  }
  batch_.resize(columns_.size());
}

void CopyReader::refuse() const {
  throw Error(ErrorCode::kBadInput, place_,
              "the server sent rows that are not of the table's types",
              "look whether something between here and the server changes what it sends");
}

void CopyReader::add(std::string_view bytes) {
  if (!left_.empty()) {
    left_ += bytes;
    bytes = left_;
  }
  std::size_t done = 0;
  while (done < bytes.size()) {
    const std::size_t read = read_some(bytes.substr(done));
    if (read == 0) break;
    done += read;
  }
  std::string rest(bytes.substr(done));
  left_ = std::move(rest);
}

void CopyReader::finish() {
  if (state_ != State::kEnd || !left_.empty()) refuse();
  if (rows_ > 0) give();
}

// read_some: how many bytes were read; 0 if more are needed.
std::size_t CopyReader::read_some(std::string_view bytes) {
  if (state_ == State::kHeader) return read_header(bytes);
  if (state_ == State::kEnd) refuse();
  return read_row(bytes);
}

std::size_t CopyReader::read_header(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return 0;
  const auto flags = wire_integer<std::uint32_t>(bytes.substr(kSignature.size()));
  const auto extension = wire_integer<std::uint32_t>(bytes.substr(kSignature.size() + 4));
  if (!bytes.starts_with(kSignature) || flags != 0 || extension != 0) refuse();
  state_ = State::kRows;
  return kHeaderBytes;
}

std::size_t CopyReader::read_row(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  const auto count = wire_integer<std::int16_t>(bytes);
  if (count == -1) {
    state_ = State::kEnd;
    return 2;
  }
  if (count < 0 || static_cast<std::size_t>(count) != columns_.size()) refuse();
  // The whole row is there before any of it is kept.
  std::size_t end = 2;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (bytes.size() - end < 4) return 0;
    const auto length = wire_integer<std::int32_t>(bytes.substr(end));
    end += 4;
    if (length < -1) refuse();
    if (length == -1) continue;
    const auto size = static_cast<std::size_t>(length);
    if (bytes.size() - end < size) return 0;
    end += size;
  }
  std::size_t at = 2;
  for (Column& column : columns_) {
    const auto length = wire_integer<std::int32_t>(bytes.substr(at));
    at += 4;
    if (rows_ % 8 == 0) column.validity.push_back(0);
    if (length == -1) {
      read_missing(column);
      continue;
    }
    const auto size = static_cast<std::size_t>(length);
    if (read_value(column, bytes.substr(at, size))) {
      column.validity.back() |= static_cast<std::uint8_t>(1U << (rows_ % 8));
    }
    at += size;
    text_bytes_ += size;
  }
  ++rows_;
  if (rows_ == kBatchRows || text_bytes_ >= kBatchBytes) give();
  return end;
}

CopyReader::Store CopyReader::store_of(const CopyColumn& column) {
  switch (column.form) {
    case WireForm::kText:
    case WireForm::kPaddedText:
    case WireForm::kUuid:
      return Store::kTexts;
    case WireForm::kFloat4:
    case WireForm::kFloat8:
      return Store::kReals;
    case WireForm::kNumeric:
      if (column.wanted == FieldType::kReal) return Store::kReals;
      return column.wanted == FieldType::kInteger ? Store::kIntegers : Store::kWides;
    default:
      return Store::kIntegers;
  }
}

bool CopyReader::read_missing(Column& column) {
  switch (column.store) {
    case Store::kIntegers:
      column.integers.push_back(0);
      break;
    case Store::kWides:
      column.wides.push_back(0);
      break;
    case Store::kReals:
      column.reals.push_back(0);
      break;
    case Store::kTexts:
      column.offsets.push_back(column.offsets.back());
      break;
  }
  return false;
}

bool CopyReader::read_value(Column& column, std::string_view bytes) const {
  const auto size = size_of(column.what.form);
  if (size && bytes.size() != *size) refuse();
  switch (column.what.form) {
    case WireForm::kBool:
      if (bytes[0] != 0 && bytes[0] != 1) refuse();
      return put(column.integers, bytes[0]);
    case WireForm::kInt2:
      return put(column.integers, wire_integer<std::int16_t>(bytes));
    case WireForm::kInt4:
      return put(column.integers, wire_integer<std::int32_t>(bytes));
    case WireForm::kInt8:
      return put(column.integers, wire_integer<std::int64_t>(bytes));
    case WireForm::kFloat4:
      column.reals.push_back(std::bit_cast<float>(wire_integer<std::uint32_t>(bytes)));
      return true;
    case WireForm::kFloat8:
      column.reals.push_back(std::bit_cast<double>(wire_integer<std::uint64_t>(bytes)));
      return true;
    case WireForm::kDate:
      return put(column.integers, day_of(wire_integer<std::int32_t>(bytes)));
    case WireForm::kTime:
      return put(column.integers, time_field(wire_integer<std::int64_t>(bytes), 6));
    case WireForm::kTimestamp: {
      const bool local = column.what.type.kind == ColumnKind::kLocalTime;
      const TimeZone* zone = local ? &column.what.wanted.zone() : nullptr;
      return put(column.integers, instant_of(wire_integer<std::int64_t>(bytes), zone));
    }
    case WireForm::kNumeric:
      return read_number(column, bytes);
    default:
      return read_text_value(column, bytes);
  }
}

bool CopyReader::read_number(Column& column, std::string_view bytes) const {
  const auto number = read_numeric(bytes);
  if (!number) refuse();
  // A type without a scale holds any number, and is read as the nearest double.
  if (column.what.type.kind == ColumnKind::kDouble) {
    const auto real = nearest_double(*number);
    column.reals.push_back(real.value_or(0));
    return real.has_value();
  }
  const int scale = column.what.type.scale;
  const auto exact = scaled_number(*number, scale);
  if (!exact) return read_missing(column);
  if (column.store == Store::kReals) {
    column.reals.push_back(decimal_to_double(*exact, scale));
    return true;
  }
  if (column.store == Store::kWides) {
    column.wides.push_back(*exact);
    return true;
  }
  using Limits = std::numeric_limits<std::int64_t>;
  if (*exact < Limits::min() || *exact > Limits::max()) return read_missing(column);
  return put(column.integers, static_cast<std::int64_t>(*exact));
}

bool CopyReader::read_text_value(Column& column, std::string_view bytes) {
  if (column.what.form == WireForm::kUuid) {
    column.bytes += uuid_text(bytes);
  } else {
    // The blanks that fill up a char(n) are no part of its value.
    const bool padded = column.what.form == WireForm::kPaddedText;
    const std::size_t length = padded ? bytes.find_last_not_of(' ') + 1 : bytes.size();
    column.bytes += bytes.substr(0, length);
  }
  column.offsets.push_back(static_cast<std::int64_t>(column.bytes.size()));
  return true;
}

ColumnValues CopyReader::values_of(const Column& column) {
  switch (column.store) {
    case Store::kWides:
      return std::span<const Int128>(column.wides);
    case Store::kReals:
      return std::span<const double>(column.reals);
    case Store::kTexts:
      return LongTextOffsets{column.offsets, column.bytes};
    case Store::kIntegers:
      break;
  }
  return std::span<const std::int64_t>(column.integers);
}

void CopyReader::give() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    batch_[i] = {rows_, values_of(columns_[i]), {columns_[i].validity, 0}};
  }
  const ColumnBatch only_rows{rows_, {}, {}};
  take_(columns_.empty() ? std::span(&only_rows, 1) : std::span<const ColumnBatch>(batch_));
  for (Column& column : columns_) {
    column.integers.clear();
    column.wides.clear();
    column.reals.clear();
    column.bytes.clear();
    column.offsets.assign(1, 0);
    column.validity.clear();
  }
  rows_ = 0;
  text_bytes_ = 0;
}

}  // namespace lastbit::engine
