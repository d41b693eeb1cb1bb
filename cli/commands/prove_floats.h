// `lastbit prove --precision`: what a proof in real arithmetic means for floats.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "lastbit/verify/logic/program.h"

namespace lastbit::cli {

// FloatTheorem: the mechanism in floats of a given precision, or why nothing is known about it.
struct FloatTheorem {
  int precision = 53;
  std::string loss;       // "eps + 18*B*eta*eps + 14*eta"; empty where nothing is known
  std::string condition;  // "0 < B <= 2^46/eps"
  std::string scale;      // "1/eps"
  std::string eta;        // the name of 2^-precision: "eta", unless a parameter has it
  std::string why_not;    // what keeps the program from being the snapping mechanism
};

// float_theorem: of a program whose claim is proved for real numbers.
// Proof     proofs/loss.md#programs
FloatTheorem float_theorem(const verify::Program& program, int precision);
std::string as_text(const FloatTheorem& theorem);
nlohmann::ordered_json as_json(const FloatTheorem& theorem);

}  // namespace lastbit::cli
