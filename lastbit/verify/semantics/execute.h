// execute: the exact output law of a program on given inputs.
//
// Meaning        proofs/coupling.md#programs, computed: every state of the run with its exact
//                probability. Only samplers with finite or lattice support; infinite supports are
//                cut off, and what is cut off is counted.
// Guarantee      the masses of all outputs and what is missing sum to exactly 1. The mass of an
//                output sequence is a lower bound of its probability, and the exact probability
//                when nothing was cut off or left unfinished.
// Fails          continuous samplers and irrational probabilities: kNotSupported, with the place;
//                inputs that do not fit the program: kBadParameter; a program that makes no sense:
//                kMismatch.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/semantics/finite_distribution.h"

namespace lastbit::verify {

// ExecutionInputs: a value for every parameter. A privacy parameter is given as a multiple of ln(base), as
// in `logarithms = {{"eps", 2}}, base = 3` for ε = 2·ln 3; the scales of geometric and
// discrete_laplace must be one over a whole multiple of ln(base). Requirements and adjacency are
// not looked at.
struct ExecutionInputs {
  std::map<std::string, Rational> numbers = {};  // truth values are 0 and 1
  std::map<std::string, std::vector<Rational>> lists = {};
  std::map<std::string, Rational> logarithms = {};
  Rational base = 2;
};

struct ExecutionLimits {
  int radius = 12;              // lattice samplers keep the values in [−radius, radius]
  int passes = 64;              // of one loop; states that need more are left unfinished
  std::size_t steps = 2000000;  // total of statements times states; more is a kNotSupported Error
};

struct Execution {
  FiniteDistribution<std::vector<Rational>> outputs;  // truth values are 0 and 1
  Rational truncated;                                 // the tails of lattice samplers
  Rational impossible;  // division by 0, ln of a number ≤ 0, impossible parameters
  Rational unfinished;  // loops that need more passes
  Rational missing() const { return truncated + impossible + unfinished; }
};

Execution execute(const Program& program, const ExecutionInputs& inputs,
                  const ExecutionLimits& limits = {});

}  // namespace lastbit::verify
