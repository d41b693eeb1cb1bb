// CSV, as RFC 4180 says, that spreadsheets open without running anything.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lastbit {

// CsvField: one field as it is written.
class CsvField {
 public:
  // text: any text, in quotes. Where a spreadsheet would take it for a formula, since it begins with
  // = + - @, a tab or a carriage return, a ' comes first. A minus before digits and points is a
  // number, and stays.
  static CsvField text(std::string_view text);
  // word: letters, digits, and . _ + - / as they are: numbers and the names of columns. Anything else,
  // and a word that begins like a formula and is no number, is a kInternal Error.
  static CsvField word(std::string_view word);
  // nothing: an empty field.
  static CsvField nothing() { return CsvField(""); }

  const std::string& written() const { return written_; }

 private:
  explicit CsvField(std::string written) : written_(std::move(written)) {}
  std::string written_;
};

// csv_line: the fields with commas between them and `end` behind.
std::string csv_line(std::span<const CsvField> fields, std::string_view end = "\r\n");
inline std::string csv_line(std::initializer_list<CsvField> fields, std::string_view end = "\r\n") {
  return csv_line(std::span(fields.begin(), fields.size()), end);
}

}  // namespace lastbit
