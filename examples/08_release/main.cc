// A private release: a chain that ends in noise, and its exact price.
#include <iostream>

#include "lastbit/core/compose.h"
#include "lastbit/mechanisms/snapped_laplace.h"
#include "lastbit/random/tape.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lb = lastbit;

int main() {
  const auto incomes = lb::make_clamp(lb::vector_of(lb::interval(0, 200'000)));
  const auto total = incomes >> lb::make_sum() >> lb::make_snapped_laplace(400'000);
  std::cout << "one person more or less costs " << total.map(1).to_string() << "\n";

  const auto people =
      incomes >> lb::make_count() >> lb::make_snapped_laplace_for(lb::rational("0.1"), 1);
  const auto both = lb::compose(total, people);
  std::cout << "both together cost " << both.map(1).to_string() << ", for a family of four "
            << both.map(4).to_string() << "\n";

  lb::BitSource bits = lb::testing::seeded_tape(1);  // for a release: lb::thread_bit_source()
  const std::vector<std::int64_t> data(5'000, 40'000);
  const auto [income, count] = both(data, bits);
  std::cout << "released: " << income.to_string() << " earned by " << count << " people\n"
            << "exact:    200000000 earned by 5000 people\n";
}
