// What `lastbit prove` finds out about one mechanism.
#pragma once

#include <optional>
#include <string>

#include "lastbit/verify/certificate/certificate.h"
#include "lastbit/verify/kernel/check.h"
#include "lastbit/verify/lang/expectation.h"
#include "lastbit/verify/refute/refute.h"

namespace lastbit::cli {

enum class ProofVerdict { kProved, kRefuted, kUnknown };
std::string_view verdict_name(ProofVerdict verdict);

struct ProofOutcome {
  std::string file;
  verify::Program program;
  std::optional<verify::Expectation> expected;
  ProofVerdict verdict = ProofVerdict::kUnknown;
  double seconds = 0;  // that the search for the verdict took

  // Of a proof:
  std::string certificate;   // its text
  verify::Theorem theorem;   // what the kernel says of that text
  double check_seconds = 0;  // that reading and checking it took
  std::optional<Rational> least_factor;
  std::string least_epsilon;  // what the couplings cost: at most the claim; may be empty

  std::optional<verify::Witness> witness;  // of a refutation
  std::string reason;                      // of an unknown
  // Of a claim that is not proved: what couplings support instead; may be empty.
  std::string supported_epsilon;
  std::string problem;  // of a file that cannot be read; then there is nothing else

  // as_expected: the verdict is that of the EXPECT line, or a proof where there is none.
  bool as_expected() const;
};

// decide: reads the mechanism's file, looks for a proof and then for a violation, for at most
// `seconds` seconds or a little more. A proof counts once its text has been read back and accepted
// by the kernel.
// Fails     a file that cannot be read or parsed is a kBadInput or kBadText Error.
ProofOutcome decide(const std::string& file, double seconds);
// decide_or_say_why: the same, but what is wrong with the file is the outcome's `problem`.
ProofOutcome decide_or_say_why(const std::string& file, double seconds);

}  // namespace lastbit::cli
