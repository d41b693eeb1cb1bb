// Domains are sets of values; metrics say how far apart two members are.
#include <cstdint>
#include <iostream>
#include <vector>

#include "lastbit/core/metric.h"

namespace lb = lastbit;

int main() {
  const auto ages = lb::vector_of(lb::interval(0, 120));
  std::cout << ages.describe() << "\n";
  std::cout << "34, 0, 120: " << (ages.contains({34, 0, 120}) ? "a member" : "not a member")
            << "\n";
  std::cout << "34, -1: " << (ages.contains({34, -1}) ? "a member" : "not a member") << "\n";
  const auto hundred_ages = lb::vector_of(lb::interval(0, 120), 100);
  std::cout << hundred_ages.describe() << "\n";

  const std::vector<std::int64_t> u{34, 51, 51};
  const std::vector<std::int64_t> v{51, 34, 29};
  std::cout << "rows to add or remove: " << lb::SymmetricDistance{}.distance(u, v).to_string();
  std::cout << "\nrows to exchange: " << lb::SubstituteDistance{}.distance(u, v).to_string();
  std::cout << "\nedits, order kept: " << lb::InsertDeleteDistance{}.distance(u, v).to_string();
  std::cout << "\nplaces that differ: " << lb::HammingDistance{}.distance(u, v).to_string() << "\n";

  using Doubles = std::vector<double>;
  std::cout << "[0.0] and [-0.0] are "
            << lb::SymmetricDistance{}.distance(Doubles{0.0}, Doubles{-0.0}).to_string()
            << " apart\n";
}
