// The numbers of a loss bound as theorems for the Coq proof assistant, with coq-interval.
#pragma once

#include <string>

#include "lastbit/verify/floats/bound.h"

namespace lastbit::verify {

// coq_number: a rational as Coq's real numbers write it, in brackets.
std::string coq_number(const Rational& value);

// bound_as_coq: definitions and theorems, without the `Require` lines, that state and prove that each
// case of proofs/snapping.md#sharp, written out for these parameters, is at most the bound's excess,
// and that no cell lies between the inputs where that case is left out. With it the table of
// proofs/coq/SharpTable.v is at most the excess (tests/cli/loss_outside_test.py has Coq prove that).
// All names begin with `bound_`. Where the linear bound is the smaller one there is nothing to
// evaluate, and the text says so in a comment.
std::string bound_as_coq(const LossBound& bound);

}  // namespace lastbit::verify
