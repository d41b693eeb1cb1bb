// The exact loss as theorems for the Coq proof assistant, with the coq-interval tactics.
#pragma once

#include <string>

#include "cli/commands/loss/loss_study.h"

namespace lastbit::cli {

// loss_as_coq: a file that states and proves: rational bounds on how far the loss of the worst
// output lies above the ideal one; that it is at most the proved bound; that it is above the ideal
// loss, if it is; and that every case of the proved bound is at most its excess.
// Fails     an infinite loss is a kNotSupported Error: there is no number to state.
std::string loss_as_coq(const LossStudy& study);

}  // namespace lastbit::cli
