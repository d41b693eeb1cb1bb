// A transformation promises how far apart its outputs can be.
#include <iostream>

#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lb = lastbit;

int main() {
  const auto incomes = lb::vector_of(lb::interval(0, 200'000));
  const auto total = lb::make_clamp(incomes) >> lb::make_sum();
  std::cout << total({52'000, -3, 1'000'000}).to_string() << "\n";

  std::cout << "one row:   " << total.map(1).to_string() << "\n";
  std::cout << "two rows:  " << total.map(2).to_string() << "\n";
  std::cout << "is 300000 enough for two rows? " << (total.relation(2, 300'000) ? "yes" : "no")
            << "\n";

  const auto thousand = lb::vector_of(lb::interval(0, 200'000), 1000);
  const auto sized_total = lb::make_sum(thousand, lb::SymmetricDistance{});
  const auto mean = lb::make_mean(thousand, lb::SymmetricDistance{});
  std::cout << "sum, distance 1: " << sized_total.map(1).to_string() << "\n";
  std::cout << "sum, distance 2: " << sized_total.map(2).to_string() << "\n";
  std::cout << "mean, distance 2: " << mean.map(2).to_string() << "\n";
}
