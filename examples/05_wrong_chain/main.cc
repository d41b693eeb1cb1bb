// Pieces that do not fit are refused: by the compiler where kinds differ, when the chain is built
// where only a bound or a size differs.
#include <iostream>

#include "lastbit/base/error.h"
#include "lastbit/transformations/aggregates/count.h"
#include "lastbit/transformations/aggregates/mean.h"
#include "lastbit/transformations/aggregates/sum.h"
#include "lastbit/transformations/rows/clamp.h"

namespace lb = lastbit;

template <class Left, class Right>
concept Joins = requires(const Left& left, const Right& right) { left >> right; };

using Clamp = decltype(lb::make_clamp(lb::vector_of(lb::interval(0, 10))));
static_assert(Joins<Clamp, decltype(lb::make_sum())>);
static_assert(!Joins<Clamp, decltype(lb::make_mean())>);  // how many rows? A mean must know.
static_assert(!Joins<Clamp, Clamp>);  // the left gives an interval, the right takes any integers

int main() {
  const auto clamp = lb::make_clamp(lb::vector_of(lb::interval(0, 11)));
  const auto sum = lb::make_sum(lb::vector_of(lb::interval(0, 10)), lb::SymmetricDistance{});
  try {
    const auto chain = clamp >> sum;
    std::cout << chain.name() << " was built\n";
  } catch (const lb::Error& error) {
    std::cout << error.what() << "\n";
  }
}
