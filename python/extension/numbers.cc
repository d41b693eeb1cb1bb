// Numbers as the package writes and reads them.
#include <optional>
#include <string>

#include "lastbit/numerics/rational.h"
#include "python/extension/bindings.h"

namespace lastbit::python {

Rational number_of(const std::string& text) { return Rational::parse(text); }

std::optional<Rational> number_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return number_of(*text);
}

std::string fraction_text(const Rational& number) {
  return number.numerator().to_string() + "/" + number.denominator().to_string();
}

}  // namespace lastbit::python
