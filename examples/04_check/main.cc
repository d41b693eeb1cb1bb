// Promises are checked against the functions that make them.
#include <cstdint>
#include <iostream>
#include <vector>

#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/verify/stability/check.h"
#include "lastbit/verify/stability/enumerate.h"

namespace lb = lastbit;

int main() {
  const auto domain = lb::vector_of(lb::interval(-1, 2));
  const auto inputs = lb::verify::members(domain, {.atoms = 4, .rows = 3});
  const auto sum = lb::make_sum(domain, lb::SymmetricDistance{});
  std::cout << lb::verify::explain(lb::verify::check_all_pairs(sum, inputs));

  using Rows = std::vector<std::int64_t>;
  const lb::Transformation last_row(
      "last row", domain, lb::SymmetricDistance{}, lb::integers(), lb::AbsoluteDistance{},
      [](const Rows& rows) { return rows.empty() ? std::int64_t{0} : rows.back(); },
      lb::Relation<lb::Distance, lb::Distance>::linear(3));
  std::cout << lb::verify::explain(lb::verify::check_all_pairs(last_row, inputs));
}
