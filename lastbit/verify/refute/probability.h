// The probability that a system of linear conditions on independent noises holds.
//
// Guarantee      with balls, low contains a number ≤ the probability and high one ≥ it; where no
//                noise had to be split both contain the probability itself. is_zero is exact.
//                Proof: proofs/refutation.md#probability
// Fails          systems that two splits do not separate, more than kMostConditions conditions and
//                a deadline that passes are a kNotSupported Error.
#pragma once

#include <map>
#include <vector>

#include "lastbit/verify/refute/paths.h"
#include "lastbit/verify/refute/piecewise.h"

namespace lastbit::verify::refutation {

template <class Number>
struct Mass {
  Number low;
  Number high;
  bool is_zero = false;
};

struct Effort {
  Deadline deadline;
  int boxes = 64;  // into how many boxes a noise is split where closed forms end
};

inline constexpr std::size_t kMostConditions = 100;

// probability: that of the conditions alone, without the weight of the path.
template <class Number>
Mass<Number> probability(const std::vector<Noise>& noises,
                         const std::map<NoiseTerms, Interval>& conditions,
                         Arithmetic<Number>& arithmetic, const Effort& effort);

extern template Mass<double> probability(const std::vector<Noise>&,
                                         const std::map<NoiseTerms, Interval>&, Arithmetic<double>&,
                                         const Effort&);
extern template Mass<Ball> probability(const std::vector<Noise>&,
                                       const std::map<NoiseTerms, Interval>&, Arithmetic<Ball>&,
                                       const Effort&);

}  // namespace lastbit::verify::refutation
