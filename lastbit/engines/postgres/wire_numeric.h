// Numbers of PostgreSQL's type numeric, as a binary COPY sends them. For this module only.
// Definition: proofs/reading.md#postgres
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/numerics/integer.h"

namespace lastbit::engine {

// WireNumeric: the sum of digits[i] * 10000^(weight - i), with a sign; or one of three more.
struct WireNumeric {
  enum class Kind { kNumber, kNotANumber, kInfinity };
  Kind kind = Kind::kNumber;
  bool negative = false;
  int weight = 0;
  std::vector<int> digits;  // each from 0 to 9999
};

// read_numeric: nothing if these bytes are no number, whatever they are.
std::optional<WireNumeric> read_numeric(std::string_view bytes);

// scaled_number: the number times 10^scale; nothing if that is no whole number of at most 38
// digits.
// Requires  caller: 0 <= scale <= 38.
std::optional<Int128> scaled_number(const WireNumeric& number, int scale);

// nearest_double: ties to even; infinity if it is too large. Nothing for what is not a number.
std::optional<double> nearest_double(const WireNumeric& number);

}  // namespace lastbit::engine
