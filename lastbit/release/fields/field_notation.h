// FieldNotation: how a text file writes numbers, dates and booleans.
//
// Guarantee      each function is total and depends only on its text and the notation, as in
//                field_text.h; with the default notation it is the function of that name there.
//                Definition: proofs/reading.md#notation
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/numerics/integer.h"
#include "lastbit/release/fields/time_zone.h"

namespace lastbit {

struct FieldNotation {
  char decimal = '.';  // the point of a number: '.' or ','
  // thousands: what stands between groups of three digits before the point; empty: nothing does.
  // Numbers without any are numbers too.
  std::string thousands = {};
  std::string date_format = {};  // as is_date_format accepts it; empty: %Y-%m-%d
  // The words of booleans; none: true and 1, false and 0.
  std::vector<std::string> true_texts = {};
  std::vector<std::string> false_texts = {};
  friend bool operator==(const FieldNotation&, const FieldNotation&) = default;
};

// is_date_format: whether a text has %Y (four digits), %m or %-m and %d or %-d (two digits; one or
// two), each once, and between them characters that are neither digits nor controls. What has one
// or two digits is not followed by digits, and no space or tab is at an end.
bool is_date_format(std::string_view format);

// Each requires  caller: a notation whose decimal and thousands differ and are no digits, signs or
// letters, and whose date_format is_date_format accepts.
std::optional<std::int64_t> read_integer(std::string_view text, const FieldNotation& notation);
std::optional<Int128> read_unsigned(std::string_view text, const FieldNotation& notation);
std::optional<Int128> read_decimal(std::string_view text, int decimals,
                                   const FieldNotation& notation);
std::optional<double> read_real(std::string_view text, const FieldNotation& notation);
std::optional<bool> read_boolean(std::string_view text, const FieldNotation& notation);
std::optional<std::int64_t> read_date(std::string_view text, const FieldNotation& notation);
// read_timestamp: the date of a timestamp has the format of dates; `T` or a space and the time
// follow as usual.
std::optional<std::int64_t> read_timestamp(std::string_view text, const TimeZone& zone,
                                           const FieldNotation& notation);

}  // namespace lastbit
