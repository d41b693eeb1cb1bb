#include <iostream>

#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lb = lastbit;

int main() {
  const auto total = lb::make_clamp(lb::vector_of(lb::interval(0.0, 1.0))) >> lb::make_sum();
  const bool same = total({0.1, 0.2, 0.3}) == total({0.3, 0.2, 0.1});
  std::cout << total.name() << " of doubles, each counted as 0 to 1\n"
            << "row order matters: " << (same ? "no" : "yes")
            << ", with +: " << (0.1 + 0.2 + 0.3 == 0.3 + 0.2 + 0.1 ? "no" : "yes") << "\n"
            << "one row more or less moves it by at most " << total.map(1).to_string() << "\n";
}
