// The kernel: is this certificate a proof?
//
// It replays every step through the calculus and checks the reason of every obligation by exact
// arithmetic. It searches nothing, solves nothing and rounds nothing. Together with the modules it
// builds on (verify/certificate and verify/logic) it is all that has to be trusted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

// What a checked certificate proves: for all parameters that meet the program's requirements and
// all adjacent inputs, in both directions, the program is (claimed_epsilon, claimed_delta)-DP.
struct Theorem {
  // The most work that one certificate may take, in units of WorkLimit. Most certificates of the
  // corpus take less than 200,000 of them; the largest takes about a million.
  static constexpr std::uint64_t kMaxWork = 20'000'000;

  Program program;
  std::size_t steps = 0;
  std::size_t obligations = 0;
  std::uint64_t work = 0;
};

// check: the theorem. A certificate that proves nothing is an Error (kBadInput) that names the step
// ("step 1.3.2" is the second goal of the third goal of the first) and what is wrong with it. So is
// one whose check would take more than kMaxWork: no certificate takes much time or memory.
// Proof     proofs/coupling.md#kernel
Theorem check(const Certificate& certificate);

}  // namespace lastbit::verify
