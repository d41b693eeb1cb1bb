// Decide: is a mechanism as private as it claims? A proof, a violation, or neither within the time.
//
// Guarantee      "proved" means that the kernel accepted a certificate; "refuted" that two adjacent
//                inputs and an event were found whose probabilities exceed the claim.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lastbit/verify/certificate/certificate.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/refute/refute.h"

namespace lastbit::verify {

enum class Verdict { kProved, kRefuted, kUnknown };
std::string_view verdict_name(Verdict verdict);

struct Decision {
  Program program;
  Verdict verdict = Verdict::kUnknown;
  double seconds = 0;  // spent on searching for the verdict

  // Of a proof:
  std::string certificate;   // its text
  Theorem theorem;           // what the kernel says about that text
  double check_seconds = 0;  // spent on reading and checking it
  std::optional<Rational> least_factor;
  std::string least_epsilon;  // what the couplings cost: at most the claim; may be empty

  std::optional<Witness> witness;  // of a refutation
  std::string reason;              // of an unknown
  // Of a claim that is not proved: what couplings support instead; may be empty.
  std::string supported_epsilon;
};

struct DecideOptions {
  double seconds = 10;  // how long to search, or a little more
};

// decide: looks for a proof and for a violation. A proof counts once its text has been read back and
// accepted by the kernel.
// Requires  caller: the program comes from parse_program.
// Ensures   a certificate where the verdict is kProved, a witness where it is kRefuted, a reason
//           where it is kUnknown.
Decision decide(const Program& program, const DecideOptions& options = {});
// decide_text: the same for a program's text.
// Fails     text that is not a program is a kBadText Error at FILE:LINE:COLUMN, with `name` for
//           FILE.
Decision decide_text(std::string_view text, const DecideOptions& options = {},
                     std::string_view name = "program");

}  // namespace lastbit::verify
