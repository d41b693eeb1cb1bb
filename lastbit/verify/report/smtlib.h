// The side conditions of a certificate as a script for SMT solvers.
//
// Each condition is a separate problem, ended by (check-sat) and (reset): the facts that its reason
// uses, the known signs of the symbols, and the negation of the goal. The solver must answer unsat
// to every one. The reasons themselves are not exported: the solver finds its own.
//
// Numbers        all symbols are reals; that whole numbers above 0 are at least 1 is in the facts.
//                Denominators are positive symbols, and every line is multiplied by them.
#pragma once

#include <cstddef>
#include <string>

#include "lastbit/verify/certificate/certificate.h"

namespace lastbit::verify {

struct SmtScript {
  std::string text;
  std::size_t problems = 0;
};

// as_smtlib: the script in SMT-LIB 2.6; QF_LRA for linear problems, QF_NRA for others.
// Fails     a certificate that the kernel refuses is a kBadInput Error.
SmtScript as_smtlib(const Certificate& certificate);

}  // namespace lastbit::verify
