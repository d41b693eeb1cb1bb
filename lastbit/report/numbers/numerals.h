// Numerals: how numbers are written for people who are used to other signs than 1,234.5.
#pragma once

#include <string>
#include <string_view>

#include "lastbit/release/file/publication.h"

namespace lastbit::report {

class Numerals {
 public:
  Numerals() = default;
  explicit Numerals(NumberFormat format) : format_(format) {}

  // text: a number such as 1,234.5, or our own words around such numbers, with the signs of the
  // format. Only a comma or a point between two digits changes, so that [0, 5] stays as it is;
  // never pass names or keys.
  std::string text(std::string_view number) const;

 private:
  NumberFormat format_ = NumberFormat::kCommas;
};

}  // namespace lastbit::report
