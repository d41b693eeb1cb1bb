// CSV as defined by RFC 4180, safe to open in spreadsheets: no field runs as a formula.
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
  // text: any text, in quotes. A leading ' is added where a spreadsheet would take the text for a
  // formula: where it starts with = + - @, a tab or a carriage return, also after other '. A minus
  // followed by digits and points is a number and stays as it is.
  static CsvField text(std::string_view text);
  // word: letters, digits and . _ + - / as they are: numbers and column names. Any other character,
  // or a word that starts like a formula and is not a number, is a kInternal Error.
  static CsvField word(std::string_view word);
  // nothing: an empty field.
  static CsvField nothing() { return CsvField(""); }

  const std::string& written() const { return written_; }

 private:
  explicit CsvField(std::string written) : written_(std::move(written)) {}
  std::string written_;
};

// csv_line: the fields separated by commas, followed by `end`.
std::string csv_line(std::span<const CsvField> fields, std::string_view end = "\r\n");
inline std::string csv_line(std::initializer_list<CsvField> fields, std::string_view end = "\r\n") {
  return csv_line(std::span(fields.begin(), fields.size()), end);
}

}  // namespace lastbit
