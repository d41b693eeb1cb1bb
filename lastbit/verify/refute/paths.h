// The paths of a mechanism on given inputs: one for every way its branches can go.
//
// Guarantee      the output sequence has the law of the mixture over paths: path p is taken when
//                its system holds, times its weight, and outputs its forms. A path that meets an
//                impossible operation ends there and says so. Paths of probability 0 may be
//                missing. Proof: proofs/refutation.md#paths
// Fails          anything that is not a linear form, too many steps or paths, and a deadline that
//                passes are a kNotSupported Error.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "lastbit/verify/logic/program.h"
#include "lastbit/verify/refute/linear_form.h"
#include "lastbit/verify/refute/real.h"

namespace lastbit::verify::refutation {

// Deadline: a moment after which loops give up.
class Deadline {
 public:
  explicit Deadline(double seconds);
  bool has_passed() const { return std::chrono::steady_clock::now() > end_; }
  // check: a kNotSupported Error when it has passed.
  void check() const;

 private:
  std::chrono::steady_clock::time_point end_;
};

// The values of all parameters in one run; a scalar is a list of length 1, a truth value 0 or 1.
using Instance = std::map<std::string, std::vector<Rational>>;

struct OutputForm {
  LinearForm form;
  bool is_truth = false;  // it prints as true or false
};

struct Path {
  Real weight = Rational(1);  // the probability of its coins and signs
  std::vector<Noise> noises;
  System system;
  std::vector<OutputForm> outputs;
  bool is_impossible = false;  // it ends after these outputs and cannot go on
};

struct PathLimits {
  int steps = 5000;  // statements in one path
  int paths = 600;
};

std::vector<Path> paths_of(const Program& program, const Instance& instance,
                           const PathLimits& limits, const Deadline& deadline);

}  // namespace lastbit::verify::refutation
