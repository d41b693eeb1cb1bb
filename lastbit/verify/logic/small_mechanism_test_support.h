// A small mechanism with inputs of every kind, for the tests of single steps. Not installed.
#pragma once

#include <string>

#include "lastbit/verify/logic/calculus_test_support.h"

namespace lastbit::verify {

inline const Polynomial kOne{Rational(1)};

// A mechanism in which f, k and the entries of q and c are private, and those of r public.
inline std::string mechanism(const std::string& body, const std::string& claim = "eps") {
  return "mechanism m(f: real, k: int, g: real, t: real, b: bool, q: real[n], c: real[n], r: "
         "real[n],"
         " n: int, eps: real) requires eps > 0"
         " adjacent |f.1 - f.2| <= 1, |k.1 - k.2| <= 1, every |q.1 - q.2| <= 1,"
         " one |c.1 - c.2| <= 1 claims " +
         claim + " {" + body + "}";
}

inline Polynomial of(const Goal& goal, const std::string& name, std::size_t run = 0) {
  return goal.values.at(name).at(run);
}

}  // namespace lastbit::verify
