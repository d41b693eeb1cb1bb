// Numbers are exact: 0.1 means one tenth.
#include <iostream>

#include "lastbit/core/divergence.h"
#include "lastbit/numerics/rational.h"

namespace lb = lastbit;

int main() {
  const lb::Rational tenth = lb::rational("0.1");
  std::cout << "ten times a tenth is " << (tenth * 10).to_string() << "\n";
  std::cout << "the double 0.1 is " << lb::Rational::exactly(0.1).to_string() << "\n";
  // const lb::Rational guess = 0.1;  does not compile: say which of the two is meant

  const lb::FiniteDistribution<bool> yes{{true, lb::rational("3/4")}, {false, lb::rational("1/4")}};
  const lb::FiniteDistribution<bool> no{{true, lb::rational("1/4")}, {false, lb::rational("3/4")}};
  const auto pairs = lb::outcome_pairs(yes, no);
  std::cout << "largest ratio of probabilities: " << lb::max_ratio(pairs).to_string() << "\n";
  for (const char* epsilon : {"1.0986122886681096", "1.0986122886681098"}) {
    const bool holds = lb::is_within(lb::MaxDivergence{}, pairs, lb::rational(epsilon));
    std::cout << "epsilon " << epsilon << ": " << (holds ? "holds" : "does not hold") << "\n";
  }
}
