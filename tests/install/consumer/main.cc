// Uses an exact number and fresh bits, so that the link needs GMP, MPFR, Arb, OpenSSL and fmt.
#include <iostream>

#include "lastbit/numerics/rational.h"
#include "lastbit/random/bit_source.h"

int main() {
  const lastbit::Rational sum = lastbit::rational("0.1") + lastbit::rational("0.2");
  lastbit::BitSource bits = lastbit::BitSource::secure();
  const bool fresh = bits.word() != bits.word();
  const bool exact = sum == lastbit::Rational(3, 10);
  std::cout << "1/10 + 2/10 = " << (exact ? "3/10 exactly" : sum.to_string())
            << "; two fresh words " << (fresh ? "differ" : "repeat") << "\n";
  return 0;
}
