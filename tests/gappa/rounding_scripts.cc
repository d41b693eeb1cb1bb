// rounding_scripts: lists Gappa scripts for rounded expressions, each after a line `== name`.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>

#include "lastbit/verify/floats/rounding/gappa.h"

namespace {

using lastbit::FloatFormat;
using lastbit::Rational;
using lastbit::rational;
using lastbit::verify::Extent;
using lastbit::verify::Formula;
using lastbit::verify::Ranges;

void print(const std::string& name, const Formula& formula, const Ranges& ranges, int precision) {
  fmt::print("== {}\n{}", name,
             lastbit::verify::gappa_script(formula, ranges, FloatFormat::unbounded(precision)));
}

void print_snapping(int precision) {
  const Rational eta = Rational::two_to(-precision);
  const Ranges ranges = {{"f", Extent::between(-64, 64)},
                         {"lambda", Extent::between(1, 2)},
                         {"U", Extent::between(Rational::two_to(-64), Rational(1) - eta)}};
  for (const int sign : {1, -1}) {
    print(fmt::format("snapping, {} bits, sign {}", precision, sign),
          lastbit::verify::snapping_formula(sign), ranges, precision);
  }
}

void print_others(int precision) {
  const Formula x = Formula::real("x");
  const Formula y = Formula::exact("y");
  const Ranges ranges = {{"x", Extent::between(rational("1/3"), 5)},
                         {"y", Extent::between(-4, rational("-1/10"))},
                         {"U", Extent::between(rational("1/1000"), rational("1/2"))}};
  const auto named = [&](const std::string& name, const Formula& formula) {
    print(fmt::format("{}, {} bits", name, precision), formula, ranges, precision);
  };
  named("a product of negatives", -x * (y / Formula::number(rational("1/3"))));
  named("a difference", x - y * x);
  named("a quotient of a sum", (x + Formula::uniform()) / y);
}

}  // namespace

int main() {
  try {
    for (const int precision : {53, 24, 11}) {
      print_snapping(precision);
      print_others(precision);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  return 0;
}
