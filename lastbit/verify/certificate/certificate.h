// Certificates: a program with the derivations that prove its claim, as a value and as text.
//
// The text is JSON in one canonical form: sorted keys, no spaces, numbers that are not small whole
// ones as exact text ("1/3"). Anything else is refused, so one certificate has one text.
// docs/certificates.md describes every field.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "lastbit/verify/logic/calculus.h"

namespace lastbit::verify {

// Term: coefficient · (product of facts) · factor.
struct Term {
  Rational coefficient;
  std::vector<std::size_t> facts;  // indices into the obligation's facts
  Monomial factor;
};

// Reason: why an obligation holds. Its goal is the sum of the terms plus a remainder that is
// nonnegative by its form (proofs/coupling.md#farkas).
struct Reason {
  std::vector<Term> terms;
};

struct Derivation {
  Step step;
  std::vector<Reason> reasons;   // one for each obligation of the step, in order
  std::vector<Derivation> then;  // one for each goal that the step leaves, in order
};

// Proof: the derivation for one reading of the adjacency.
struct Proof {
  bool swapped = false;
  std::vector<Reason> reasons;  // for the obligations of the first goal
  Derivation derivation;
};

struct Certificate {
  static constexpr int kVersion = 1;
  static constexpr std::size_t kMaxBytes = 8 << 20;
  static constexpr int kMaxDepth = 400;  // of derivations, expressions and blocks

  Program program;
  std::vector<Proof> proofs;  // one, or two when the adjacency is not symmetric
};

// write_certificate: the canonical text.
std::string write_certificate(const Certificate& certificate);
// read_certificate: the certificate that a text holds. A text that is malformed, too deep, too
// large, of another version or not canonical is an Error (kBadInput) that names the place in the
// text.
Certificate read_certificate(std::string_view text);

}  // namespace lastbit::verify
