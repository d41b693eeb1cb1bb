#include "lastbit/verify/stability/atoms.h"

#include <bit>
#include <cmath>
#include <limits>

namespace lastbit::verify {
namespace {

using Doubles = std::numeric_limits<double>;
using Int64s = std::numeric_limits<std::int64_t>;

// A quiet NaN whose payload is not the usual one.
const double kOtherNan = std::bit_cast<double>(std::uint64_t{0x7ff8'0000'0000'0001});

template <class T>
std::vector<T> concatenated(std::vector<T> first, const std::vector<T>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

std::vector<double> hostile_doubles() {
  return {0.0,
          -0.0,
          1.0,
          Doubles::quiet_NaN(),
          Doubles::infinity(),
          -Doubles::infinity(),
          Doubles::denorm_min(),
          -1.5,
          0x1p53,
          0.1,
          kOtherNan,
          Doubles::max(),
          Doubles::lowest(),
          Doubles::min(),
          0.49999999999999994,
          -0.5,
          2.5};
}

std::vector<std::int64_t> hostile_integers() {
  constexpr std::int64_t k53 = std::int64_t{1} << 53;
  return {0, 1, -1, Int64s::max(), Int64s::min(), k53 + 1, 2, k53, -k53 - 1, 7};
}

std::vector<std::string> hostile_strings() {
  return {"", "a", "b", "A", std::string("a\0b", 3), "'", "\xff", "NaN", "0", "-0", " "};
}

std::vector<double> atoms(const AllDomain<double>& domain) {
  return keep_members(domain, hostile_doubles());
}

std::vector<std::int64_t> atoms(const AllDomain<std::int64_t>& domain) {
  return keep_members(domain, hostile_integers());
}

std::vector<bool> atoms(const AllDomain<bool>&) { return {false, true}; }

std::vector<std::string> atoms(const AllDomain<std::string>& domain) {
  return keep_members(domain, hostile_strings());
}

std::vector<double> atoms(const IntervalDomain<double>& domain) {
  const double lower = domain.lower();
  const double upper = domain.upper();
  const std::vector<double> near_bounds = {lower, upper, std::nextafter(lower, upper),
                                           lower / 2 + upper / 2, std::nextafter(upper, lower)};
  return keep_members(domain, concatenated(near_bounds, hostile_doubles()));
}

std::vector<std::int64_t> atoms(const IntervalDomain<std::int64_t>& domain) {
  const std::int64_t lower = domain.lower();
  const std::int64_t upper = domain.upper();
  std::vector<std::int64_t> near_bounds = {lower, upper};
  if (lower < upper) near_bounds.push_back(lower + 1);
  if (lower < upper) near_bounds.push_back(upper - 1);
  return keep_members(domain, concatenated(near_bounds, hostile_integers()));
}

std::vector<Rational> atoms(const IntervalDomain<Rational>& domain) {
  const Rational& lower = domain.lower();
  const Rational& upper = domain.upper();
  return keep_members(domain, {lower, upper, (lower + upper) / 2, (lower * 2 + upper) / 3,
                               Rational(0), Rational(1)});
}

std::vector<Rational> atoms(const AllDomain<Rational>&) {
  return {Rational(0), Rational(1), rational("-1/3"), rational("1e30"), rational("0x1p-1074")};
}

}  // namespace lastbit::verify
