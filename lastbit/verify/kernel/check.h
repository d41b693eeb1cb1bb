// The kernel: is this certificate a proof?
//
// It replays every step through the calculus and checks the reason of every obligation by exact
// arithmetic. It searches nothing, solves nothing and rounds nothing. Together with the rooms it
// stands on (verify/certificate and verify/logic) it is all that has to be believed.
#pragma once

#include <string>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

// What a checked certificate proves: for all parameters that meet the program's requirements and
// all adjacent inputs, in both directions, the program is (claimed_epsilon, claimed_delta)-DP.
struct Theorem {
  Program program;
  std::size_t steps = 0;
  std::size_t obligations = 0;
};

// check: the theorem. A certificate that proves nothing is an Error (kBadInput) that names the step
// ("step 1.3.2" is the second goal of the third goal of the first) and what is wrong with it.
// Proof     proofs/coupling.md#kernel
Theorem check(const Certificate& certificate);

}  // namespace lastbit::verify
