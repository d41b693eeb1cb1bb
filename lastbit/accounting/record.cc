#include "lastbit/accounting/record.h"

#include <fmt/core.h>

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "lastbit/accounting/sha256.h"
#include "lastbit/base/error.h"

namespace lastbit::accounting_internal {
namespace {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

// canonical: every value with its name and its length before it, so that no two lists of fields
// have the same text.
std::string canonical(std::string_view title, const Fields& fields) {
  std::string text = fmt::format("{}\n", title);
  for (const auto& [name, value] : fields) {
    text += fmt::format("{} {}:{}\n", name, value.size(), value);
  }
  return text;
}

// The shape of a character by its first byte: how many bytes follow, and the smallest code point
// that needs that many. Nothing for bytes that start no character.
struct Shape {
  int following;
  std::uint32_t bits;
  std::uint32_t least;
};
std::optional<Shape> shape_of(unsigned char first) {
  if (first < 0x80) return Shape{0, first, 0};
  if (first >= 0xC2 && first < 0xE0) return Shape{1, first & 0x1FU, 0x80};
  if (first >= 0xE0 && first < 0xF0) return Shape{2, first & 0x0FU, 0x800};
  if (first >= 0xF0 && first < 0xF5) return Shape{3, first & 0x07U, 0x10000};
  return std::nullopt;
}

bool is_shown(std::uint32_t point) {
  const bool is_control = point < 0x20 || (point >= 0x7F && point < 0xA0);
  const bool is_surrogate = point >= 0xD800 && point < 0xE000;
  // Line and paragraph separators, and the marks that change the direction of what follows.
  const bool is_layout =
      (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
  return !is_control && !is_surrogate && !is_layout && point <= 0x10FFFF;
}

}  // namespace

bool is_plain_text(std::string_view text) {
  if (text.size() > kMaxText) return false;
  for (std::size_t i = 0; i < text.size();) {
    const auto shape = shape_of(static_cast<unsigned char>(text[i++]));
    if (!shape) return false;
    std::uint32_t point = shape->bits;
    for (int k = 0; k < shape->following; ++k, ++i) {
      if (i == text.size()) return false;
      const auto byte = static_cast<unsigned char>(text[i]);
      if ((byte & 0xC0U) != 0x80) return false;
      point = point << 6U | (byte & 0x3FU);
    }
    if (point < shape->least || !is_shown(point)) return false;
  }
  return true;
}

void require_plain_text(std::string_view place, std::string_view parameter, std::string_view text) {
  if (is_plain_text(text)) return;
  throw Error::bad_parameter(
      place, parameter, fmt::format("is not one line of UTF-8 text of at most {} bytes", kMaxText),
      "leave out line breaks and other control characters");
}

std::string utc_now() {
  namespace chrono = std::chrono;
  const auto now = chrono::floor<chrono::seconds>(chrono::system_clock::now());
  const auto day = chrono::floor<chrono::days>(now);
  const chrono::year_month_day date(day);
  const chrono::hh_mm_ss time(now - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string Header::hash() const {
  return sha256_hex(canonical(
      "lastbit ledger 1",
      {{"cap", cap}, {"description", description}, {"created", created}, {"nonce", nonce}}));
}

std::string Record::computed_hash() const {
  const std::string id_text = std::to_string(id);
  const std::string entry_text = std::to_string(entry);
  Fields fields = {
      {"id", id_text}, {"kind", kind},   {"entry", entry_text},        {"time", time},
      {"plan", plan},  {"data", data},   {"description", description}, {"mechanisms", mechanisms},
      {"cost", cost},  {"total", total}, {"previous", previous}};
  if (!unit.empty()) fields.emplace_back("unit", unit);
  return sha256_hex(canonical("lastbit ledger record 1", fields));
}

}  // namespace lastbit::accounting_internal
