// Arithmetic with reasons: whether a fact follows from others, given why.
#pragma once

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

// follows: the obligation's goal is the sum of the reason's terms and of a remainder that is
// nonnegative by its form, and every term has the sign it needs. Decided by exact arithmetic.
// Proof     proofs/coupling.md#farkas
bool follows(const Obligation& obligation, const Reason& reason);

}  // namespace lastbit::verify
