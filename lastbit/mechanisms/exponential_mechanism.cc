#include "lastbit/mechanisms/exponential_mechanism.h"

#include <algorithm>

#include "lastbit/random/exponential/exponential.h"
#include "lastbit/random/uniform.h"

namespace lastbit::mechanism_internal {
namespace {

// A uniform candidate, kept with probability e^(−(best − score)/scale), which is the probability
// that an exponential variate is not below that exponent.
std::size_t choose(const std::vector<Rational>& scores, const Rational& scale, BitSource& bits) {
  const Rational best = *std::ranges::max_element(scores);
  for (;;) {
    const auto i = static_cast<std::size_t>(uniform_below(bits, std::uint64_t{scores.size()}));
    Exponential variate(bits);
    if (!variate.is_below((best - scores[i]) / scale, bits)) return i;
  }
}

}  // namespace

std::size_t ExponentialChoice::operator()(std::span<const double> scores, BitSource& bits) const {
  std::vector<Rational> exact;
  exact.reserve(scores.size());
  for (const double score : scores) exact.push_back(Rational::exactly(finite(score)));
  return choose(exact, scale_, bits);
}

std::size_t ExponentialChoice::operator()(std::span<const std::int64_t> scores,
                                          BitSource& bits) const {
  return choose({scores.begin(), scores.end()}, scale_, bits);
}

std::size_t ExponentialChoice::operator()(std::span<const Rational> scores, BitSource& bits) const {
  return choose({scores.begin(), scores.end()}, scale_, bits);
}

}  // namespace lastbit::mechanism_internal
