// lastbit demo --chains: statistics as chains of transformations, their exact sensitivities, and a
// wrong sum that is caught. Nothing of it is private.
#pragma once

#include <cstdint>
#include <string>

#include "cli/terminal/output.h"

namespace lastbit::cli {

// show_chains: makes a survey, computes and checks, and says so on `out`. Without a folder the survey
// is removed again. The exit code is 1 when a check goes the wrong way.
int show_chains(std::uint64_t rows, std::uint64_t seed, const std::string& folder, bool json,
                Sink& out);

}  // namespace lastbit::cli
