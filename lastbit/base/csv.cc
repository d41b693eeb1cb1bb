#include "lastbit/base/csv.h"

#include <algorithm>

#include "lastbit/base/error.h"

namespace lastbit {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_formula(std::string_view text) {
  constexpr std::string_view kStarts = "=+-@\t\r";
  constexpr std::string_view kNumber = "0123456789.";
  if (text.empty() || kStarts.find(text.front()) == std::string_view::npos) return false;
  const bool is_number = text.size() > 1 && text.front() == '-' &&
                         text.find_first_not_of(kNumber, 1) == std::string_view::npos;
  return !is_number;
}

}  // namespace

// Texts that already look guarded are guarded too, so that different texts stay different.
CsvField CsvField::text(std::string_view text) {
  const std::size_t quotes = std::min(text.find_first_not_of('\''), text.size());
  std::string field = is_formula(text.substr(quotes)) ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return CsvField(field + "\"");
}

CsvField CsvField::word(std::string_view word) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-/";
  const bool starts_well =
      !word.empty() && (!is_formula(word) || (word.front() == '-' && word.size() > 1 &&
                                              kDigits.find(word[1]) != std::string_view::npos));
  invariant(starts_well && word.find_first_not_of(kHarmless) == std::string_view::npos,
            "a word of a CSV file is harmless as it is");
  return CsvField(std::string(word));
}

std::string csv_line(std::span<const CsvField> fields, std::string_view end) {
  std::string line;
  for (const CsvField& field : fields) {
    if (&field != fields.data()) line += ',';
    line += field.written();
  }
  return line += end;
}

}  // namespace lastbit
