// What a stability check found, as values a program can read and as text a person can.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lastbit/numerics/rational.h"

namespace lastbit::verify {

// Violation: two inputs that are closer than the relation's promise allows their outputs to be.
struct Violation {
  std::string kind;  // what was broken, in words
  std::string x;
  std::string x_prime;
  std::string output;
  std::string output_prime;
  std::string d_in;      // distance of x and x'
  std::string d_out;     // distance of the outputs (or what replaces it)
  std::string promised;  // the largest distance the relation allows
};

struct StabilityReport {
  std::string name;
  std::string method;                       // "all pairs", "paths" or "couplings"
  std::uint64_t members = 0;                // inputs that were tried
  std::uint64_t pairs = 0;                  // pairs that were compared
  Rational undecided = {};                  // couplings: mass of the laws that remained unknown
  std::optional<Violation> violation = {};  // the smallest one found

  bool holds() const { return !violation.has_value(); }
};

// explain: the report as a few lines; a violation is printed with both inputs and all distances.
std::string explain(const StabilityReport& report);

}  // namespace lastbit::verify
