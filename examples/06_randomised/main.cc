// A randomised transformation promises a coupling, and the promise can be checked exactly.
#include <iostream>

#include "lastbit/random/tape.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/rows/clamp.h"
#include "lastbit/transformations/rows/resize.h"
#include "lastbit/verify/stability/coupling.h"
#include "lastbit/verify/stability/enumerate.h"

namespace lb = lastbit;

int main() {
  const auto mean = lb::make_clamp(lb::vector_of(lb::interval(0, 10))) >> lb::make_resize(4, 5) >>
                    lb::make_mean();
  std::cout << mean.name() << "\n";
  std::cout << "one row more or less moves it by at most " << mean.map(1).to_string() << "\n";

  lb::BitSource bits = lb::testing::seeded_tape(1);  // for a release: lb::thread_bit_source()
  std::cout << "of two rows:   " << mean({9, 3}, bits).to_string() << "\n";
  std::cout << "of seven rows: " << mean({0, 1, 2, 3, 4, 5, 6}, bits).to_string() << "\n";

  const auto domain = lb::vector_of(lb::interval(0, 1));
  const auto resize = lb::make_resize(domain, lb::SymmetricDistance{}, 2, 0);
  const auto inputs = lb::verify::members(domain, {.atoms = 2, .rows = 3});
  const auto report = lb::verify::check_couplings(resize, inputs, 12);
  std::cout << lb::verify::explain(report)
            << "mass that 12 bits leave open: " << report.undecided.to_string() << "\n";
}
