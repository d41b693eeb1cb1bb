// The prover: looks for a proof that a mechanism keeps its claim.
//
// It guesses couplings and invariants and asks an SMT solver for the arithmetic. Nothing here is
// trusted: what it finds is a certificate, and verify/kernel says whether that is a proof.
#pragma once

#include <optional>
#include <string>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

struct ProveOptions {
  double seconds = 10;  // give up after this time
};

struct ProofAttempt {
  std::optional<Certificate> certificate;  // none: nothing was found
  // The smallest multiple of the claimed epsilon that the couplings of the certificate support: 1
  // if the claim is exactly what they cost, 1/2 if half of it would be enough. A claim of 0 has
  // none.
  std::optional<Rational> least_factor;
  std::string reason;  // when nothing was found: where the search got stuck, for people
  bool timed_out = false;
};

// find_proof: an attempt for both directions of the adjacency. Every certificate that it returns
// has been accepted by the kernel. It never throws for a program that parse_program accepts.
ProofAttempt find_proof(const Program& program, const ProveOptions& options = {});

// find_supported_factor: the multiple of the claimed epsilon that couplings support, even if it is
// more than 1; none if no couplings are found.
std::optional<Rational> find_supported_factor(const Program& program,
                                              const ProveOptions& options = {});

}  // namespace lastbit::verify
