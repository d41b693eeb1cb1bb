#include "lastbit/engines/arrow/arrow_type.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

namespace lastbit::engine {
namespace {

// StoredType: a type that a release can use.
struct StoredType {
  std::string name;
  ArrowLayout layout;
  ColumnType type;
  bool is_milliseconds = false;
};

// Names are those that people know from PyArrow.
struct PlainType {
  std::string_view format;
  std::string_view name;
  ArrowLayout layout;
  ColumnType type;
};
constexpr std::array<PlainType, 22> kPlain = {{
    {"n", "null", ArrowLayout::kNothing, {ColumnKind::kInteger}},
    {"b", "bool", ArrowLayout::kBits, {ColumnKind::kBoolean}},
    {"c", "int8", ArrowLayout::kInt8, {ColumnKind::kInteger}},
    {"s", "int16", ArrowLayout::kInt16, {ColumnKind::kInteger}},
    {"i", "int32", ArrowLayout::kInt32, {ColumnKind::kInteger}},
    {"l", "int64", ArrowLayout::kInt64, {ColumnKind::kInteger}},
    {"C", "uint8", ArrowLayout::kUInt8, {ColumnKind::kInteger}},
    {"S", "uint16", ArrowLayout::kUInt16, {ColumnKind::kInteger}},
    {"I", "uint32", ArrowLayout::kUInt32, {ColumnKind::kInteger}},
    {"L", "uint64", ArrowLayout::kUInt64, {ColumnKind::kUnsigned}},
    {"e", "halffloat", ArrowLayout::kHalf, {ColumnKind::kFloat}},
    {"f", "float", ArrowLayout::kFloat, {ColumnKind::kFloat}},
    {"g", "double", ArrowLayout::kDouble, {ColumnKind::kDouble}},
    {"u", "string", ArrowLayout::kTexts, {ColumnKind::kText}},
    {"U", "large_string", ArrowLayout::kLongTexts, {ColumnKind::kText}},
    {"vu", "string_view", ArrowLayout::kTextViews, {ColumnKind::kText}},
    {"tdD", "date32[day]", ArrowLayout::kInt32, {ColumnKind::kDate}},
    {"tdm", "date64[ms]", ArrowLayout::kInt64, {ColumnKind::kDate}},
    {"tts", "time32[s]", ArrowLayout::kInt32, {ColumnKind::kTime, 0, 0}},
    {"ttm", "time32[ms]", ArrowLayout::kInt32, {ColumnKind::kTime, 0, 3}},
    {"ttu", "time64[us]", ArrowLayout::kInt64, {ColumnKind::kTime, 0, 6}},
    {"ttn", "time64[ns]", ArrowLayout::kInt64, {ColumnKind::kTime, 0, 9}},
}};

// What messages call types that no release can use. The longest prefix comes first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kRefused = {{
    {"+vl", "list_view"},
    {"+vL", "large_list_view"},
    {"+ud", "dense_union"},
    {"+us", "sparse_union"},
    {"+l", "list"},
    {"+L", "large_list"},
    {"+w", "fixed_size_list"},
    {"+s", "struct"},
    {"+m", "map"},
    {"+r", "run_end_encoded"},
    {"vz", "binary_view"},
    {"z", "binary"},
    {"Z", "large_binary"},
    {"w:", "fixed_size_binary"},
    {"tD", "duration"},
    {"ti", "interval"},
}};

std::optional<int> take_number(std::string_view& text) {
  int value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// d:precision,scale or d:precision,scale,bits.
std::optional<StoredType> decimal_type(std::string_view format) {
  constexpr int kMostDigits = 38;
  // So many digits always fit in 64 bits.
  constexpr int kDigitsOfInt64 = 18;
  if (!format.starts_with("d:")) return std::nullopt;
  format.remove_prefix(2);
  const auto take_further = [&]() -> std::optional<int> {
    if (!format.starts_with(',')) return std::nullopt;
    format.remove_prefix(1);
    return take_number(format);
  };
  const auto digits = take_number(format);
  const auto scale = take_further();
  const int bits = format.empty() ? 128 : take_further().value_or(0);
  if (!format.empty() || !digits || !scale) return std::nullopt;
  if (*digits < 1 || *digits > kMostDigits || *scale < 0 || *scale > *digits) return std::nullopt;
  const bool narrow = *scale == 0 && *digits <= kDigitsOfInt64;
  const ColumnType type{narrow ? ColumnKind::kInteger : ColumnKind::kDecimal, *digits, *scale};
  const std::string name = fmt::format("decimal{}({}, {})", bits, *digits, *scale);
  switch (bits) {
    case 32:
      return StoredType{name, ArrowLayout::kInt32, type};
    case 64:
      return StoredType{name, ArrowLayout::kInt64, type};
    case 128:
      return StoredType{name, ArrowLayout::kInt128, type};
    case 256:
      return StoredType{name, ArrowLayout::kInt256, type};
    default:
      return std::nullopt;
  }
}

// ts, a letter for the unit, a colon, and the zone, if it is an instant.
std::optional<StoredType> timestamp_type(std::string_view format) {
  if (format.size() < 4 || !format.starts_with("ts") || format[3] != ':') return std::nullopt;
  constexpr std::array<std::pair<char, std::string_view>, 4> kUnits = {
      {{'s', "s"}, {'m', "ms"}, {'u', "us"}, {'n', "ns"}}};
  const auto unit = std::ranges::find(kUnits, format[2], &std::pair<char, std::string_view>::first);
  if (unit == kUnits.end()) return std::nullopt;
  const int digits = 3 * static_cast<int>(unit - kUnits.begin());
  const std::string_view zone = format.substr(4);
  if (zone.empty()) {
    return StoredType{fmt::format("timestamp[{}]", unit->second),
                      ArrowLayout::kInt64,
                      {ColumnKind::kLocalTime, 0, digits}};
  }
  return StoredType{fmt::format("timestamp[{}, tz={}]", unit->second, zone),
                    ArrowLayout::kInt64,
                    {ColumnKind::kTimestamp, 0, digits}};
}

std::optional<StoredType> stored_type(std::string_view format) {
  const auto plain = std::ranges::find(kPlain, format, &PlainType::format);
  if (plain != kPlain.end()) {
    return StoredType{std::string(plain->name), plain->layout, plain->type, format == "tdm"};
  }
  if (auto type = decimal_type(format)) return type;
  return timestamp_type(format);
}

std::string refused_name(std::string_view format) {
  if (format.starts_with("d:")) return fmt::format("decimal({})", format.substr(2));
  const auto known = std::ranges::find_if(
      kRefused, [&](const auto& refused) { return format.starts_with(refused.first); });
  return std::string(known == kRefused.end() ? format : known->second);
}

// extension_name: what the metadata call the type, if it is one that somebody else defined. They
// are the number of pairs, then the length and the bytes of each key and each value.
std::optional<std::string> extension_name(const char* metadata) {
  if (metadata == nullptr) return std::nullopt;
  const auto take = [&metadata]() {
    std::int32_t number = 0;
    std::memcpy(&number, metadata, sizeof number);
    metadata += sizeof number;
    return number;
  };
  const auto take_text = [&]() -> std::optional<std::string_view> {
    const std::int32_t length = take();
    if (length < 0) return std::nullopt;
    const std::string_view text(metadata, static_cast<std::size_t>(length));
    metadata += length;
    return text;
  };
  for (std::int32_t left = take(); left > 0; --left) {
    const auto key = take_text();
    const auto value = key ? take_text() : std::nullopt;
    if (!value) return "metadata that are cut off";
    if (*key == "ARROW:extension:name") return std::string(*value);
  }
  return std::nullopt;
}

}  // namespace

ArrowColumn arrow_column(const ArrowSchema& schema) {
  ArrowColumn column;
  column.schema.name = schema.name == nullptr ? "" : schema.name;
  const bool coded = schema.dictionary != nullptr;
  const ArrowSchema& values = coded ? *schema.dictionary : schema;
  const char* format = values.format == nullptr ? "" : values.format;
  column.schema.type_name = refused_name(format);
  for (const ArrowSchema* part : {&schema, &values}) {
    if (const auto extension = extension_name(part->metadata)) {
      column.schema.type_name = *extension;
      return column;
    }
  }
  const auto type = stored_type(format);
  if (!type) return column;
  column.schema.type_name = coded ? "dictionary of " + type->name : type->name;
  column.layout = type->layout;
  column.is_milliseconds = type->is_milliseconds;
  if (coded) {
    const auto codes = stored_type(schema.format == nullptr ? "" : schema.format);
    const bool whole =
        codes && codes->layout >= ArrowLayout::kInt8 && codes->layout <= ArrowLayout::kUInt64 &&
        (codes->type.kind == ColumnKind::kInteger || codes->type.kind == ColumnKind::kUnsigned);
    // A dictionary of a dictionary, or of codes that are no numbers, is none.
    if (!whole || values.dictionary != nullptr) return column;
    column.codes = codes->layout;
  }
  column.schema.type = type->type;
  return column;
}

}  // namespace lastbit::engine
